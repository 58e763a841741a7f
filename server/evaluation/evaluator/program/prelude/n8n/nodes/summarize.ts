import type { N8nItem } from '../items';
import type { N8nParameters } from '../parameters';
import { getField, listNames } from './paths';
import { readParameterRows, readTypedParameter } from './typed-parameters';

type Fields = Record<string, unknown>;

/** What a field of the result is computed from. */
interface FieldSummary {
  aggregation: string;
  field: string;
  includeEmpty: boolean;
  separateBy: string;
  customSeparator: string;
}

const SUMMARY_DEFAULTS: FieldSummary = {
  aggregation: 'count',
  field: '',
  includeEmpty: false,
  separateBy: ',',
  customSeparator: '',
};

const PREFIXES: Record<string, string> = {
  append: 'appended_',
  average: 'average_',
  concatenate: 'concatenated_',
  count: 'count_',
  countUnique: 'unique_count_',
  max: 'max_',
  min: 'min_',
  sum: 'sum_',
};

const isEmpty = (value: unknown) => value === undefined || value === null || value === '';

const toFieldName = (name: string) => name.replace(/[\]["]/g, '').replace(/[ .]/g, '_');

const sum = (values: unknown[]) => values.reduce<number>((total, value) => total + (value as number), 0);

/** The least of values as JavaScript compares them; `sign` -1: the greatest. */
function extreme(values: unknown[], sign: number): unknown {
  let found: unknown;
  for (const value of values) {
    if (isEmpty(value)) continue;
    const isBetter = sign > 0 ? (value as number) < (found as number) : (value as number) > (found as number);
    if (found === undefined || isBetter) found = value;
  }
  return found ?? null;
}

const toText = (value: unknown) =>
  typeof value === 'object' ? JSON.stringify(value) : value === undefined ? 'undefined' : value;

function summarizeValues(
  all: unknown[],
  { aggregation, includeEmpty, separateBy, customSeparator }: FieldSummary,
): unknown {
  const values = includeEmpty ? all : all.filter((value) => !isEmpty(value));
  const numbers = all.filter((value) => typeof value === 'number');
  switch (aggregation) {
    case 'append':
      return values;
    case 'concatenate':
      return values.map(toText).join(separateBy === 'other' ? customSeparator : separateBy);
    case 'average':
      return sum(numbers) / numbers.length;
    case 'sum':
      return sum(numbers);
    case 'min':
      return extreme(all, 1);
    case 'max':
      return extreme(all, -1);
    case 'countUnique':
      return new Set(values).size;
    default:
      return values.length;
  }
}

interface SummaryRules {
  fields: FieldSummary[];
  hasDots: boolean;
  skipsEmpty: boolean;
  hasTextKeys: boolean;
}

type Groups = Map<unknown, N8nItem[]>;

function groupItems(items: readonly N8nItem[], name: string, rules: SummaryRules): Groups {
  const groups: Groups = new Map();
  for (const item of items) {
    const given = getField(item.json, name, rules.hasDots);
    const value = given && typeof given === 'object' ? JSON.stringify(given) : given;
    const key = rules.hasTextKeys ? String(value) : value;
    if (rules.skipsEmpty && typeof key !== 'number' && !key) continue;
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return groups;
}

const summarizeGroup = (items: readonly N8nItem[], { fields, hasDots }: SummaryRules): Fields =>
  Object.fromEntries(
    fields.map((field) => [
      toFieldName(`${PREFIXES[field.aggregation] ?? ''}${field.field}`),
      summarizeValues(
        items.map(({ json }) => getField(json, field.field, hasDots)),
        field,
      ),
    ]),
  );

function toRows(items: readonly N8nItem[], names: string[], rules: SummaryRules): Fields[] {
  const [name, ...others] = names;
  if (name === undefined) return [summarizeGroup(items, rules)];
  return [...groupItems(items, name, rules)].flatMap(([value, group]) =>
    toRows(group, others, rules).map((row) => ({ ...row, [toFieldName(name)]: value })),
  );
}

function toTree(items: readonly N8nItem[], names: string[], rules: SummaryRules): Fields {
  const [name, ...others] = names;
  if (name === undefined) return summarizeGroup(items, rules);
  return Object.fromEntries(
    [...groupItems(items, name, rules)].map(([value, group]) => [String(value), toTree(group, others, rules)]),
  );
}

/** The items that the node `summarize` makes of a list. */
export function summarizeList(version: number, parameters: N8nParameters, items: N8nItem[]): N8nItem[] {
  const rules: SummaryRules = {
    fields: readParameterRows(parameters, 'fieldsToSummarize.values', SUMMARY_DEFAULTS),
    hasDots: !readTypedParameter(parameters, 'options.disableDotNotation', false),
    skipsEmpty: readTypedParameter(parameters, 'options.skipEmptySplitFields', false),
    hasTextKeys: version === 1,
  };
  if (rules.fields.every(({ field }) => field === ''))
    throw new Error("You need to add at least one aggregation to 'Fields to Summarize' with non empty 'Field'");
  const goesOn = version > 1 || readTypedParameter(parameters, 'options.continueIfFieldNotFound', false);
  for (const { field } of rules.fields) {
    const isThere = field === '' || items.some(({ json }) => getField(json, field, rules.hasDots) !== undefined);
    if (!goesOn && !isThere) throw new Error(`The field '${field}' does not exist in any items`);
  }
  const names = listNames(readTypedParameter<unknown>(parameters, 'fieldsToSplitBy', ''));
  const isOne = readTypedParameter(parameters, 'options.outputFormat', 'separateItems') === 'singleItem';
  if (isOne) return [{ json: toTree(items, names, rules) }];
  return toRows(items, names, rules).map((json) => ({ json }));
}
