import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import { formatExactDuration, parseDuration } from './written-duration';

test.each([
  ['2 h 30 min', 9_000_000],
  ['2h30m', 9_000_000],
  ['1.5 hours', 5_400_000],
  ['1,5 s', 1500],
  ['90s', 90_000],
  ['1 day', 86_400_000],
  ['250', 250],
  ['0 s', 0],
])('%s is %i ms', (text, ms) => expect(parseDuration(text)).toBe(ms));

test.each(['', 'soon', '2 h 30', '5 weeks', '-1 s', '1 h min', '{{ input.ms }}'])('“%s” is no duration', (text) =>
  expect(parseDuration(text)).toBeUndefined(),
);

it('writes what it reads', () =>
  fc.assert(fc.property(fc.nat(), (ms) => parseDuration(formatExactDuration(ms)) === ms)));

test.each([
  [0, '0 s'],
  [1500, '1 s 500 ms'],
  [9_000_000, '2 h 30 min'],
  [31_536_000_000, '365 d'],
])('%i ms is written as %s', (ms, text) => expect(formatExactDuration(ms)).toBe(text));
