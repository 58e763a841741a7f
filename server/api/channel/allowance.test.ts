import { io } from 'socket.io-client';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { databasePool } from '@/server/platform/db/client';
import { buildUser, type TestUser } from '@/server/testing/factories';
import { useDatabase } from '@/server/testing/database';
import { ConnectionAllowances } from './allowance';
import { UnauthenticatedConnections } from './unauthenticated-connections';
import { Client, DEADLINE, startChannel, TestRun } from './testing/rig';

useDatabase();

let port: number;
let stop: () => Promise<void>;
let hostile: TestUser;
let waits: TestUser;
const clients: Client[] = [];

beforeAll(async () => {
  ({ port, stop } = await startChannel());
});
beforeEach(async () => {
  [hostile, waits] = [await buildUser(), await buildUser()];
});
afterEach(() => {
  for (const { socket } of clients.splice(0)) socket.terminate();
});
afterAll(() => stop());

/** Connected and authenticated. */
async function connect(user: TestUser) {
  const run = await TestRun.accept(user.workspaceId);
  const client = await Client.connect(port, user.token);
  clients.push(client);
  const reasons: string[] = [];
  client.socket.on('close', (_, reason) => reasons.push(String(reason)));
  client.subscribe(run.id);
  return { client, run, reasons };
}

const ready = async (user: TestUser) => {
  const connected = await connect(user);
  await connected.client.until(() => connected.client.of(connected.run.id)).toEqual(['pending']);
  return connected;
};

/** Names of executions or workflows that were looked up in the database. */
function lookUps(name: 'channel.executions' | 'channel.workflows') {
  const query = vi.spyOn(databasePool(), 'query');
  return () =>
    query.mock.calls.flatMap(([asked]) => {
      const { name: its, values } = asked as unknown as { name?: string; values?: [string[]] };
      return its === name ? (values?.[0] ?? []) : [];
    });
}

const MISSES = 'Too many subscriptions to unknown ids. Wait before you connect again.';

describe('over WebSocket', () => {
  test('twenty thousand subscriptions to unknown ids: a few are looked up, then the connection is closed', async () => {
    const [{ client, reasons }, other] = [await ready(hostile), await ready(waits)];
    const asked = lookUps('channel.executions');
    for (let index = 0; index < 20_000; index++) client.subscribe(`exec_bogus_${index}`);
    await client.until(() => client.closedWith).toBe(1008);
    expect(reasons).toEqual([expect.stringMatching(/^Too many (subscriptions|messages)/)]);
    expect(client.of().at(-1)).toMatch(/^!Too many/);
    expect(new Set(asked().filter((id) => id.startsWith('exec_bogus'))).size).toBeLessThanOrEqual(250);
    await other.run.write({});
    await other.client.until(() => other.client.of(other.run.id)).toEqual(['pending', 'running']);
  });

  test('connecting again does not reset the limit of unknown ids', async () => {
    const { client } = await ready(hostile);
    for (let index = 0; index < 300; index++) client.subscribe(`exec_bogus_${index}`);
    await client.until(() => client.closedWith).toBe(1008);
    expect(client.of()).toEqual([`!${MISSES}`]);
    const asked = lookUps('channel.executions');
    const again = await connect(hostile);
    for (let index = 0; index < 20; index++) again.client.subscribe(`exec_again_${index}`);
    await again.client.until(() => again.client.closedWith).toBe(1008);
    expect(asked().filter((id) => id.startsWith('exec_again')).length).toBeLessThan(20);
    expect((await ready(waits)).client.closedWith).toBeUndefined();
  });

  test('a flood of frames with any content closes the connection', async () => {
    const { client, run, reasons } = await ready(hostile);
    for (let index = 0; index < 3000; index++) {
      client.unsubscribe(run.id);
      client.send({ type: 'unsubscribe', channel: 'execution', executionId: 'exec_x' });
    }
    await client.until(() => client.closedWith).toBe(1008);
    expect(reasons).toEqual(['Too many messages. Wait before you connect again.']);
  });

  test('tokens can’t be tried or renewed without limit', async () => {
    const { client, reasons } = await ready(hostile);
    for (let index = 0; index < 90; index++) client.send({ type: 'auth', token: hostile.token });
    await client.until(() => client.closedWith).toBe(1008);
    expect(reasons).toEqual(['Too many sign-ins. Wait before you connect again.']);
  });

  test('two thousand subscriptions of one connection are accepted', async () => {
    const { client, run } = await ready(waits);
    const { rows } = await databasePool().query<{ id: string }>(
      `INSERT INTO execution (id, workspace_id, workflow_id, workflow_version, status, trigger, input)
       SELECT id || '_' || n, workspace_id, workflow_id, 1, 'pending', 'manual', '{}' FROM execution, generate_series(1, 1999) n
       WHERE id = $1 RETURNING id`,
      [run.id],
    );
    for (const { id } of rows) client.subscribe(id);
    await client.until(() => client.heard.length).toBe(2000);
    expect(client.closedWith).toBeUndefined();
  });
});

test('over Socket.IO, unknown workflows and unknown events count as well', async () => {
  const open = async () => {
    const socket = io(`http://127.0.0.1:${port}`, {
      auth: { token: hostile.token },
      transports: ['websocket'],
      forceNew: true,
      reconnection: false,
    });
    const errors: string[] = [];
    socket.on('error', ({ message }: { message: string }) => errors.push(message));
    await expect.poll(() => socket.connected, DEADLINE).toBe(true);
    return { socket, errors };
  };
  const floods = await open();
  for (let index = 0; index < 6000; index++) floods.socket.emit('nothing', index);
  await expect.poll(() => floods.socket.connected, DEADLINE).toBe(false);
  expect(floods.errors).toEqual(['Too many messages. Wait before you connect again.']);

  const asked = lookUps('channel.workflows');
  const guesses = await open();
  const isOver = () => !guesses.socket.connected;
  for (let round = 1; round <= 5 && !isOver(); round++) {
    for (let index = 0; index < 50; index++) {
      guesses.socket.emit('subscribe', { channel: 'presence', workflowId: `wf_bogus_${round}_${index}` });
    }
    await expect.poll(() => isOver() || guesses.errors.length >= round * 50, DEADLINE).toBe(true);
  }
  expect(isOver()).toBe(true);
  expect(guesses.errors.at(-1)).toBe(MISSES);
  expect(new Set(asked()).size).toBeLessThanOrEqual(250);
});

test('a person has a limit of connections and subscriptions over all of them; closing frees them', () => {
  const allowances = new ConnectionAllowances();
  const all = Array.from({ length: 501 }, () => allowances.connection());
  expect(all.map((one) => one.enter('usr_a')).filter(Boolean)).toHaveLength(500);
  expect(allowances.hasRoomFor('usr_a')).toBe(false);
  expect(allowances.connection().enter('usr_b')).toBe(true);
  let taken = 0;
  for (const one of all) for (let i = 0; i < 25; i++) taken += one.subscribe() ? 1 : 0;
  expect(taken).toBe(10_000);
  const [first] = all;
  first?.leave();
  expect([all[499]?.subscribe(), allowances.connection().enter('usr_a')]).toEqual([true, true]);
});

test('a new connection finds the person’s counts unchanged; full buckets are removed', () => {
  let now = 0;
  const allowances = new ConnectionAllowances(() => now);
  const miss = () => {
    const connection = allowances.connection();
    connection.enter('usr_a');
    for (let i = 0; i < 200; i++) connection.miss();
    const result = connection.hasTooManyMisses;
    connection.leave();
    return result;
  };
  expect(miss()).toBe(true);
  allowances.sweep();
  const again = allowances.connection();
  again.enter('usr_a');
  expect(again.hasTooManyMisses).toBe(true);
  again.leave();
  now += 200_000;
  allowances.sweep();
  expect(allowances.size).toBe(0);
});

test('a flood of connections from one network does not keep other networks out', () => {
  const unauthenticated = new UnauthenticatedConnections(10);
  const evicted: number[] = [];
  const leaves = Array.from({ length: 10 }, (_, index) => unauthenticated.enter('flood', () => evicted.push(index)));
  expect(unauthenticated.enter('flood', () => undefined)).toBeNull();
  expect(unauthenticated.enter('other', () => evicted.push(-1))).not.toBeNull();
  expect(unauthenticated.enter('third', () => evicted.push(-1))).not.toBeNull();
  expect(evicted).toEqual([0, 1]);
  // The evicted connections are gone already. One more closes and frees a slot.
  for (const leave of leaves.slice(0, 3)) leave?.();
  expect(unauthenticated.enter('flood', () => undefined)).not.toBeNull();
});
