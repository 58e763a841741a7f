import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { ListChoicesResponse } from '@/contract/choices';
import { closeMongoPools } from '@/server/network/mongodb/mongodb';
import { closeSqlPools } from '@/server/network/sql/sql';
import { useDatabase } from '@/server/testing/database';
import { buildCredential, buildUser, call, type Refused, type TestUser } from '@/server/testing/factories';
import { buildPermitted } from '@/server/testing/permitted';
import { startMcpServer, type McpParty } from '@/server/testing/servers/mcp';
import { startMongo } from '@/server/testing/servers/mongodb/mongodb';
import { startModels, type Models } from '@/server/testing/servers/models';
import { selectChoicePage } from '@/server/connectors/server-choices';

useDatabase({ rateLimitTier: 'unlimited' });

const KEY = 'canary-4711-key-of-a-server';
const ROLE = `choices_${Math.random().toString(36).slice(2)}`;

let owner: TestUser;
let stranger: TestUser;
let models: Models;
let party: McpParty;
let admin: pg.Client;

const choose = (type: string, body: object, as = owner) =>
  call<ListChoicesResponse & Refused>('POST', `/api/node-types/${type}/choices`, { token: as.token, body });
const faults = ({ status, body }: { status: number; body: Refused }) => [status, body.error.details[0]?.field];

beforeAll(async () => {
  owner = await buildUser();
  stranger = await buildUser();
  models = await startModels();
  party = await startMcpServer(KEY);
  admin = new pg.Client({ connectionString: inject('postgresUrl') });
  await admin.connect();
  await admin.query(`CREATE ROLE ${ROLE} LOGIN PASSWORD '${KEY}'`);
  await admin.query(`CREATE SCHEMA ${ROLE} AUTHORIZATION ${ROLE}`);
  await admin.query(`CREATE SCHEMA ${ROLE}_other AUTHORIZATION ${ROLE}`);
  await admin.query(`CREATE TABLE ${ROLE}.orders (
    id int GENERATED ALWAYS AS IDENTITY, total numeric NOT NULL, paid boolean NOT NULL DEFAULT false,
    day date, at timestamptz, about jsonb, tags text[], note text)`);
  await admin.query(`CREATE VIEW ${ROLE}.big_orders AS SELECT * FROM ${ROLE}.orders WHERE total > 100`);
  await admin.query(`CREATE TABLE ${ROLE}_other.orders (x int)`);
  await admin.query(`ALTER SCHEMA ${ROLE} OWNER TO ${ROLE}`);
  await admin.query(`GRANT ALL ON ALL TABLES IN SCHEMA ${ROLE}, ${ROLE}_other TO ${ROLE}`);
});
afterAll(async () => {
  await Promise.all([models.close(), party.close()]);
  closeSqlPools();
  await admin.query(`DROP SCHEMA ${ROLE} CASCADE; DROP SCHEMA ${ROLE}_other CASCADE; DROP ROLE ${ROLE}`);
  await admin.end();
});

const connectModels = (as = owner, baseUrl = `${models.url}/v1`) =>
  buildCredential(as, 'llm', { provider: 'openai', apiKey: KEY, baseUrl });

describe('models of a credential', () => {
  test('are those that its provider lists', async () => {
    const credentialId = await connectModels();
    for (const type of ['llm', 'agent']) {
      const { status, body } = await choose(type, { source: 'models', credentialId });
      expect([status, body.data.length]).toEqual([200, 2]);
      const [first] = body.data;
      const found = await choose(type, { source: 'models', credentialId, search: first?.label.toUpperCase() });
      expect(found.body.data).toContainEqual(first);
    }
  });

  test('need a credential of the workspace, of a kind that the node takes, that the caller may use', async () => {
    const own = await connectModels();
    const foreign = await connectModels(stranger);
    const other = await buildCredential(owner, 'mcp', { url: party.url, headers: { 'x-key': KEY } });
    for (const credentialId of [undefined, foreign, other])
      expect(faults(await choose('llm', { source: 'models', credentialId }))).toEqual([400, 'credentialId']);
    expect((await choose('llm', { source: 'models', credentialId: own })).status).toBe(200);
    const reader = await buildPermitted(owner.workspaceId, [{ resource: 'table', action: 'read' }]);
    expect((await choose('llm', { source: 'models', credentialId: own }, reader)).status).toBe(403);
    const user = await buildPermitted(owner.workspaceId, [{ resource: 'credential', action: 'use' }]);
    expect((await choose('llm', { source: 'models', credentialId: own }, user)).status).toBe(200);
    expect((await choose('table', { source: 'tables' }, user)).status).toBe(403);
  });

  test('a refusal has the reason of the server, without the key', async () => {
    const refused = await choose('llm', {
      source: 'models',
      credentialId: await connectModels(owner, party.url),
    });
    expect(faults(refused)).toEqual([400, 'credentialId']);
    expect(JSON.stringify(refused.body)).not.toContain(KEY);
  });
});

test('tools of a server are listed with their arguments, and what the server says of them', async () => {
  const credentialId = await buildCredential(owner, 'mcp', {
    url: party.url,
    headers: { Authorization: `Bearer ${KEY}` },
  });
  const { status, body } = await choose('mcp', { source: 'tools', credentialId });
  expect(status).toBe(200);
  const [tool] = body.data;
  expect(tool).toMatchObject({ label: tool?.value, tool: { name: tool?.value, inputSchema: { type: 'object' } } });
  const properties = Object.keys((tool?.tool?.inputSchema['properties'] ?? {}) as object);
  const listed = await choose('mcp', { source: 'arguments', credentialId, values: { tool: tool?.value } });
  expect(listed.body.data.map(({ value }) => value)).toEqual(properties);
  expect(faults(await choose('mcp', { source: 'arguments', credentialId }))).toEqual([400, 'values.tool']);
});

test('databases and collections of a MongoDB server are listed', async () => {
  const server = await startMongo({ user: { username: 'ada', password: KEY } });
  for (const name of ['orders', 'customers', 'system.views']) server.databases.collection('shop', name);
  server.databases.collection('archive', 'orders of 2025');
  const address = { host: '127.0.0.1', port: server.port, username: 'ada', password: KEY, tls: 'off' };
  const [named, open] = await Promise.all([
    buildCredential(owner, 'mongodb', { ...address, database: 'shop' }),
    buildCredential(owner, 'mongodb', address),
  ]);
  const list = async (body: object) => {
    const { data } = (await choose('mongodb', body)).body;
    return data.map(({ value }) => value);
  };
  expect(await list({ source: 'databases', credentialId: open })).toEqual(['shop', 'archive']);
  expect(await list({ source: 'collections', credentialId: named })).toEqual(['customers', 'orders']);
  const values = { database: 'archive' };
  expect(await list({ source: 'collections', credentialId: named, values })).toEqual(['orders of 2025']);
  expect(await list({ source: 'collections', credentialId: named, search: 'ORD' })).toEqual(['orders']);
  const unnamed = await choose('mongodb', { source: 'collections', credentialId: open });
  expect(faults(unnamed)).toEqual([400, 'source']);
  const foreign = await choose('mongodb', { source: 'databases', credentialId: open }, stranger);
  expect(faults(foreign)).toEqual([400, 'credentialId']);
  closeMongoPools();
  await server.close();
});

describe('a database', () => {
  const connectDatabase = (password = KEY) => {
    const { hostname, port, pathname } = new URL(inject('postgresUrl'));
    const config = {
      host: hostname,
      port: Number(port),
      database: pathname.slice(1),
      username: ROLE,
      password,
      tls: 'off',
    };
    return buildCredential(owner, 'postgres', config);
  };

  test('lists its tables and views, those of the schema in use by their names', async () => {
    const credentialId = await connectDatabase();
    const { body } = await choose('sql', { source: 'tables', credentialId, search: 'ORDERS' });
    expect(body.data.filter(({ label }) => !label.includes('.') || label.startsWith(`${ROLE}_other`))).toEqual([
      { value: 'big_orders', label: 'big_orders', hint: 'view' },
      { value: 'orders', label: 'orders' },
      { value: `${ROLE}_other.orders`, label: `${ROLE}_other.orders` },
    ]);
    expect((await choose('sql', { source: 'tables', credentialId, search: "'; DROP" })).body.data).toEqual([]);
  });

  test('lists the columns that a row may have, with types and what it needs', async () => {
    const credentialId = await connectDatabase();
    const ask = async (table: string) =>
      (await choose('sql', { source: 'columns', credentialId, values: { table } })).body.data;
    expect((await ask('orders')).map(({ value, type, isRequired }) => [value, type, isRequired])).toEqual([
      ['total', 'number', true],
      ['paid', 'boolean', false],
      ['day', 'date', false],
      ['at', 'timestamp', false],
      ['about', 'json', false],
      ['tags', 'json', false],
      ['note', 'text', false],
    ]);
    expect(await ask(`${ROLE}_other.orders`)).toMatchObject([{ value: 'x' }]);
    expect(await ask('nothing')).toEqual([]);
    expect(faults(await choose('sql', { source: 'columns', credentialId }))).toEqual([400, 'values.table']);
  });

  test('that refuses the password says so at the credential', async () => {
    const refused = await choose('sql', { source: 'tables', credentialId: await connectDatabase('wrong-password') });
    expect(faults(refused)).toEqual([400, 'credentialId']);
  });
});

test('10,000 choices come in pages of 100 and are found by a part of their labels', () => {
  const all = Array.from({ length: 10_000 }, (_, at) => ({ value: at, label: `Item ${at}` }));
  let cursor: string | undefined;
  const found: unknown[] = [];
  do {
    const page = selectChoicePage(all, { search: '', cursor });
    expect(page.data).toHaveLength(100);
    found.push(...page.data);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  expect(found).toEqual(all);
  expect(selectChoicePage(all, { search: 'item 9999', cursor: undefined }).data).toEqual([all[9999]]);
  for (const wrong of ['x', Buffer.from('-1').toString('base64url'), Buffer.from('0').toString('base64url')])
    expect(() => selectChoicePage(all, { search: '', cursor: wrong })).toThrow('is not a cursor of this list');
});
