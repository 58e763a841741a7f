import { describe, expect, test } from 'vitest';
import {
  validateFormField,
  readPostedValues,
  normalizeFieldValues,
  validateFieldValues,
  type FormField,
} from './form-fields';

const field = (kind: FormField['kind'], more: Partial<FormField> = {}): FormField => ({
  name: 'a',
  label: 'A',
  kind,
  ...more,
});
const options = ['red', { value: 'blue', label: 'Dark blue' }];

/** What becomes of the texts of one posted field: its value, or the message of its issue. */
function resultOf(one: FormField, ...texts: string[]): unknown {
  const values = readPostedValues([one], (name) => (name === 'a' ? texts : []));
  const [issue] = validateFieldValues([one], values);
  return issue ? issue.message : normalizeFieldValues([one], values)['a'];
}

describe('a posted field', () => {
  test.each<[string, FormField, string[], unknown]>([
    ['text', field('text'), ['  x '], '  x '],
    ['empty text', field('text'), [''], undefined],
    ['text of spaces that is required', field('text', { required: true }), ['  '], 'is required'],
    ['text with a line break', field('text'), ['a\nb'], 'must be one line'],
    ['too short text', field('text', { min: 3 }), ['ab'], 'must be at least 3 characters'],
    ['too long text', field('text', { max: 3 }), ['abcd'], 'must be at most 3 characters'],
    ['characters beyond U+FFFF', field('text', { max: 2 }), ['😀😀'], '😀😀'],
    ['text without a limit', field('text'), ['x'.repeat(10_001)], 'must be at most 10000 characters'],
    ['textarea', field('textarea'), ['a\r\nb'], 'a\nb'],
    ['email', field('email'), [' ada@example.com '], 'ada@example.com'],
    ['wrong email', field('email'), ['ada@example'], 'must be an email address'],
    ['number', field('number'), [' 12.5 '], 12.5],
    ['zero', field('number', { required: true }), ['0'], 0],
    ['number with words', field('number'), ['12 apples'], 'must be a number'],
    ['infinite number', field('number'), ['1e999'], 'must be a number'],
    ['hexadecimal number', field('number'), ['0x10'], 'must be a number'],
    ['small number', field('number', { min: 5 }), ['4'], 'must be at least 5'],
    ['large number', field('number', { max: 5 }), ['5.1'], 'must be at most 5'],
    ['date', field('date'), ['2026-02-28'], '2026-02-28'],
    ['date that does not exist', field('date'), ['2026-02-30'], 'must be a date such as 2026-01-31'],
    ['early date', field('date', { min: '2026-01-01' }), ['2025-12-31'], 'must be at least 2026-01-01'],
    ['date and time', field('datetime'), ['2026-01-31T08:15'], '2026-01-31T08:15:00.000Z'],
    ['with an offset', field('datetime'), ['2026-01-31T08:15:30+02:00'], '2026-01-31T06:15:30.000Z'],
    ['hour 25', field('datetime'), ['2026-01-31T25:00'], 'must be a date with a time, such as 2026-01-31T08:15'],
    ['select', field('select', { options }), ['blue'], 'blue'],
    ['select by its label', field('select', { options }), ['Dark blue'], 'must be one of the options'],
    ['multiselect', field('multiselect', { options }), ['red', 'blue'], ['red', 'blue']],
    ['multiselect of one', field('multiselect', { options }), ['red'], ['red']],
    ['multiselect of none', field('multiselect', { options }), [], []],
    ['multiselect with another', field('multiselect', { options }), ['red', 'x'], 'must be some of the options'],
    ['multiselect that repeats', field('multiselect', { options }), ['red', 'red'], 'must not repeat an option'],
    ['too few', field('multiselect', { options, min: 2 }), ['red'], 'must be at least 2 options'],
    ['required multiselect', field('multiselect', { options, required: true }), [], 'is required'],
    ['checkbox', field('checkbox'), ['true'], true],
    ['empty checkbox', field('checkbox'), [], false],
    ['required checkbox', field('checkbox', { required: true }), [], 'must be checked'],
    ['hidden', field('hidden'), ['campaign'], 'campaign'],
    ['NUL', field('textarea'), ['a\u0000'], 'must not contain NUL'],
  ])('%s', (_, one, texts, expected) => expect(resultOf(one, ...texts)).toEqual(expected));
});

describe('typed values', () => {
  test('are not converted', () => {
    const issues = (one: FormField, a: unknown) => validateFieldValues([one], { a }).map(({ message }) => message);
    expect(issues(field('number'), '5')).toEqual(['must be a number']);
    expect(issues(field('text'), 5)).toEqual(['must be a text']);
    expect(issues(field('checkbox'), 'true')).toEqual(['must be true or false']);
    expect(issues(field('multiselect', { options }), 'red')).toEqual(['must be some of the options']);
    expect(issues(field('text'), { a: 1 })).toEqual(['must be a text']);
    expect(issues(field('text'), null)).toEqual([]);
  });

  test('of other names are refused, also those of every object', () => {
    const values = JSON.parse('{"a":"x","b":1,"__proto__":2,"constructor":3}') as Record<string, unknown>;
    expect(validateFieldValues([field('text')], values).map((one) => one.field)).toEqual([
      'b',
      '__proto__',
      'constructor',
    ]);
    expect(validateFieldValues([{ ...field('text', { required: true }), name: 'toString' }], {})).toHaveLength(1);
  });

  test('may be missing in a part', () => {
    const fields = [field('text', { required: true })];
    expect(validateFieldValues(fields, {}, { isPartial: true })).toEqual([]);
    expect(validateFieldValues(fields, { a: 5 }, { isPartial: true })).toHaveLength(1);
  });
});

describe('a field', () => {
  test.each<[string, Partial<FormField> & Pick<FormField, 'kind'>, string[]]>([
    ['text', { kind: 'text', min: 1, max: 5, pattern: 'a' }, []],
    ['a name of other characters', { kind: 'text', name: '_token' }, ['name']],
    ['no options', { kind: 'select' }, ['options']],
    ['options without a choice', { kind: 'text', options: ['a'] }, ['options']],
    ['an option twice', { kind: 'select', options: ['a', { value: 'a', label: 'b' }] }, ['options']],
    ['a pattern of a number', { kind: 'number', pattern: '1' }, ['pattern']],
    ['bounds of a checkbox', { kind: 'checkbox', min: 1, max: 2 }, ['min', 'max']],
    ['a text as the bound of a number', { kind: 'number', min: '1' }, ['min']],
    ['a number as the bound of a date', { kind: 'date', max: 2026 }, ['max']],
    ['a negative length', { kind: 'text', min: -1 }, ['min']],
    ['reversed numbers', { kind: 'number', min: 5, max: 4 }, ['max']],
    ['reversed times', { kind: 'datetime', min: '2026-01-01T10:00Z', max: '2026-01-01T10:30+01:00' }, ['max']],
  ])('%s', (_, given, parts) => {
    expect(validateFormField({ name: 'a', label: 'A', ...given }).map((one) => one.field)).toEqual(parts);
  });
});
