import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LinearRegExp } from '../linear-regexp';
import { findRegexProblem } from './check';
import { matches } from '../testing/matches';

/** A part of a pattern, and whether it, or a group in it, can match the empty text. */
interface Part {
  source: string;
  isNullable: boolean;
  hasEmptyGroup: boolean;
}

const one = (source: string): Part => ({ source, isNullable: false, hasEmptyGroup: false });
const hasEmptyGroup = (parts: readonly Part[]) => parts.some((part) => part.hasEmptyGroup);

const character = fc
  .constantFrom(
    ...'abcA1 _-,éÉσς',
    '\\n',
    '\\.',
    '\\/',
    '\\x61',
    '\\u0062',
    '\\cJ',
    '\\x00',
    '\\d',
    '\\W',
    '\\s',
    '\\S',
    '.',
  )
  .map(one);
const characterClass = fc
  .tuple(
    fc.boolean(),
    fc.array(
      fc.constantFrom('a', 'b-c', 'A-Z', '\\d', '\\w', '\\s', '\\S', '\\n', '\\]', '\\-', 'É-ſ', '.', '$', '('),
      { maxLength: 3 },
    ),
  )
  .map(([isNegated, parts]) => one(`[${isNegated ? '^' : ''}${parts.join('')}]`));
const boundary = fc.constantFrom('^', '\\b', '\\B').map((source): Part => ({ ...one(source), isNullable: true }));

const { pattern } = fc.letrec<{ pattern: Part; sequence: Part; part: Part; atom: Part; group: Part }>((tie) => ({
  pattern: fc.array(tie('sequence'), { minLength: 1, maxLength: 2 }).map((alternatives) => ({
    source: alternatives.map(({ source }) => source).join('|'),
    isNullable: alternatives.some(({ isNullable }) => isNullable),
    hasEmptyGroup: hasEmptyGroup(alternatives),
  })),
  sequence: fc.array(tie('part'), { maxLength: 4 }).map((parts) => ({
    source: parts.map(({ source }) => source).join(''),
    isNullable: parts.every(({ isNullable }) => isNullable),
    hasEmptyGroup: hasEmptyGroup(parts),
  })),
  part: fc.oneof(
    { weight: 1, arbitrary: boundary },
    {
      weight: 8,
      arbitrary: fc
        .tuple(
          tie('atom'),
          fc.constantFrom(
            '',
            '',
            '',
            '*',
            '+',
            '?',
            '{2}',
            '{1,2}',
            '{0,1}',
            '{2,}',
            '{0}',
            '*?',
            '+?',
            '??',
            '{1,3}?',
          ),
        )
        // Repetitions of parts that can match the empty text are a known difference.
        .map(([atom, repeated]) =>
          atom.isNullable || atom.hasEmptyGroup
            ? atom
            : { ...one(atom.source + repeated), isNullable: /^(?:[*?]|\{0)/.test(repeated) },
        ),
    },
  ),
  atom: fc.oneof(
    { maxDepth: 3 },
    { weight: 4, arbitrary: character },
    { weight: 1, arbitrary: characterClass },
    { weight: 2, arbitrary: tie('group') },
  ),
  group: fc
    .tuple(fc.constantFrom('(', '(?:', '(?<n>'), tie('pattern'))
    .map(([open, { source, isNullable, hasEmptyGroup }]) => ({
      source: `${open}${source})`,
      isNullable,
      hasEmptyGroup: hasEmptyGroup || (isNullable && open !== '(?:'),
    })),
}));

const named = ({ source }: Part) => {
  let count = 0;
  return source.replaceAll('<n>', () => `<n${(count += 1)}>`);
};

const texts = fc
  .array(fc.constantFrom(...'aaabbbcAB1 _-,.éÉσςΣſ', '\n', '\r\n', '\r', '\u2028', '\0'), { maxLength: 14 })
  .map((parts) => parts.join(''));

describe('any pattern', () => {
  it.each(['g', 'gi', 'gm', 'gs', 'gu', 'gim', 'giu'])('finds what RegExp finds (flags %s)', (flags) => {
    fc.assert(
      fc.property(pattern, fc.boolean(), fc.array(texts, { minLength: 3, maxLength: 3 }), (part, isToTheEnd, texts) => {
        const source = isToTheEnd ? `(?:${named(part)})$` : named(part);
        expect(findRegexProblem(source, flags)).toBeNull();
        // With both flags \b treats the long s as a letter.
        for (const any of texts) {
          const text = flags === 'giu' ? any.replaceAll('ſ', '') : any;
          expect(matches(new LinearRegExp(source, flags), text)).toEqual(matches(new RegExp(source, flags), text));
        }
      }),
    );
  });
});
