import type { FieldChoice } from '@/contract/choices';
import type { PathSteps } from '@/components/ui/values/jsonata-path';
import { columnValueProblem, isTimeText } from './column-values';
import { printExpressionPath } from '@/components/ui/values/expression-path';
import type { ExpressionLanguage } from '@/contract/workflows/expression-language';

/** A column that gets its value from a field of the input. */
export interface MatchedColumn {
  column: string;
  /** The field, as people read it: `customer.email`. */
  field: string;
  /** What is written into the column. */
  value: string;
}

/** What a match by names found, and what it left. */
export interface ColumnMatch {
  matched: MatchedColumn[];
  /** Columns that stay empty, with the reason where a field has their name. */
  unmatched: { column: string; reason?: string }[];
  /** Fields of the input that no column takes. */
  unused: string[];
}

/** Letters and digits alone: `Amount due`, `amount_due` and `AmountDue` are the same name. */
export const normalizeFieldName = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();

interface InputField {
  steps: PathSteps;
  name: string;
  value: unknown;
}

const MAX_MATCHED_FIELDS = 1000;
const MAX_MATCH_DEPTH = 3;

export const isRowObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The fields of an object and of the objects in it, those near the top first. */
function listInputFields(input: Record<string, unknown>): InputField[] {
  const found: InputField[] = [];
  let level: { steps: PathSteps; value: Record<string, unknown> }[] = [{ steps: ['input'], value: input }];
  for (let depth = 0; depth < MAX_MATCH_DEPTH && level.length > 0; depth += 1) {
    const fields = level.flatMap(({ steps, value }) =>
      Object.entries(value).map(([name, inner]): InputField => ({ steps: [...steps, name], name, value: inner })),
    );
    found.push(...fields.slice(0, MAX_MATCHED_FIELDS - found.length));
    level = fields.flatMap(({ steps, value }) => (isRowObject(value) ? [{ steps, value }] : []));
  }
  return found;
}

const readableFieldName = ({ steps }: InputField): string => steps.slice(1).join('.');

/** The functions that make a number or a text of a value, in each language. */
const CONVERSION_FUNCTIONS: Record<ExpressionLanguage, { number: string; text: string }> = {
  jsonata: { number: '$number', text: '$string' },
  javascript: { number: 'Number', text: 'String' },
};

/** How a value of a field gets into a column; undefined: not at all. */
function printColumnValue(
  path: string,
  value: unknown,
  type: FieldChoice['type'],
  language: ExpressionLanguage,
): string | undefined {
  const convert = CONVERSION_FUNCTIONS[language];
  if (value === undefined || value === null) return `{{ ${path} }}`;
  switch (type) {
    case 'number':
      if (typeof value === 'number') return `{{ ${path} }}`;
      return typeof value === 'string' &&
        columnValueProblem('number', value.trim() === '' ? value : Number(value)) === undefined
        ? `{{ ${convert.number}(${path}) }}`
        : undefined;
    case 'boolean':
      return typeof value === 'boolean' ? `{{ ${path} }}` : undefined;
    case 'date':
    case 'timestamp':
      return typeof value === 'string' && isTimeText(value) ? `{{ ${path} }}` : undefined;
    case 'optionList':
      return Array.isArray(value) ? `{{ ${path} }}` : undefined;
    case 'json':
      return `{{ ${path} }}`;
    default:
      if (typeof value === 'string') return `{{ ${path} }}`;
      return typeof value === 'object' ? undefined : `{{ ${convert.text}(${path}) }}`;
  }
}

const TYPE_WORDS: Record<NonNullable<FieldChoice['type']>, string> = {
  text: 'a text',
  number: 'a number',
  boolean: 'yes or no',
  date: 'a date',
  timestamp: 'a time',
  options: 'an option',
  optionList: 'a list of options',
  json: 'any value',
};

function describeValueType(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  if (typeof value === 'boolean') return TYPE_WORDS.boolean;
  return typeof value === 'number' ? TYPE_WORDS.number : TYPE_WORDS.text;
}

/**
 * The field for a column: the one with its exact name, otherwise the only one nearest to the top with a similar name.
 */
function findFieldForColumn(column: string, fields: readonly InputField[]): InputField | 'several' | undefined {
  const exact = fields.find(({ steps, name }) => steps.length === 2 && name === column);
  if (exact) return exact;
  const sought = normalizeFieldName(column);
  if (sought === '') return undefined;
  const isSimilar = (field: InputField) =>
    normalizeFieldName(field.name) === sought || normalizeFieldName(readableFieldName(field)) === sought;
  const similar = fields.filter(isSimilar);
  const [first] = similar;
  const nearest = similar.filter(({ steps }) => steps.length === first?.steps.length);
  return nearest.length > 1 ? 'several' : first;
}

/**
 * Finds a field of the input for each column by name. Case and separators do not count; a field of another type is not
 * taken.
 */
export function matchColumnsByName(
  columns: readonly Pick<FieldChoice, 'value' | 'label' | 'type'>[],
  input: Record<string, unknown>,
  language: ExpressionLanguage,
): ColumnMatch {
  const fields = listInputFields(input);
  const taken = new Set<InputField>();
  const match: ColumnMatch = { matched: [], unmatched: [], unused: [] };
  for (const { value, label, type } of columns) {
    const field = findFieldForColumn(label, fields);
    if (field === undefined || field === 'several') {
      match.unmatched.push({ column: label, ...(field && { reason: 'several fields of the input have this name' }) });
      continue;
    }
    taken.add(field);
    const path = printExpressionPath(field.steps, language);
    const written = path === undefined ? undefined : printColumnValue(path, field.value, type, language);
    if (written !== undefined) {
      match.matched.push({ column: String(value), field: readableFieldName(field), value: written });
      continue;
    }
    const reason =
      path === undefined
        ? 'an expression can’t name its field'
        : `its field has ${describeValueType(field.value)}, the column takes ${TYPE_WORDS[type ?? 'text']}`;
    match.unmatched.push({ column: label, reason });
  }
  const isTop = ({ steps }: InputField) => steps.length === 2;
  const isUsed = (field: InputField) =>
    taken.has(field) || [...taken].some(({ steps }) => steps.length > 2 && steps[1] === field.name);
  match.unused = fields.filter((field) => isTop(field) && !isUsed(field)).map(({ name }) => name);
  return match;
}
