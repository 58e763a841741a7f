import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, it } from 'vitest';
import { generateId } from '@/server/platform/db/ids';
import { prismaClient } from '@/server/platform/db/client';
import { buildWorkspace } from '@/server/testing/factories';
import { useDatabase } from '@/server/testing/database';
import { ask, databaseCredential } from '@/server/testing/servers/sql';
import { until } from '@/server/testing/runs';
import { closeSqlPools, countSqlConnections, sweepSqlPools } from './sql';

useDatabase();

let admin: pg.Client;

beforeAll(async () => {
  admin = new pg.Client({ connectionString: inject('postgresUrl') });
  await admin.connect();
});
beforeEach(() => until(async () => countSqlConnections().open === 0, 'no connection to be open'));
afterEach(async () => {
  await admin.query('SELECT pg_advisory_unlock_all()');
  await until(async () => countSqlConnections().open === countSqlConnections().idle, 'all statements to end');
  closeSqlPools();
});
afterAll(() => admin.end());

const KEY = 4711;

function credential(workspaceId: string, id = generateId('cred')) {
  const { hostname, port, username, password, pathname } = new URL(inject('postgresUrl'));
  const config = { host: hostname, port: Number(port), database: pathname.slice(1), username, password, tls: 'off' };
  return databaseCredential('postgres', config, { id, workspaceId });
}

/** Statements that wait until the test gives its lock back. */
const wait = (mine: ReturnType<typeof credential>, count: number) =>
  Array.from({ length: count }, () => ask(mine, 'SELECT pg_advisory_xact_lock_shared(:key::int)', { key: KEY }));

it('gives a credential five connections and a workspace ten; others do not wait for them', async () => {
  await admin.query('SELECT pg_advisory_lock($1)', [KEY]);
  const hostile = generateId('ws');
  const [first, second, third] = [credential(hostile), credential(hostile), credential(hostile)];
  const waiting = [...wait(first, 8), ...wait(second, 8), ...wait(third, 8)];
  await until(async () => countSqlConnections().open === 10, 'the workspace to have its connections');
  const other = credential(generateId('ws'));
  expect(await ask(other, 'SELECT 1 AS a')).toEqual([{ a: 1 }]);
  expect(countSqlConnections().open).toBe(11);
  await admin.query('SELECT pg_advisory_unlock($1)', [KEY]);
  await expect(Promise.all(waiting)).resolves.toHaveLength(24);
});

it('lets a node that is stopped while it waits leave the queue', async () => {
  await admin.query('SELECT pg_advisory_lock($1)', [KEY]);
  const mine = credential(generateId('ws'));
  const waiting = wait(mine, 5);
  await until(async () => countSqlConnections().open === 5, 'the credential to have its connections');
  const stop = new AbortController();
  const late = ask(mine, 'SELECT 1', {}, { signal: stop.signal });
  stop.abort();
  await expect(late).rejects.toMatchObject({ code: 'ABORTED' });
  await admin.query('SELECT pg_advisory_unlock($1)', [KEY]);
  await Promise.all(waiting);
});

it('closes the connections of a credential that is changed or deleted', async () => {
  const workspaceId = await buildWorkspace();
  const row = { name: 'x', type: 'postgres', status: 'active', config: {}, sealed: '', secretFields: [], version: 1 };
  const [changed, deleted, kept] = [generateId('cred'), generateId('cred'), generateId('cred')];
  for (const id of [changed, deleted, kept]) {
    await prismaClient().credential.create({ data: { ...row, id, workspaceId } });
    await ask(credential(workspaceId, id), 'SELECT 1');
  }
  await until(async () => countSqlConnections().idle === 3, 'the sessions to be idle');
  await prismaClient().credential.update({ where: { id: changed }, data: { version: 2 } });
  await prismaClient().credential.delete({ where: { id: deleted } });
  await sweepSqlPools();
  expect(countSqlConnections()).toEqual({ open: 1, idle: 1 });
});

it('closes the connections of the older version when the newer one is used', async () => {
  const mine = credential(generateId('ws'));
  await ask(mine, 'SELECT 1');
  await until(async () => countSqlConnections().idle === 1, 'the session to be idle');
  await ask({ ...mine, version: 2 }, 'SELECT 1');
  await ask(mine, 'SELECT 1');
  await until(
    async () => countSqlConnections().open === 1 && countSqlConnections().idle === 1,
    'the older sessions to be closed',
  );
});
