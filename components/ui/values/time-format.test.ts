import { describe, expect, it } from 'vitest';
import { formatTimeAgo, formatDuration, elapsedMs } from './time-format';

describe('ago', () => {
  const now = Date.parse('2026-03-01T12:00:00Z');
  it.each([
    ['2026-03-01T11:59:30Z', 'just now'],
    ['2026-03-01T11:57:00Z', '3 minutes ago'],
    ['2026-02-28T12:00:00Z', 'yesterday'],
    ['2026-03-01T14:00:00Z', 'in 2 hours'],
  ])('%s reads %s', (then, words) => expect(formatTimeAgo(Date.parse(then), now)).toBe(words));
});

describe('duration', () => {
  it.each([
    [-5, '0 ms'],
    [12.4, '12 ms'],
    [4210, '4.2 s'],
    [59_960, '1 min'],
    [185_000, '3 min 5 s'],
    [7_800_000, '2 h 10 min'],
    [273_600_000, '3 d 4 h'],
  ])('%d ms reads %s', (ms, words) => expect(formatDuration(ms)).toBe(words));
});

describe('elapsed', () => {
  it('is undefined before the start, and lasts until now without an end', () => {
    expect(elapsedMs(undefined, undefined, 5)).toBeUndefined();
    expect(elapsedMs('1970-01-01T00:00:01Z', undefined, 3000)).toBe(2000);
    expect(elapsedMs('1970-01-01T00:00:01Z', '1970-01-01T00:00:02Z', 9000)).toBe(1000);
  });
});
