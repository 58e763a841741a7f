import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { administer, addressOf } from '@/server/testing/cluster';
import { freshDatabase } from '@/server/testing/database';
import { until } from '@/server/testing/runs';
import { migrateDatabase } from './migrate';

const ours = path.resolve('prisma/migrations');
let folder: string;
let url: string;
let drop: () => Promise<void>;

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'weft-migrations-'));
  const name = path.basename(folder).toLowerCase().replaceAll('-', '_');
  await administer(inject('postgresUrl'), `CREATE DATABASE ${name}`);
  url = addressOf(inject('postgresUrl'), name);
  drop = () => administer(url, `DROP DATABASE ${name} WITH (FORCE)`);
});

afterEach(async () => {
  await drop();
  rmSync(folder, { recursive: true, force: true });
});

function write(name: string, sql: string): void {
  mkdirSync(path.join(folder, name));
  writeFileSync(path.join(folder, name, 'migration.sql'), sql);
}

async function query(sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

test('applies what is new, in the order of names, once', async () => {
  write('2_rows', "INSERT INTO note VALUES (1, 'a; b'); INSERT INTO note VALUES (2, $$c;$$);");
  write('1_table', 'CREATE TABLE note (id int, text text);');
  expect(await migrateDatabase(url, folder)).toEqual(['1_table', '2_rows']);
  expect(await migrateDatabase(url, folder)).toEqual([]);
  write('3_more', "INSERT INTO note VALUES (3, 'd');");
  expect(await migrateDatabase(url, folder)).toEqual(['3_more']);
  expect(await query('SELECT count(*)::int AS notes FROM note')).toEqual([{ notes: 3 }]);
});

test('processes that start at once apply each migration once', async () => {
  write('1_table', 'CREATE TABLE note (id int);');
  const applied = await Promise.all([
    migrateDatabase(url, folder),
    migrateDatabase(url, folder),
    migrateDatabase(url, folder),
  ]);
  expect(applied.flat()).toEqual(['1_table']);
});

test('a migration that fails leaves nothing behind, and is tried again', async () => {
  write('1_broken', 'CREATE TABLE note (id int); SELECT no_such_function();');
  await expect(migrateDatabase(url, folder)).rejects.toThrow(/1_broken failed.*no_such_function/);
  expect(await query("SELECT to_regclass('note') AS found")).toEqual([{ found: null }]);
  writeFileSync(path.join(folder, '1_broken/migration.sql'), 'CREATE TABLE note (id int);');
  expect(await migrateDatabase(url, folder)).toEqual(['1_broken']);
});

test('a table that another transaction has locked is waited for, and statements on it do not wait as long', async () => {
  write('1_table', 'CREATE TABLE note (id int);');
  await migrateDatabase(url, folder);
  write('2_column', 'ALTER TABLE note ADD COLUMN text text;');
  const [reader, other] = [new pg.Client({ connectionString: url }), new pg.Client({ connectionString: url })];
  try {
    await Promise.all([reader.connect(), other.connect()]);
    await reader.query('BEGIN; SELECT FROM note');
    const applied = migrateDatabase(url, folder);
    const waiting = `SELECT FROM pg_locks WHERE relation = 'note'::regclass AND NOT granted`;
    await until(async () => (await other.query(waiting)).rowCount, 'the migration to wait');
    // Until the migration gives up for a moment.
    expect((await other.query('SELECT FROM note')).rowCount).toBe(0);
    await reader.query('COMMIT');
    expect(await applied).toEqual(['2_column']);
  } finally {
    await Promise.all([reader.end(), other.end()]);
  }
});

test('it stops at a migration that Prisma has not completed', async () => {
  await migrateDatabase(url, folder);
  await query("INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ('1', '', '0_half')");
  await expect(migrateDatabase(url, folder)).rejects.toThrow('0_half failed half-way');
});

// Prisma's command line takes seconds to start, several times that on a busy machine. That it finds no difference is
// one of the checks.
const COMMANDS = { timeout: 120_000 };

test('Prisma agrees that all of ours were applied', { ...COMMANDS, tags: 'long' }, async () => {
  const database = await freshDatabase();
  try {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['node_modules/prisma/build/index.js', 'migrate', 'status'],
      { env: { ...process.env, DATABASE_URL: database.url, CHECKPOINT_DISABLE: '1' } },
    );
    expect(stdout).toContain('Database schema is up to date');
  } finally {
    await database.drop();
  }
});

test('a change of the schema without a migration is seen', { ...COMMANDS, tags: 'long' }, async () => {
  const copy = path.join(folder, 'migrations');
  cpSync(ours, copy, { recursive: true });
  const schema = path.join(folder, 'schema.prisma');
  const extra = 'model Extra {\n  id String @id\n}\n';
  cpSync('prisma/schema.prisma', schema);
  writeFileSync(schema, extra, { flag: 'a' });
  await migrateDatabase(url, ours);
  const difference = ['migrate', 'diff', '--from-config-datasource', '--to-schema', schema, '--exit-code'];
  const failed = promisify(execFile)(process.execPath, ['node_modules/prisma/build/index.js', ...difference], {
    env: { ...process.env, DATABASE_URL: url, CHECKPOINT_DISABLE: '1' },
  });
  await expect(failed).rejects.toMatchObject({ code: 2, stdout: expect.stringContaining('Extra') });
});
