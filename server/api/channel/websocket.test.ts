import WebSocket from 'ws';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { endLoginSession } from '@/server/people/auth/session';
import { prismaClient } from '@/server/platform/db/client';
import { buildUser, join, type TestUser } from '@/server/testing/factories';
import { useDatabase } from '@/server/testing/database';
import { Client, startChannel, TestRun } from './testing/rig';

useDatabase();

let port: number;
let stop: () => Promise<void>;
let user: TestUser;
const clients: Client[] = [];

beforeAll(async () => {
  ({ port, stop } = await startChannel());
  user = await buildUser();
});
afterEach(() => {
  for (const { socket } of clients.splice(0)) socket.terminate();
});
afterAll(() => stop());

const connect = async (token: string | undefined = user.token) => {
  const client = await Client.connect(port, token);
  clients.push(client);
  return client;
};
const completed = (output: unknown, portName = 'output') => ({ status: 'completed', port: portName, output });

describe('the messages of a watched run', () => {
  test('report it from its first state to its end, in order and once', async () => {
    const run = await TestRun.accept(user.workspaceId);
    const client = await connect();
    client.subscribe(run.id);
    await client.until(() => client.of(run.id)).toEqual(['pending']);
    await run.write({ nodes: { start: completed({ n: 1 }), a: { status: 'running' } } });
    await client.until(() => client.of(run.id).length).toBe(6);
    await run.write({ status: 'paused', nodes: { a: { status: 'paused' } } });
    await client.until(() => client.of(run.id).length).toBe(8);
    await run.write({ nodes: { a: completed({ n: 2 }, 'true') } });
    await client.until(() => client.of(run.id).length).toBe(11);
    await run.write({ status: 'completed', output: { n: 3 }, nodes: { b: completed({ n: 3 }, 'true') } });
    await client.until(() => client.of(run.id).at(-1)).toBe('END completed={"n":3}');
    expect(client.of(run.id)).toEqual([
      'pending',
      'running',
      'start:running',
      'start:completed',
      'start={"n":1}',
      'a:running',
      'a:paused',
      'paused',
      'running',
      'a:completed',
      'a={"n":2}',
      'b:running',
      'b:completed',
      'b={"n":3}',
      'c:skipped',
      'completed',
      'END completed={"n":3}',
    ]);
  });

  test('order the nodes of one checkpoint by their dependencies', async () => {
    const run = await TestRun.accept(user.workspaceId);
    const client = await connect();
    client.subscribe(run.id);
    await client.until(() => client.of(run.id)).toEqual(['pending']);
    const nodes = { b: completed(3, 'true'), start: completed(1), a: completed(2, 'true') };
    await run.write({ status: 'completed', output: 3, nodes });
    await client.until(() => client.of(run.id).at(-1)).toBe('END completed=3');
    expect(client.of(run.id).filter((text) => text.includes('='))).toEqual([
      'start=1',
      'a=2',
      'b=3',
      'END completed=3',
    ]);
  });

  test('give a late subscriber the state so far, then the changes', async () => {
    const run = await TestRun.accept(user.workspaceId);
    await run.write({ nodes: { start: completed(1), a: completed(2, 'true') } });
    await run.write({ nodes: { b: { status: 'running' } } });
    const client = await connect();
    client.subscribe(run.id);
    await client.until(() => client.of(run.id)).toEqual(['running', 'start=1', 'a=2']);
    await run.write({ status: 'failed', nodes: { b: { status: 'failed' } } });
    await client
      .until(() => client.of(run.id).slice(3))
      .toEqual(['b:failed', 'c:skipped', 'failed', 'END failed=null']);
  });

  test('give a finished run’s state once and end the subscription', async () => {
    const run = await TestRun.accept(user.workspaceId);
    await run.write({ status: 'completed', output: 9, nodes: { start: completed(9) } });
    const client = await connect();
    client.subscribe(run.id);
    await client.until(() => client.of(run.id)).toEqual(['completed', 'start=9', 'END completed=9']);
  });

  test('stay the same after a second subscription; unsubscribing ends them; subscribing again starts anew', async () => {
    const [run, other] = [await TestRun.accept(user.workspaceId), await TestRun.accept(user.workspaceId)];
    const client = await connect();
    client.subscribe(run.id);
    client.subscribe(run.id);
    await client.until(() => client.of(run.id)).toEqual(['pending']);
    client.unsubscribe(run.id);
    client.subscribe(other.id);
    await client.until(() => client.of(other.id)).toEqual(['pending']);
    await run.write({});
    await other.write({});
    await client.until(() => client.of(other.id)).toEqual(['pending', 'running']);
    expect(client.of(run.id)).toEqual(['pending']);
    client.subscribe(run.id);
    await client.until(() => client.of(run.id)).toEqual(['pending', 'running']);
  });

  test('are delayed but not lost with a lost notification', async () => {
    const run = await TestRun.accept(user.workspaceId);
    const client = await connect();
    client.subscribe(run.id);
    await client.until(() => client.of(run.id)).toEqual(['pending']);
    await run.write({ status: 'completed', nodes: { start: completed(1) }, isSilent: true });
    await client.until(() => client.of(run.id).at(-1)).toBe('END completed=null');
  });

  test('reach many watchers of many runs completely', async () => {
    const runs = await Promise.all(Array.from({ length: 60 }, () => TestRun.accept(user.workspaceId)));
    const all = await Promise.all([connect(), connect(), connect()]);
    for (const client of all) for (const run of runs) client.subscribe(run.id);
    await Promise.all(runs.map((run) => run.write({ nodes: { start: completed(1) } })));
    await Promise.all(runs.map((run) => run.write({ status: 'completed', output: 1 })));
    for (const client of all) {
      for (const run of runs) {
        await client.until(() => client.of(run.id).at(-1)).toBe('END completed=1');
        expect(client.of(run.id).filter((text) => text === 'start=1')).toHaveLength(1);
      }
    }
  });

  test('with large outputs reach a slow client complete, in order and once', async () => {
    const run = await TestRun.accept(user.workspaceId);
    const client = await connect();
    client.subscribe(run.id);
    await client.until(() => client.of(run.id)).toEqual(['pending']);
    client.socket.pause();
    const large = (index: number) => `${index} ${Buffer.alloc(300_000, String(index)).toString()}`;
    const names = Array.from({ length: 40 }, (_, index) => `loop[${index}].x`);
    for (const [index, name] of names.entries()) await run.write({ nodes: { [name]: completed(large(index)) } });
    await run.write({ status: 'completed' });
    client.socket.resume();
    await client.until(() => client.of(run.id).at(-1)).toBe('END completed=null');
    const outputs = client.heard.flatMap((message) => (message.type === 'node_completed' ? [message] : []));
    expect(outputs.map(({ nodeId }) => nodeId)).toEqual(names);
    expect(outputs.every(({ output }, index) => output === large(index))).toBe(true);
  });
});

describe('permission to watch', () => {
  test("covers runs of all the person's workspaces", async () => {
    const { workspaceId } = await buildUser();
    await join(user.id, workspaceId, 'viewer');
    const run = await TestRun.accept(workspaceId);
    const client = await connect();
    client.subscribe(run.id);
    await client.until(() => client.of(run.id)).toEqual(['pending']);
  });

  test('gives the same answer for a foreign run and an unknown id, and keeps the connection', async () => {
    const foreign = await TestRun.accept((await buildUser()).workspaceId);
    const own = await TestRun.accept(user.workspaceId);
    const client = await connect();
    for (const id of [foreign.id, 'exec_nothing', own.id]) client.subscribe(id);
    await client.until(() => client.of(own.id)).toEqual(['pending']);
    await client.until(() => client.of('exec_nothing')).toEqual(['!The execution does not exist.']);
    await client.until(() => client.of(foreign.id)).toEqual(['!The execution does not exist.']);
    await foreign.write({});
    await own.write({});
    await client.until(() => client.of(own.id)).toEqual(['pending', 'running']);
    expect(client.of(foreign.id)).toHaveLength(1);
  });

  test('ends when the membership ends', async () => {
    const member = await buildUser();
    const run = await TestRun.accept(user.workspaceId);
    await join(member.id, user.workspaceId, 'viewer');
    const client = await connect(member.token);
    client.subscribe(run.id);
    await client.until(() => client.of(run.id)).toEqual(['pending']);
    await prismaClient().member.deleteMany({ where: { userId: member.id, workspaceId: user.workspaceId } });
    await run.write({ nodes: { start: completed('secret') } });
    await client.until(() => client.of(run.id)).toEqual(['pending', '!The execution does not exist.']);
  });

  test('a logout closes the connection with 4401, with or without changes', async () => {
    const person = await buildUser();
    const client = await connect(person.token);
    const run = await TestRun.accept(person.workspaceId);
    client.subscribe(run.id);
    await client.until(() => client.of(run.id)).toEqual(['pending']);
    await endLoginSession(prismaClient(), person.sessionId);
    await client.until(() => client.closedWith).toBe(4401);
    expect(client.of()).toEqual(['!The session has ended. Sign in again.']);
  });
});

describe('before authentication', () => {
  test.each([
    ['a subscription', { type: 'subscribe', channel: 'execution', executionId: 'exec_x' }],
    ['a wrong token', { type: 'auth', token: 'nonsense' }],
    ['an empty token', { type: 'auth', token: '' }],
    ['a token that is no text', { type: 'auth', token: 5 }],
    ['anything else', { hello: 'world' }],
  ])('%s is answered by an error and a close with 4401', async (_, frame) => {
    const client = await connect('');
    client.send(frame);
    await client.until(() => client.closedWith).toBe(4401);
    expect(client.heard).toMatchObject([{ type: 'error' }]);
  });

  test('frames sent right after the token are processed after authentication', async () => {
    const run = await TestRun.accept(user.workspaceId);
    const client = await connect('');
    client.send({ type: 'auth', token: user.token });
    client.subscribe(run.id);
    await client.until(() => client.of(run.id)).toEqual(['pending']);
  });

  test('the token can be renewed, but not replaced by another person’s', async () => {
    const run = await TestRun.accept(user.workspaceId);
    const client = await connect();
    client.send({ type: 'auth', token: user.token });
    client.subscribe(run.id);
    await client.until(() => client.of(run.id)).toEqual(['pending']);
    client.send({ type: 'auth', token: (await buildUser()).token });
    await client.until(() => client.closedWith).toBe(4401);
  });
});

describe('invalid frames', () => {
  const NONE: [string, string | Buffer][] = [
    ['no JSON', 'hello'],
    ['nothing', ''],
    ['an unknown type', '{"type":"launch"}'],
    ['an unknown field', '{"type":"subscribe","channel":"execution","executionId":"x","extra":1}'],
    ['an unknown channel', '{"type":"subscribe","channel":"workflow","executionId":"x"}'],
    ['a number for an id', '{"type":"subscribe","channel":"execution","executionId":7}'],
    ['a long id', JSON.stringify({ type: 'subscribe', channel: 'execution', executionId: 'x'.repeat(101) })],
    ['an id with NUL', '{"type":"subscribe","channel":"execution","executionId":"exec_\\u0000"}'],
    ['an id with half a character', '{"type":"subscribe","channel":"execution","executionId":"exec_\\ud800"}'],
    ['a list', '[]'],
    ['null', 'null'],
    ['deep nesting', '['.repeat(60_000)],
    ['deep nesting that is JSON', `${'['.repeat(30_000)}${']'.repeat(30_000)}`],
    ['a prototype', '{"__proto__":{"type":"subscribe"},"channel":"execution","executionId":"x"}'],
    ['more than 64 KiB', JSON.stringify({ type: 'subscribe', channel: 'execution', executionId: 'x'.repeat(70_000) })],
    ['binary', Buffer.from([0, 255, 1, 254])],
  ];

  test('are answered by an error each, and the connection continues', async () => {
    const client = await connect();
    for (const [, frame] of NONE) client.socket.send(frame);
    await client.until(() => client.of().length).toBe(NONE.length);
    const run = await TestRun.accept(user.workspaceId);
    client.subscribe(run.id);
    await client.until(() => client.of(run.id)).toEqual(['pending']);
  });

  test.each([
    ['{"type":"subscribe","executionId":"exec_x"}', 'channel: must be "execution"'],
    ['{"type":"unsubscribe","channel":"workflow","executionId":"exec_x"}', 'channel: must be "execution"'],
    ['{"type":"subscribe","channel":"execution","executionId":"x","extra":1}', 'extra: is not a known field'],
    ['{"channel":"execution","executionId":"x"}', 'The message type must be auth, subscribe or unsubscribe.'],
    ['[]', 'The message type must be auth, subscribe or unsubscribe.'],
  ])('%s is told what is wrong with it', async (frame, message) => {
    const client = await connect();
    client.socket.send(frame);
    await client.until(() => client.heard.at(-1)).toEqual({ type: 'error', message });
  });

  test('an oversized frame ends only its own connection', async () => {
    const [giant, other] = [await connect(), await connect()];
    giant.socket.send('x'.repeat(3_000_000));
    await giant.until(() => giant.closedWith).toBe(1009);
    const run = await TestRun.accept(user.workspaceId);
    other.subscribe(run.id);
    await other.until(() => other.of(run.id)).toEqual(['pending']);
  });

  test('other paths are not served', async () => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/wss`);
    await expect(new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject))).rejects.toThrow();
  });
});

describe('with short timeouts', () => {
  test('a connection that does not authenticate in time is closed with 4401', async () => {
    const server = await startChannel({ authMs: 50, idleMs: 60_000 });
    const client = await Client.connect(server.port);
    await client.until(() => client.closedWith).toBe(4401);
    expect(client.of()).toEqual(['!Authenticate first.']);
    await server.stop();
  });

  test('a connection without a message in either direction is closed', async () => {
    const server = await startChannel({ authMs: 5000, idleMs: 100 });
    const client = await Client.connect(server.port, user.token);
    await client.until(() => client.closedWith).toBe(1000);
    await server.stop();
  });
});

test('a service that stops closes its connections with a code', async () => {
  const server = await startChannel();
  const client = await Client.connect(server.port, user.token);
  await server.stop();
  await client.until(() => client.closedWith).toBe(1001);
});
