import { z } from 'zod';

/** What the engine has to know about a config field besides its schema. */
interface FieldTraits {
  /** How its text is read. Absent: expressions in `{{ }}` are replaced by their values. */
  syntax?: 'expression' | 'scopedExpression';
  /** The names that a scoped expression may use. */
  scope?: readonly string[];
  /** A path that leads to nothing fails. */
  pathMustExist?: boolean;
}

/** What the fields of a config say about themselves, as lists of their names. */
export interface FieldLists {
  /** Fields that contain bare JSONata, evaluated before `run` like any other expression. */
  expressions: readonly string[];
  /** Expression fields in which a path that leads to nothing fails: probably a name is misspelt. */
  paths?: readonly string[];
  /**
   * Further fields that contain bare JSONata, with the names that it may use. The node evaluates them itself (`NodeRunContext.evaluate`, or
   * for each item of a list). Some are inside a field: `pagination.items`. Such a field, or the one around it, is also in `literals`.
   */
  ownExpressions?: Readonly<Record<string, readonly string[]>>;
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

function computeFieldLists(config: z.ZodObject): FieldLists {
  const fields = Object.entries(config.shape).map(([name, schema]) => ({ name, traits: readFieldTraits(schema) }));
  const listNames = (isListed: (traits: FieldTraits) => unknown) =>
    fields.flatMap(({ name, traits }) => (isListed(traits) ? [name] : []));
  /** The engine skips the work for a list that is absent. */
  const listAnyNames = (isListed: (traits: FieldTraits) => unknown) => {
    const names = listNames(isListed);
    return names.length > 0 ? names : undefined;
  };
  const scopes = listScopes(config);
  return {
    expressions: listNames(({ syntax }) => syntax === 'expression'),
    paths: listAnyNames(({ pathMustExist }) => pathMustExist),
    ownExpressions: scopes.length > 0 ? Object.fromEntries(scopes) : undefined,
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
