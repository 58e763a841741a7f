import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { WebhookTrigger, WebhookCorsSettings } from '@/contract/triggers/webhook';
import { databasePool } from '@/server/platform/db/client';
import { routeWebRequest } from '@/server/api/http/routes';
import { startWorker, type EngineWorker } from '@/server/engine/worker';
import { useDatabase } from '@/server/testing/database';
import { buildUser, buildWorkflow, call, type Refused } from '@/server/testing/factories';
import { flow } from '@/server/testing/flow';
import { buildHookWith, deliver, register, type TestHook } from '@/server/testing/hooks';

useDatabase({ trustProxy: 1 });

const ask = (url: string, method: string, headers: Record<string, string> = {}) =>
  routeWebRequest(new Request(`http://service${new URL(url).pathname}`, { method, headers }));

const storedOf = async ({ workflowId, hook }: TestHook) => {
  const { rows } = await databasePool().query(
    `SELECT (SELECT count(*)::int FROM webhook_delivery WHERE webhook_id = $1) AS deliveries,
      (SELECT count(*)::int FROM execution WHERE workflow_id = $2) AS runs`,
    [hook.id, workflowId],
  );
  return rows[0];
};

const NONE = { deliveries: 0, runs: 0 };

describe('HEAD', () => {
  test.each([
    ['without verification', { methods: ['GET', 'POST'], verification: { kind: 'none' } }],
    ['with POST only', { methods: ['POST'], verification: { kind: 'none' } }],
    ['with the documented signature', {}],
    ['with a provider', { verification: { kind: 'provider', provider: 'github', secret: 'a secret' } }],
    ['with a token', { verification: { kind: 'jwt', algorithms: ['HS256'], key: 'a secret of 256 bits' } }],
  ])('finds a webhook %s, and starts and stores nothing', async (_, settings) => {
    const of = await buildHookWith({ path: 't', ...settings });
    const answer = await ask(of.hook.url, 'HEAD');
    expect([answer.status, await answer.text()]).toEqual([200, '']);
    expect(await storedOf(of)).toEqual(NONE);
  });

  test('finds nothing at another path, in another workflow, and where the webhook is disabled', async () => {
    const of = await buildHookWith({ path: 't', verification: { kind: 'none' } });
    const other = await buildHookWith({ path: 'u', verification: { kind: 'none' } });
    const elsewhere = of.hook.url.replace(of.workflowId, other.workflowId);
    for (const url of [`${of.hook.url}x`, elsewhere, of.hook.url.replace(of.workflowId, '%00')]) {
      expect((await ask(url, 'HEAD')).status).toBe(404);
    }
    const path = `/api/workflows/${of.workflowId}/webhooks/${of.hook.id}`;
    expect((await call('PUT', path, { token: of.user.token, body: { enabled: false } })).status).toBe(200);
    expect((await ask(of.hook.url, 'HEAD')).status).toBe(404);
    expect(await storedOf(of)).toEqual(NONE);
  });

  test('is refused to addresses that are not allowed', async () => {
    const of = await buildHookWith({ path: 't', verification: { kind: 'none' }, allowedIps: ['198.51.100.0/24'] });
    const from = (address: string) => ask(of.hook.url, 'HEAD', { 'x-forwarded-for': address });
    expect((await from('198.51.100.7')).status).toBe(200);
    expect((await from('192.0.2.1')).status).toBe(403);
    expect(await storedOf(of)).toEqual(NONE);
  });

  test('counts against the network at this webhook, not against its workspace', async () => {
    const of = await buildHookWith({ path: 't' });
    const first = await ask(of.hook.url, 'HEAD');
    const { headers } = await ask(of.hook.url, 'HEAD');
    expect(Number(headers.get('x-ratelimit-remaining'))).toBeLessThan(
      Number(first.headers.get('x-ratelimit-remaining')),
    );
    const delivered = await deliver(of.hook, '{}');
    const left = ['x-ratelimit-limit', 'x-ratelimit-remaining'].map((name) => Number(delivered.headers.get(name)));
    expect((left[0] ?? 0) - (left[1] ?? 0)).toBe(1);
  });
});

describe('pages of other origins', () => {
  const SITE = 'https://site.example';
  const CORS = { origins: [SITE, 'http://localhost:3000'], headers: ['X-My-Header'] };
  const preflight = (url: string, origin = SITE) =>
    ask(url, 'OPTIONS', {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type,x-my-header',
    });
  const allowed = ({ headers }: { headers: Headers }) => headers.get('access-control-allow-origin');

  test('may not call a webhook that says nothing of them', async () => {
    const of = await buildHookWith({ path: 't', verification: { kind: 'none' } });
    expect(of.hook.cors).toBeNull();
    const asked = await preflight(of.hook.url);
    expect([asked.status, allowed(asked)]).toEqual([405, null]);
    const called = await ask(of.hook.url, 'POST', { origin: SITE });
    expect([called.status, allowed(called), called.headers.get('vary')]).toEqual([202, null, null]);
  });

  test('may call one that names them, with its headers and those of its verification', async () => {
    const verification = { kind: 'header', name: 'x-key', value: 'abc' };
    const of = await buildHookWith({ path: 't', methods: ['POST', 'PUT'], verification, cors: CORS });
    expect(of.hook.cors).toEqual({ origins: CORS.origins, headers: ['x-my-header'] });
    const asked = await preflight(of.hook.url);
    expect([asked.status, allowed(asked), await asked.text()]).toEqual([204, SITE, '']);
    expect(Object.fromEntries(asked.headers)).toMatchObject({
      vary: 'Origin',
      'access-control-allow-methods': 'POST, PUT',
      'access-control-allow-headers': 'content-type, x-service-delivery, x-key, x-my-header',
      'access-control-max-age': '600',
    });
    expect(asked.headers.has('access-control-allow-credentials')).toBe(false);
    expect(allowed(await preflight(of.hook.url, 'http://localhost:3000'))).toBe('http://localhost:3000');
    const refused = await ask(of.hook.url, 'POST', { origin: SITE });
    expect([refused.status, allowed(refused), refused.headers.get('vary')]).toEqual([401, SITE, 'Origin']);
    const taken = await ask(of.hook.url, 'POST', { origin: SITE, 'x-key': 'abc' });
    expect([taken.status, allowed(taken)]).toEqual([202, SITE]);
    const wrongMethod = await ask(of.hook.url, 'DELETE', { origin: SITE, 'x-key': 'abc' });
    expect([wrongMethod.status, allowed(wrongMethod)]).toEqual([405, SITE]);
    const head = await ask(of.hook.url, 'HEAD', { origin: SITE });
    expect([head.status, allowed(head)]).toEqual([200, SITE]);
  });

  test.each(['https://site.example.evil.example', 'http://site.example', 'https://SITE.example', 'null'])(
    'with a similar name get no permission: %s',
    async (origin) => {
      const of = await buildHookWith({ path: 't', verification: { kind: 'none' }, cors: CORS });
      const asked = await preflight(of.hook.url, origin);
      expect([asked.status, allowed(asked), asked.headers.get('vary')]).toEqual([204, null, 'Origin']);
      expect(asked.headers.has('access-control-allow-headers')).toBe(false);
      expect(allowed(await ask(of.hook.url, 'POST', { origin }))).toBeNull();
    },
  );

  test('may be any, and none again', async () => {
    const of = await buildHookWith({ path: 't', verification: { kind: 'none' }, cors: { origins: ['*'] } });
    const asked = await preflight(of.hook.url, 'null');
    expect([asked.status, allowed(asked), asked.headers.get('vary')]).toEqual([204, '*', null]);
    const path = `/api/workflows/${of.workflowId}/webhooks/${of.hook.id}`;
    const { body } = await call<WebhookTrigger>('PUT', path, { token: of.user.token, body: { cors: null } });
    expect(body.cors).toBeNull();
    expect((await preflight(of.hook.url)).status).toBe(405);
  });

  test('learn nothing of a webhook that their address does not reach', async () => {
    const settings = { verification: { kind: 'none' }, cors: CORS, allowedIps: ['198.51.100.0/24'] };
    const of = await buildHookWith({ path: 't', ...settings });
    expect((await preflight(of.hook.url)).status).toBe(405);
    expect((await preflight(`${of.hook.url}x`)).status).toBe(405);
  });

  test.each<[string, unknown, string]>([
    ['with a path', { origins: ['https://site.example/app'] }, 'cors.origins[0]'],
    ['with a slash', { origins: [SITE, 'https://other.example/'] }, 'cors.origins[1]'],
    ['without a scheme', { origins: ['site.example'] }, 'cors.origins[0]'],
    ['with a usual port', { origins: ['https://site.example:443'] }, 'cors.origins[0]'],
    ['with a pattern', { origins: ['https://*.site.example?'] }, 'cors.origins[0]'],
    ['of a local file', { origins: ['null'] }, 'cors.origins[0]'],
    [
      'in twenty-one pieces',
      { origins: Array.from({ length: 21 }, (_, at) => `https://s${at}.example`) },
      'cors.origins',
    ],
    ['without any', { origins: [] }, 'cors.origins'],
    ['with a header that is none', { origins: ['*'], headers: ['a b'] }, 'cors.headers[0]'],
    ['with a header of the service', { origins: ['*'], headers: ['x-weft-peer'] }, 'cors.headers[0]'],
  ])('are refused %s', async (_, cors, field) => {
    const user = await buildUser();
    const workflowId = await buildWorkflow({ workspaceId: user.workspaceId, status: 'active' });
    const { status, body } = await register(user, workflowId, 'in', { cors });
    expect([status, (body as Refused).error.details[0]?.field]).toEqual([400, field]);
  });
});

describe('answers of workflows to pages', () => {
  let worker: EngineWorker;
  beforeAll(async () => {
    worker = await startWorker({ concurrency: 5 });
  });
  afterAll(() => worker.stop());

  test('say who may read them', async () => {
    const user = await buildUser();
    const config = { status: 201, headers: { vary: 'Accept', 'x-own': '1' }, body: 'thank you' };
    const definition = flow({ start: { type: 'start' }, answer: { type: 'respond', config } }, ['start>answer']);
    const workflowId = await buildWorkflow({ workspaceId: user.workspaceId, definition, status: 'active' });
    const cors: WebhookCorsSettings = { origins: ['https://site.example'], headers: [] };
    const more = { verification: { kind: 'none' }, response: { mode: 'respond_node' }, cors };
    const { body: hook } = await register(user, workflowId, 'in', more);
    const { status, headers } = await ask(hook.url, 'POST', { origin: 'https://site.example' });
    expect([status, Object.fromEntries(headers)]).toMatchObject([
      201,
      { 'access-control-allow-origin': 'https://site.example', vary: 'Accept, Origin', 'x-own': '1' },
    ]);
  });
});
