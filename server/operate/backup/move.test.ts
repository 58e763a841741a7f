import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, expect, inject, it } from 'vitest';
import { databasePool } from '@/server/platform/db/client';
import { migrateDatabase } from '@/server/platform/db/migrate';
import { LocalStorage } from '@/server/data/files/local-storage';
import { useDatabase } from '@/server/testing/database';
import { listTableNames } from './catalogue';
import { endMaintenance, maintenanceStatus, openWritableClient } from './maintenance';
import { forwardHeldDeliveries, moveDatabase } from './move';

useDatabase();

const migrations = path.resolve(import.meta.dirname, '../../../prisma/migrations');
const folder = mkdtempSync(path.join(tmpdir(), 'weft-move-'));
const key = 'a key of the installation, of more than thirty-two bytes';
const drops: (() => Promise<unknown>)[] = [];

/** A database without a single table, on the server of all tests. */
async function emptyDatabase(): Promise<string> {
  const name = `moved_${randomBytes(6).toString('hex')}`;
  await databasePool().query(`CREATE DATABASE ${name} TEMPLATE template0`);
  drops.push(() => databasePool().query(`DROP DATABASE ${name} WITH (FORCE)`));
  const url = new URL(inject('postgresUrl'));
  url.pathname = `/${name}`;
  return url.href;
}

async function on<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** A connection that may write during maintenance. */
async function using<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = await openWritableClient(url);
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function furnished(): Promise<string> {
  const url = await emptyDatabase();
  await migrateDatabase(url, migrations);
  await on(url, (client) =>
    client.query(
      `INSERT INTO workspace (id, name, slug, tier, updated_at)
       VALUES ('ws_a', 'Ada''s', 'a', 'free', now()), ('ws_b', E'Tab\\tand \\\\N', 'b', 'free', now())`,
    ),
  );
  return url;
}

const workspacesIn = (url: string) =>
  on(url, async (client) => (await client.query('SELECT * FROM workspace ORDER BY id')).rows);

const AT_ONCE = { noticeMs: 0, workersMs: 0 };

const copy = (from: string, to: string) =>
  moveDatabase(
    { url: from, version: '1.2.3', filesAt: null, key },
    { url: to, migrations, files: new LocalStorage(path.join(folder, 'files')), temporary: folder, keys: [key] },
    AT_ONCE,
  );

const statusOf = (url: string) => on(url, maintenanceStatus);
const rename = (url: string) => on(url, (client) => client.query(`UPDATE workspace SET name = 'Other'`));

afterEach(async () => {
  for (const drop of drops.splice(0)) await drop();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('a moved database has the rows of the old one, which takes no writes any more; no backup is left', async () => {
  const [from, to] = [await furnished(), await emptyDatabase()];
  const before = await workspacesIn(from);
  await copy(from, to);
  expect(before).toHaveLength(2);
  expect(await workspacesIn(to)).toEqual(before);
  await expect(rename(from)).rejects.toThrow('read-only');
  expect(await workspacesIn(from)).toEqual(before);
  expect(await statusOf(from)).toMatchObject({ maintenance: { reason: 'The data moves to another database.' } });
  expect(await statusOf(to)).toEqual({ maintenance: null, held: 0 });
  await rename(to);
  expect(await on(to, listTableNames)).toEqual(await on(from, listTableNames));
  expect(readdirSync(folder).filter((name) => name.endsWith('.backup'))).toEqual([]);

  await using(from, endMaintenance);
  await rename(from);
});

it('a connection that was open before the move can not write after it', async () => {
  const [from, to] = [await furnished(), await emptyDatabase()];
  const client = new pg.Client({ connectionString: from });
  client.on('error', () => undefined);
  await client.connect();
  await copy(from, to);
  await expect(client.query(`UPDATE workspace SET name = 'Late'`)).rejects.toThrow();
  await client.end();
});

it('a move refuses a live worker, a database with rows, and an address of something else; then maintenance is over', async () => {
  const [from, to] = [await furnished(), await emptyDatabase()];
  await on(from, (client) =>
    client.query(`INSERT INTO worker (id, lease_until) VALUES ('wrk_1', now() + interval '1 hour')`),
  );
  await expect(copy(from, to)).rejects.toThrow('Worker processes that have not stopped: 1.');
  expect(await on(to, listTableNames)).toEqual([]);
  expect(await statusOf(from)).toEqual({ maintenance: null, held: 0 });
  await on(from, (client) => client.query('DELETE FROM worker'));

  await expect(copy(from, 'https://db.example.com/weft')).rejects.toThrow('needs an address');
  const other = await furnished();
  const before = await workspacesIn(other);
  await expect(copy(from, other)).rejects.toThrow('not empty');
  expect(await workspacesIn(other)).toEqual(before);
  await rename(from);
});

it('a copy that fails ends maintenance', async () => {
  const [from, to] = [await furnished(), await emptyDatabase()];
  const name = new URL(to).pathname.slice(1);
  await databasePool().query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
  await expect(copy(from, to)).rejects.toThrow('read-only');
  expect(await statusOf(from)).toEqual({ maintenance: null, held: 0 });
  await rename(from);
});

it('deliveries that are held meanwhile are forwarded once', async () => {
  const [from, to] = [await furnished(), await emptyDatabase()];
  await copy(from, to);
  const hold = (id: string, input: string) =>
    using(from, (client) =>
      client.query(
        `INSERT INTO held_delivery (execution_id, workspace_id, webhook_id, submission, input, bytes)
         VALUES ($1, 'ws_a', 'whk_1', '{"run":{}}', $2, 10)`,
        [id, input],
      ),
    );
  await hold('exec_1', '{"n": 1.10}');
  await hold('exec_2', '[]');
  const forward = () => forwardHeldDeliveries(async () => from, to, { quietMs: 0 });
  expect(await forward()).toBe(2);
  // As after a failure between the two databases.
  await hold('exec_2', '[]');
  expect(await forward()).toBe(1);
  const { rows } = await on(to, (client) =>
    client.query('SELECT execution_id AS id, input::text AS input FROM held_delivery ORDER BY 1'),
  );
  expect(rows).toEqual([
    { id: 'exec_1', input: '{"n": 1.10}' },
    { id: 'exec_2', input: '[]' },
  ]);
  expect((await statusOf(from)).held).toBe(0);
});
