import fc from 'fast-check';
import { expect, it } from 'vitest';
import { tokenizeJson } from './json-tokens';

const kinds = (text: string) => tokenizeJson(text).flatMap(({ text: part, kind }) => (kind ? [`${kind} ${part}`] : []));

it('tells names, texts, numbers and literals apart', () => {
  expect(kinds('{"a": -1.5e3, "b\\"": ["x: 1", true, null]}')).toEqual([
    'name "a"',
    'number -1.5e3',
    'name "b\\""',
    'string "x: 1"',
    'literal true',
    'literal null',
  ]);
  expect(kinds('{"cut": "in the mid')).toEqual(['name "cut"', 'string "in the mid']);
});

it('loses nothing', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.nat(), (value, cut) => {
      const text = JSON.stringify(value, null, 2).slice(0, cut);
      expect(
        tokenizeJson(text)
          .map((token) => token.text)
          .join(''),
      ).toBe(text);
    }),
  );
});
