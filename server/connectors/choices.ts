import { MAX_COLUMN_OPTIONS, type ColumnValueType, type FieldChoice } from '@/contract/choices';
import { getAtPath } from '@/server/evaluation/expressions/dotted-path';
import type { ApiRequest, ApiResponse } from './operation';

/**
 * Where an item has what a choice is made of, as dotted paths; `''` is the item itself. A label with braces is put
 * together: `{first_name} {last_name}`.
 */
interface ChoicePaths {
  value: string;
  /** The first that has all its texts counts. */
  label: readonly string[];
  hint?: string;
  /** Items with a true value at this path are left out. */
  unless?: string;
  /** Items are left out that have none of these values at this path. */
  where?: { at: string; is: readonly (string | number | boolean)[] };
  /** The items are columns, for parameters with `x-columns`. */
  column?: ColumnPaths;
}

/** What the service says of a column. */
export interface ColumnPaths {
  /** Where its type is. */
  type: string;
  /** Our types by those of the service; others are texts. `null`: nobody can write the column, so it is left out. */
  types: Readonly<Record<string, ColumnValueType | null>>;
  /** Every row needs a value where `when` is true and none of `unless` is. Absent: none does. */
  isRequired?: { when?: string; unless?: readonly string[] };
  /** The values of a column with options: the first list that there is, and where its items have value and label. */
  options?: { at: readonly string[]; value: string; label: readonly string[] };
}

/** What every source may say. */
interface ChoiceSourceInfo extends ChoicePaths {
  /** Choices that come before those of the service, such as the main calendar of an account. */
  first?: readonly FieldChoice[];
  /** An email address is taken as it is, whether or not it is listed. */
  takesAddresses?: true;
  /** The choices are in one of the items: in the list at `items` of the one with the value of a field at one of `by`. */
  within?: { field: string; by: readonly string[]; items: string };
}

/** An operation of the connector lists the choices. */
export interface OperationChoiceSource extends ChoiceSourceInfo {
  /** The id of the operation. It reads. */
  operation: string;
  /** Its method is not GET, and it reads all the same: a search. */
  isQuery?: true;
  /**
   * Where its answer has the list, if the operation has no `items` of its own. An object counts as the list of its
   * values, each with its name at `key`.
   */
  items?: string;
  /**
   * Parameters that list more, for accounts that may see it: they are left out where the service refuses them with this
   * reason.
   */
  more?: { parameters: Readonly<Record<string, unknown>>; unless: string };
  /** Fixed parameters. Pages should have at most 100 items. */
  parameters?: Readonly<Record<string, unknown>>;
  /**
   * Its other parameters, by the fields on which the choices depend: `{base: 'base'}`. A field that ends with `?` may
   * be empty; the parameter is left out then.
   */
  parametersFrom?: Readonly<Record<string, string>>;
  /** The parameter that takes the text that is searched. Absent: the service searches the labels itself. */
  search?: string;
}

/** What is asked of a source with steps. */
export interface ChoiceStepsQuery {
  /** The values of the fields in `dependsOn`. */
  values: Readonly<Record<string, string>>;
  search: string;
  /** What the page before returned as `next`; null: the first page. */
  page: string | null;
}

/** Several calls list the choices: a pure generator, which is tested without a network. Its calls only read. */
export interface SteppedChoiceSource extends ChoiceSourceInfo {
  /** The fields on which the choices depend. One that ends with `?` may be empty. */
  dependsOn?: readonly string[];
  /** The steps search by themselves. */
  searches?: true;
  steps(query: ChoiceStepsQuery): Generator<ApiRequest, { items: unknown[]; next?: string | null }, ApiResponse>;
}

/** The choices are the same for every account. They need no credential. */
export interface FixedChoiceSource {
  choices: readonly FieldChoice[];
}

/** Lists what parameters may hold. */
export type ConnectorChoiceSource = OperationChoiceSource | SteppedChoiceSource | FixedChoiceSource;

/** Whether the service searches by itself; else all pages of its list have to be read. */
export const isSearchedByService = (source: OperationChoiceSource | SteppedChoiceSource): boolean =>
  !source.within && ('steps' in source ? source.searches === true : source.search !== undefined);

/** The fields on which a source depends: those that need a value, and those that may be empty. */
export function listSourceFields(source: ConnectorChoiceSource): { needed: string[]; optional: string[] } {
  if ('choices' in source) return { needed: [], optional: [] };
  const named = 'steps' in source ? (source.dependsOn ?? []) : Object.values(source.parametersFrom ?? {});
  const all = [...new Set([...named, ...(source.within ? [source.within.field] : [])])];
  return {
    needed: all.filter((field) => !field.endsWith('?')),
    optional: all.filter((field) => field.endsWith('?')).map((field) => field.slice(0, -1)),
  };
}

const choiceText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** The text at a path, or of a template; empty if a part is missing. */
function labelText(item: unknown, label: string): string {
  if (!label.includes('{')) return choiceText(getAtPath(item, label));
  const parts = [...label.matchAll(/\{([^}]*)\}/g)].map(([, path = '']) => choiceText(getAtPath(item, path)));
  if (parts.some((part) => part.trim() === '')) return '';
  return label.replaceAll(/\{[^}]*\}/g, () => parts.shift() ?? '');
}

function toPlainFieldChoice(
  { value: valuePath, label, hint: hintPath }: Pick<ChoicePaths, 'value' | 'label' | 'hint'>,
  item: unknown,
): FieldChoice | undefined {
  const value = getAtPath(item, valuePath);
  if ((typeof value !== 'string' || value === '') && typeof value !== 'number') return undefined;
  const text = label.map((path) => labelText(item, path)).find((one) => one.trim() !== '');
  const hint = hintPath === undefined ? '' : choiceText(getAtPath(item, hintPath));
  return { value, label: text ?? String(value), ...(hint === '' || hint === text ? {} : { hint }) };
}

const isTrueAt = (item: unknown, path: string): boolean => getAtPath(item, path) === true;

/** What a column adds to a choice; undefined: it cannot be written. */
function readColumn(
  { type: typePath, types, isRequired, options }: ColumnPaths,
  item: unknown,
): Pick<FieldChoice, 'type' | 'isRequired' | 'options'> | undefined {
  const named = choiceText(getAtPath(item, typePath));
  const type = Object.hasOwn(types, named) ? types[named] : 'text';
  if (type === null || type === undefined) return undefined;
  const isNeeded =
    isRequired !== undefined &&
    (isRequired.when === undefined || isTrueAt(item, isRequired.when)) &&
    !(isRequired.unless ?? []).some((path) => isTrueAt(item, path));
  const list = (options?.at ?? []).map((path) => getAtPath(item, path)).find((one) => Array.isArray(one));
  const values = ((list ?? []) as unknown[])
    .slice(0, MAX_COLUMN_OPTIONS)
    .flatMap((option) => (options ? (toPlainFieldChoice(options, option) ?? []) : []));
  return {
    type: values.length === 0 && (type === 'options' || type === 'optionList') ? 'text' : type,
    isRequired: isNeeded,
    ...(values.length === 0 ? {} : { options: values }),
  };
}

/** An item of a list as a choice; undefined: it has no value, or is left out. */
export function toConnectorChoice(source: ChoicePaths, item: unknown): FieldChoice | undefined {
  if (source.unless !== undefined && isTrueAt(item, source.unless)) return undefined;
  if (source.where && !source.where.is.some((one) => one === getAtPath(item, source.where?.at ?? ''))) return undefined;
  const choice = toPlainFieldChoice(source, item);
  if (!choice || !source.column) return choice;
  const column = readColumn(source.column, item);
  return column && { ...choice, ...column };
}

/** A list, or the values of an object, each with its name at `key`; undefined: it is neither. */
export function readChoiceItems(value: unknown): unknown[] | undefined {
  if (Array.isArray(value)) return value;
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.entries(value).map(([key, one]: [string, unknown]) =>
    typeof one === 'object' && one !== null && !Array.isArray(one) ? { ...one, key } : { key, value: one },
  );
}

/** The items of a source that are inside of one of the items; undefined: none has the value of the field. */
export function readItemsWithin(
  { by, items }: NonNullable<ChoiceSourceInfo['within']>,
  value: string,
  outer: readonly unknown[],
): unknown[] | undefined {
  const found = outer.find((item) => by.some((path) => choiceText(getAtPath(item, path)) === value));
  return found === undefined ? undefined : (readChoiceItems(getAtPath(found, items)) ?? []);
}
