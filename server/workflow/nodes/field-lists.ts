import { z } from 'zod';
import { readFieldTraits, type FieldTraits, type TableActionReader } from './field-traits';

/** What the fields of a config say about themselves, as lists of their names. */
export interface FieldLists {
  /** Fields that a run requires, with a value other than undefined; a draft may lack them. */
  required: readonly string[];
  /** Fields that contain bare JSONata, evaluated before `run` like any other expression. */
  expressions: readonly string[];
  /** Expression fields in which a path that leads to nothing fails: probably a name is misspelt. */
  paths?: readonly string[];
  /** Fields that are taken literally, without expressions. */
  literals?: readonly string[];
  /**
   * Further fields that contain bare JSONata, with the names that it may use. The node evaluates them itself
   * (`NodeRunContext.evaluate`, or for each item of a list). Some are inside a literal field: `pagination.items`. The
   * others are also in `literals`.
   */
  ownExpressions?: Readonly<Record<string, readonly string[]>>;
  /** Fields that accept any value: a large one reaches `run` as `LargeJsonText`, unparsed. */
  largeFields?: readonly string[];
  /** Text fields that may contain HTML: in HTML the values of expressions are escaped. */
  markup?: readonly string[];
  /** Fields with expressions that its parts evaluate, in place of the node itself. */
  deferred?: readonly string[];
  /** The field that names a workflow to run. Saving and running it need `workflow:execute` on that workflow. */
  workflowField?: string;
  /** The field that names a connector to call. Saving and running it need `connector:use` on that connector. */
  connectorField?: string;
  /**
   * The field that names a table, and what the node does to it. Saving and running it need that permission on the
   * table.
   */
  table?: { field: string; action: TableActionReader };
  /** The config field that names further output ports, with a reader for them. */
  dynamicOutputs?: { field: string; ports(config: Record<string, unknown>): string[] };
  /** Fields that contain a JSON Schema, also in `literals`. */
  schemas?: readonly string[];
  /** The field that contains an inner definition, also in `literals`. */
  inner?: string;
}

const withoutOptional = (schema: z.core.$ZodType): z.core.$ZodType =>
  schema instanceof z.ZodOptional ? withoutOptional(schema.unwrap()) : schema;

/** The names that scoped expressions may use, by their paths. */
function listScopes(config: z.ZodObject, prefix = ''): [string, readonly string[]][] {
  return Object.entries(config.shape).flatMap(([name, schema]): [string, readonly string[]][] => {
    const { scope } = readFieldTraits(schema);
    if (scope) return [[prefix + name, scope]];
    const inner = withoutOptional(schema);
    return prefix === '' && inner instanceof z.ZodObject ? listScopes(inner, `${name}.`) : [];
  });
}

type DescribedField = { name: string; traits: FieldTraits };

const findTableField = (fields: DescribedField[]): FieldLists['table'] =>
  fields.flatMap(({ name, traits: { tableAction } }) => (tableAction ? [{ field: name, action: tableAction }] : []))[0];

const findPortsField = (fields: DescribedField[]): FieldLists['dynamicOutputs'] =>
  fields.flatMap(({ name, traits: { listPorts } }) =>
    listPorts ? [{ field: name, ports: (config: Record<string, unknown>) => listPorts(config[name]) }] : [],
  )[0];

function computeFieldLists(config: z.ZodObject): FieldLists {
  const fields: DescribedField[] = Object.entries(config.shape).map(([name, schema]) => ({
    name,
    traits: readFieldTraits(schema),
  }));
  const listNames = (isListed: (traits: FieldTraits) => unknown) =>
    fields.flatMap(({ name, traits }) => (isListed(traits) ? [name] : []));
  /** The engine skips the work for a list that is absent. */
  const listAnyNames = (isListed: (traits: FieldTraits) => unknown) => {
    const names = listNames(isListed);
    return names.length > 0 ? names : undefined;
  };
  const scopes = listScopes(config);
  const fieldOfReference = (resource: string) => listNames(({ reference }) => reference === resource)[0];
  const inner = listNames(({ syntax }) => syntax === 'innerDefinition')[0];
  const required = listNames(({ isRequired }) => isRequired);
  return {
    // The API names an inner definition first, wherever the form shows it.
    required: required.toSorted((one, other) => Number(other === inner) - Number(one === inner)),
    expressions: listNames(({ syntax }) => syntax === 'expression'),
    paths: listAnyNames(({ pathMustExist }) => pathMustExist),
    literals: listAnyNames(({ syntax }) => syntax !== undefined && syntax !== 'expression'),
    ownExpressions: scopes.length > 0 ? Object.fromEntries(scopes) : undefined,
    largeFields: listAnyNames(({ isLarge }) => isLarge),
    markup: listAnyNames(({ mayBeHtml }) => mayBeHtml),
    deferred: listAnyNames(({ isDeferred }) => isDeferred),
    workflowField: fieldOfReference('workflow'),
    connectorField: fieldOfReference('connector'),
    table: findTableField(fields),
    dynamicOutputs: findPortsField(fields),
    schemas: listAnyNames(({ syntax }) => syntax === 'jsonSchema'),
    inner,
  };
}

/** The parts of an agent get node types for each graph, some of them from the same config. */
const listsByConfig = new WeakMap<z.ZodObject, FieldLists>();

/** The lists of a config, computed once. */
export function deriveFieldLists(config: z.ZodObject): FieldLists {
  let lists = listsByConfig.get(config);
  if (!lists) listsByConfig.set(config, (lists = computeFieldLists(config)));
  return lists;
}
