import { readParameter, type N8nParameters } from '../parameters';

/** The value of a parameter at a path such as `options.clashHandling.values`, as the type of its default. */
export function readTypedParameter(parameters: N8nParameters, path: string, otherwise: string): string;
export function readTypedParameter(parameters: N8nParameters, path: string, otherwise: number): number;
export function readTypedParameter(parameters: N8nParameters, path: string, otherwise: boolean): boolean;
export function readTypedParameter<Value>(parameters: N8nParameters, path: string, otherwise: Value): Value;
export function readTypedParameter(parameters: N8nParameters, path: string, otherwise: unknown): unknown {
  return readParameter(parameters, path, otherwise);
}

/** A list of objects at a path, each with the defaults of its fields. `otherwise`: the rows of a node that has none. */
export const readParameterRows = <Row extends object>(
  parameters: N8nParameters,
  path: string,
  defaults: Row,
  otherwise: readonly Partial<Row>[] = [],
): Row[] => {
  const rows = readParameter(parameters, path, otherwise);
  return (Array.isArray(rows) ? rows : []).map((row) => ({ ...defaults, ...(row as Partial<Row>) }));
};
