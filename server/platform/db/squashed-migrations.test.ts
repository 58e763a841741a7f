import { readdirSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { afterEach, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { cloneDatabase } from '@/server/testing/cluster';
import { PLAIN } from '@/server/testing/postgres.setup';
import { migrateDatabase } from './migrate';

const migrations = path.resolve('prisma/migrations');
const listNames = (folder: string) =>
  readdirSync(path.resolve('prisma', folder))
    .filter((name) => /^\d/.test(name))
    .toSorted();
const [first, second] = [listNames('squashed/1'), listNames('squashed/2')];
const [initial = '', ...later] = listNames('migrations');

let database: Awaited<ReturnType<typeof cloneDatabase>>;
beforeEach(async () => {
  database = await cloneDatabase(inject('postgresUrl'), 'template0');
});
afterEach(() => database.drop());

const runMigrations = (names: string[]) => migrateDatabase(database.url, migrations, (name) => names.includes(name));

async function query(sql: string, url = database.url): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Everything that the catalog says of a schema. */
const SCHEMA = `
  SELECT 'table' AS kind, relname::text AS name, concat_ws(' ', relkind, relpersistence, reloptions, obj_description(oid)) AS definition
  FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind <> 'i' AND relname <> '_prisma_migrations'
  UNION ALL
  SELECT 'column', c.relname || '.' || a.attname,
    concat_ws(' ', rank() OVER (PARTITION BY c.oid ORDER BY a.attnum), format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attidentity,
      a.attgenerated, a.attstorage, a.attcompression, pg_get_expr(d.adbin, d.adrelid), pg_get_serial_sequence(quote_ident(c.relname), a.attname))
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND c.relname <> '_prisma_migrations'
    AND a.attnum > 0 AND NOT a.attisdropped
  UNION ALL
  SELECT 'constraint', conrelid::regclass || '.' || conname, pg_get_constraintdef(oid) FROM pg_constraint
  WHERE connamespace = 'public'::regnamespace AND conrelid <> '_prisma_migrations'::regclass
  UNION ALL
  SELECT 'index', indexname, indexdef FROM pg_indexes WHERE schemaname = 'public' AND tablename <> '_prisma_migrations'
  UNION ALL
  SELECT 'sequence', sequencename, concat_ws(' ', data_type, start_value, min_value, max_value, increment_by, cycle, cache_size)
  FROM pg_sequences WHERE schemaname = 'public'
  UNION ALL
  SELECT 'function', proname, pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = 'public'::regnamespace
  UNION ALL
  SELECT 'trigger', tgrelid::regclass || '.' || tgname, concat_ws(' ', tgenabled, pg_get_triggerdef(oid)) FROM pg_trigger WHERE NOT tgisinternal
  ORDER BY 1, 2, 3`;

let newSchema: Record<string, unknown>[];
beforeAll(async () => {
  const created = await cloneDatabase(inject('postgresUrl'), PLAIN);
  newSchema = await query(SCHEMA, created.url);
  await created.drop();
});

const WRITE_ROWS = `
  INSERT INTO workspace (id, name, slug, tier, updated_at) VALUES ('ws', 'Work', 'work', 'free', now());
  INSERT INTO app_user (id, email, name) VALUES ('usr', 'ada@example.com', 'Ada');
  INSERT INTO member (workspace_id, user_id) VALUES ('ws', 'usr');
  INSERT INTO workflow (id, workspace_id, name, description, status, definition, version) VALUES ('wf', 'ws', 'Flow', '', 'active', '{"nodes":[]}', 7);
  INSERT INTO execution (id, workspace_id, workflow_id, workflow_version, status, trigger, input) VALUES ('exe', 'ws', 'wf', 7, 'running', 'manual', '{"n":1}');
  INSERT INTO node_result (execution_id, node_id, status, attempts, output, revision) VALUES ('exe', 'start', 'completed', 1, '{"n":2}', 3);
  INSERT INTO audit_entry (id, workspace_id, category, action, result, actor, resource, metadata)
  VALUES ('aud', 'ws', 'configuration_change', 'workflow.create', 'success', '{}', '{}', '{"n":3}')`;
const READ_ROWS = `
  SELECT w.name AS workspace, u.email, f.name AS flow, f.definition, e.status, e.input, r.output, r.revision, a.sequence, a.metadata
  FROM workspace w JOIN member m ON m.workspace_id = w.id JOIN app_user u ON u.id = m.user_id JOIN workflow f ON f.workspace_id = w.id
  JOIN execution e ON e.workflow_id = f.id JOIN node_result r ON r.execution_id = e.id JOIN audit_entry a ON a.workspace_id = w.id`;

test.each([
  [1, 0],
  [26, 0],
  [first.length, 0],
  [0, 1],
  [0, 17],
  [0, second.length],
  [first.length, 1],
  [first.length, 30],
  [first.length, second.length],
])(
  'a database that ran %i of the first and %i of the second squashed ones gets the schema of a new one, and keeps its rows',
  async (ofFirst, ofSecond) => {
    const ran = [...first.slice(0, ofFirst), ...second.slice(0, ofSecond)];
    if (ofFirst > 0) await runMigrations(ran.slice(0, ofFirst));
    await runMigrations(ran);
    const history = 'SELECT migration_name AS name FROM _prisma_migrations ORDER BY started_at';
    expect(await query(history)).toEqual(ran.map((name) => ({ name })));
    await query(WRITE_ROWS);
    const rows = await query(READ_ROWS);
    expect(rows).toEqual([expect.objectContaining({ email: 'ada@example.com', input: { n: 1 }, output: { n: 2 } })]);

    const rest = [...(ofFirst > 0 ? first.slice(ofFirst) : []), ...second.slice(Math.max(ofSecond, 1)), ...later];
    expect(await migrateDatabase(database.url, migrations)).toEqual(rest);
    expect(newSchema.length).toBeGreaterThan(1000);
    expect(await query(SCHEMA)).toEqual(newSchema);
    expect(await query(READ_ROWS)).toEqual(rows);
    expect(await query(history)).toContainEqual({ name: initial });
    expect(await migrateDatabase(database.url, migrations)).toEqual([]);
  },
);

test('a new database runs the initial migration and none of the squashed ones', async () => {
  expect(await migrateDatabase(database.url, migrations)).toEqual([initial, ...later]);
  expect(await query(SCHEMA)).toEqual(newSchema);
});

test('versions of people who have left are authorised by the first owner', async () => {
  const name = '20261122031700_authorized_versions';
  await runMigrations(first.filter((earlier) => earlier < name));
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
  expect(await runMigrations([name])).toEqual([name]);
  const versions = await query('SELECT id, authorized_by FROM workflow_version ORDER BY id');
  expect(versions.map((row) => row['authorized_by'])).toEqual(['first', null, 'first', null]);
});

test('accounts and memberships from before acceptance keep what they have', async () => {
  const name = '20261122101500_tenant_identity';
  await runMigrations(first.filter((earlier) => earlier < name));
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
  expect(await runMigrations([name])).toEqual([name]);
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
