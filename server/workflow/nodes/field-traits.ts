import { z } from 'zod';
import type { JsonObject } from '@/contract/text';

/** What is taken as it is written: plain values, expressions that the node evaluates itself, JSON Schemas, inner definitions. */
type LiteralSyntax = 'literal' | 'scopedExpression' | 'jsonSchema' | 'innerDefinition';

/** What a node with this config does to its table. */
type TableActionReader = (config: Record<string, unknown>) => 'read' | 'write';

/** What the engine has to know about a config field besides its schema. */
interface FieldTraits {
  /** A run needs a value. */
  isRequired?: true;
  /** How its text is read. Absent: expressions in `{{ }}` are replaced by their values. */
  syntax?: 'expression' | LiteralSyntax;
  /** The names that a scoped expression may use. */
  scope?: readonly string[];
  /** A path that leads to nothing fails. */
  pathMustExist?: boolean;
  /** Its text may be HTML. */
  mayBeHtml?: true;
  /** The parts of the node evaluate it, in place of the node. */
  isDeferred?: true;
  /** It is the id of such an object. */
  reference?: 'workflow' | 'connector' | 'table';
  tableAction?: TableActionReader;
  /** It names output ports. */
  listPorts?: (value: unknown) => string[];
  /** A large value stays unparsed. */
  isLarge?: true;
}

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
   * Further fields that contain bare JSONata, with the names that it may use. The node evaluates them itself (`NodeRunContext.evaluate`, or
   * for each item of a list). Some are inside a literal field: `pagination.items`. The others are also in `literals`.
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
  /** The field that names a table, and what the node does to it. Saving and running it need that permission on the table. */
  table?: { field: string; action: TableActionReader };
  /** The config field that names further output ports, with a reader for them. */
  dynamicOutputs?: { field: string; ports(config: Record<string, unknown>): string[] };
  /** Fields that contain a JSON Schema, also in `literals`. */
  schemas?: readonly string[];
  /** The field that contains an inner definition, also in `literals`. */
  inner?: string;
}

/** A registry of its own, because `z.toJSONSchema` copies everything that is in the global one. */
const traitsByField = z.registry<FieldTraits>();

declare const SYNTAX: unique symbol;
/** Only the compiler knows this mark: a field has one syntax. */
type FieldWithSyntax<Schema, Syntax> = Schema & { readonly [SYNTAX]?: Syntax };

/** A copy has the traits, because node types may share the schema. */
function addFieldTraits<Schema extends z.ZodType>(schema: Schema, traits: FieldTraits): Schema {
  const field = schema.clone();
  traitsByField.add(field, { ...traitsByField.get(schema), ...traits });
  return field;
}

/** Bare JSONata, evaluated before the node runs. `pathMustExist`: a path that leads to nothing fails. */
export const expressionField = <Schema extends z.ZodOptional<z.ZodUnknown>>(
  schema: FieldWithSyntax<Schema, undefined>,
  { pathMustExist }: { pathMustExist?: true } = {},
): FieldWithSyntax<Schema, 'expression'> => addFieldTraits(schema, { syntax: 'expression', pathMustExist }) as never;

/** Bare JSONata on names of its own, which the node evaluates itself. */
export const scopedExpressionField = <Schema extends z.ZodType<string | undefined>>(
  schema: FieldWithSyntax<Schema, undefined>,
  scope: readonly string[],
): FieldWithSyntax<Schema, 'scopedExpression'> =>
  addFieldTraits(schema, { syntax: 'scopedExpression', scope }) as never;

/** A value without expressions. */
export const literalField = <Schema extends z.ZodType>(
  schema: FieldWithSyntax<Schema, undefined>,
): FieldWithSyntax<Schema, 'literal'> => addFieldTraits(schema, { syntax: 'literal' }) as never;

/** One of several values, with the texts by which the form shows them. It is taken literally. */
export const choiceField = <Choice extends string>(labels: Readonly<Record<Choice, string>>, meta: z.core.GlobalMeta) =>
  z
    .enum(Object.keys(labels) as [Choice, ...Choice[]])
    .optional()
    .apply(literalField)
    .meta({ ...meta, 'x-labels': labels });

/** Any value, or any object: a large one reaches the node as `LargeJsonText`, unparsed. */
export const largeValueField = <
  Schema extends FieldWithSyntax<z.ZodOptional<z.ZodUnknown> | z.ZodOptional<typeof JsonObject>, 'expression'>,
>(
  schema: Schema,
): Schema => addFieldTraits(schema, { isLarge: true }) as never;

/** A text with expressions that may be HTML: the values of expressions are then escaped. */
export const markupField = <Schema extends z.ZodType<string | undefined>>(
  schema: FieldWithSyntax<Schema, undefined>,
): FieldWithSyntax<Schema, 'markup'> => addFieldTraits(schema, { mayBeHtml: true }) as never;

/** The parts of the node evaluate its expressions, in place of the node. */
export const deferredField = <Schema extends z.ZodType>(schema: Schema): Schema =>
  addFieldTraits(schema, { isDeferred: true });

const addReference = <Schema extends z.ZodType>(schema: Schema, traits: FieldTraits & { reference: string }): Schema =>
  addFieldTraits(schema.meta({ 'x-editor': traits.reference }), traits);

/** The id of a text field that the form offers as a choice of objects. An expression may give it, bare JSONata may not. */
type ReferenceField = FieldWithSyntax<z.ZodType<string | undefined>, 'literal'>;

/** The id of a workflow to run. */
export const workflowReference = <Schema extends ReferenceField>(schema: Schema): Schema =>
  addReference(schema, { reference: 'workflow' });

/** The id of a connector to call. */
export const connectorReference = <Schema extends ReferenceField>(schema: Schema): Schema =>
  addReference(schema, { reference: 'connector' });

/** The id of a table, and what the node does to it. */
export const tableReference = <Schema extends ReferenceField>(schema: Schema, tableAction: TableActionReader): Schema =>
  addReference(schema, { reference: 'table', tableAction });

/** Names further output ports, which `listPorts` reads from any value. */
export const portsField = <Schema extends z.ZodType>(schema: Schema, listPorts: (value: unknown) => string[]): Schema =>
  addFieldTraits(schema, { listPorts });

/** A run needs a value of it other than undefined; a draft may lack it, so its schema is optional. */
export const requiredField = <Schema extends z.ZodOptional>(schema: Schema): Schema =>
  addFieldTraits(schema, { isRequired: true });

/** A JSON Schema, which is checked when the workflow is saved. */
export const jsonSchemaField = <Schema extends z.ZodOptional<typeof JsonObject>>(
  schema: FieldWithSyntax<Schema, undefined>,
): FieldWithSyntax<Schema, 'jsonSchema'> => addFieldTraits(schema, { syntax: 'jsonSchema' }) as never;

/** The nodes and connections of the rounds of a loop. A config has one such field at most. */
export const innerDefinitionField = <Schema extends z.ZodOptional<typeof JsonObject>>(
  schema: FieldWithSyntax<Schema, undefined>,
): FieldWithSyntax<Schema, 'innerDefinition'> => addFieldTraits(schema, { syntax: 'innerDefinition' }) as never;

/** The traits of a field, also if it became optional after they were added. */
const readFieldTraits = (schema: z.core.$ZodType): FieldTraits => ({
  ...(schema instanceof z.ZodOptional ? readFieldTraits(schema.unwrap()) : {}),
  ...traitsByField.get(schema),
});

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

/** The parts of an agent have node types that are made for each graph, from the same configs. */
const listsByConfig = new WeakMap<z.ZodObject, FieldLists>();

/** The lists of a config, computed once. */
export function deriveFieldLists(config: z.ZodObject): FieldLists {
  let lists = listsByConfig.get(config);
  if (!lists) listsByConfig.set(config, (lists = computeFieldLists(config)));
  return lists;
}
