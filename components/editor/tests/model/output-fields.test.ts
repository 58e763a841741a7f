import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  splitExpectedOutput,
  joinExpectedOutput,
  outputFieldPath,
  outputFieldSteps,
  addOutputField,
} from './output-fields';

test('an output and its fields say the same', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(JSON.stringify(joinExpectedOutput(splitExpectedOutput(value)))).toBe(JSON.stringify(value));
    }),
  );
  expect(joinExpectedOutput(splitExpectedOutput(undefined))).toBeUndefined();
});

test('objects are compared by field, everything else as a whole', () => {
  expect(splitExpectedOutput({ body: { total: 5, items: [{ id: 1 }] }, headers: {} })).toEqual([
    { steps: ['body', 'total'], value: 5 },
    { steps: ['body', 'items'], value: [{ id: 1 }] },
    { steps: ['headers'], value: {} },
  ]);
  expect(splitExpectedOutput(7)).toEqual([{ steps: [], value: 7 }]);
});

test('paths lead to fields, and those inside of lists to the list', () => {
  expect(outputFieldSteps('output.body.items[0].id')).toEqual(['body', 'items']);
  expect(outputFieldSteps('body.`a b`')).toEqual(['body', 'a b']);
  expect(outputFieldSteps('output')).toEqual([]);
  expect(outputFieldSteps('1 + 1')).toBeUndefined();
  expect(outputFieldPath({ steps: ['body', 'a b'] })).toBe('output.body.`a b`');
  expect(outputFieldPath({ steps: ['`'] })).toBeUndefined();
});

test('a new field replaces those that it contradicts', () => {
  const fields = splitExpectedOutput({ a: { b: 1, c: 2 }, d: 3 });
  expect(joinExpectedOutput(addOutputField(fields, { steps: ['a'], value: 5 }))).toEqual({ d: 3, a: 5 });
  expect(joinExpectedOutput(addOutputField(fields, { steps: ['d', 'e'], value: 5 }))).toEqual({
    a: { b: 1, c: 2 },
    d: { e: 5 },
  });
  expect(joinExpectedOutput(addOutputField(fields, { steps: [], value: null }))).toBeNull();
});
