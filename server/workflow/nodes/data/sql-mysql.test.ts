import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { ListChoicesResponse } from '@/contract/choices';
import { startWorker, type EngineWorker } from '@/server/engine/worker';
import { closeSqlPools } from '@/server/network/sql/sql';
import { buildCertificate, type TestCertificate } from '@/server/testing/certificates';
import { useDatabase } from '@/server/testing/database';
import { buildCredential, buildUser, call, type TestUser } from '@/server/testing/factories';
import { runNode } from '@/server/testing/one-node';
import { startMariaDb, type MariaDbServer } from '@/server/testing/servers/mariadb';
import { nodeTypeDefinitions } from '@/server/workflow/nodes';

useDatabase();

let worker: EngineWorker;
let server: MariaDbServer;
let tls: TestCertificate;
let user: TestUser;
let credentialId: string;

beforeAll(async () => {
  tls = await buildCertificate();
  server = await startMariaDb(tls);
  const kinds = new Map(nodeTypeDefinitions.map((kind) => [kind.type, kind]));
  worker = await startWorker({ concurrency: 5, kinds, graceMs: 200 });
});
beforeEach(async () => {
  user = await buildUser();
  credentialId = await buildCredential(user, 'mysql', {
    host: '127.0.0.1',
    port: server.port,
    database: 'shop',
    username: 'app',
    password: server.password,
    tls: 'verify',
    ca: tls.ca,
  });
  const statement = `CREATE OR REPLACE TABLE \`Odd \`\`name\` (
    id INT AUTO_INCREMENT PRIMARY KEY, \`Full \`\`name\` VARCHAR(100) NOT NULL, size ENUM('small', 'it''s big') NULL,
    isPaid TINYINT(1) NOT NULL DEFAULT 0, price DECIMAL(10,2), day DATE, at DATETIME, doc JSON,
    twice INT AS (id * 2) VIRTUAL)`;
  await run({ statement, mode: 'execute' });
});
afterAll(async () => {
  await worker.stop();
  closeSqlPools();
  await server.remove();
});

const TABLE = 'Odd `name';
const NAME = 'Full `name';

async function run(config: Record<string, unknown>, input: object = {}): Promise<unknown> {
  const { status, output, text } = await runNode(user, { type: 'sql', credentialId, config }, input);
  expect(status, text).toBe('completed');
  return output;
}
const choose = async (source: string, more: object = {}) => {
  const body = { source, credentialId, ...more };
  const answer = await call<ListChoicesResponse>('POST', '/api/node-types/sql/choices', { token: user.token, body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.data;
};

it('tables and the columns that a row may have are listed', async () => {
  expect(await choose('tables', { search: 'ODD' })).toEqual([{ value: TABLE, label: TABLE }]);
  expect(await choose('tables', { search: "'; DROP" })).toEqual([]);
  const columns = await choose('columns', { values: { table: TABLE } });
  expect(columns.map(({ value, type, isRequired }) => [value, type, isRequired])).toEqual([
    ['id', 'number', false],
    [NAME, 'text', true],
    ['size', 'options', false],
    ['isPaid', 'boolean', false],
    ['price', 'number', false],
    ['day', 'date', false],
    ['at', 'timestamp', false],
    ['doc', expect.any(String), false],
  ]);
  expect(columns[2]?.options?.map(({ value }) => value)).toEqual(['small', "it's big"]);
});

it('a row is added and changed by its columns, whatever names and values are', async () => {
  const row = { [NAME]: `Ada'); DROP TABLE x; --`, size: "it's big", isPaid: true, price: 19.5, day: '2026-01-31' };
  expect(await run({ operation: 'insert', table: TABLE, row })).toEqual({ rowCount: 1 });
  // One expression gives the whole row, with an object for a column of JSON.
  const other = { [NAME]: 'Bob', doc: { tags: ['a', 1] }, at: null };
  expect(await run({ operation: 'insert', table: TABLE, row: '{{ input }}' }, other)).toEqual({ rowCount: 1 });
  const update = {
    operation: 'update',
    table: TABLE,
    match: { [NAME]: '{{ input.name }}', at: null },
    row: { price: 7 },
  };
  expect(await run(update, { name: 'Bob' })).toEqual({ rowCount: 1 });
  expect(await run(update, { name: 'Eve' })).toEqual({ rowCount: 0 });
  // The schema before the name of a table.
  expect(await run({ operation: 'insert', table: `shop.${TABLE}`, row: { [NAME]: 'Cy' } })).toEqual({ rowCount: 1 });
  const statement = 'SELECT * FROM `Odd ``name` ORDER BY id';
  expect(await run({ statement, mode: 'rows' })).toMatchObject([
    { id: 1, [NAME]: row[NAME], size: "it's big", isPaid: 1, day: expect.stringContaining('2026-01-31'), twice: 2 },
    { id: 2, [NAME]: 'Bob', isPaid: 0, doc: expect.anything() },
    { id: 3, [NAME]: 'Cy' },
  ]);
});
