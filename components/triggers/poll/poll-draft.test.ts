import { expect, test } from 'vitest';
import { bodyOf, EMPTY_POLL, everyText, isShown } from './poll-draft';

test('a draft is sent with the chosen kind of times only', () => {
  const draft = { ...EMPTY_POLL, name: ' Orders ', seconds: 90 };
  expect(bodyOf(draft, undefined)).toMatchObject({ name: 'Orders', intervalMs: 90_000 });
  expect(bodyOf(draft, undefined)).not.toHaveProperty('cron');
  expect(bodyOf({ ...draft, times: 'cron' }, undefined)).toMatchObject({ cron: '*/15 * * * *' });
  expect(bodyOf({ ...draft, times: 'cron' }, undefined)).not.toHaveProperty('intervalMs');
});

test('the time zone of a poll belongs to its cron expression', () => {
  const draft = { ...EMPTY_POLL, timezone: 'Europe/Berlin' };
  expect(bodyOf({ ...draft, times: 'cron' }, undefined)).toMatchObject({ timezone: 'Europe/Berlin' });
  expect(bodyOf(draft, undefined)).not.toHaveProperty('timezone');
  expect(isShown('timezone')).toBe(true);
});

test.each([
  [5000, 'Every 5 seconds'],
  [60_000, 'Every minute'],
  [90_000, 'Every 90 seconds'],
  [7_200_000, 'Every 2 hours'],
  [86_400_000, 'Every day'],
])('%i ms is "%s"', (intervalMs, text) => {
  expect(everyText({ intervalMs, cron: null })).toBe(text);
});

test('errors of the node belong to the dialog', () => {
  expect(isShown('node.config.url')).toBe(true);
  expect(isShown('node.credentialId')).toBe(true);
  expect(isShown('enabled')).toBe(false);
});
