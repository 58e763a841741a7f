import { expect, test } from 'vitest';
import { pollRequestBody, EMPTY_POLL_DRAFT, isPollDialogField } from './poll-draft';
import { describePollInterval } from './poll-interval';

test('a draft is sent with the chosen kind of times only', () => {
  const draft = { ...EMPTY_POLL_DRAFT, name: ' Orders ', seconds: 90 };
  expect(pollRequestBody(draft, undefined)).toMatchObject({ name: 'Orders', intervalMs: 90_000 });
  expect(pollRequestBody(draft, undefined)).not.toHaveProperty('cron');
  expect(pollRequestBody({ ...draft, times: 'cron' }, undefined)).toMatchObject({ cron: '*/15 * * * *' });
  expect(pollRequestBody({ ...draft, times: 'cron' }, undefined)).not.toHaveProperty('intervalMs');
});

test('the time zone of a poll belongs to its cron expression', () => {
  const draft = { ...EMPTY_POLL_DRAFT, timezone: 'Europe/Berlin' };
  expect(pollRequestBody({ ...draft, times: 'cron' }, undefined)).toMatchObject({ timezone: 'Europe/Berlin' });
  expect(pollRequestBody(draft, undefined)).not.toHaveProperty('timezone');
  expect(isPollDialogField('timezone')).toBe(true);
});

test.each([
  [5000, 'Every 5 seconds'],
  [60_000, 'Every minute'],
  [90_000, 'Every 90 seconds'],
  [7_200_000, 'Every 2 hours'],
  [86_400_000, 'Every day'],
])('%i ms is "%s"', (intervalMs, text) => {
  expect(describePollInterval({ intervalMs, cron: null })).toBe(text);
});

test('what picked values are called is sent with the node', () => {
  const draft = { ...EMPTY_POLL_DRAFT, labels: { 'parameters.channel': 'general' } };
  expect(pollRequestBody(draft, undefined).node.labels).toEqual({ 'parameters.channel': 'general' });
});

test('errors of the node belong to the dialog', () => {
  expect(isPollDialogField('node.config.url')).toBe(true);
  expect(isPollDialogField('node.credentialId')).toBe(true);
  expect(isPollDialogField('enabled')).toBe(false);
});
