// Fields of forms and approvals without their schemas: the service, the console and the pages of forms check values
// with the same functions, and the browser need not load zod for them.
import { isLargeInteger } from '../exact-json';
import type { FieldIssue } from '../error-response';
import { isFileValue } from '../file-value';

export const FORM_FIELD_TYPES = [
  'text',
  'textarea',
  'email',
  'number',
  'date',
  'datetime',
  'select',
  'multiselect',
  'checkbox',
  'file',
  'hidden',
] as const;
export type FormFieldType = (typeof FORM_FIELD_TYPES)[number];

/** A choice of a select or multiselect. */
export interface FormFieldOption {
  value: string;
  label: string;
}

export interface FormField {
  /** The key of its value. */
  name: string;
  label: string;
  kind: FormFieldType;
  required?: boolean;
  /** A text is both value and label. */
  options?: (string | FormFieldOption)[];
  /** Lower bound: of a number, of the length of a text, of the number of choices, or a date. */
  min?: number | string;
  max?: number | string;
  /** A regular expression that the whole text matches. Checked by the service only. */
  pattern?: string;
  help?: string;
}

export type FormFieldValues = Record<string, unknown>;

const CHOICE_FIELD_TYPES: readonly FormFieldType[] = ['select', 'multiselect'];
const TEXT_FIELD_TYPES: readonly FormFieldType[] = ['text', 'textarea', 'email', 'hidden'];
const DATE_FIELD_TYPES: readonly FormFieldType[] = ['date', 'datetime'];
const TRIMMED_FIELD_TYPES: readonly FormFieldType[] = ['email', 'number', ...DATE_FIELD_TYPES];
const hasFieldType = (kinds: readonly FormFieldType[], { kind }: Pick<FormField, 'kind'>) => kinds.includes(kind);

export const fieldHasOptions = (field: Pick<FormField, 'kind'>): boolean => hasFieldType(CHOICE_FIELD_TYPES, field);
export const fieldHasPattern = (field: Pick<FormField, 'kind'>): boolean => hasFieldType(TEXT_FIELD_TYPES, field);

/** What `min` and `max` of a field mean. Undefined: fields of this type have no bounds. */
export function fieldBoundType(field: Pick<FormField, 'kind'>): 'number' | 'count' | 'date' | undefined {
  if (hasFieldType(DATE_FIELD_TYPES, field)) return 'date';
  if (field.kind === 'number') return 'number';
  return hasFieldType(TEXT_FIELD_TYPES, field) || field.kind === 'multiselect' ? 'count' : undefined;
}

/** The options of a field with their labels. */
export const listFieldOptions = ({ options = [] }: Pick<FormField, 'options'>): FormFieldOption[] =>
  options.map((option) => (typeof option === 'string' ? { value: option, label: option } : option));

/** A text has at most so many characters if its field sets no lower `max`. */
const MAX_LINE_CHARACTERS = 10_000;
const MAX_TEXTAREA_CHARACTERS = 100_000;
const MAX_EMAIL_CHARACTERS = 254;

const NUMBER_PATTERN = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i;
const DATE_PATTERN = /^\d{4}-\d\d-\d\d$/;
const DATE_TIME_PATTERN = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?$/;
const ZONE_SUFFIX_PATTERN = /(Z|[+-]\d\d:\d\d)$/;
/** Each part excludes the character that ends it, so that a match takes linear time. */
const EMAIL_PATTERN = /^[^\s@<>"(),:;[\]\\]+@[^\s@.<>"(),:;[\]\\]+(\.[^\s@.<>"(),:;[\]\\]+)+$/;

const isCalendarDate = (text: string): boolean => {
  const at = DATE_PATTERN.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
};

/** Parses an ISO 8601 date and time, which is in UTC unless it names an offset. NaN: the text is not one. */
function parseDateTimeMs(text: string): number {
  if (!DATE_TIME_PATTERN.test(text) || !isCalendarDate(text.slice(0, 10))) return Number.NaN;
  return Date.parse(ZONE_SUFFIX_PATTERN.test(text) ? text : `${text}Z`);
}

const isEmptyFieldValue = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/**
 * The values of a posted form, of which every part is a text. What cannot be converted stays a text, which
 * `validateFieldValues` refuses. `posted` gives the texts of a name.
 */
export const readPostedValues = (
  fields: readonly FormField[],
  posted: (name: string) => readonly string[],
): FormFieldValues =>
  Object.fromEntries(fields.map((field) => [field.name, readPostedValue(field, posted(field.name))]));

function readPostedValue(field: FormField, texts: readonly string[]): unknown {
  if (field.kind === 'checkbox') return texts.length > 0;
  if (field.kind === 'multiselect') return texts.filter((text) => text !== '');
  const [text] = texts;
  if (text === undefined) return undefined;
  if (field.kind === 'textarea') return text.replaceAll('\r\n', '\n');
  if (!TRIMMED_FIELD_TYPES.includes(field.kind)) return text;
  const trimmed = text.trim();
  // An integer that a number would round stays the text of its digits.
  const isNumber = field.kind === 'number' && NUMBER_PATTERN.test(trimmed) && !isLargeInteger(trimmed);
  return isNumber ? Number(trimmed) : trimmed;
}

/**
 * Valid values in their stored form: empty ones are left out, a missing checkbox is false, a missing multiselect an
 * empty list, a date with time is in UTC.
 */
export function normalizeFieldValues(fields: readonly FormField[], values: FormFieldValues): FormFieldValues {
  const entries = fields.flatMap((field): [string, unknown][] => {
    const value = values[field.name];
    if (field.kind === 'checkbox') return [[field.name, value === true]];
    if (field.kind === 'multiselect') return [[field.name, value ?? []]];
    if (isEmptyFieldValue(value)) return [];
    return [[field.name, field.kind === 'datetime' ? new Date(parseDateTimeMs(String(value))).toISOString() : value]];
  });
  return Object.fromEntries(entries);
}

/**
 * Why values do not fit the fields, in the order of the fields; patterns are not checked. `isPartial`: fields may be
 * missing.
 */
export function validateFieldValues(
  fields: readonly FormField[],
  values: FormFieldValues,
  { isPartial = false }: { isPartial?: boolean } = {},
): FieldIssue[] {
  const names = new Set(fields.map(({ name }) => name));
  const unknown = Object.keys(values).filter((name) => !names.has(name));
  return [
    ...fields.flatMap((field) => {
      const message = fieldValueIssue(
        field,
        Object.hasOwn(values, field.name) ? values[field.name] : undefined,
        isPartial,
      );
      return message === null ? [] : [{ field: field.name, message }];
    }),
    ...unknown.map((field) => ({ field, message: 'is not a field of this form' })),
  ];
}

function fieldValueIssue(field: FormField, value: unknown, isPartial: boolean): string | null {
  const isRequired = field.required === true && !isPartial;
  if (field.kind === 'checkbox') {
    if (!isEmptyFieldValue(value) && typeof value !== 'boolean') return 'must be true or false';
    return isRequired && value !== true ? 'must be checked' : null;
  }
  if (isEmptyFieldValue(value) || (Array.isArray(value) && value.length === 0))
    return isRequired ? 'is required' : null;
  return CHECK_BY_FIELD_TYPE[field.kind](field, value);
}

type FieldValueCheck = (field: FormField, value: unknown) => string | null;

const CHECK_BY_FIELD_TYPE: Record<Exclude<FormFieldType, 'checkbox'>, FieldValueCheck> = {
  text: lineValueIssue,
  hidden: lineValueIssue,
  textarea: (field, value) => textValueIssue(field, value, MAX_TEXTAREA_CHARACTERS),
  email: (field, value) =>
    lineValueIssue(field, value) ??
    (String(value).length <= MAX_EMAIL_CHARACTERS && EMAIL_PATTERN.test(String(value))
      ? null
      : 'must be an email address'),
  number(field, value) {
    const number = isLargeInteger(value) ? Number(value) : value;
    if (typeof number !== 'number' || !Number.isFinite(number)) return 'must be a number';
    return outOfBoundsIssue(number, field, Number, String);
  },
  date(field, value) {
    if (typeof value !== 'string' || !isCalendarDate(value)) return 'must be a date such as 2026-01-31';
    return outOfBoundsIssue(value, field, String, String);
  },
  datetime(field, value) {
    const at = typeof value === 'string' ? parseDateTimeMs(value) : Number.NaN;
    if (Number.isNaN(at)) return 'must be a date with a time, such as 2026-01-31T08:15';
    return outOfBoundsIssue(at, field, (bound) => parseDateTimeMs(String(bound)), String);
  },
  select: (field, value) => (isFieldOption(field, value) ? null : 'must be one of the options'),
  multiselect(field, value) {
    if (!Array.isArray(value) || !value.every((one) => isFieldOption(field, one))) return 'must be some of the options';
    if (new Set(value).size < value.length) return 'must not repeat an option';
    return outOfBoundsIssue(value.length, field, Number, (bound) => `${bound} options`);
  },
  file: (_, value) => (isFileValue(value) ? null : 'must be a file'),
};

const isFieldOption = (field: FormField, value: unknown) =>
  listFieldOptions(field).some((option) => option.value === value);

function lineValueIssue(field: FormField, value: unknown): string | null {
  if (typeof value === 'string' && /[\r\n]/.test(value)) return 'must be one line';
  return textValueIssue(field, value, MAX_LINE_CHARACTERS);
}

function textValueIssue(field: FormField, value: unknown, most: number): string | null {
  if (typeof value !== 'string') return 'must be a text';
  if (value.includes('\u0000')) return 'must not contain NUL';
  const max = Math.min(Number(field.max ?? most), most);
  return outOfBoundsIssue([...value].length, { min: field.min, max }, Number, (bound) => `${bound} characters`);
}

function outOfBoundsIssue<Value extends number | string>(
  value: Value,
  { min, max }: Pick<FormField, 'min' | 'max'>,
  read: (bound: number | string) => Value,
  named: (bound: number | string) => string,
): string | null {
  if (min !== undefined && value < read(min)) return `must be at least ${named(min)}`;
  return max !== undefined && value > read(max) ? `must be at most ${named(max)}` : null;
}

const FORM_FIELD_NAME_PATTERN = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;

/** Why a field cannot be used; `field` names the part of it. Patterns are not checked. */
export function validateFormField(field: FormField): FieldIssue[] {
  const issues: FieldIssue[] = [];
  const refuse = (part: keyof FormField, message: string) => issues.push({ field: part, message });
  if (!FORM_FIELD_NAME_PATTERN.test(field.name))
    refuse('name', 'must be 1 to 64 letters, digits and _, beginning with a letter');
  if (fieldHasOptions(field) !== (field.options ?? []).length > 0) {
    refuse('options', fieldHasOptions(field) ? 'is required for this kind' : 'is for the kinds select and multiselect');
  }
  const values = listFieldOptions(field).map(({ value }) => value);
  if (new Set(values).size < values.length) refuse('options', 'must not repeat a value');
  if (field.pattern !== undefined && !fieldHasPattern(field)) refuse('pattern', 'is for texts');
  for (const part of ['min', 'max'] as const) {
    const message = field[part] === undefined ? null : fieldBoundIssue(field, field[part]);
    if (message) refuse(part, message);
  }
  if (issues.length === 0 && hasReversedBounds(field)) refuse('max', 'must not be less than min');
  return issues;
}

function fieldBoundIssue(field: FormField, bound: number | string): string | null {
  const type = fieldBoundType(field);
  if (type === undefined) return 'does not apply to this kind';
  if (type === 'date') {
    const isValid =
      typeof bound === 'string' &&
      (field.kind === 'date' ? isCalendarDate(bound) : !Number.isNaN(parseDateTimeMs(bound)));
    return isValid ? null : `must be a ${field.kind === 'date' ? 'date' : 'date with a time'} as text`;
  }
  if (typeof bound !== 'number') return 'must be a number';
  return type === 'number' || (Number.isInteger(bound) && bound >= 0) ? null : 'must be a whole number from 0';
}

function hasReversedBounds(field: FormField): boolean {
  const { min, max } = field;
  if (min === undefined || max === undefined) return false;
  return field.kind === 'datetime' ? parseDateTimeMs(String(max)) < parseDateTimeMs(String(min)) : max < min;
}
