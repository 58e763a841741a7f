// Fields of forms and approvals without their schemas: the service, the console and the pages of forms check values with
// the same functions, and the browser need not load zod for them.
import { isLargeInteger } from '../exact-json';
import type { FieldError } from '../error';
import { isFileValue } from '../file-value';

export const FIELD_KINDS = [
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
export type FieldKind = (typeof FIELD_KINDS)[number];

/** A choice of a select or multiselect. */
export interface FieldOption {
  value: string;
  label: string;
}

export interface FormField {
  /** The key of its value. */
  name: string;
  label: string;
  kind: FieldKind;
  required?: boolean;
  /** A text is both value and label. */
  options?: (string | FieldOption)[];
  /** Lower bound: of a number, of the length of a text, of the number of choices, or a date. */
  min?: number | string;
  max?: number | string;
  /** A regular expression that the whole text matches. Checked by the service only. */
  pattern?: string;
  help?: string;
}

export type FieldValues = Record<string, unknown>;

const CHOICE_KINDS: readonly FieldKind[] = ['select', 'multiselect'];
const TEXT_KINDS: readonly FieldKind[] = ['text', 'textarea', 'email', 'hidden'];
const DATE_KINDS: readonly FieldKind[] = ['date', 'datetime'];
const TRIMMED: readonly FieldKind[] = ['email', 'number', ...DATE_KINDS];
const isIn = (kinds: readonly FieldKind[], { kind }: Pick<FormField, 'kind'>) => kinds.includes(kind);

export const hasOptions = (field: Pick<FormField, 'kind'>): boolean => isIn(CHOICE_KINDS, field);
export const hasPattern = (field: Pick<FormField, 'kind'>): boolean => isIn(TEXT_KINDS, field);

/** The type of `min` and `max`; undefined: the kind has no bounds. */
export function boundOf(field: Pick<FormField, 'kind'>): 'number' | 'count' | 'date' | undefined {
  if (isIn(DATE_KINDS, field)) return 'date';
  if (field.kind === 'number') return 'number';
  return isIn(TEXT_KINDS, field) || field.kind === 'multiselect' ? 'count' : undefined;
}

/** The options of a field with their labels. */
export const optionsOf = ({ options = [] }: Pick<FormField, 'options'>): FieldOption[] =>
  options.map((option) => (typeof option === 'string' ? { value: option, label: option } : option));

/** Characters of a text without a `max` of its own. */
const MAX_TEXT = 10_000;
const MAX_LONG_TEXT = 100_000;
const MAX_EMAIL = 254;

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i;
const DATE = /^\d{4}-\d\d-\d\d$/;
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?$/;
const HAS_ZONE = /(Z|[+-]\d\d:\d\d)$/;
/** Each part excludes the character that ends it, so that a match takes linear time. */
const EMAIL = /^[^\s@<>"(),:;[\]\\]+@[^\s@.<>"(),:;[\]\\]+(\.[^\s@.<>"(),:;[\]\\]+)+$/;

const isDate = (text: string): boolean => {
  const at = DATE.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
};

/** The moment of an ISO 8601 date and time, which is in UTC unless it names an offset; NaN: it is none. */
function momentOf(text: string): number {
  if (!DATE_TIME.test(text) || !isDate(text.slice(0, 10))) return Number.NaN;
  return Date.parse(HAS_ZONE.test(text) ? text : `${text}Z`);
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/**
 * The values of a posted form, of which every part is a text. What cannot be converted stays a text, which `valueIssues`
 * refuses. `posted` gives the texts of a name.
 */
export const postedValues = (fields: readonly FormField[], posted: (name: string) => readonly string[]): FieldValues =>
  Object.fromEntries(fields.map((field) => [field.name, postedValue(field, posted(field.name))]));

function postedValue(field: FormField, texts: readonly string[]): unknown {
  if (field.kind === 'checkbox') return texts.length > 0;
  if (field.kind === 'multiselect') return texts.filter((text) => text !== '');
  const [text] = texts;
  if (text === undefined) return undefined;
  if (field.kind === 'textarea') return text.replaceAll('\r\n', '\n');
  if (!TRIMMED.includes(field.kind)) return text;
  const trimmed = text.trim();
  // An integer that a number would round stays the text of its digits.
  const isNumber = field.kind === 'number' && NUMBER.test(trimmed) && !isLargeInteger(trimmed);
  return isNumber ? Number(trimmed) : trimmed;
}

/**
 * Valid values in their stored form: empty ones are left out, a missing checkbox is false, a missing multiselect an empty
 * list, a date with time is in UTC.
 */
export function storedValues(fields: readonly FormField[], values: FieldValues): FieldValues {
  const entries = fields.flatMap((field): [string, unknown][] => {
    const value = values[field.name];
    if (field.kind === 'checkbox') return [[field.name, value === true]];
    if (field.kind === 'multiselect') return [[field.name, value ?? []]];
    if (isEmpty(value)) return [];
    return [[field.name, field.kind === 'datetime' ? new Date(momentOf(String(value))).toISOString() : value]];
  });
  return Object.fromEntries(entries);
}

/**
 * Why values do not fit the fields, in the order of the fields; patterns are not checked. `isPartial`: fields may be
 * missing.
 */
export function valueIssues(
  fields: readonly FormField[],
  values: FieldValues,
  { isPartial = false }: { isPartial?: boolean } = {},
): FieldError[] {
  const names = new Set(fields.map(({ name }) => name));
  const unknown = Object.keys(values).filter((name) => !names.has(name));
  return [
    ...fields.flatMap((field) => {
      const message = issueOf(field, Object.hasOwn(values, field.name) ? values[field.name] : undefined, isPartial);
      return message === null ? [] : [{ field: field.name, message }];
    }),
    ...unknown.map((field) => ({ field, message: 'is not a field of this form' })),
  ];
}

function issueOf(field: FormField, value: unknown, isPartial: boolean): string | null {
  const isRequired = field.required === true && !isPartial;
  if (field.kind === 'checkbox') {
    if (!isEmpty(value) && typeof value !== 'boolean') return 'must be true or false';
    return isRequired && value !== true ? 'must be checked' : null;
  }
  if (isEmpty(value) || (Array.isArray(value) && value.length === 0)) return isRequired ? 'is required' : null;
  return CHECKS[field.kind](field, value);
}

type Check = (field: FormField, value: unknown) => string | null;

const CHECKS: Record<Exclude<FieldKind, 'checkbox'>, Check> = {
  text: lineIssue,
  hidden: lineIssue,
  textarea: (field, value) => textIssue(field, value, MAX_LONG_TEXT),
  email: (field, value) =>
    lineIssue(field, value) ??
    (String(value).length <= MAX_EMAIL && EMAIL.test(String(value)) ? null : 'must be an email address'),
  number(field, value) {
    const number = isLargeInteger(value) ? Number(value) : value;
    if (typeof number !== 'number' || !Number.isFinite(number)) return 'must be a number';
    return boundsIssue(number, field, Number, String);
  },
  date(field, value) {
    if (typeof value !== 'string' || !isDate(value)) return 'must be a date such as 2026-01-31';
    return boundsIssue(value, field, String, String);
  },
  datetime(field, value) {
    const at = typeof value === 'string' ? momentOf(value) : Number.NaN;
    if (Number.isNaN(at)) return 'must be a date with a time, such as 2026-01-31T08:15';
    return boundsIssue(at, field, (bound) => momentOf(String(bound)), String);
  },
  select: (field, value) => (isOption(field, value) ? null : 'must be one of the options'),
  multiselect(field, value) {
    if (!Array.isArray(value) || !value.every((one) => isOption(field, one))) return 'must be some of the options';
    if (new Set(value).size < value.length) return 'must not repeat an option';
    return boundsIssue(value.length, field, Number, (bound) => `${bound} options`);
  },
  file: (_, value) => (isFileValue(value) ? null : 'must be a file'),
};

const isOption = (field: FormField, value: unknown) => optionsOf(field).some((option) => option.value === value);

function lineIssue(field: FormField, value: unknown): string | null {
  if (typeof value === 'string' && /[\r\n]/.test(value)) return 'must be one line';
  return textIssue(field, value, MAX_TEXT);
}

function textIssue(field: FormField, value: unknown, most: number): string | null {
  if (typeof value !== 'string') return 'must be a text';
  if (value.includes('\u0000')) return 'must not contain NUL';
  const max = Math.min(Number(field.max ?? most), most);
  return boundsIssue([...value].length, { min: field.min, max }, Number, (bound) => `${bound} characters`);
}

function boundsIssue<Value extends number | string>(
  value: Value,
  { min, max }: Pick<FormField, 'min' | 'max'>,
  read: (bound: number | string) => Value,
  named: (bound: number | string) => string,
): string | null {
  if (min !== undefined && value < read(min)) return `must be at least ${named(min)}`;
  return max !== undefined && value > read(max) ? `must be at most ${named(max)}` : null;
}

const NAME = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;

/** Why a field cannot be used; `field` names the part of it. Patterns are not checked. */
export function fieldIssues(field: FormField): FieldError[] {
  const issues: FieldError[] = [];
  const refuse = (part: keyof FormField, message: string) => issues.push({ field: part, message });
  if (!NAME.test(field.name)) refuse('name', 'must be 1 to 64 letters, digits and _, beginning with a letter');
  if (hasOptions(field) !== (field.options ?? []).length > 0) {
    refuse('options', hasOptions(field) ? 'is required for this kind' : 'is for the kinds select and multiselect');
  }
  const values = optionsOf(field).map(({ value }) => value);
  if (new Set(values).size < values.length) refuse('options', 'must not repeat a value');
  if (field.pattern !== undefined && !hasPattern(field)) refuse('pattern', 'is for texts');
  for (const part of ['min', 'max'] as const) {
    const message = field[part] === undefined ? null : boundIssue(field, field[part]);
    if (message) refuse(part, message);
  }
  if (issues.length === 0 && isReversed(field)) refuse('max', 'must not be less than min');
  return issues;
}

function boundIssue(field: FormField, bound: number | string): string | null {
  const type = boundOf(field);
  if (type === undefined) return 'does not apply to this kind';
  if (type === 'date') {
    const isValid =
      typeof bound === 'string' && (field.kind === 'date' ? isDate(bound) : !Number.isNaN(momentOf(bound)));
    return isValid ? null : `must be a ${field.kind === 'date' ? 'date' : 'date with a time'} as text`;
  }
  if (typeof bound !== 'number') return 'must be a number';
  return type === 'number' || (Number.isInteger(bound) && bound >= 0) ? null : 'must be a whole number from 0';
}

function isReversed(field: FormField): boolean {
  const { min, max } = field;
  if (min === undefined || max === undefined) return false;
  return field.kind === 'datetime' ? momentOf(String(max)) < momentOf(String(min)) : max < min;
}
