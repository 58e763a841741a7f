import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, expect, inject, it } from 'vitest';
import { pool } from '@/server/db/client';
import { migrate } from '@/server/db/migrate';
import { LocalStorage } from '@/server/files/local-storage';
import { useDatabase } from '@/server/testing/database';
import { tablesOf } from './catalogue';
import { move } from './move';

useDatabase();

const migrations = path.resolve(import.meta.dirname, '../../prisma/migrations');
const folder = mkdtempSync(path.join(tmpdir(), 'weft-move-'));
const key = 'a key of the installation, of more than thirty-two bytes';
const drops: (() => Promise<unknown>)[] = [];

/** A database without a single table, on the server of all tests. */
async function emptyDatabase(): Promise<string> {
  const name = `moved_${randomBytes(6).toString('hex')}`;
  await pool().query(`CREATE DATABASE ${name} TEMPLATE template0`);
  drops.push(() => pool().query(`DROP DATABASE ${name} WITH (FORCE)`));
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

async function furnished(): Promise<string> {
  const url = await emptyDatabase();
  await migrate(url, migrations);
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

const copy = (from: string, to: string, patienceMs?: number) =>
  move(
    { url: from, version: '1.2.3', filesAt: null, key },
    { url: to, migrations, files: new LocalStorage(path.join(folder, 'files')), temporary: folder, keys: [key] },
    patienceMs,
  );

afterEach(async () => {
  for (const drop of drops.splice(0)) await drop();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('a moved database has the rows of the old one, which keeps them; no backup is left', async () => {
  const [from, to] = [await furnished(), await emptyDatabase()];
  const before = await workspacesIn(from);
  await copy(from, to);
  expect(before).toHaveLength(2);
  expect(await workspacesIn(to)).toEqual(before);
  expect(await workspacesIn(from)).toEqual(before);
  expect(await on(to, tablesOf)).toEqual(await on(from, tablesOf));
  expect(readdirSync(folder).filter((name) => name.endsWith('.backup'))).toEqual([]);
});

it('a move refuses a database in use, one with rows, and an address of something else', async () => {
  const [from, to] = [await furnished(), await emptyDatabase()];
  await on(from, async () => expect(copy(from, to, 0)).rejects.toThrow('The database is in use'));
  expect(await on(to, tablesOf)).toEqual([]);
  await expect(copy(from, 'https://db.example.com/weft')).rejects.toThrow('needs an address');
  const other = await furnished();
  const before = await workspacesIn(other);
  await expect(copy(from, other)).rejects.toThrow('not empty');
  expect(await workspacesIn(other)).toEqual(before);
});
