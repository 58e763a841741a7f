import { parseJsonataPath, printJsonataPath } from '@/components/ui/values/jsonata-path';

/** A field of an expected output, and the value that it must have. */
export interface ExpectedOutputField {
  /** Names of fields, from the outside in. None: the whole output. */
  steps: readonly string[];
  value: unknown;
}

const isOutputObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An expected output as its fields. Objects may have further fields, so each of their fields is one of the list. */
export function splitExpectedOutput(output: unknown, steps: readonly string[] = []): ExpectedOutputField[] {
  if (output === undefined) return [];
  if (!isOutputObject(output) || Object.keys(output).length === 0) return [{ steps, value: output }];
  return Object.entries(output).flatMap(([name, value]) => splitExpectedOutput(value, [...steps, name]));
}

/** The expected output of its fields; undefined: it may be anything. */
export function joinExpectedOutput(fields: readonly ExpectedOutputField[]): unknown {
  const whole = fields.find(({ steps }) => steps.length === 0);
  if (whole) return whole.value;
  const names = [...new Set(fields.map(({ steps: [name] }) => name ?? ''))];
  if (names.length === 0) return undefined;
  const inside = (name: string) =>
    fields.flatMap(({ steps: [first, ...rest], value }) => (first === name ? [{ steps: rest, value }] : []));
  return Object.fromEntries(names.map((name) => [name, joinExpectedOutput(inside(name))]));
}

/** The path of a field, which begins with `output`; undefined: a name cannot be written. */
export const outputFieldPath = ({ steps }: Pick<ExpectedOutputField, 'steps'>): string | undefined =>
  printJsonataPath(['output', ...steps]);

/** The steps of a picked or typed path. A list is compared as a whole: what is inside of it leads to the list. */
export function outputFieldSteps(path: string): string[] | undefined {
  const all = parseJsonataPath(path);
  if (!all) return undefined;
  const steps = all[0] === 'output' ? all.slice(1) : all;
  const list = steps.findIndex((step) => typeof step === 'number');
  return steps.slice(0, list === -1 ? undefined : list).map(String);
}

/** The fields with one more at the end. Fields inside of it, around it and at the same path give way. */
export function addOutputField(
  fields: readonly ExpectedOutputField[],
  field: ExpectedOutputField,
): ExpectedOutputField[] {
  const isWithin = (inner: readonly string[], outer: readonly string[]) =>
    outer.every((step, at) => step === inner[at]);
  const others = fields.filter(({ steps }) => !isWithin(steps, field.steps) && !isWithin(field.steps, steps));
  return [...others, field];
}
