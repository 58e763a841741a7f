import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type pg from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import { getRuntime } from '@/server/platform/runtime';
import { useOwnDatabase } from '@/server/testing/database';
import { startProxy, type Proxy } from '@/server/testing/proxy';
import { until } from '@/server/testing/runs';
import { openDatabaseConnections, databasePool, secondaryPool, prismaClient } from './client';
import { listenToNotifications } from './listen';
import { openDatabaseSession } from './session';

useOwnDatabase();

const proxies: Proxy[] = [];
afterEach(() => Promise.all(proxies.splice(0).map((proxy) => proxy.close())));

const NAMES = [
  'idle_in_transaction_session_timeout',
  'lock_timeout',
  'statement_timeout',
  'tcp_user_timeout',
  'tcp_keepalives_idle',
  'tcp_keepalives_interval',
  'tcp_keepalives_count',
];
const SETTINGS = `SELECT name, setting::int AS value FROM pg_settings WHERE name = ANY('{${NAMES.join(',')}}') ORDER BY name`;
interface Setting {
  name: string;
  value: number;
}

const SERVICE = {
  idle_in_transaction_session_timeout: 15_000,
  lock_timeout: 30_000,
  statement_timeout: 55_000,
  tcp_keepalives_count: 4,
  tcp_keepalives_idle: 4,
  tcp_keepalives_interval: 1,
  tcp_user_timeout: 8000,
};
const byName = (settings: Setting[]) => Object.fromEntries(settings.map(({ name, value }) => [name, value]));
const settingsOf = async (client: pg.Pool | pg.ClientBase) => byName((await client.query<Setting>(SETTINGS)).rows);

describe('every session', () => {
  it('of the pools has limits that the server enforces', async () => {
    expect(await settingsOf(databasePool())).toEqual(SERVICE);
    expect(await settingsOf(secondaryPool())).toEqual(SERVICE);
    expect(byName(await prismaClient().$queryRawUnsafe<Setting[]>(SETTINGS))).toEqual(SERVICE);
    expect(byName(await prismaClient().$transaction((db) => db.$queryRawUnsafe<Setting[]>(SETTINGS)))).toEqual(SERVICE);
  });

  it('beside them has limits, too: longer ones where it works for hours', async () => {
    const service = await openDatabaseSession(getRuntime().env.databaseUrl, 'service');
    const command = await openDatabaseSession(getRuntime().env.databaseUrl, 'command');
    expect(await settingsOf(service)).toEqual(SERVICE);
    const limits = await settingsOf(command);
    expect(Object.values(limits).every((value) => value > 0)).toBe(true);
    expect(limits['statement_timeout']).toBeGreaterThan(3_600_000);
    await Promise.all([service.end(), command.end()]);
  });

  it('is opened here: nothing else in the service makes a client', () => {
    const root = path.resolve('server');
    const programs = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
      // Connections to databases of users are in `network/sql`.
      (name) =>
        name.endsWith('.ts') &&
        !name.endsWith('.test.ts') &&
        !/(?:^|\/)testing\//.test(name) &&
        !name.startsWith('network/sql/'),
    );
    const makers = programs.filter((name) =>
      /new pg\.(?:Client|Pool)\(/.test(readFileSync(path.join(root, name), 'utf8')),
    );
    expect(makers).toEqual(['platform/db/session.ts']);
  });

  it('of all clients leaves a lock wait shorter than a statement', async () => {
    const { lock_timeout: lock = 0, statement_timeout: statement = 0 } = await settingsOf(databasePool());
    expect(lock).toBeLessThan(statement);
  });
});

it('a transaction whose client has vanished ends, and its locks with it', async () => {
  const proxy = await startProxy(getRuntime().env.databaseUrl ?? '');
  proxies.push(proxy);
  const vanished = await openDatabaseSession(proxy.url, 'service');
  await vanished.query('CREATE TABLE held (n int); INSERT INTO held VALUES (1)');
  await vanished.query('BEGIN; UPDATE held SET n = 2');
  proxy.freeze();
  const other = await databasePool().connect();
  await other.query('SET lock_timeout = 0; UPDATE held SET n = 3');
  other.release();
  expect((await databasePool().query('SELECT n FROM held')).rows).toEqual([{ n: 3 }]);
});

it('a session that listens is replaced when its connection has ended silently', async () => {
  const proxy = await startProxy(getRuntime().env.databaseUrl ?? '');
  proxies.push(proxy);
  const through = openDatabaseConnections(proxy.url);
  const direct = getRuntime().pool;
  getRuntime().pool = through.pool;
  let reconnects = 0;
  const listener = await listenToNotifications(
    ['silent'],
    () => undefined,
    () => (reconnects += 1),
    100,
  );
  getRuntime().pool = direct;
  proxy.freeze();
  proxy.thaw();
  await until(async () => reconnects === 1, 'another connection');
  await listener.close();
  await through.pool.end();
});
