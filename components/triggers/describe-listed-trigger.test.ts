import { expect, test } from 'vitest';
import { describeListedTrigger } from './describe-listed-trigger';

const google = {
  name: 'Google',
  services: [{ id: 'gmail', name: 'Gmail', operationGroups: ['gmail'], icon: '', description: '', synonyms: [] }],
  events: [],
};

test('a trigger is named by its kind and its service, never by an id', () => {
  const plain = { service: null, operation: null, enabled: true };
  expect(describeListedTrigger({ kind: 'schedule', ...plain }, undefined)).toBe('Schedule');
  expect(describeListedTrigger({ kind: 'mail', ...plain }, undefined)).toBe('New email');
  expect(
    describeListedTrigger({ kind: 'poll', service: 'google', operation: 'gmail.search', enabled: true }, google),
  ).toBe('Poll of Gmail');
  expect(
    describeListedTrigger({ kind: 'webhook', service: 'github', operation: null, enabled: false }, undefined),
  ).toBe('Webhook of GitHub (off)');
  expect(describeListedTrigger({ kind: 'poll', service: 'conn_gone', operation: 'x', enabled: true }, undefined)).toBe(
    'Poll',
  );
});
