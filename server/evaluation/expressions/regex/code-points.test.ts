import { describe, expect, it } from 'vitest';
import { pickShard } from '@/server/testing/shards';
import {
  invertCodePoints,
  propertyCodePoints,
  codePointRanges,
  createCodePointSet,
  SPACE_CODE_POINTS,
  uniteCodePoints,
  addCaseVariants,
  WORD_CODE_POINTS,
  type CodePointSet,
} from './code-points';

const all = (points: CodePointSet) =>
  codePointRanges(points).flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, index) => first + index),
  );
/** The matches of the JavaScript engine, for the code points that may differ. */
const matching = (pattern: RegExp, last: number) =>
  Array.from({ length: last + 1 }, (_, code) => code).filter((code) => pattern.test(String.fromCodePoint(code)));

describe('a set of code points', () => {
  it('is normalised for any ranges', () => {
    expect(
      createCodePointSet([
        [5, 9],
        [1, 2],
        [3, 3],
        [8, 12],
      ]),
    ).toEqual([1, 3, 5, 12]);
    expect(uniteCodePoints([createCodePointSet([[1, 3]]), createCodePointSet([[2, 7]])])).toEqual([1, 7]);
    expect(
      invertCodePoints(
        createCodePointSet([
          [0, 4],
          [9, 0x10fffe],
        ]),
      ),
    ).toEqual([5, 8, 0x10ffff, 0x10ffff]);
    expect(invertCodePoints(invertCodePoints(WORD_CODE_POINTS))).toEqual(WORD_CODE_POINTS);
    expect(invertCodePoints(createCodePointSet([]))).toEqual([0, 0x10ffff]);
    expect(invertCodePoints(createCodePointSet([[0, 0x10ffff]]))).toEqual([]);
  });

  it('contains the white space of JavaScript', () => {
    expect(all(SPACE_CODE_POINTS)).toEqual(matching(/\s/, 0xffff));
  });

  it.each(pickShard(['L', 'Lu', 'Script=Greek', 'Emoji', 'ASCII', 'Cn', 'Cs', 'Co', 'Any', 'Variation_Selector']))(
    'has the property %s',
    (name) => {
      const pattern = new RegExp(`^\\p{${name}}$`, 'u');
      const points = propertyCodePoints(name);
      const step = 7;
      const expected = Array.from({ length: Math.ceil(0x110000 / step) }, (_, index) => index * step).filter((code) =>
        pattern.test(String.fromCodePoint(code)),
      );
      expect(all(points).filter((code) => code % step === 0)).toEqual(expected);
    },
  );

  it('refuses other properties', () => {
    expect(() => propertyCodePoints('Klingon')).toThrow(SyntaxError);
  });

  it.each([
    [false, 'i', 0xffff],
    [true, 'iu', 0x1ffff],
  ] as const)('is closed under case like JavaScript (unicode: %s)', (isUnicode, flags, last) => {
    const cased = matching(/[\p{CWCM}\p{CWCF}\p{Lowercase}\p{Uppercase}]/u, last);
    const text = Array.from({ length: last + 1 }, (_, code) => code)
      .filter((code) => code < 0xd800 || code > 0xdfff)
      .map((code) => String.fromCodePoint(code))
      .join('');
    for (const code of pickShard(cased)) {
      const same = text.match(new RegExp(String.fromCodePoint(code), `g${flags}`)) ?? [];
      expect(all(addCaseVariants([code, code], isUnicode))).toEqual(same.map((character) => character.codePointAt(0)));
    }
  });

  it('is closed under case when it is large', () => {
    const large = createCodePointSet([[0x40, 0x200]]);
    const small = codePointRanges(large).flatMap(([first, last]) =>
      Array.from({ length: last - first + 1 }, (_, index) => addCaseVariants([first + index, first + index], true)),
    );
    expect(addCaseVariants(large, true)).toEqual(uniteCodePoints(small));
  });
});
