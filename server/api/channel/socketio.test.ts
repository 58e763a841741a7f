import { encode } from 'next-auth/jwt';
import { io, type Socket } from 'socket.io-client';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { SocketServerMessage } from '@/contract/channel';
import type { ErrorResponse } from '@/contract/error-response';
import { sessionCookieSecret, SESSION_COOKIE_NAME } from '@/server/people/auth/browser-session';
import { endLoginSession } from '@/server/people/auth/session';
import { prismaClient } from '@/server/platform/db/client';
import { buildUser, type TestUser } from '@/server/testing/factories';
import { useDatabase } from '@/server/testing/database';
import { DEADLINE, inShort, startChannel, TestRun } from './testing/rig';

useDatabase();

let port: number;
let stop: () => Promise<void>;
let user: TestUser;
const sockets: Socket[] = [];

beforeAll(async () => {
  ({ port, stop } = await startChannel());
  user = await buildUser();
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.disconnect();
});
afterAll(() => stop());

function connect(options: { token?: unknown; headers?: Record<string, string>; transports?: string[] }) {
  const { token, headers, transports = ['websocket'] } = options;
  const socket = io(`http://127.0.0.1:${port}`, {
    auth: token === undefined ? {} : { token },
    extraHeaders: headers,
    transports,
    forceNew: true,
    reconnection: false,
  });
  sockets.push(socket);
  const heard: string[] = [];
  for (const { shape } of SocketServerMessage.options) {
    const [type = ''] = shape.type.values;
    socket.on(type, (message) => heard.push(inShort(SocketServerMessage.parse({ ...message, type }))));
  }
  const outcome = new Promise<string>((resolve) => {
    socket.on('connect', () => resolve('connected'));
    socket.on('connect_error', ({ message }) => resolve(message));
  });
  const subscribe = (executionId: string) => socket.emit('subscribe', { channel: 'execution', executionId });
  return { socket, heard, outcome, subscribe };
}

const cookieOf = async ({ sessionId }: TestUser) =>
  `${SESSION_COOKIE_NAME}=${await encode({ token: { sessionId }, secret: sessionCookieSecret() })}`;

test.each([[['websocket']], [['polling']], [['polling', 'websocket']]])(
  'over %s a run is reported from its first state to its end',
  async (transports) => {
    const run = await TestRun.accept(user.workspaceId);
    const { heard, subscribe } = connect({ token: user.token, transports });
    subscribe(run.id);
    await expect.poll(() => heard, DEADLINE).toEqual(['pending']);
    await run.write({ nodes: { start: { status: 'completed', port: 'output', output: 1 } } });
    await run.write({ status: 'completed', output: 1 });
    await expect.poll(() => heard.at(-1), DEADLINE).toBe('END completed=1');
    expect(heard.slice(0, 5)).toEqual(['pending', 'running', 'start:running', 'start:completed', 'start=1']);
  },
);

test('unsubscribing ends the messages; an invalid event is answered by an error', async () => {
  const [run, other] = [await TestRun.accept(user.workspaceId), await TestRun.accept(user.workspaceId)];
  const { socket, heard, subscribe } = connect({ token: user.token });
  subscribe(run.id);
  socket.emit('unsubscribe', { channel: 'execution', executionId: run.id });
  await run.write({});
  for (const nonsense of [undefined, null, 5, 'x', [], {}, { channel: 'execution' }])
    socket.emit('subscribe', nonsense);
  await expect.poll(() => heard.filter((text) => text.startsWith('!')).length, DEADLINE).toBe(7);
  subscribe(other.id);
  await expect.poll(() => heard.at(-1), DEADLINE).toBe('pending');
  expect(heard).not.toContain('running');
});

describe('authentication', () => {
  test('accepts a browser that is signed in, without a token', async () => {
    const run = await TestRun.accept(user.workspaceId);
    const { heard, outcome, subscribe } = connect({ headers: { cookie: await cookieOf(user) } });
    expect(await outcome).toBe('connected');
    subscribe(run.id);
    await expect.poll(() => heard, DEADLINE).toEqual(['pending']);
  });

  test('accepts pages of this service, and refuses foreign pages that make the browser send its cookie', async () => {
    const cookie = await cookieOf(user);
    expect(await connect({ headers: { cookie, origin: `http://127.0.0.1:${port}` } }).outcome).toBe('connected');
    expect(await connect({ headers: { cookie, origin: 'http://evil.example' } }).outcome).toBe('UNAUTHORIZED');
  });

  test('refuses connections without token and cookie, or with wrong ones', async () => {
    for (const token of [undefined, 'nonsense', 5, null, {}]) {
      expect(await connect({ token }).outcome).toBe('UNAUTHORIZED');
    }
    expect(await connect({ headers: { cookie: `${SESSION_COOKIE_NAME}=nonsense` } }).outcome).toBe('UNAUTHORIZED');
  });

  test('refuses the session after a logout', async () => {
    const person = await buildUser();
    const cookie = await cookieOf(person);
    const { socket, heard, outcome } = connect({ headers: { cookie } });
    expect(await outcome).toBe('connected');
    await endLoginSession(prismaClient(), person.sessionId);
    await expect.poll(() => socket.connected, DEADLINE).toBe(false);
    expect(heard).toEqual(['!The session has ended. Sign in again.']);
    expect(await connect({ headers: { cookie } }).outcome).toBe('UNAUTHORIZED');
  });
});

describe('a polling request that the engine would refuse', () => {
  test.each<[string, string, RequestInit, number]>([
    ['no transport', 'EIO=4', {}, 400],
    ['an unknown transport', 'EIO=4&transport=pigeon', {}, 400],
    ['an unknown connection', 'EIO=4&transport=polling&sid=nobody', {}, 404],
    ['one of a prototype', 'EIO=4&transport=polling&sid=__proto__', {}, 404],
    ['a body for no connection', 'EIO=4&transport=polling', { method: 'POST', body: 'x' }, 405],
    ['another method', 'EIO=4&transport=polling', { method: 'DELETE' }, 405],
  ])('is answered in the documented format: %s', async (_, query, init, status) => {
    const answer = await fetch(`http://127.0.0.1:${port}/socket.io/?${query}`, init);
    expect([answer.status, answer.headers.get('x-request-id')]).toEqual([status, expect.stringMatching(/^req_/)]);
    expect(answer.headers.has('x-ratelimit-remaining')).toBe(true);
    const { error } = (await answer.json()) as ErrorResponse;
    expect(error).toMatchObject({ code: expect.any(String) as string, message: expect.any(String) as string });
  });

  test('a body that is too large', async () => {
    const address = `http://127.0.0.1:${port}/socket.io/?EIO=4&transport=polling`;
    const opened = await fetch(address);
    expect(opened.headers.get('x-request-id')).toMatch(/^req_/);
    const { sid } = JSON.parse((await opened.text()).slice(1)) as { sid: string };
    const answer = await fetch(`${address}&sid=${sid}`, { method: 'POST', body: 'x'.repeat(70_000) });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: { code: 'VALIDATION_ERROR', details: [] } });
  });
});
