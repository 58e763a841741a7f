import fc from 'fast-check';
import { expect, it } from 'vitest';
import { truncatedJsonText } from './json-text';

it('equals JSON.stringify', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(truncatedJsonText(value, 1e6)).toEqual({ text: JSON.stringify(value, null, 2), isCut: false });
    }),
  );
});

it('stops early, also within one long text', () => {
  const whole = JSON.stringify([1, { a: 'x'.repeat(500) }], null, 2);
  expect(truncatedJsonText([1, { a: 'x'.repeat(500) }], 100)).toEqual({ text: whole.slice(0, 100), isCut: true });
  expect(truncatedJsonText(Array.from({ length: 1000 }), 5).text).toBe('[\n  n');
});
