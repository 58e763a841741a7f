import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { administer, addressOf } from '@/server/testing/cluster';
import { freshDatabase } from '@/server/testing/database';
import { until } from '@/server/testing/runs';
import { migrateDatabase } from './migrate';

const ours = path.resolve('prisma/migrations');
const squashed = path.resolve('prisma/squashed');
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

/** Everything that the catalog says of a schema: columns, constraints, indexes, functions and triggers. */
const SCHEMA = `
  SELECT 'column' AS kind, table_name || '.' || column_name AS name,
    concat_ws(' ', rank() OVER (PARTITION BY table_name ORDER BY ordinal_position), data_type, is_nullable, column_default, is_identity) AS definition
  FROM information_schema.columns WHERE table_schema = 'public' AND table_name <> '_prisma_migrations'
  UNION ALL
  SELECT 'constraint', conrelid::regclass || '.' || conname, pg_get_constraintdef(oid) FROM pg_constraint
  WHERE connamespace = 'public'::regnamespace AND conrelid <> '_prisma_migrations'::regclass
  UNION ALL
  SELECT 'index', indexname, indexdef FROM pg_indexes WHERE schemaname = 'public' AND tablename <> '_prisma_migrations'
  UNION ALL
  SELECT 'function', proname, pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = 'public'::regnamespace
  UNION ALL
  SELECT 'trigger', tgrelid::regclass || '.' || tgname, pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
  UNION ALL
  SELECT 'option', relname, array_to_string(reloptions, ' ') FROM pg_class
  WHERE relnamespace = 'public'::regnamespace AND reloptions IS NOT NULL
  ORDER BY 1, 2, 3`;

describe('the initial migration', () => {
  const names = readdirSync(squashed).toSorted();
  const later = readdirSync(ours)
    .filter((name) => /^\d/.test(name))
    .toSorted()
    .slice(1);

  async function schemaOfNew() {
    const database = await freshDatabase();
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    try {
      return (await client.query(SCHEMA)).rows as Record<string, unknown>[];
    } finally {
      await client.end();
      await database.drop();
    }
  }

  test.each([1, 26, names.length])(
    'leads a database that ran %i of the squashed ones to the schema of a new one',
    async (count) => {
      const earlier = names.slice(0, count);
      for (const name of earlier) cpSync(path.join(squashed, name), path.join(folder, name), { recursive: true });
      await migrateDatabase(url, folder);
      expect(await migrateDatabase(url, ours)).toEqual([...names.slice(count), ...later]);
      const created = await schemaOfNew();
      expect(created.length).toBeGreaterThan(300);
      expect(await query(SCHEMA)).toEqual(created);
      expect(await migrateDatabase(url, ours)).toEqual([]);
    },
  );
});

test('versions of people who have left are authorised by the first owner', async () => {
  const name = '20261122031700_authorized_versions';
  for (const earlier of readdirSync(squashed).filter((each) => each < name)) {
    cpSync(path.join(squashed, earlier), path.join(folder, earlier), { recursive: true });
  }
  await migrateDatabase(url, folder);
  const owner = 'role_owner-000000000000000000';
  await query(`
    INSERT INTO workspace (id, name, slug, tier, updated_at) VALUES ('ws', 'w', 'w', 'free', now());
    INSERT INTO app_user (id, email, name) VALUES ('first', 'a', 'a'), ('second', 'b', 'b'), ('left', 'c', 'c');
    INSERT INTO member (workspace_id, user_id) VALUES ('ws', 'first'), ('ws', 'second');
    INSERT INTO role_assignment (id, workspace_id, user_id, role_id, created_at)
    VALUES ('1', 'ws', 'second', '${owner}', now()), ('2', 'ws', 'first', '${owner}', now() - interval '1 day');
    INSERT INTO workflow (id, workspace_id, name, description, status, definition, version, created_by)
    VALUES ('wf', 'ws', 'w', '', 'active', '{}', 4, 'left'), ('nobody', 'ws', 'w', '', 'active', '{}', 1, NULL);
    INSERT INTO workflow_version (id, workflow_id, version, name, description, definition, message, created_by)
    VALUES ('1', 'wf', 1, 'w', '', '{}', '', 'left'), ('2', 'wf', 2, 'w', '', '{}', '', 'second'),
      ('3', 'wf', 3, 'w', '', '{}', '', NULL), ('4', 'nobody', 1, 'w', '', '{}', '', NULL)`);
  cpSync(path.join(squashed, name), path.join(folder, name), { recursive: true });
  expect(await migrateDatabase(url, folder)).toEqual([name]);
  const versions = await query('SELECT id, authorized_by FROM workflow_version ORDER BY id');
  expect(versions.map((row) => row['authorized_by'])).toEqual(['first', null, 'first', null]);
});

test('accounts and memberships from before acceptance keep what they have', async () => {
  const name = '20261122101500_tenant_identity';
  for (const earlier of readdirSync(squashed).filter((one) => one < name))
    cpSync(path.join(squashed, earlier), path.join(folder, earlier), { recursive: true });
  await migrateDatabase(url, folder);
  const user = (id: string, password: string | null, proven: string | null) =>
    `INSERT INTO app_user (id, email, name, password_hash, email_proven_at)
     VALUES ('${id}', '${id}@x.example', '', ${password ? `'${password}'` : 'NULL'}, ${proven ? `'${proven}'` : 'NULL'});`;
  const workspace = (id: string) =>
    `INSERT INTO workspace (id, name, slug, tier, updated_at) VALUES ('${id}', '${id}', '${id}', 'free', now());
     INSERT INTO sso_provider (id, workspace_id, type, name, enabled, domains, default_role, config, secrets)
     VALUES ('sso_${id}', '${id}', 'oidc', '', true, ARRAY['${id}.example'], 'r', '{}', '');`;
  const member = (at: string, id: string) =>
    `INSERT INTO member (workspace_id, user_id, joined_at) VALUES ('${at}', '${id}', '2026-01-01');`;
  const identity = (at: string, id: string) =>
    `INSERT INTO sso_identity (provider_id, subject, user_id) VALUES ('sso_${at}', '${id}', '${id}');`;
  const key = (at: string, id: string) =>
    `INSERT INTO api_key (id, workspace_id, user_id, name, hash, hint, scopes)
     VALUES ('key_${id}', '${at}', '${id}', '', '${id}', '', '{}');`;
  await query(
    [
      workspace('one') + workspace('two'),
      // Invited, and signed in through the provider later.
      user('invited', 'hash', null) + member('one', 'invited') + identity('one', 'invited') + key('one', 'invited'),
      // Created by the provider of one workspace; of two; seen to have the address since.
      user('brought', null, null) + member('one', 'brought') + identity('one', 'brought') + key('one', 'brought'),
      user('twice', null, null) + member('one', 'twice') + member('two', 'twice') + identity('one', 'twice'),
      user('proven', null, '2026-01-01') + member('one', 'proven') + identity('one', 'proven'),
      // Left the workspace, and is still known to its provider.
      user('left', null, null) + identity('two', 'left'),
    ].join('\n'),
  );
  cpSync(path.join(squashed, name), path.join(folder, name), { recursive: true });
  expect(await migrateDatabase(url, folder)).toEqual([name]);
  expect(await query('SELECT id, only_workspace_id AS only FROM app_user ORDER BY id')).toEqual([
    { id: 'brought', only: 'one' },
    { id: 'invited', only: null },
    { id: 'left', only: 'two' },
    { id: 'proven', only: null },
    { id: 'twice', only: null },
  ]);
  expect(await query('SELECT user_id AS id FROM member WHERE accepted_at IS NULL')).toEqual([{ id: 'brought' }]);
  expect(await query('SELECT user_id AS id, sso_provider_id AS via FROM api_key ORDER BY user_id')).toEqual([
    { id: 'brought', via: 'sso_one' },
    { id: 'invited', via: null },
  ]);
  expect(await query('SELECT provider_id AS id, domain, method FROM domain_proof ORDER BY provider_id')).toEqual([
    { id: 'sso_one', domain: 'one.example', method: 'owner' },
    { id: 'sso_two', domain: 'two.example', method: 'owner' },
  ]);
});
