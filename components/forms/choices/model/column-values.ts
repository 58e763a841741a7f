import type { ColumnValueType, FieldChoice } from '@/contract/choices';
import { hasExpressionBraces, type FieldSchema } from '@/components/forms/model/field-schema';

const TIME_TEXT_PATTERN = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?$/;

/** Whether a text is a date, or a time, in ISO 8601. */
export function isTimeText(text: string): boolean {
  if (!TIME_TEXT_PATTERN.test(text)) return false;
  const day = text.slice(0, 10);
  const date = new Date(`${day}T00:00:00Z`);
  // JavaScript takes 30 February for 2 March.
  if (Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== day) return false;
  return !Number.isNaN(new Date(text.replace(' ', 'T')).getTime());
}

const VALUE_CHECKS: Record<ColumnValueType, (value: unknown) => string | undefined> = {
  text: (value) => (typeof value === 'string' ? undefined : 'This column takes a text.'),
  options: (value) => (typeof value === 'string' ? undefined : 'This column takes one of its options.'),
  optionList: (value) => (Array.isArray(value) ? undefined : 'This column takes a list of its options.'),
  number: (value) =>
    typeof value === 'number' && Number.isFinite(value) ? undefined : 'This column takes a number, such as 12.5.',
  boolean: (value) => (typeof value === 'boolean' ? undefined : 'This column takes yes or no.'),
  date: (value) =>
    typeof value === 'string' && isTimeText(value) ? undefined : 'This column takes a date, such as 2026-01-31.',
  timestamp: (value) =>
    typeof value === 'string' && isTimeText(value)
      ? undefined
      : 'This column takes a time, such as 2026-01-31T08:15:30Z.',
  json: () => undefined,
};

/** What is wrong with a fixed value for a column of this type. Expressions and no value are not checked. */
export function columnValueProblem(type: ColumnValueType, value: unknown): string | undefined {
  if (value === undefined || value === null || hasExpressionBraces(value)) return undefined;
  return VALUE_CHECKS[type](value);
}

const COLUMN_FIELD_SCHEMAS: Record<ColumnValueType, FieldSchema> = {
  text: { type: 'string' },
  number: { type: 'number' },
  boolean: { type: 'boolean', 'x-editor': 'yes-no' },
  date: { type: 'string', 'x-editor': 'date' },
  timestamp: { type: 'string', 'x-editor': 'time' },
  options: { type: 'string' },
  optionList: { 'x-editor': 'option-list' },
  json: { 'x-editor': 'json', description: 'Any value' },
};

/** The schema of the field for a column. */
export function columnFieldSchema({ label, hint, type = 'text', options }: FieldChoice): FieldSchema {
  const schema = { ...COLUMN_FIELD_SCHEMAS[type], title: label, ...(hint === undefined ? {} : { description: hint }) };
  if (!options) return schema;
  return {
    ...schema,
    enum: options.map(({ value }) => value),
    'x-labels': Object.fromEntries(options.map(({ value, label: text }) => [String(value), text])),
  };
}
