import { z } from 'zod';
import type { JsonObject } from '@/contract/text';

/**
 * What is taken as it is written: plain values, expressions that the node evaluates itself, JSON Schemas, inner
 * definitions.
 */
type LiteralSyntax = 'literal' | 'scopedExpression' | 'jsonSchema' | 'innerDefinition';

/** What a node with this config does to its table. */
export type TableActionReader = (config: Record<string, unknown>) => 'read' | 'write';

/** What the engine has to know about a config field besides its schema. */
export interface FieldTraits {
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
  /** Where the choices or the columns of the field come from. */
  source?: ChoiceSourceReference;
}

/** A source that lists what a field may hold, with the fields of the config on which the list depends. */
export interface ChoiceSourceReference {
  source: string;
  dependsOn: readonly string[];
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

/**
 * The id of a text field that the form offers as a choice of objects. An expression may give it, bare JSONata may not.
 */
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

interface ChoiceOptions {
  dependsOn?: readonly string[];
  /** Further fields that the list takes into account. They may be empty. */
  uses?: readonly string[];
  /** The source asks the server of the node's credential. */
  needsCredential?: true;
}

/** The form offers what the source lists. `search`: the source finds choices by a part of their labels. */
export const choicesFrom = <Schema extends z.ZodType>(
  schema: Schema,
  source: string,
  { dependsOn = [], uses = [], search = false, needsCredential }: ChoiceOptions & { search?: boolean } = {},
): Schema =>
  addFieldTraits(
    schema.meta({
      'x-choices': {
        source,
        dependsOn,
        search,
        ...(uses.length > 0 ? { uses } : {}),
        ...(needsCredential ? { needsCredential } : {}),
      },
    }),
    { source: { source, dependsOn } },
  );

/**
 * An object with a value for each column that the source lists. `isWholeWhen`: the values of other fields with which
 * the object is complete, so that the form marks required columns; absent: always.
 */
export const columnsFrom = <Schema extends z.ZodType>(
  schema: Schema,
  source: string,
  {
    dependsOn = [],
    needsCredential,
    isWholeWhen,
  }: Omit<ChoiceOptions, 'uses'> & { isWholeWhen?: Record<string, string[]> } = {},
): Schema =>
  addFieldTraits(
    schema.meta({
      'x-columns': {
        source,
        dependsOn,
        ...(isWholeWhen ? { isWholeWhen } : {}),
        ...(needsCredential ? { needsCredential } : {}),
      },
    }),
    { source: { source, dependsOn } },
  );

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
export const readFieldTraits = (schema: z.core.$ZodType): FieldTraits => ({
  ...(schema instanceof z.ZodOptional ? readFieldTraits(schema.unwrap()) : {}),
  ...traitsByField.get(schema),
});
