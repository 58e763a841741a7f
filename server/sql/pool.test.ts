import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, it } from 'vitest';
import { newId } from '@/server/db/ids';
import { prisma } from '@/server/db/client';
import { buildWorkspace } from '@/server/testing/factories';
import { useDatabase } from '@/server/testing/database';
import { ask, databaseCredential } from '@/server/testing/parties/sql';
import { until } from '@/server/testing/runs';
import { closeSql, sqlConnections, sweepSql } from './sql';

useDatabase();

let admin: pg.Client;

beforeAll(async () => {
  admin = new pg.Client({ connectionString: inject('postgresUrl') });
  await admin.connect();
});
beforeEach(() => until(async () => sqlConnections().open === 0, 'no connection to be open'));
afterEach(async () => {
  await admin.query('SELECT pg_advisory_unlock_all()');
  await until(async () => sqlConnections().open === sqlConnections().idle, 'all statements to end');
  closeSql();
});
afterAll(() => admin.end());

const KEY = 4711;

function credential(workspaceId: string, id = newId('cred')) {
  const { hostname, port, username, password, pathname } = new URL(inject('postgresUrl'));
  const config = { host: hostname, port: Number(port), database: pathname.slice(1), username, password, tls: 'off' };
  return databaseCredential('postgres', config, { id, workspaceId });
}

/** Statements that wait until the test gives its lock back. */
const wait = (mine: ReturnType<typeof credential>, count: number) =>
  Array.from({ length: count }, () => ask(mine, 'SELECT pg_advisory_xact_lock_shared(:key::int)', { key: KEY }));

it('gives a credential five connections and a workspace ten; others do not wait for them', async () => {
  await admin.query('SELECT pg_advisory_lock($1)', [KEY]);
  const hostile = newId('ws');
  const [first, second, third] = [credential(hostile), credential(hostile), credential(hostile)];
  const waiting = [...wait(first, 8), ...wait(second, 8), ...wait(third, 8)];
  await until(async () => sqlConnections().open === 10, 'the workspace to have its connections');
  const other = credential(newId('ws'));
  expect(await ask(other, 'SELECT 1 AS a')).toEqual([{ a: 1 }]);
  expect(sqlConnections().open).toBe(11);
  await admin.query('SELECT pg_advisory_unlock($1)', [KEY]);
  await expect(Promise.all(waiting)).resolves.toHaveLength(24);
});

it('lets a node that is stopped while it waits leave the queue', async () => {
  await admin.query('SELECT pg_advisory_lock($1)', [KEY]);
  const mine = credential(newId('ws'));
  const waiting = wait(mine, 5);
  await until(async () => sqlConnections().open === 5, 'the credential to have its connections');
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
  const [changed, deleted, kept] = [newId('cred'), newId('cred'), newId('cred')];
  for (const id of [changed, deleted, kept]) {
    await prisma().credential.create({ data: { ...row, id, workspaceId } });
    await ask(credential(workspaceId, id), 'SELECT 1');
  }
  await until(async () => sqlConnections().idle === 3, 'the sessions to be idle');
  await prisma().credential.update({ where: { id: changed }, data: { version: 2 } });
  await prisma().credential.delete({ where: { id: deleted } });
  await sweepSql();
  expect(sqlConnections()).toEqual({ open: 1, idle: 1 });
});

it('closes the connections of the older version when the newer one is used', async () => {
  const mine = credential(newId('ws'));
  await ask(mine, 'SELECT 1');
  await until(async () => sqlConnections().idle === 1, 'the session to be idle');
  await ask({ ...mine, version: 2 }, 'SELECT 1');
  await ask(mine, 'SELECT 1');
  await until(
    async () => sqlConnections().open === 1 && sqlConnections().idle === 1,
    'the older sessions to be closed',
  );
});
