import { readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import type { WorkflowNode } from '@/contract/workflows/workflow';
import { startWorker, type EngineWorker } from '@/server/engine/worker';
import { nodeTypeDefinitions } from '@/server/workflow/nodes';
import { getRuntime } from '@/server/platform/runtime';
import { closeSqlPools } from '@/server/network/sql/sql';
import { useDatabase } from '@/server/testing/database';
import { buildCredential, buildUser, call, type Refused, type TestUser } from '@/server/testing/factories';
import { runNode, saveNode, startNode } from '@/server/testing/one-node';

useDatabase();

const PASSWORD = 'canary-password-4711';
const docs = readFileSync(path.resolve(import.meta.dirname, '../../../../docs/data/sql.md'), 'utf8');
const blocks = (language: string) =>
  [...docs.matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)\n\`\`\``, 'gm'))].map(([, text = '']) => text);

let worker: EngineWorker;
let admin: pg.Client;
let user: TestUser;
let role: string;

beforeAll(async () => {
  const kinds = new Map(nodeTypeDefinitions.map((kind) => [kind.type, kind]));
  worker = await startWorker({ concurrency: 50, kinds, graceMs: 200 });
  admin = new pg.Client({ connectionString: inject('postgresUrl') });
  await admin.connect();
});
beforeEach(async () => {
  user = await buildUser();
  // A role and a schema of its own for each test, as a stranger's database would have.
  role = `shop_${Math.random().toString(36).slice(2)}`;
  await admin.query(`CREATE ROLE ${role} LOGIN PASSWORD '${PASSWORD}'`);
  await admin.query(`CREATE SCHEMA ${role} AUTHORIZATION ${role}`);
});
afterAll(async () => {
  await worker.stop();
  closeSqlPools();
  await admin.end();
});

function credentialOf(owner: TestUser, changes: object = {}): Promise<string> {
  const { hostname, port, pathname } = new URL(inject('postgresUrl'));
  const database = pathname.slice(1);
  const config = {
    host: hostname,
    port: Number(port),
    database,
    username: role,
    password: PASSWORD,
    tls: 'off',
    ...changes,
  };
  return buildCredential(owner, 'postgres', config);
}

const run = (node: Partial<WorkflowNode>, input: object = {}, owner = user) =>
  runNode(owner, { ...node, type: 'sql' }, input);
const save = (node: Partial<WorkflowNode>, status = 'draft') => saveNode(user, { ...node, type: 'sql' }, status);

it('does what docs/data/sql.md shows', async () => {
  const credentialId = await credentialOf(user);
  const execute = { mode: 'execute' };
  const [tables = ''] = blocks('sql');
  for (const statement of tables.split(';\n')) {
    expect(await run({ credentialId, config: { statement, ...execute } })).toMatchObject({ status: 'completed' });
  }
  const [select, move, change] = blocks('json').map((text) => JSON.parse(text) as Pick<WorkflowNode, 'config'>);
  const read = () => run({ credentialId, config: select!.config }, { email: 'ada@example.com', ids: [1, 2, 3] });
  expect((await read()).output).toEqual([
    { id: 1, total: 19.5 },
    { id: 2, total: 5 },
  ]);
  expect((await run({ credentialId, config: move!.config }, { n: 2.5 })).output).toEqual([
    { rowCount: 1 },
    { rowCount: 1 },
  ]);
  expect((await read()).output).toEqual([
    { id: 1, total: 17 },
    { id: 2, total: 7.5 },
  ]);
  expect((await run({ credentialId, config: change!.config }, { email: 'ada@example.com' })).output).toEqual({
    rowCount: 1,
  });
  expect((await read()).output).toContainEqual({ id: 3, total: 8 });
});

describe('a row', () => {
  const createTable = async (credentialId: string) => {
    const statement = 'CREATE TABLE "Odd ""name" (id int PRIMARY KEY, "Full name" text, tags jsonb, at date)';
    expect(await run({ credentialId, config: { statement, mode: 'execute' } })).toMatchObject({ status: 'completed' });
  };
  const table = 'Odd "name';

  it('is added and changed by its columns, whatever names and values are', async () => {
    const credentialId = await credentialOf(user);
    await createTable(credentialId);
    const change = (config: object, input = {}) => run({ credentialId, config: { table, ...config } }, input);
    const row = { id: 1, 'Full name': `Ada'); DROP SCHEMA public; --`, tags: ['a', 1], at: null };
    expect((await change({ operation: 'insert', row })).output).toEqual({ rowCount: 1 });
    // One expression gives the whole row.
    const other = { id: 2, 'Full name': 'Bob', at: '2026-01-31' };
    expect((await change({ operation: 'insert', row: '{{ input }}' }, other)).output).toEqual({ rowCount: 1 });
    const update = { operation: 'update', match: { at: null, id: '{{ input.id }}' }, row: { 'Full name': 'Ada' } };
    expect((await change(update, { id: 1 })).output).toEqual({ rowCount: 1 });
    expect((await change(update, { id: 2 })).output).toEqual({ rowCount: 0 });
    const statement = 'SELECT * FROM "Odd ""name" ORDER BY id';
    expect((await run({ credentialId, config: { statement } })).output).toEqual([
      { ...row, 'Full name': 'Ada' },
      { ...other, tags: null },
    ]);
  });

  it('in a schema that is not in use is named by it', async () => {
    const credentialId = await credentialOf(user);
    await run({ credentialId, config: { statement: 'CREATE TABLE notes (text text)', mode: 'execute' } });
    const config = { operation: 'insert', table: `${role}.notes`, row: { text: 'a' } };
    expect((await run({ credentialId, config })).output).toEqual({ rowCount: 1 });
  });

  it.each([
    [{ operation: 'update', row: { id: 1 }, match: '{{ input }}' }, 'config.match: needs a value'],
    [{ operation: 'insert', row: '{{ input }}' }, 'config.row: needs a value'],
    [{ operation: 'insert', row: '{{ [1] }}' }, 'config.row: must be an object'],
    [{ operation: 'insert', row: { 'no"column': 1 } }, 'no"column'],
  ])('that cannot be meant fails: %j', async (config, message) => {
    const credentialId = await credentialOf(user);
    await createTable(credentialId);
    expect(await run({ credentialId, config: { table, ...config } }, {})).toMatchObject({
      status: 'failed',
      message: expect.stringContaining(message),
    });
  });
});

it('binds what an expression gives, small or large', async () => {
  const credentialId = await credentialOf(user);
  const config = {
    mode: 'one',
    statement: 'SELECT :text AS text, length(:large) AS large, jsonb_array_length(:items::jsonb) AS items',
    parameters: { text: '{{ input.text }}', large: '{{ input.large }}', items: '{{ input.items }}' },
  };
  const input = {
    text: `'); DROP SCHEMA public; --`,
    large: 'x'.repeat(100_000),
    items: Array.from({ length: 20_000 }, () => ({ a: 1 })),
  };
  expect((await run({ credentialId, config }, input)).output).toEqual({
    text: input.text,
    large: 100_000,
    items: 20_000,
  });
});

it('passes on large results', async () => {
  const credentialId = await credentialOf(user);
  const statement = `SELECT n, repeat('x', 100) AS t, jsonb_build_object('a', n) AS doc FROM generate_series(1, 9000) AS n`;
  const { output } = await run({ credentialId, config: { statement } });
  expect(output).toHaveLength(9000);
  expect((output as unknown[])[8999]).toEqual({ n: 9000, t: 'x'.repeat(100), doc: { a: 9000 } });
});

describe('a statement', () => {
  it('with an expression cannot be saved, and the field is named', async () => {
    const message = 'must not contain {{ }}: use a parameter such as :name';
    const single = await save({ config: { statement: 'SELECT {{ input.column }}' } });
    expect(single).toMatchObject({
      status: 400,
      body: { error: { details: [{ field: 'nodes[1].config.statement', message }] } },
    });
    const statements = [{ statement: 'SELECT 1' }, { statement: '{{ input.sql }}' }];
    const several = await save({ config: { statements } });
    expect(several.body.error.details).toEqual([{ field: 'nodes[1].config.statements[1].statement', message }]);
    const whole = await save({ config: { statements: '{{ input.list }}' as never } });
    expect(whole.body.error.details).toEqual([{ field: 'nodes[1].config.statements', message }]);
  });

  it.each([
    [{}, 'config.statement'],
    [{ statement: 'SELECT 1', statements: [{ statement: 'SELECT 1' }] }, 'config.statements'],
    [{ statement: 'SELECT :a, :b', parameters: { a: 1 } }, 'config.parameters.b'],
    [{ statements: [{ statement: 'SELECT :a' }] }, 'config.statements[0].parameters.a'],
    [{ operation: 'insert', row: { a: 1 } }, 'config.table'],
    [{ operation: 'insert', table: 'a', row: {} }, 'config.row'],
    [{ operation: 'update', table: 'a', row: { a: 1 } }, 'config.match'],
    [{ operation: 'insert', table: 'a', row: { a: 1 }, statement: 'SELECT 1' }, 'config.statement'],
  ])('must be complete when the workflow is activated: %j', async (config, field) => {
    const credentialId = await credentialOf(user);
    expect((await save({ credentialId, config })).status).toBe(201);
    const { status, body } = await save({ credentialId, config }, 'active');
    expect(status).toBe(400);
    expect(body.error.details.map((detail) => detail.field)).toEqual([`nodes[1].${field}`]);
  });

  it('needs a credential of a database', async () => {
    const config = { statement: 'SELECT 1' };
    const { body } = await save({ config }, 'active');
    expect(body.error.details).toEqual([{ field: 'nodes[1].credentialId', message: 'is required' }]);
  });
});

describe('a credential', () => {
  it('keeps its password to itself', async () => {
    const id = await credentialOf(user);
    const { body } = await call<object>('GET', `/api/credentials/${id}`, { token: user.token });
    expect(body).toMatchObject({
      type: 'postgres',
      config: { username: role, tls: 'off' },
      secretFields: ['password'],
    });
    expect(JSON.stringify(body)).not.toContain(PASSWORD);
    const echoed = await run({ credentialId: id, config: { statement: `SELECT '${PASSWORD}' AS a` } });
    expect(echoed.output).toEqual([{ a: '••••••' }]);
    const failed = await run({ credentialId: id, config: { statement: `SELECT '${PASSWORD}'::int` } });
    expect(failed).toMatchObject({ code: 'SQL_ERROR', message: expect.stringContaining('"••••••"') });
  });

  it('asks for the password again when it is sent elsewhere', async () => {
    const id = await credentialOf(user);
    const moved = { host: 'db.evil.example', database: 'd', username: 'u' };
    const { status, body } = await call<Refused>('PUT', `/api/credentials/${id}`, {
      token: user.token,
      body: { config: moved },
    });
    expect([status, body.error.details.map(({ field }) => field)]).toEqual([400, ['config.password']]);
  });

  it.each([
    [{ host: '/var/run/postgresql' }, 'config.host'],
    [{ port: 0 }, 'config.port'],
    [{ tls: 'maybe' }, 'config.tls'],
    [{ ca: 'no certificate' }, 'config.ca'],
    [{ surprise: 1 }, 'config.surprise'],
  ])('with %j is refused', async (changes, field) => {
    const config = { host: 'db.example.com', database: 'd', username: 'u', password: 'p', ...changes };
    const body = { name: 'x', type: 'mysql', config };
    const answer = await call<Refused>('POST', '/api/credentials', { token: user.token, body });
    expect([answer.status, answer.body.error.details.map((detail) => detail.field)]).toEqual([400, [field]]);
  });

  it('is tested by a connection', async () => {
    const test = async (id: string) =>
      (await call('POST', `/api/credentials/${id}/test`, { token: user.token, body: {} })).body;
    expect(await test(await credentialOf(user))).toEqual({
      ok: true,
      message: 'The database accepted the credentials.',
    });
    const wrong = await credentialOf(user, { password: 'wrong-password' });
    expect(await test(wrong)).toMatchObject({ ok: false, message: expect.stringContaining('SQLSTATE 28P01') });
    getRuntime().env.egressAllowPrivate = false;
    const denied = test(await credentialOf(user));
    expect(await denied.finally(() => (getRuntime().env.egressAllowPrivate = true))).toMatchObject({
      ok: false,
      message: expect.stringContaining('is not a public address'),
    });
  });

  it('is of no use to another workspace, or to another kind of node', async () => {
    const credentialId = await credentialOf(user);
    const stranger = await buildUser();
    const config = { statement: 'SELECT 1' };
    const { status, code } = await run({ credentialId, config }, {}, stranger);
    expect([status, code]).toEqual(['failed', 'CREDENTIAL_MISSING']);
    const http = { type: 'http_request', credentialId, config: { url: 'http://127.0.0.1:1/' } };
    const { error } = await (await startNode(user, http)).finish();
    expect(error?.code).toBe('CREDENTIAL_KIND');
  });
});
