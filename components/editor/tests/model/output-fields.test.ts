import fc from 'fast-check';
import { expect, test } from 'vitest';
import { outputFields, outputOf, pathOf, stepsOf, withField } from './output-fields';

test('an output and its fields say the same', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(JSON.stringify(outputOf(outputFields(value)))).toBe(JSON.stringify(value));
    }),
  );
  expect(outputOf(outputFields(undefined))).toBeUndefined();
});

test('objects are compared by field, everything else as a whole', () => {
  expect(outputFields({ body: { total: 5, items: [{ id: 1 }] }, headers: {} })).toEqual([
    { steps: ['body', 'total'], value: 5 },
    { steps: ['body', 'items'], value: [{ id: 1 }] },
    { steps: ['headers'], value: {} },
  ]);
  expect(outputFields(7)).toEqual([{ steps: [], value: 7 }]);
});

test('paths lead to fields, and those inside of lists to the list', () => {
  expect(stepsOf('output.body.items[0].id')).toEqual(['body', 'items']);
  expect(stepsOf('body.`a b`')).toEqual(['body', 'a b']);
  expect(stepsOf('output')).toEqual([]);
  expect(stepsOf('1 + 1')).toBeUndefined();
  expect(pathOf({ steps: ['body', 'a b'] })).toBe('output.body.`a b`');
  expect(pathOf({ steps: ['`'] })).toBeUndefined();
});

test('a new field replaces those that it contradicts', () => {
  const fields = outputFields({ a: { b: 1, c: 2 }, d: 3 });
  expect(outputOf(withField(fields, { steps: ['a'], value: 5 }))).toEqual({ d: 3, a: 5 });
  expect(outputOf(withField(fields, { steps: ['d', 'e'], value: 5 }))).toEqual({ a: { b: 1, c: 2 }, d: { e: 5 } });
  expect(outputOf(withField(fields, { steps: [], value: null }))).toBeNull();
});
