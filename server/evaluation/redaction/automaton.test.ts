import fc from 'fast-check';
import { expect, it } from 'vitest';
import { PatternAutomaton } from './automaton';
import { TextRanges } from './ranges';

const few = fc.constantFrom(...'ab +').map((character) => character.charCodeAt(0));
const pattern = fc.array(few, { minLength: 1, maxLength: 6 }).map((bytes) => Uint8Array.from(bytes));

/** Forms write a space as `+`. */
const isSame = (one: number | undefined, other: number | undefined) =>
  one === other || (one === 0x20 && other === 0x2b) || (one === 0x2b && other === 0x20);

it('finds the same as a comparison at every position', () => {
  fc.assert(
    fc.property(
      fc.array(pattern, { minLength: 1, maxLength: 8 }),
      fc.array(few, { maxLength: 40 }).map((bytes) => Uint8Array.from(bytes)),
      (patterns, text) => {
        const covered = text.map((_, at) =>
          patterns.some((one) =>
            one.some((_byte, index) => one.every((byte, offset) => isSame(text[at - index + offset], byte))),
          )
            ? 1
            : 0,
        );
        const found = new TextRanges();
        new PatternAutomaton(patterns).search(text, found);
        const marked = new Uint8Array(text.length);
        found.starts.forEach((start, index) => marked.fill(1, start, found.ends[index]));
        expect(marked).toEqual(covered);
        expect(found.starts.slice(1).every((start, index) => start > (found.ends[index] as number))).toBe(true);
      },
    ),
  );
});

it('knows the length of the shortest pattern', () => {
  expect(new PatternAutomaton([new Uint8Array(7).fill(1), new Uint8Array(5).fill(2)]).shortest).toBe(5);
});
