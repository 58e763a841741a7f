import { describe, expect, test } from 'vitest';
import type { FormField } from '@/contract/triggers/form-fields';
import { toSubmittedData, fieldValueErrors } from './entered-values';
import {
  moveFormField,
  nameFromLabel,
  writeOptionLines,
  parseOptionLines,
  changeFieldKind,
  changeFieldLabel,
} from './edit-form-field';

const field = (more: Partial<FormField>): FormField => ({ name: 'a', label: 'A', kind: 'text', ...more });

test.each([
  ['Your name', 'yourName'],
  ['E-Mail', 'eMail'],
  ['Größe (cm)?', 'groeCm'],
  ['2nd day', 'ndDay'],
  ['???', ''],
])('the name of “%s” is %j', (label, name) => expect(nameFromLabel(label)).toBe(name));

test('a name follows its label until it is changed', () => {
  expect(changeFieldLabel(field({ name: 'yourName', label: 'Your name' }), 'Your age')).toMatchObject({
    name: 'yourAge',
  });
  expect(changeFieldLabel(field({ name: 'person', label: 'Your name' }), 'Your age')).toMatchObject({ name: 'person' });
});

test('options are lines', () => {
  const options = ['red', { value: 'b', label: 'Dark = blue' }];
  expect(writeOptionLines(field({ options }))).toBe('red\nb = Dark = blue');
  expect(parseOptionLines('red\n\n b  =  Dark = blue ')).toEqual(options);
});

describe('another kind', () => {
  test('loses what does not apply to it', () => {
    const text = field({ min: 1, max: 5, pattern: 'x', help: 'h', required: true });
    expect(changeFieldKind(text, 'textarea')).toEqual({ ...text, kind: 'textarea' });
    const base = { name: 'a', label: 'A', help: 'h', required: true };
    expect(changeFieldKind(text, 'number')).toEqual({ ...base, kind: 'number' });
    expect(changeFieldKind(text, 'select')).toEqual({ ...base, kind: 'select', options: [] });
  });
});

test('a field is moved', () => {
  const fields = ['a', 'b', 'c'].map((name) => field({ name }));
  const names = (from: number, to: number) => moveFormField(fields, from, to).map(({ name }) => name);
  expect([names(0, 1), names(2, 0), names(1, 1)]).toEqual([
    ['b', 'a', 'c'],
    ['c', 'a', 'b'],
    ['a', 'b', 'c'],
  ]);
});

test('entered values are sent without empty ones, and times in UTC', () => {
  const fields = [
    field({}),
    field({ name: 'n', kind: 'number', required: true }),
    field({ name: 'at', kind: 'datetime' }),
  ];
  const at = new Date(2026, 0, 31, 8, 15).toISOString();
  expect(toSubmittedData(fields, { a: '', n: 0, at: '2026-01-31T08:15' })).toEqual({ n: 0, at });
  expect([...fieldValueErrors(fields, toSubmittedData(fields, { n: 'x' }), false)]).toEqual([
    ['n', 'must be a number'],
  ]);
  expect(fieldValueErrors(fields, {}, true).size).toBe(0);
});
