import { expect, test } from 'vitest';
import type { OperationRecord } from '@/server/api/operation/operation';
import { createOperationRouter } from './router';

const at = (method: string, path: string) => ({ method, path }) as OperationRecord;

const match = createOperationRouter([
  at('GET', '/auth/audit/{id}'),
  at('GET', '/auth/audit/verify'),
  at('GET', '/api/workflows'),
  at('POST', '/api/workflows'),
  at('GET', '/api/workflows/{id}'),
  at('GET', '/api/workflows/{id}/webhooks/{webhookId}'),
  at('GET', '/webhooks/{workflowId}/{path...}'),
]);

/** The path of the matching operation. */
const pathFor = (pathname: string) => {
  const found = match('GET', pathname);
  return found && 'operation' in found ? found.operation.path : undefined;
};

test('parameters are decoded; undecodable ones stay unchanged', () => {
  const params = (pathname: string) => {
    const found = match('GET', pathname);
    return found && 'params' in found ? found.params : undefined;
  };
  expect(params('/api/workflows/a%2Fb')).toEqual({ id: 'a/b' });
  expect(params('/api/workflows/%zz')).toEqual({ id: '%zz' });
  expect(params('/api/workflows/%00')).toEqual({ id: '%00' });
  expect(params('/webhooks/wf_1/a/b')).toEqual({ workflowId: 'wf_1', path: 'a/b' });
  expect(params('/webhooks/wf_1/a/b/')).toEqual({ workflowId: 'wf_1', path: 'a/b' });
  expect(params('/webhooks/wf_1/a//')).toEqual({ workflowId: 'wf_1', path: 'a/' });
});

test('a path without the method returns the allowed methods', () => {
  expect(match('DELETE', '/api/workflows')).toEqual({ allowed: ['GET', 'POST'] });
});

test.each([
  ['/api/workflows', '/api/workflows'],
  ['/api/workflows/wf_1', '/api/workflows/{id}'],
  ['/api/workflows/wf_1/webhooks/whk_1', '/api/workflows/{id}/webhooks/{webhookId}'],
  ['/auth/audit/verify', '/auth/audit/verify'],
  ['/auth/audit/aud_1', '/auth/audit/{id}'],
  ['/webhooks/wf_1/in', '/webhooks/{workflowId}/{path...}'],
  ['/webhooks/wf_1/a/b/c', '/webhooks/{workflowId}/{path...}'],
  ['/webhooks/wf_1/in/', '/webhooks/{workflowId}/{path...}'],
])('%s matches %s', (pathname, path) => {
  expect(pathFor(pathname)).toBe(path);
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
])('%j matches no path', (pathname) => {
  expect(pathFor(pathname)).toBeUndefined();
});
