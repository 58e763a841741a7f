import { Cron } from 'croner';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  toCronExpression,
  HOUR_INTERVALS,
  MINUTE_INTERVALS,
  parseSimpleSchedule,
  type SimpleSchedule,
} from './simple-times';

const hour = fc.integer({ min: 0, max: 23 });
const minute = fc.integer({ min: 0, max: 59 });
const chosen: fc.Arbitrary<SimpleSchedule> = fc.oneof(
  fc.record({ kind: fc.constant('minutes' as const), every: fc.constantFrom(...MINUTE_INTERVALS) }),
  fc.record({ kind: fc.constant('hours' as const), every: fc.constantFrom(...HOUR_INTERVALS), minute }),
  fc.record({ kind: fc.constant('daily' as const), hour, minute }),
  fc.record({
    kind: fc.constant('weekly' as const),
    days: fc.subarray([0, 1, 2, 3, 4, 5, 6], { minLength: 1 }),
    hour,
    minute,
  }),
  fc.record({
    kind: fc.constant('monthly' as const),
    day: fc.oneof(fc.integer({ min: 1, max: 31 }), fc.constant('last' as const)),
    hour,
    minute,
  }),
);

const part = (most: number) =>
  fc.oneof(
    fc.constant('*'),
    fc.integer({ min: 0, max: most }).map(String),
    fc.integer({ min: 1, max: most }).map((step) => `*/${step}`),
    fc.tuple(fc.integer({ min: 0, max: most }), fc.integer({ min: 0, max: most })).map((pair) => pair.join('-')),
    fc.array(fc.integer({ min: 0, max: most }), { minLength: 1, maxLength: 4 }).map((list) => list.join(',')),
  );
const written = fc
  .tuple(part(61), part(25), fc.oneof(fc.constant('*'), part(32), fc.constant('L')), fc.constantFrom('*', '6'), part(8))
  .map((fields) => fields.join(' '));

const after = new Date('2026-03-27T11:07:00Z');
const timesOf = (cron: string) =>
  new Cron(cron, { timezone: 'Europe/Berlin', mode: '5-part', paused: true }).nextRuns(12, after).map(Number);

test('a choice survives the way through the expression', () => {
  fc.assert(
    fc.property(chosen, (times) => {
      expect(parseSimpleSchedule(toCronExpression(times))).toEqual(times);
    }),
  );
});

test('an expression that is shown as a choice keeps its times when the choice is written', () => {
  fc.assert(
    fc.property(fc.oneof(written, chosen.map(toCronExpression)), (cron) => {
      const times = parseSimpleSchedule(cron);
      if (times) expect(timesOf(toCronExpression(times))).toEqual(timesOf(cron));
    }),
  );
});

describe('simpleOf', () => {
  it.each<[string, SimpleSchedule]>([
    ['*/5 * * * *', { kind: 'minutes', every: 5 }],
    ['* * * * *', { kind: 'minutes', every: 1 }],
    ['30 */4 * * *', { kind: 'hours', every: 4, minute: 30 }],
    [' 0  8 * * MON-FRI ', { kind: 'weekly', days: [1, 2, 3, 4, 5], hour: 8, minute: 0 }],
    ['0 8 * * 6,7', { kind: 'weekly', days: [0, 6], hour: 8, minute: 0 }],
    ['0 8 L * *', { kind: 'monthly', day: 'last', hour: 8, minute: 0 }],
  ])('reads %s', (cron, times) => expect(parseSimpleSchedule(cron)).toEqual(times));

  it.each([
    '',
    '* * * *',
    '*/7 * * * *',
    '0 */5 * * *',
    '0 8 1 1 *',
    '0 8 1 * 1',
    '0 8-18 * * *',
    '0 8 * * 1#2',
    '0 8 * * 5-1',
    '60 8 * * *',
    '0 8 32 * *',
  ])('leaves "%s" to the expression', (cron) => expect(parseSimpleSchedule(cron)).toBeUndefined());
});
