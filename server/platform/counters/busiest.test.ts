import { expect, test } from 'vitest';
import { BusiestNames } from './busiest';

const WINDOW = 1000;

/** Counts `events` of each name, within one window. */
function play(busiest: BusiestNames, now: number, events: Record<string, number>): Record<string, string> {
  const labels: Record<string, string> = {};
  for (const [name, count] of Object.entries(events))
    for (let index = 0; index < count; index += 1) labels[name] = busiest.labelOf(name, now);
  return labels;
}

test('the first names have series at once, later ones only when they are busier', () => {
  const lost: string[] = [];
  const busiest = new BusiestNames({ limit: 2, windowMs: WINDOW, onLoss: (name) => lost.push(name) });
  expect(play(busiest, 0, { a: 10, b: 2, c: 20 })).toEqual({ a: 'a', b: 'b', c: 'other' });
  expect(play(busiest, WINDOW, { a: 1, b: 1, c: 1 })).toEqual({ a: 'a', b: 'other', c: 'c' });
  expect(lost).toEqual(['b']);
});

test('two of the same rate do not alternate', () => {
  const lost: string[] = [];
  const busiest = new BusiestNames({ limit: 1, windowMs: WINDOW, onLoss: (name) => lost.push(name) });
  for (let window = 0; window < 10; window += 1) play(busiest, window * WINDOW, { a: 10 - (window % 2), b: 10 });
  expect(lost).toEqual([]);
});

test('a flood of names with one event each does not push the busy one out, and memory is bounded', () => {
  const lost: string[] = [];
  const busiest = new BusiestNames({ limit: 2, windowMs: WINDOW, maxTracked: 10, onLoss: (name) => lost.push(name) });
  for (let window = 0; window < 5; window += 1) {
    play(busiest, window * WINDOW, { busy: 100 });
    for (let index = 0; index < 100; index += 1) busiest.labelOf(`flood-${window}-${index}`, window * WINDOW);
    expect(busiest.labelOf('busy', window * WINDOW)).toBe('busy');
    expect(busiest['scores'].size).toBeLessThanOrEqual(10);
  }
  expect(lost).not.toContain('busy');
});
