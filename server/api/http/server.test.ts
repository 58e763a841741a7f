import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Server } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ErrorResponse } from '@/contract/error-response';
import { PEER_ADDRESS_HEADER } from '@/server/platform/messages/client-address';
import { appendAuditEntries } from '@/server/people/audit/record';
import { prismaClient } from '@/server/platform/db/client';
import { generateOrderedId } from '@/server/platform/db/ids';
import { serviceLog } from '@/server/platform/log';
import { getRuntime, setRuntime } from '@/server/platform/runtime';
import { useDatabase } from '@/server/testing/database';
import { buildUser } from '@/server/testing/factories';
import { until } from '@/server/testing/runs';
import { createHttpServer } from './server';

useDatabase();

let httpServer: Server;
let port: number;

beforeAll(async () => {
  httpServer = createHttpServer((request, response) => {
    response.end(
      JSON.stringify({ path: request.url, peer: request.headers[PEER_ADDRESS_HEADER], raw: request.rawHeaders }),
    );
  });
  httpServer.listen(0, '127.0.0.1');
  await once(httpServer, 'listening');
  ({ port } = httpServer.address() as AddressInfo);
});

afterAll(() => new Promise((resolve) => httpServer.close(resolve)));

const ask = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init);

/** Sends raw bytes that no client library would send, and returns the whole answer. */
async function sendRaw(text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(text);
  let answer = '';
  for await (const chunk of socket) answer += String(chunk);
  return answer;
}

describe('routing', () => {
  test('operations and probes are answered by the pipeline', async () => {
    const refused = await ask('/api/workflows');
    expect(refused.status).toBe(401);
    expect(refused.headers.get('x-request-id')).toMatch(/^req_/);
    const healthy = await ask('/healthz');
    expect(healthy.headers.get('content-length')).toBe('15');
    expect(await healthy.json()).toEqual({ status: 'ok' });
  });

  test.each(['/', '/login', '/_next/static/a.js', '/nothing'])('%s is passed to the web app', async (path) => {
    expect(await (await ask(path)).json()).toMatchObject({ path });
  });
});

describe('a similar but unknown path', () => {
  test.each([
    '/api/workflows/',
    '/api//workflows',
    '/api/Workflows',
    '/api/workflows;x',
    '/auth/',
    '/webhooks/',
    '/api',
    '/api/nothing?with=a&query=b',
  ])('%s is unknown', async (path) => {
    const answer = await ask(path);
    expect([answer.status, answer.headers.get('x-ratelimit-limit')]).toEqual([404, expect.any(String)]);
    expect(await answer.json()).toMatchObject({ error: { code: 'NOT_FOUND', details: [] } });
  });

  test.each([
    ['POST', '/healthz', 405],
    ['DELETE', '/openapi.json', 405],
    ['PATCH', '/api/workflows', 405],
    ['OPTIONS', '/api/workflows', 405],
    ['PROPFIND', '/api/workflows', 405],
    ['TRACE', '/metrics', 405],
    ['PUT', '/login', 404],
    ['POST', '/nothing', 404],
  ])('%s %s is answered with %i, in the documented format', async (method, path, status) => {
    const answer = await sendRaw(`${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer).toMatch(/^x-ratelimit-remaining: \d+/im);
    expect(answer).toContain('{"error":{"code":"NOT_FOUND"');
  });

  test('a HEAD has the headers of the GET, and no body', async () => {
    const [head, get] = await Promise.all([ask('/api/workflows', { method: 'HEAD' }), ask('/api/workflows')]);
    expect([head.status, await head.text()]).toEqual([401, '']);
    const named = ({ headers }: Response) => [...headers.keys()].filter((name) => name !== 'keep-alive');
    expect(named(head)).toEqual(named(get));
  });

  test('an absolute URL is reduced to its path; a backslash is not a slash', async () => {
    const withHost = await sendRaw('GET http://x/healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(withHost).toContain('{"status":"ok"}');
    expect(await sendRaw('GET /readyz HTTP/1.0\r\n\r\n')).toContain('200 OK');
    expect(await sendRaw('GET /api/workflows HTTP/1.0\r\n\r\n')).toContain('400 Bad Request');
    const withBackslash = await sendRaw('GET /api\\workflows HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(withBackslash).toMatch(/^HTTP\/1.1 400 /);
  });

  test('a header cannot change the method', async () => {
    const headers = { 'x-http-method-override': 'GET', 'x-method-override': 'GET' };
    expect((await ask('/api/workflows', { method: 'PATCH', headers })).status).toBe(405);
  });
});

test('responses forbid sniffing, framing and caching', async () => {
  for (const path of ['/api/workflows', '/api/nothing', '/auth/oauth2?provider=none']) {
    const { headers } = await ask(path);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'");
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('strict-transport-security')).toBeNull();
  }
});

test('responses behind TLS have HSTS', async () => {
  const before = getRuntime();
  setRuntime({ ...before, env: { ...before.env, apiBaseUrl: 'https://weft.example.com' } });
  const { headers } = await ask('/api/workflows');
  setRuntime(before);
  expect(headers.get('strict-transport-security')).toBe('max-age=31536000');
});

describe('pages of other origins', () => {
  const APP = 'https://app.example.com';
  const preflight = (origin: string) =>
    ask('/api/workflows', {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' },
    });
  const allowed = ({ headers }: Response) => headers.get('access-control-allow-origin');
  const withOrigins = async <T>(corsOrigins: string[], work: () => Promise<T>): Promise<T> => {
    const before = getRuntime();
    setRuntime({ ...before, env: { ...before.env, corsOrigins } });
    return work().finally(() => setRuntime(before));
  };

  test.each([APP, 'null', 'http://localhost'])('are refused unless they are configured: %s', async (origin) => {
    const asked = await preflight(origin);
    expect([asked.status, allowed(asked)]).toEqual([405, null]);
    expect(allowed(await ask('/api/workflows', { headers: { origin } }))).toBeNull();
  });

  test('if configured may send preflights, call and read, without cookies', async () => {
    const [asked, called] = await withOrigins([APP], () =>
      Promise.all([preflight(APP), ask('/api/workflows', { headers: { origin: APP } })]),
    );
    expect([asked.status, allowed(asked), allowed(called)]).toEqual([204, APP, APP]);
    expect(asked.headers.get('access-control-allow-headers')).toContain('Idempotency-Key');
    expect(called.headers.get('access-control-expose-headers')).toContain('X-RateLimit-Remaining');
    for (const { headers } of [asked, called]) {
      expect(headers.get('vary')).toBe('Origin');
      expect(headers.has('access-control-allow-credentials')).toBe(false);
    }
  });

  test.each(['https://app.example.com.evil.example', 'http://app.example.com', 'https://APP.example.com', 'null'])(
    'with a similar name are refused: %s',
    async (origin) => {
      const asked = await withOrigins([APP], () => preflight(origin));
      expect([asked.status, allowed(asked)]).toEqual([405, null]);
    },
  );
});

test('the OAuth callback has its own content security policy, and contains nothing of its URL', async () => {
  const page = await ask('/oauth/callback?code=<script>x</script>&state=s');
  expect(page.headers.get('content-security-policy')).toMatch(/script-src 'sha256-/);
  expect(await page.text()).not.toContain('<script>x');
});

describe("the client's address", () => {
  test('is that of the socket, also if the client sends the header', async () => {
    const answer = (await (await ask('/login', { headers: { [PEER_ADDRESS_HEADER]: '6.6.6.6' } })).json()) as {
      peer: string;
      raw: string[];
    };
    expect(answer.peer).toBe('127.0.0.1');
    expect(answer.raw).not.toContain('6.6.6.6');
    expect(answer.raw.filter((word) => word === PEER_ADDRESS_HEADER)).toHaveLength(1);
  });
});

describe('a request body', () => {
  const LOGIN = 'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
  const fields = (answer: string) =>
    (JSON.parse(answer.slice(answer.lastIndexOf('\r\n\r\n') + 4)) as ErrorResponse).error.details.map(
      ({ field }) => field,
    );

  test('arrives complete in any number of chunks', async () => {
    const socket = connect(port, '127.0.0.1');
    socket.write(`${LOGIN}Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n`);
    for (const piece of ['{"email"', ':"ada@', 'example.com"}']) {
      socket.write(`${piece.length.toString(16)}\r\n${piece}\r\n`);
      await pause(20);
    }
    // Node.js answers nobody who has closed their side before the answer is there.
    socket.write('0\r\n\r\n');
    let answer = '';
    for await (const chunk of socket) answer += String(chunk);
    expect(fields(answer)).toEqual(['password']);
  });

  test.each(['Content-Length: 99999999', 'Transfer-Encoding: chunked'])(
    'that is too large (%s) is refused while its sender is still sending, and the connection closes',
    async (announced) => {
      const piece = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
      const socket = connect(port, '127.0.0.1').on('error', () => undefined);
      let answer = '';
      socket.on('data', (chunk) => (answer += String(chunk)));
      const closed = once(socket, 'close');
      socket.write(`${LOGIN}${announced}\r\n\r\n`);
      const sending = setInterval(() => socket.write(piece), 10);
      await closed;
      clearInterval(sending);
      expect(answer).toMatch(/^HTTP\/1.1 400 /);
      expect(answer).toContain('The body is larger than 1048576 bytes.');
    },
  );

  test('of a request that is answered unread does not block the next one', async () => {
    const body = 'x'.repeat(300_000);
    const refused = `POST /api/workflows HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const answer = await sendRaw(`${refused}GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1.1 401 /);
    expect(answer).toContain('{"status":"ok"}');
  });

  test('that breaks off affects no other request', async () => {
    const socket = connect(port, '127.0.0.1');
    socket.write(`${LOGIN}Content-Length: 100\r\n\r\n{"email`);
    await pause(50);
    socket.resetAndDestroy();
    await once(socket, 'close');
    expect((await ask('/healthz')).status).toBe(200);
  });
});

test('a client may disconnect during a file without affecting others', async () => {
  const owner = await buildUser();
  const row = { category: 'authorization' as const, action: 'x'.repeat(5000), result: 'success' as const };
  await appendAuditEntries(
    prismaClient(),
    Array.from({ length: 3000 }, () => ({
      ...row,
      id: generateOrderedId('aud'),
      workspaceId: owner.workspaceId,
      actor: {},
      resource: {},
      metadata: {},
    })),
  );
  const socket = connect(port, '127.0.0.1');
  socket.write(`GET /auth/audit/export?format=csv HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${owner.token}\r\n\r\n`);
  const [first] = (await once(socket, 'data')) as [Buffer];
  expect(first.toString()).toMatch(/^HTTP\/1.1 200 /);
  socket.destroy();
  const withHost = await ask('/auth/audit/export?format=csv', { headers: { authorization: `Bearer ${owner.token}` } });
  expect(withHost.headers.get('content-disposition')).toContain('attachment');
  expect((await withHost.text()).split('\r\n').length).toBeGreaterThan(3000);
});

test('repeated credentials are refused', async () => {
  const { token } = await buildUser();
  const proofs = (count: number) => `Authorization: Bearer ${token}\r\n`.repeat(count);
  const list = (count: number) =>
    sendRaw(`GET /api/workflows HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${proofs(count)}\r\n`);
  expect(await list(1)).toMatch(/^HTTP\/1.1 200 /);
  expect(await list(2)).toMatch(/^HTTP\/1.1 401 /);
});

describe('a malformed request', () => {
  test.each([
    ['garbage', 'hello\r\n\r\n', 400],
    ['a header that never ends', `GET /healthz HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(20_000)}`, 431],
    ['an impossible host', 'GET /api/workflows HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n', 400],
    [
      'two lengths',
      'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}',
      400,
    ],
    ['a tunnel', 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n', 405],
    ['a made-up method', 'FETCH /api/workflows HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    [
      'a chunk without end',
      'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
      400,
    ],
    [
      'a length and chunks',
      'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    ['a header with a line break', 'GET /healthz HTTP/1.1\r\nHost: x\r\nA: b\n c\r\n\r\n', 400],
    ['no host', 'GET /api/workflows HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
  ])('%s is refused in the documented format', async (_what, text, status) => {
    const answer = await sendRaw(text);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    const body = answer.slice(answer.indexOf('\r\n\r\n') + 4);
    expect(JSON.parse(body)).toMatchObject({ error: { code: 'VALIDATION_ERROR', details: [] } });
    for (const name of ['x-ratelimit-limit', 'x-ratelimit-reset', 'x-request-id'])
      expect(answer.toLowerCase()).toContain(`\n${name}: `);
  });

  test('a stalled sender times out', () => {
    expect(httpServer.headersTimeout).toBeLessThanOrEqual(15_000);
    expect(httpServer.requestTimeout).toBeLessThanOrEqual(60_000);
  });
});

describe('the access log', () => {
  const lines: Record<string, unknown>[] = [];
  /** Sends a request and returns its line, which is written when its connection is done with it. */
  async function logged(path: string, init?: RequestInit): Promise<Record<string, unknown>> {
    const before = lines.length;
    await (await ask(path, init)).text();
    return until(async () => lines[before], 'the line of the request');
  }
  beforeAll(() => {
    getRuntime().env.isAccessLogged = true;
  });
  afterAll(() => {
    getRuntime().env.isAccessLogged = false;
  });
  beforeEach(() => {
    vi.spyOn(serviceLog(), 'info').mockImplementation(
      (line: unknown) => void lines.push(line as Record<string, unknown>),
    );
  });

  test('has a line for each request, by route, without ids, tokens and queries', async () => {
    const secret = 'a-token-that-nobody-may-read-in-a-log';
    const line = await logged(`/api/workflows/${secret}?key=${secret}`);
    expect(line).toMatchObject({
      method: 'GET',
      route: '/api/workflows/{id}',
      operation: 'workflows.get',
      status: 401,
      ipAddress: '127.0.0.1',
      requestId: expect.stringMatching(/^req_/),
      ms: expect.any(Number),
    });
    const page = await logged(`/accept/${secret}?key=${secret}`);
    expect(page).toMatchObject({ route: '/accept/…', status: 200 });
    expect(JSON.stringify(lines)).not.toContain(secret);
  });

  test('names a request as its caller does, if the name is well formed', async () => {
    for (const id of ['a', 'trace:1.2_3-4', 'x'.repeat(128)])
      expect(await logged('/api/workflows', { headers: { 'x-request-id': id } })).toMatchObject({ requestId: id });
    for (const id of ['with space', '{"a":1}', 'x'.repeat(129)])
      expect(await logged('/api/workflows', { headers: { 'x-request-id': id } })).toMatchObject({
        requestId: expect.stringMatching(/^req_/),
      });
  });

  test('has no lines of probes', async () => {
    const before = lines.length;
    await (await ask('/healthz')).text();
    await logged('/api/workflows');
    expect(lines.length).toBe(before + 1);
  });
});
