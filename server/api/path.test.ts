import { expect, test } from 'vitest';
import { router } from './path';

const addressAt = router([
  '/auth/audit/{id}',
  '/auth/audit/verify',
  '/api/workflows',
  '/api/workflows/{id}',
  '/api/workflows/{id}/webhooks/{webhookId}',
  '/webhooks/{workflowId}/{path...}',
]);

test.each([
  ['/api/workflows', '/api/workflows'],
  ['/api/workflows/wf_1', '/api/workflows/{id}'],
  ['/api/workflows/wf_1/webhooks/whk_1', '/api/workflows/{id}/webhooks/{webhookId}'],
  ['/auth/audit/verify', '/auth/audit/verify'],
  ['/auth/audit/aud_1', '/auth/audit/{id}'],
  ['/webhooks/wf_1/in', '/webhooks/{workflowId}/{path...}'],
  ['/webhooks/wf_1/a/b/c', '/webhooks/{workflowId}/{path...}'],
])('%s is %s', (pathname, path) => {
  expect(addressAt(pathname)).toBe(path);
});

test.each([
  '/',
  '',
  '/api',
  '/api/',
  '/api/workflows/',
  '/webhooks',
  '/webhooks/',
  '/webhooks/wf_1',
  '//',
  '/{id}',
  '/constructor/x',
])('%j is no address', (pathname) => {
  expect(addressAt(pathname)).toBeUndefined();
});
