import { z } from 'zod';
import { isFileValue, type FileValue } from '@/contract/file-value';

/*
 * The parameters of an operation, with their titles; `.describe()` adds one line of help. A text says what it is: picked
 * from a list of the service, content that a person writes, or a value, with the reason why it is not picked.
 */

declare const PARAMETER_KIND: unique symbol;
/** Only the compiler knows this mark. It stays on what `.describe()`, `.min()` and the like return. */
interface DeclaredKind {
  readonly [PARAMETER_KIND]: true;
}
/** What `.optional()`, `.default()` and `.array()` make of a parameter. */
interface WrappedParameter {
  _zod: { def: { innerType: ParameterSchema } | { element: ParameterSchema } };
}
/** A parameter whose kind is known. */
export type ParameterSchema = z.ZodType & (DeclaredKind | WrappedParameter);
/** The parameters of an operation. A text without a kind is refused by the compiler. */
export type ParameterShape = Readonly<Record<string, ParameterSchema>>;

type Declared<Schema extends z.ZodType> = Schema & DeclaredKind;
const declareKind = <Schema extends z.ZodType>(schema: Schema): Declared<Schema> => schema as Declared<Schema>;

/** Why a text is neither picked from a list nor free text. */
export type ParameterValueReason =
  /** A query, formula, filter or other code in the language of the service. */
  | 'query'
  /** Words that are searched for. */
  | 'search'
  /** An earlier step or the trigger delivers it, such as the id of a message or of a record. */
  | 'earlier step'
  /** An address: of a page, of a mailbox, a phone number. */
  | 'address'
  /** A code that is documented outside of the account: of a currency, a language, a colour, a time zone. */
  | 'code'
  /** It names something that the call makes, or marks it so that it is made once. */
  | 'new name'
  /** A place in something that is picked: a range of cells, a path, a line, a commit. */
  | 'place'
  /** An amount, a time or a duration, written as a text. */
  | 'quantity'
  /** No call of the API lists what it may be. */
  | 'not listed';

/** The source and the fields on which a list depends. A field that ends with `?` may be empty. */
function describeSource(source: string, dependsOn: readonly string[]) {
  const uses = dependsOn.filter((field) => field.endsWith('?')).map((field) => field.slice(0, -1));
  const needed = dependsOn.filter((field) => !field.endsWith('?'));
  return { source, dependsOn: needed, ...(uses.length > 0 ? { uses } : {}) };
}

/**
 * A parameter whose choices are listed by a source of the connector; for a list of values, those of each value.
 */
export const listedParameter = <Schema extends z.ZodType>(
  schema: Schema,
  source: string,
  dependsOn: readonly string[] = [],
): Declared<Schema> =>
  declareKind(schema.meta({ ...schema.meta(), 'x-choices': { ...describeSource(source, dependsOn), search: true } }));

/** The first choice is what most people mean: a new event has it at once. */
export const preselectFirstChoice = <Schema extends z.ZodType & DeclaredKind>(schema: Schema): Schema => {
  const meta = schema.meta() ?? {};
  return schema.meta({ ...meta, 'x-choices': { ...Object(meta['x-choices']), isFirstUsual: true } });
};

const lineSchema = (title: string, max = 1000) => z.string().min(1).max(max).meta({ title });
const lineListSchema = (title: string) => z.array(z.string().max(1000)).max(1000).meta({ title });

/** A text that is picked from a list of the service: an id, or a name that the service takes as one. */
export const listedLineParameter = (title: string, source: string, dependsOn: readonly string[] = [], max?: number) =>
  listedParameter(lineSchema(title, max), source, dependsOn);
/** A list of such texts. */
export const listedLineListParameter = (title: string, source: string, dependsOn: readonly string[] = []) =>
  listedParameter(lineListSchema(title), source, dependsOn);
/** One text with several of them, separated by commas. */
export function listedJoinedParameter(title: string, source: string, dependsOn: readonly string[] = [], max = 10_000) {
  const listed = listedParameter(lineSchema(title, max), source, dependsOn);
  return listed.meta({ ...listed.meta(), 'x-separator': ',' });
}
/** A text in one line that a person writes for people. */
export const contentLineParameter = (title: string, max?: number) => declareKind(lineSchema(title, max));
export const contentLineListParameter = (title: string) => declareKind(lineListSchema(title));
/** Any other text in one line, with the reason why nobody can pick it. */
export const valueLineParameter = (title: string, reason: ParameterValueReason, max?: number) =>
  declareKind(lineSchema(title, max).meta({ title, 'x-value': reason }));
export const valueLineListParameter = (title: string, reason: ParameterValueReason) =>
  declareKind(lineListSchema(title).meta({ title, 'x-value': reason }));
/** A text of several lines that a person writes. */
export const multilineParameter = (title: string, max = 100_000) =>
  declareKind(z.string().max(max).meta({ title, 'x-editor': 'multiline' }));
const objectSchema = (title: string) => z.record(z.string(), z.unknown()).meta({ title });

/** A new row: a value for each column that a source lists. */
export const columnsParameter = (title: string, source: string, dependsOn: readonly string[] = []) =>
  declareKind(objectSchema(title).meta({ title, 'x-columns': describeSource(source, dependsOn) }));
/** A change of a row, or what rows must have: values for some of the columns. */
export const someColumnsParameter = (title: string, source: string, dependsOn: readonly string[] = []) =>
  declareKind(
    objectSchema(title).meta({ title, 'x-columns': { ...describeSource(source, dependsOn), isPartial: true } }),
  );
/** A list of rows. */
export const columnRowsParameter = (title: string, source: string, dependsOn: readonly string[] = [], max = 1000) =>
  declareKind(
    z
      .array(z.record(z.string(), z.unknown()))
      .max(max)
      .meta({ title, 'x-columns': describeSource(source, dependsOn) }),
  );

export const countParameter = (title: string, max: number) =>
  declareKind(z.number().int().min(1).max(max).meta({ title }));
export const numberParameter = (title: string) => declareKind(z.number().meta({ title }));
export const booleanParameter = (title: string) => declareKind(z.boolean().meta({ title }));
export const choiceParameter = <const Options extends readonly [string, ...string[]]>(
  title: string,
  options: Options,
) => declareKind(z.enum(options).meta({ title }));
export const timeParameter = (title: string) =>
  declareKind(z.string().max(64).meta({ title, description: 'ISO 8601' }));
/** Any JSON object that the provider documents. */
export const jsonObjectParameter = (title: string) => declareKind(objectSchema(title));
/** An object of names and values, entered as pairs. */
export const pairsParameter = (title: string) => declareKind(objectSchema(title).meta({ title, 'x-editor': 'pairs' }));
/** A list of JSON objects that the provider documents. */
export const jsonListParameter = (title: string, max = 1000) =>
  declareKind(z.array(z.record(z.string(), z.unknown())).max(max).meta({ title }));
/** Rows of a sheet as lists of cells. */
export const cellRowsParameter = (title: string, max = 1000) =>
  declareKind(z.array(z.array(z.unknown()).max(1000)).max(max).meta({ title }));
/** The value of a file. */
export const fileParameter = (title: string) =>
  declareKind(
    z
      .custom<FileValue>(isFileValue, { error: 'must be the value of a file' })
      .meta({ title, description: 'The value of a file, e.g. {{ input.body }}', 'x-editor': 'line' }),
  );
/** The value of a file, or a text of a pattern that names a file which the provider has or fetches. */
export const fileOrTextParameter = (title: string, pattern: RegExp, rule: string) =>
  declareKind(
    z
      .custom<FileValue | string>((value) => (typeof value === 'string' ? pattern.test(value) : isFileValue(value)), {
        error: `must be the value of a file, or ${rule}`,
      })
      .meta({ title, 'x-editor': 'line' }),
  );
export const fileListParameter = (title: string) =>
  declareKind(
    z
      .array(z.custom<FileValue>(isFileValue, { error: 'must be the value of a file' }))
      .max(50)
      .meta({ title, description: 'A list of values of files', 'x-editor': 'json' }),
  );

/** The parameter of every paged operation: fetch all pages instead of the first. */
export const ALL_PAGES_PARAMETER = 'allPages';
