import { expect, it } from 'vitest';
import { createConfigFailure, createNodeFailure, NodeFailure } from '@/server/platform/errors/node-failure';
import { toFailedOutcome } from './outcome';
import { SecretRedactor } from './secret-redactor';

const redactor = new SecretRedactor();
redactor.add(['canary-secret']);

it('a failure has its parameters besides its message, and secrets in neither', () => {
  const failure = createNodeFailure(
    'HTTP_STATUS',
    { server: 'GET api.example.com', status: 401, reason: 'canary-secret\0 has expired' },
    { retryAfterMs: 7 },
  );
  expect(toFailedOutcome(failure, redactor)).toMatchObject({
    code: 'HTTP_STATUS',
    message: 'GET api.example.com answered 401: •••••• has expired',
    isRetriable: false,
    retryAfterMs: 7,
    parameters: { server: 'GET api.example.com', status: 401, reason: '•••••• has expired' },
  });
});

it('a parameter without a value is absent', () => {
  const { by, message } = createNodeFailure('HTTP_STATUS', { server: 'HubSpot', status: 503, reason: undefined });
  expect(message).toBe('HubSpot answered 503');
  expect(by.parameters).toStrictEqual({ server: 'HubSpot', status: 503 });
});

it('the failure of a field names its path in the node', () => {
  expect(toFailedOutcome(createConfigFailure('to', 'the mail has no recipient'), redactor)).toMatchObject({
    code: 'CONFIG',
    message: 'config.to: the mail has no recipient',
    isRetriable: false,
    parameters: { field: 'config.to', problem: 'the mail has no recipient' },
  });
});

it('a failure with a message of its own has no parameters', () => {
  expect(toFailedOutcome(new NodeFailure('CONFIG', 'Missing: config.url.', false), redactor).parameters).toBe(
    undefined,
  );
});
