import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import type { Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PEER_HEADER } from '../api/address';
import { useDatabase } from '../testing/database';
import { openDoors } from './doors';

useDatabase();

let doors: Server;
let port: number;

beforeAll(async () => {
  doors = openDoors((request, response) => {
    response.end(JSON.stringify({ path: request.url, peer: request.headers[PEER_HEADER], raw: request.rawHeaders }));
  });
  doors.listen(0, '127.0.0.1');
  await once(doors, 'listening');
  ({ port } = doors.address() as AddressInfo);
});

afterAll(() => new Promise((resolve) => doors.close(resolve)));

const ask = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init);

/** Sends bytes that no client library would, and answers all that comes back. */
async function sendRaw(text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(text);
  let answer = '';
  for await (const chunk of socket) answer += String(chunk);
  return answer;
}

describe('which door', () => {
  test('operations and probes are answered here, by the pipeline', async () => {
    const refused = await ask('/api/workflows');
    expect(refused.status).toBe(401);
    expect(refused.headers.get('x-request-id')).toMatch(/^req_/);
    expect(await (await ask('/healthz')).json()).toEqual({ status: 'ok' });
  });

  test.each(['/', '/login', '/_next/static/a.js', '/api/trpc/me', '/nothing'])(
    '%s is left to the web app',
    async (path) => {
      expect(await (await ask(path)).json()).toMatchObject({ path });
    },
  );
});

test('the callback of connectors comes with its own policy, and none of the address in it', async () => {
  const page = await ask('/oauth/callback?code=<script>x</script>&state=s');
  expect(page.headers.get('content-security-policy')).toMatch(/script-src 'sha256-/);
  expect(await page.text()).not.toContain('<script>x');
});

describe("the client's address", () => {
  test('is the one of the socket, whatever the client says', async () => {
    const answer = (await (await ask('/login', { headers: { [PEER_HEADER]: '6.6.6.6' } })).json()) as {
      peer: string;
      raw: string[];
    };
    expect(answer.peer).toBe('127.0.0.1');
    expect(answer.raw).not.toContain('6.6.6.6');
    expect(answer.raw.filter((word) => word === PEER_HEADER)).toHaveLength(1);
  });
});

describe('what is no proper request', () => {
  test.each([
    ['garbage', 'hello\r\n\r\n', 400],
    ['a header that never ends', `GET /healthz HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(20_000)}`, 431],
    ['an impossible host', 'GET /api/workflows HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n', 400],
    [
      'two lengths',
      'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}',
      400,
    ],
    ['no host', 'GET /api/workflows HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
  ])('%s is refused in the documented shape', async (_what, text, status) => {
    const answer = await sendRaw(text);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    const body = answer.slice(answer.indexOf('\r\n\r\n') + 4);
    expect(JSON.parse(body)).toMatchObject({ error: { code: 'VALIDATION_ERROR', details: [] } });
  });

  test('a sender that stalls is given a limit', () => {
    expect(doors.headersTimeout).toBeLessThanOrEqual(15_000);
    expect(doors.requestTimeout).toBeLessThanOrEqual(60_000);
  });
});
