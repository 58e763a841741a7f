import { expect, it } from 'vitest';
import { cutLongText, isLongText } from './long-text';

it('shows the first lines of a text, and all of it when asked', () => {
  const poem = Array.from({ length: 20 }, (_, line) => `line ${line}`).join('\n');
  expect(cutLongText(poem, false)).toEqual({
    shown: `${poem.split('\n').slice(0, 12).join('\n')}…`,
    isCut: true,
    rest: 0,
  });
  expect(cutLongText(poem, true)).toEqual({ shown: poem, isCut: false, rest: 0 });
  expect(cutLongText('a\nb', false)).toEqual({ shown: 'a\nb', isCut: false, rest: 0 });
  expect(cutLongText('x'.repeat(900), false).shown).toBe(`${'x'.repeat(800)}…`);
  expect(cutLongText('x'.repeat(100_007), true).rest).toBe(7);
});

it('leaves short texts on one line', () => {
  expect(isLongText('x'.repeat(60))).toBe(false);
  expect(isLongText('x'.repeat(61))).toBe(true);
  expect(isLongText('a\nb')).toBe(true);
});
