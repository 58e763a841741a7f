import { spawn, type ChildProcess } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from '@playwright/test';
import { freePort } from '../../server/testing/listen';
import { test } from '../test';

// The listener answers the API before Next.js does. This service has that switched off, so that the route handlers
// under app/ answer: a slice of the REST and webhook tests must come out the same.

const OWNER = { email: 'owner@example.com', password: 'Owner-Password-1234' };

const METRICS_TOKEN = 'token-of-the-metrics-reader';

// One after another in one worker: they share a service.
test.describe.configure({ mode: 'default' });

let folder: string;
let service: ChildProcess;
let origin: string;

test.beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'weft-route-handlers-'));
  const port = await freePort();
  origin = `http://127.0.0.1:${port}`;
  service = spawn(process.execPath, ['dist/supervisor.mjs'], {
    stdio: 'ignore',
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'production',
      API_THROUGH_NEXT: 'true',
      DATA_DIR: folder,
      HOST: '127.0.0.1',
      PORT: String(port),
      ADMIN_EMAIL: OWNER.email,
      ADMIN_PASSWORD: OWNER.password,
      BCRYPT_COST: '4',
      // Next.js adds forwarding headers, so its callers do not count as local.
      METRICS_TOKEN,
      SECURITY_CONTACT: 'mailto:security@example.com',
    },
  });
  const status = () =>
    fetch(`${origin}/readyz`).then(
      (answer) => answer.status,
      () => 0,
    );
  await expect.poll(status, { timeout: 110_000 }).toBe(200);
});

test.afterAll(async () => {
  const exit = once(service, 'exit');
  service.kill('SIGTERM');
  await exit;
  rmSync(folder, { recursive: true, force: true });
});

/** One call: status, headers and parsed body. */
async function call(method: string, address: string, { token, body }: { token?: string; body?: unknown } = {}) {
  const answer = await fetch(`${origin}${address}`, {
    method,
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await answer.text();
  const isJson = answer.headers.get('content-type')?.includes('json') ?? false;
  return { status: answer.status, headers: answer.headers, body: isJson ? JSON.parse(text) : text };
}

const signIn = async () => (await call('POST', '/api/auth/login', { body: OWNER })).body.accessToken as string;

const at = (id: string, type: string, config = {}) => ({ id, type, config, position: { x: 0, y: 0 } });
const DEFINITION = {
  nodes: [at('start', 'start'), at('double', 'transform', { fields: { result: '{{ input.number * 2 }}' } })],
  connections: [{ sourceNode: 'start', sourcePort: 'output', targetNode: 'double', targetPort: 'input' }],
};

test('operations, refusals and their documented shape', async () => {
  const token = await signIn();
  const made = await call('POST', '/api/workflows', { token, body: { name: 'Double', definition: DEFINITION } });
  expect(made.status).toBe(201);
  expect(made.headers.get('x-request-id')).toMatch(/^req_/);
  const one = await call('GET', `/api/workflows/${made.body.id}`, { token });
  expect(one.body).toMatchObject({ id: made.body.id, name: 'Double' });
  const run = await call('POST', `/api/workflows/${made.body.id}/execute`, { token, body: { input: { number: 21 } } });
  expect(run.status).toBe(202);
  const execution = () => call('GET', `/api/executions/${run.body.executionId}`, { token });
  await expect.poll(async () => (await execution()).body.status).toBe('completed');
  expect((await execution()).body.output).toEqual({ result: 42 });

  for (const [method, address, status, code] of [
    ['GET', '/api/workflows', 401, 'UNAUTHORIZED'],
    ['GET', '/api/nothing/here', 404, 'NOT_FOUND'],
    ['GET', '/webhooks/', 404, 'NOT_FOUND'],
    ['DELETE', '/api/workflows', 405, 'NOT_FOUND'],
    ['POST', '/auth/nothing', 404, 'NOT_FOUND'],
  ] as const) {
    const refused = await call(method, address);
    expect([address, refused.status, refused.body.error?.code]).toEqual([address, status, code]);
  }
  const tooLarge = await call('POST', '/api/auth/login', { body: { email: 'x'.repeat(2_000_000) } });
  expect([tooLarge.status, tooLarge.body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
  expect((await call('DELETE', '/api/workflows')).headers.get('allow')).toBe('GET, POST');
});

test('webhooks, over their exact bytes', async () => {
  const token = await signIn();
  const made = await call('POST', '/api/workflows', { token, body: { name: 'Called', definition: DEFINITION } });
  const workflow = `/api/workflows/${made.body.id}`;
  await call('PUT', workflow, { token, body: { status: 'active' } });
  const hook = await call('POST', `${workflow}/webhooks`, { token, body: { path: 'orders/new' } });
  expect(hook.status).toBe(201);
  const body = '{ "number" : 4 }';
  const deliver = (secret: string) => {
    const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
    const headers = { 'content-type': 'application/json', 'x-service-signature': signature };
    return fetch(`${origin}/webhooks/${made.body.id}/orders/new`, { method: 'POST', body, headers });
  };
  expect((await deliver('wrong')).status).toBe(401);
  const accepted = await deliver(hook.body.secret);
  expect(accepted.status).toBe(202);
  const { executionId } = (await accepted.json()) as { executionId: string };
  const output = async () => (await call('GET', `/api/executions/${executionId}`, { token })).body.output;
  await expect.poll(output).toEqual({ result: 8 });
});

test('tRPC, probes, metrics, the description, the OAuth callback and security.txt', async () => {
  const token = await signIn();
  const me = await call('GET', '/api/trpc/auth.me', { token });
  expect(me.body.result.data.user?.email ?? me.body.result.data.email).toBe(OWNER.email);
  expect((await call('GET', '/healthz')).body).toEqual({ status: 'ok' });
  expect((await call('GET', '/metrics', { token: METRICS_TOKEN })).body).toContain('weft_executions');
  expect((await call('GET', '/openapi.json')).body.openapi).toMatch(/^3\./);
  expect((await call('GET', '/openapi.yaml')).body).toContain('openapi: 3.');
  expect((await call('GET', '/oauth/callback?code=1&state=2')).body).toContain('oauth_callback');
  expect((await call('GET', '/.well-known/security.txt')).body).toContain('Contact: mailto:security@example.com');
  expect((await call('GET', '/login')).status).toBe(200);
});
