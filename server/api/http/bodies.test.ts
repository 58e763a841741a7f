import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { encode } from 'next-auth/jwt';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ErrorResponse } from '@/contract/error-response';
import { sessionCookieSecret, SESSION_COOKIE_NAME } from '@/server/people/auth/browser-session';
import { prismaClient } from '@/server/platform/db/client';
import { configureNextAuth } from '@/server/platform/env/env';
import { leaseTokens } from '@/server/platform/limits/bucket-lease';
import { TokenBuckets } from '@/server/platform/limits/token-bucket';
import { getRuntime, setRuntime } from '@/server/platform/runtime';
import { useDatabase } from '@/server/testing/database';
import { buildUser, buildWorkflow, buildWorkspace, PASSWORD, type TestUser } from '@/server/testing/factories';
import { createHttpServer } from './server';
import { BYTES_PER_MIB } from '@/contract/units';

useDatabase();

let doors: Server;
let port: number;
let url: string;

beforeAll(async () => {
  doors = createHttpServer((_request, response) => void response.end('a page'));
  doors.listen(0, '127.0.0.1');
  await once(doors, 'listening');
  ({ port } = doors.address() as AddressInfo);
  url = `http://127.0.0.1:${port}`;
  configureNextAuth(url);
});

afterAll(() => new Promise((resolve) => doors.close(resolve)));

// Each test begins with full buckets.
beforeEach(async () => {
  await prismaClient().$executeRaw`DELETE FROM rate_bucket`;
  setRuntime({ ...getRuntime(), buckets: undefined });
});

const ask = (path: string, init?: RequestInit) => fetch(url + path, { redirect: 'manual', ...init });
const post = (path: string, body: string, headers: Record<string, string> = {}) =>
  ask(path, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } });

/** The answer to a client that announces a length and then sends nothing. */
async function announce(path: string, length: string, type = 'application/json'): Promise<string> {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\n${length}\r\n\r\n`);
  const [first] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  return String(first);
}

/** The answer to a client that sends without end and announces no length. */
async function pour(path: string, type = 'application/json'): Promise<{ answer: string; sent: number }> {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  let answer = '';
  let sent = 0;
  socket.on('data', (chunk) => (answer += String(chunk)));
  const closed = once(socket, 'close');
  socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nTransfer-Encoding: chunked\r\n\r\n`);
  const sending = setInterval(() => {
    socket.write(`10000\r\n${'x'.repeat(0x10000)}\r\n`);
    sent += 0x10000;
  }, 5);
  await closed;
  clearInterval(sending);
  return { answer, sent };
}

const errorIn = (answer: string) =>
  (JSON.parse(answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1)) as ErrorResponse).error;

const FORM = 'application/x-www-form-urlencoded';
const ENTRIES: [string, string, number][] = [
  ['/api/trpc/workflows.create', 'application/json', 2 * BYTES_PER_MIB],
  ['/api/trpc/auth.login', 'application/json', BYTES_PER_MIB],
  ['/api/trpc/auth.login,auth.login?batch=1', 'application/json', BYTES_PER_MIB],
  ['/api/auth/callback/credentials', FORM, BYTES_PER_MIB],
  ['/api/auth/callback/credentials', 'application/json', BYTES_PER_MIB],
  ['/api/auth/signout', FORM, BYTES_PER_MIB],
  ['/api/auth/_log', FORM, BYTES_PER_MIB],
  ['/api/auth/signin/credentials', FORM, BYTES_PER_MIB],
  ['/api/auth/nothing', FORM, BYTES_PER_MIB],
  ['/api/auth/login', 'application/json', BYTES_PER_MIB],
  ['/auth/saml', FORM, BYTES_PER_MIB],
  ['/auth/saml/logout', FORM, BYTES_PER_MIB],
  ['/oauth/callback', FORM, BYTES_PER_MIB],
  ['/login', 'multipart/form-data; boundary=x', BYTES_PER_MIB],
  ['/nothing', 'text/plain', BYTES_PER_MIB],
];

describe.each(ENTRIES)('POST %s (%s)', (path, type, limit) => {
  test('is refused by its announced length, before any of it arrives', async () => {
    const answer = await announce(path, 'Content-Length: 262144000', type);
    expect(answer).toMatch(/^HTTP\/1.1 4\d\d /);
    expect(answer).toMatch(/^x-request-id: req_/im);
    expect(answer).toMatch(/^x-ratelimit-remaining: \d+/im);
    expect(errorIn(answer)).toMatchObject({ message: expect.any(String) as string, details: [] });
  });

  test('is refused as soon as it exceeds the limit', async () => {
    const { answer, sent } = await pour(path, type);
    expect(answer).toMatch(/^HTTP\/1.1 4\d\d /);
    expect(answer).toMatch(/^x-request-id: req_/im);
    expect(errorIn(answer).details).toEqual([]);
    // The bytes in transit when the answer was written, and no more.
    expect(sent).toBeLessThan(limit + 64 * BYTES_PER_MIB);
  });
});

test('the web app gets no request with a body in production', async () => {
  const before = getRuntime();
  setRuntime({ ...before, env: { ...before.env, isProduction: true } });
  const answers = await Promise.all(
    ['/_next/static/a.js', '/_next/image', '/__nextjs_font', '/'].map((path) => post(path, '{}')),
  );
  setRuntime(before);
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
});

test('the body limit of a tRPC call is that of its operation', async () => {
  const { token } = await buildUser();
  const headers = { authorization: `Bearer ${token}` };
  const padded = (size: number) => JSON.stringify({ body: { name: 'x', pad: 'x'.repeat(size) } });
  const read = await post('/api/trpc/workflows.create', padded(1.5 * BYTES_PER_MIB), headers);
  expect(JSON.stringify(await read.json())).toContain('pad');
  const refused = await post('/api/trpc/workflows.create', padded(2 * BYTES_PER_MIB), headers);
  expect(refused.status).toBe(400);
  expect(await refused.json()).toEqual({
    error: { code: 'VALIDATION_ERROR', message: 'The body is larger than 2097152 bytes.', details: [] },
  });
  // The limit of one call of a batch does not extend to the others.
  const mixed = JSON.stringify({
    0: JSON.parse(padded(1)) as object,
    1: { body: { name: 'x'.repeat(1.5 * BYTES_PER_MIB) } },
  });
  const batch = await post('/api/trpc/workflows.create,roles.create?batch=1', mixed, headers);
  const [, role] = (await batch.json()) as { error: { data: { problem: ErrorResponse['error'] } } }[];
  expect(role?.error.data.problem.message).toBe('The body is larger than 1048576 bytes.');
});

describe('each request is counted before its body is read', () => {
  const withTier = async (work: () => Promise<void>) => {
    const before = getRuntime();
    setRuntime({ ...before, buckets: undefined, env: { ...before.env, rateLimitTier: 'free' } });
    await work().finally(() => setRuntime(before));
  };

  test.each([
    ['/api/trpc/auth.login', 'application/json'],
    ['/api/auth/callback/credentials', FORM],
    ['/api/auth/signout', FORM],
    ['/api/trpc/nothing', 'application/json'],
    ['/login', FORM],
  ])('POST %s', async (path, type) => {
    await withTier(async () => {
      const answers = await Promise.all(
        Array.from({ length: 110 }, () => announce(path, 'Content-Length: 99999999', type)),
      );
      const tooMany = answers.filter((answer) => answer.startsWith('HTTP/1.1 429 '));
      expect(tooMany.length).toBeGreaterThan(0);
      expect(errorIn(tooMany[0] ?? '')).toMatchObject({ code: 'RATE_LIMITED', details: [] });
      expect(tooMany[0]).toMatch(/^retry-after: \d+/im);
    });
  });

  test('a batch of changes counts each of them, against the caller', async () => {
    // The clock stands still, so that no tokens are refilled.
    const at = Date.now();
    setRuntime({ ...getRuntime(), buckets: new TokenBuckets(leaseTokens, () => at) });
    // The earlier tests used up tokens of this address.
    await prismaClient().rateBucket.deleteMany();
    const user = await buildUser({ workspaceId: await buildWorkspace({ tier: 'free' }) });
    const headers = { authorization: `Bearer ${user.token}` };
    const remaining = async (answer: Promise<Response>) => Number((await answer).headers.get('x-ratelimit-remaining'));
    const batch = (size: number) =>
      post(`/api/trpc/${Array(size).fill('workflows.delete').join(',')}?batch=1`, '{}', headers);
    // Requests of the test before may still take tokens of this address, so its bucket is not full for certain.
    const ofNetwork = await remaining(ask('/api/auth/sso'));
    const first = await remaining(ask('/api/workflows', { headers }));
    const second = await remaining(batch(20));
    expect(first - second).toBeGreaterThanOrEqual(19);
    for (let count = 0; count < 3; count++) await batch(20);
    const last = await batch(20);
    expect(last.status).toBe(429);
    expect(await last.json()).toMatchObject({ error: { code: 'RATE_LIMITED', details: [] } });
    expect(ofNetwork - (await remaining(ask('/api/auth/sso')))).toBeLessThanOrEqual(1);
  });
});

describe('a tRPC request that is refused as a whole', () => {
  const refused = async (answer: Response) => ({
    status: answer.status,
    id: answer.headers.get('x-request-id'),
    ...((await answer.json()) as ErrorResponse).error,
  });

  test.each<[string, string, RequestInit, number, string]>([
    ['an unknown procedure', '/api/trpc/nothing.here', {}, 404, 'NOT_FOUND'],
    ['one among known ones', '/api/trpc/auth.me,nothing?batch=1', {}, 404, 'NOT_FOUND'],
    ['an undecodable name', '/api/trpc/%ff', {}, 404, 'NOT_FOUND'],
    ['a read that is posted', '/api/trpc/auth.me', { method: 'POST', body: '{}' }, 405, 'NOT_FOUND'],
    ['a change that is got', '/api/trpc/workflows.create', {}, 405, 'NOT_FOUND'],
    ['another method', '/api/trpc/workflows.create', { method: 'DELETE' }, 405, 'NOT_FOUND'],
    ['too many calls', `/api/trpc/${Array(21).fill('auth.me').join(',')}?batch=1`, {}, 400, 'VALIDATION_ERROR'],
    ['input that is no JSON', '/api/trpc/auth.me?input={', {}, 400, 'VALIDATION_ERROR'],
  ])('%s', async (_, path, init, status, code) => {
    expect(await refused(await ask(path, init))).toMatchObject({
      status,
      code,
      details: [],
      id: expect.stringMatching(/^req_/) as string,
    });
  });

  test.each(['{', '{"body":', '\u0000', `${'['.repeat(300)}${']'.repeat(300)}`, '{"body":{"name":1e999}}'])(
    'a body that is not valid JSON: %j',
    async (body) => {
      expect(await refused(await post('/api/trpc/workflows.create', body))).toMatchObject({
        status: 400,
        code: 'VALIDATION_ERROR',
      });
    },
  );

  test.each(['multipart/form-data; boundary=x', 'text/plain', FORM, 'application/octet-stream', ''])(
    'a body that any page could post: %s',
    async (type) => {
      const body = new Blob(['{"body":{"name":"x"}}']);
      const headers: Record<string, string> = type ? { 'content-type': type } : {};
      const answer = await refused(await ask('/api/trpc/workflows.create', { method: 'POST', body, headers }));
      expect(answer).toMatchObject({ status: 400, details: [{ field: 'Content-Type' }] });
    },
  );

  test('a procedure accepts a missing input', async () => {
    const answer = await post('/api/trpc/auth.logout', '');
    expect(answer.status).toBe(401);
    expect(await answer.json()).toMatchObject({ error: { data: { problem: { code: 'UNAUTHORIZED' } } } });
  });
});

/** A browser that is signed in, and the pages that make it send requests. */
const cookieOf = async ({ sessionId }: TestUser) =>
  `${SESSION_COOKIE_NAME}=${await encode({ token: { sessionId }, secret: sessionCookieSecret(), maxAge: 60 })}`;
const NEIGHBOURS: Record<string, string>[] = [
  { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'navigate' },
  { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
  { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors' },
  { origin: 'http://evil.127.0.0.1.example' },
];

describe.each(NEIGHBOURS)('a form posted by a foreign page: %j', (from) => {
  test('changes nothing', async () => {
    const user = await buildUser();
    const workflowId = await buildWorkflow({ workspaceId: user.workspaceId });
    const cookie = await cookieOf(user);
    for (const path of [
      `/api/workflows/${workflowId}/execute`,
      '/auth/mfa',
      '/auth/mfa/backup_codes',
      '/api/auth/logout',
      '/api/trpc/auth.logout',
    ]) {
      const plain = await ask(path, { method: 'POST', headers: { cookie, 'content-type': FORM, ...from } });
      expect([400, 401], path).toContain(plain.status);
      const bare = await ask(path, { method: 'POST', headers: { cookie, ...from } });
      expect([400, 401], path).toContain(bare.status);
      const json = await post(path, '{}', { cookie, ...from });
      expect(json.status, path).toBe(401);
    }
    expect(await prismaClient().execution.count({ where: { workflowId } })).toBe(0);
    expect((await ask('/api/auth/me', { headers: { cookie } })).status).toBe(200);
  });

  test('neither signs out nor in', async () => {
    const user = await buildUser();
    const cookie = await cookieOf(user);
    const { cookies, csrfToken } = await begin();
    for (const [path, fields] of [
      ['/api/auth/signout', {}],
      ['/api/auth/callback/credentials', { email: user.email, password: PASSWORD }],
    ] as const) {
      const answer = await send(path, { csrfToken, ...fields }, { cookie: `${cookie}; ${cookies}`, ...from });
      expect(answer.status).toBe(403);
      expect(answer.headers.getSetCookie()).toEqual([]);
      expect(await answer.json()).toMatchObject({ error: { code: 'FORBIDDEN', details: [] } });
    }
    expect((await ask('/api/auth/me', { headers: { cookie } })).status).toBe(200);
  });
});

const jar = ({ headers }: Response) =>
  headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
async function begin() {
  const answer = await ask('/api/auth/csrf');
  return { cookies: jar(answer), ...((await answer.json()) as { csrfToken: string }) };
}
const send = (path: string, fields: Record<string, string>, headers: Record<string, string>) =>
  ask(path, {
    method: 'POST',
    body: new URLSearchParams({ json: 'true', ...fields }).toString(),
    headers: { 'content-type': FORM, ...headers },
  });

describe('next-auth', () => {
  const signIn = async (fields: Record<string, string>) => {
    const { cookies, csrfToken } = await begin();
    return {
      cookies,
      csrfToken,
      answer: await send('/api/auth/callback/credentials', { csrfToken, ...fields }, { cookie: cookies }),
    };
  };

  test('signs a browser in and out', async () => {
    const user = await buildUser();
    const { answer, cookies, csrfToken } = await signIn({ email: user.email, password: PASSWORD });
    expect([answer.status, answer.headers.get('x-request-id')]).toEqual([200, expect.stringMatching(/^req_/)]);
    const cookie = `${cookies}; ${jar(answer)}`;
    expect((await ask('/api/auth/me', { headers: { cookie } })).status).toBe(200);
    expect(answer.headers.getSetCookie().filter((line) => line.includes('HttpOnly')).length).toBeGreaterThan(1);
    const out = await send('/api/auth/signout', { csrfToken }, { cookie, 'sec-fetch-site': 'same-origin' });
    expect([out.status, ((await out.json()) as { url: string }).url]).toEqual([200, expect.any(String)]);
    expect((await ask('/api/auth/me', { headers: { cookie } })).status).toBe(401);
  });

  test('a wrong password, and too many of them, are refused in the documented format, with an address to continue at', async () => {
    const { email } = await buildUser();
    for (let count = 0; count < 5; count++) {
      const { answer } = await signIn({ email, password: 'wrong' });
      expect(answer.status).toBe(401);
      const body = (await answer.json()) as ErrorResponse & { url: string };
      expect(body.error).toMatchObject({ code: 'UNAUTHORIZED', details: [] });
      expect(new URL(body.url).searchParams.get('error')).toBe('UNAUTHORIZED');
    }
    const { answer } = await signIn({ email, password: PASSWORD });
    expect([answer.status, Number(answer.headers.get('retry-after')) > 0]).toEqual([429, true]);
    const body = (await answer.json()) as ErrorResponse & { url: string };
    expect(body.error.code).toBe('RATE_LIMITED');
    expect(new URL(body.url).searchParams.get('error')).toMatch(/^RATE_LIMITED:\d+$/);
  });

  test('a request without the token of its cookie is refused', async () => {
    const { email } = await buildUser();
    for (const path of ['/api/auth/callback/credentials', '/api/auth/signout']) {
      const answer = await send(path, { email, password: PASSWORD, csrfToken: 'x' }, {});
      expect(answer.status).toBe(403);
      expect(await answer.json()).toMatchObject({ error: { code: 'FORBIDDEN' } });
    }
  });

  test.each([
    ['{', 'application/json'],
    ['[]', 'application/json'],
    ['{"csrfToken":{"a":1}}', 'application/json'],
    ['\u0000', 'application/json'],
    ['csrfToken=a&csrfToken=b', FORM],
    ['a=b', 'text/plain'],
    ['a=b', 'multipart/form-data; boundary=x'],
  ])('refuses a body like %j (%s)', async (body, type) => {
    for (const path of ['/api/auth/callback/credentials', '/api/auth/signout', '/api/auth/_log']) {
      const answer = await post(path, body, { 'content-type': type });
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ error: { code: 'VALIDATION_ERROR' } });
    }
  });

  test.each([
    ['POST', '/api/auth/session'],
    ['POST', '/api/auth/signin/credentials'],
    ['POST', '/api/auth/providers'],
    ['GET', '/api/auth/callback/credentials'],
    ['PUT', '/api/auth/signout'],
    ['GET', '/api/auth/'],
    ['GET', '/api/auth/__proto__'],
  ])('has no other addresses: %s %s', async (method, path) => {
    const answer = await ask(path, { method });
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ error: { code: 'NOT_FOUND', details: [] } });
  });
});

test.each([
  '/',
  '/login',
  '/nothing',
  '/_next/static/a.js',
  '/oauth/callback',
  '/healthz',
  '/readyz',
  '/metrics',
  '/openapi.json',
  '/api/nothing',
  '/api/workflows',
  '/api/trpc/auth.me',
  '/api/trpc/nothing',
  '/api/auth/csrf',
  '/api/auth/session',
  '/auth/saml',
  '/webhooks/wf_x/y',
])('GET %s has the request id, whatever the client sends', async (path) => {
  const answer = await ask(path, { headers: { 'x-weft-request': 'req_mine' } });
  expect(answer.headers.get('x-request-id')).toMatch(/^req_[\w-]{20,}$/);
});

describe('a body that comes too slowly', () => {
  let hasty: Server;
  beforeAll(async () => {
    const timeouts = { headersTimeout: 200, requestTimeout: 400, connectionsCheckingInterval: 50 };
    hasty = createHttpServer((_request, response) => void response.end('a page'), { timeouts });
    hasty.listen(0, '127.0.0.1');
    await once(hasty, 'listening');
  });
  afterAll(() => new Promise((resolve) => hasty.close(resolve)));

  test.each(['/api/auth/login', '/api/trpc/auth.login', '/api/auth/callback/credentials', '/auth/saml'])(
    'times out with an answer: %s',
    async (path) => {
      const socket = connect((hasty.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
      );
      let answer = '';
      for await (const chunk of socket) answer += String(chunk);
      expect(answer).toMatch(/^HTTP\/1.1 408 /);
      expect(errorIn(answer)).toEqual({
        code: 'VALIDATION_ERROR',
        message: 'The request did not arrive in time.',
        details: [],
      });
      expect(answer).toMatch(/^x-request-id: req_/im);
    },
  );
});
