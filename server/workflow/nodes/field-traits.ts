import { z } from 'zod';

/** What the engine has to know about a config field besides its schema. */
interface FieldTraits {
  /** How its text is read. Absent: expressions in `{{ }}` are replaced by their values. */
  syntax?: 'expression';
  /** A path that leads to nothing fails. */
  pathMustExist?: boolean;
}

/** What the fields of a config say about themselves, as lists of their names. */
export interface FieldLists {
  /** Fields that contain bare JSONata, evaluated before `run` like any other expression. */
  expressions: readonly string[];
  /** Expression fields in which a path that leads to nothing fails: probably a name is misspelt. */
  paths?: readonly string[];
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

/** The traits of a field, also if it became optional after they were added. */
const readFieldTraits = (schema: z.core.$ZodType): FieldTraits => ({
  ...(schema instanceof z.ZodOptional ? readFieldTraits(schema.unwrap()) : {}),
  ...traitsByField.get(schema),
});

function computeFieldLists(config: z.ZodObject): FieldLists {
  const fields = Object.entries(config.shape).map(([name, schema]) => ({ name, traits: readFieldTraits(schema) }));
  const listNames = (isListed: (traits: FieldTraits) => unknown) =>
    fields.flatMap(({ name, traits }) => (isListed(traits) ? [name] : []));
  /** The engine skips the work for a list that is absent. */
  const listAnyNames = (isListed: (traits: FieldTraits) => unknown) => {
    const names = listNames(isListed);
    return names.length > 0 ? names : undefined;
  };
  return {
    expressions: listNames(({ syntax }) => syntax === 'expression'),
    paths: listAnyNames(({ pathMustExist }) => pathMustExist),
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
