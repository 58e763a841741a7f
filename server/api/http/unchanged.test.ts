import { expect, test } from 'vitest';
import { routeWebRequest } from './routes';
import { buildUser, buildWorkflow, call } from '@/server/testing/factories';
import { useDatabase } from '@/server/testing/database';

useDatabase();

test('a read whose ETag the caller has is answered with 304, without a body; a change makes another one', async () => {
  const { token, workspaceId } = await buildUser();
  const workflowId = await buildWorkflow({ workspaceId });
  const path = `/api/workflows/${workflowId}`;
  const read = (tags: string, method = 'GET') => call(method, path, { token, headers: { 'if-none-match': tags } });
  const tag = (await call('GET', path, { token })).headers.get('etag');
  for (const method of ['GET', 'HEAD']) {
    const unchanged = await read(`"0", W/${tag}`, method);
    expect([unchanged.status, unchanged.headers.get('etag'), unchanged.headers.get('content-type')]).toEqual([
      304,
      tag,
      null,
    ]);
    expect(unchanged.headers.get('x-ratelimit-remaining')).toBeTruthy();
  }
  expect((await read('*')).status).toBe(304);
  await call('PUT', path, { token, body: { name: 'Another' } });
  const changed = await read(tag ?? '');
  expect([changed.status, changed.headers.get('etag')]).toEqual([200, '"2"']);
});

test('a change does not ask whether something is unchanged, and a refusal is none', async () => {
  const { token, workspaceId } = await buildUser();
  const path = `/api/workflows/${await buildWorkflow({ workspaceId })}`;
  const headers = { 'if-none-match': '*' };
  expect((await call('PUT', path, { token, headers, body: { name: 'Another' } })).status).toBe(200);
  expect((await call('GET', path, { headers })).status).toBe(401);
  expect((await call('GET', '/api/workflows/wf_none', { token, headers })).status).toBe(404);
});

test.each(['/openapi.json', '/openapi.yaml', '/asyncapi.json'])('%s is sent once to who keeps it', async (path) => {
  const ask = (headers: Record<string, string> = {}) =>
    routeWebRequest(new Request(`http://localhost${path}`, { headers }));
  const first = await ask();
  const tag = first.headers.get('etag') ?? '';
  expect(tag).toMatch(/^"[\w-]+"$/);
  const second = await ask({ 'if-none-match': tag });
  expect([second.status, second.headers.get('etag'), await second.text()]).toEqual([304, tag, '']);
  expect((await ask({ 'if-none-match': '"other"' })).status).toBe(200);
});
