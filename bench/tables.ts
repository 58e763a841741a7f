// `npm run bench:tables`: how long lists of rows take in a table with a million rows.
import path from 'node:path';
import pg from 'pg';
import { openDatabaseConnections } from '../server/platform/db/client';
import { migrateDatabase } from '../server/platform/db/migrate';
import { routeWebRequest } from '../server/api/http/routes';
import { setRuntime } from '../server/platform/runtime';
import { maintainTables } from '../server/data/tables/keeper';
import { startCluster } from '../server/testing/cluster';
import { testEnv } from '../server/testing/database';
import { buildUser } from '../server/testing/factories';
import { percentiles } from './load';

const ROWS = 1_000_000;
const CALLS = 100;

const COLUMNS = [
  { name: 'email', type: 'text', isRequired: true, isUnique: true },
  { name: 'status', type: 'text' },
  { name: 'amount', type: 'number' },
  { name: 'paid', type: 'boolean' },
  { name: 'due', type: 'timestamp' },
  { name: 'note', type: 'text' },
];

const at = (column: string, operator: string, value?: unknown) => ({ column, operator, value });
const random = (below: number) => Math.floor(Math.random() * below);

/** Each call has another value. */
const SEARCHES: [string, () => { filter?: unknown; sort?: string }][] = [
  ['all', () => ({})],
  ['sort=email', () => ({ sort: 'email' })],
  ['sort=-amount', () => ({ sort: '-amount' })],
  ['sort=status,-amount', () => ({ sort: 'status,-amount' })],
  ['email eq', () => ({ filter: at('email', 'eq', `person${random(ROWS)}@example.com`) })],
  ['email starts_with', () => ({ filter: at('email', 'starts_with', `person${random(ROWS / 10)}`), sort: 'email' })],
  [
    'email in 20',
    () => ({
      filter: at(
        'email',
        'in',
        Array.from({ length: 20 }, () => `person${random(ROWS)}@example.com`),
      ),
    }),
  ],
  ['status eq (30 %)', () => ({ filter: at('status', 'eq', 'open') })],
  ['status eq (0.1 %)', () => ({ filter: at('status', 'eq', 'disputed') })],
  ['status ne', () => ({ filter: at('status', 'ne', 'open'), sort: 'amount' })],
  [
    'amount gte lt',
    () => {
      const from = random(9000);
      return { filter: { and: [at('amount', 'gte', from), at('amount', 'lt', from + 5)] }, sort: 'amount' };
    },
  ],
  ['amount gt, newest first', () => ({ filter: at('amount', 'gt', 9990) })],
  ['due is_null', () => ({ filter: at('due', 'is_null') })],
  [
    'status and paid and amount',
    () => ({
      filter: { and: [at('status', 'eq', 'open'), at('paid', 'eq', true), at('amount', 'lt', random(5000))] },
      sort: '-due',
    }),
  ],
  [
    'status and paid, newest first',
    () => ({ filter: { and: [at('status', 'eq', 'disputed'), at('paid', 'eq', true)] } }),
  ],
  [
    'status or amount',
    () => ({ filter: { or: [at('status', 'eq', 'disputed'), at('amount', 'eq', random(10_000))] } }),
  ],
  ['note contains (few)', () => ({ filter: at('note', 'contains', `ticket ${random(ROWS)}.`) })],
  ['note contains (many)', () => ({ filter: at('note', 'contains', 'customer') })],
  ['note contains (none)', () => ({ filter: at('note', 'contains', `nobody wrote ${random(ROWS)}`) })],
];

const cluster = await startCluster();
try {
  await migrateDatabase(cluster.url, path.resolve('prisma/migrations'));
  const { pool, aside, prisma } = openDatabaseConnections(cluster.url);
  setRuntime({ env: testEnv({ databaseUrl: cluster.url }), pool, aside, prisma });
  const { token } = await buildUser();
  const headers = { authorization: `Bearer ${token}`, 'x-weft-peer': '127.0.0.1', 'content-type': 'application/json' };
  const call = async (method: string, address: string, body?: unknown) => {
    const init = { method, headers, body: body === undefined ? undefined : JSON.stringify(body) };
    const response = await routeWebRequest(new Request(`http://weft.test${address}`, init));
    if (!response.ok) throw new Error(`${address}: ${response.status} ${await response.text()}`);
    return (await response.json()) as { id: string; data: unknown[]; nextCursor: string | null };
  };
  const { id } = await call('POST', '/api/tables', { name: 'Million', columns: COLUMNS });
  await seed(id);
  const pathOf = (search: object, limit: number) => {
    const query = new URLSearchParams({ limit: String(limit) });
    for (const [name, value] of Object.entries(search)) {
      query.set(name, typeof value === 'string' ? value : JSON.stringify(value));
    }
    return `/api/tables/${id}/rows?${query.toString()}`;
  };
  // Use asks for indexes, which the keeper builds.
  await maintainTables();
  for (const sort of ['status,-amount', 'paid,-due', 'paid,status,-amount']) {
    await measure(`sort=${sort}, no such index`, () => call('GET', pathOf({ sort }, 50)));
  }
  for (const [, search] of SEARCHES) for (let count = 0; count < 3; count += 1) await call('GET', pathOf(search(), 50));
  await maintainTables();
  for (const [name, search] of SEARCHES) {
    await measure(name, () => call('GET', pathOf(search(), 50)));
  }
  let cursor: string | null = null;
  await measure('next page, sort=-due', async () => {
    const query: Record<string, unknown> = { sort: '-due', ...(cursor === null ? {} : { cursor }) };
    const page = await call('GET', pathOf(query, 1000));
    cursor = page.nextCursor;
    return page;
  });
  await measure('insert 1 row', () =>
    call('POST', `/api/tables/${id}/rows`, { rows: [{ email: `new-${crypto.randomUUID()}` }] }),
  );
  await prisma.$disconnect();
  await pool.end();
} finally {
  await cluster.remove();
}

async function measure(name: string, work: () => Promise<{ data: unknown[] }>): Promise<void> {
  const times: number[] = [];
  let rows = 0;
  for (let count = 0; count < CALLS; count += 1) {
    const startedAt = performance.now();
    rows = (await work()).data.length;
    times.push(performance.now() - startedAt);
  }
  const p95 = times.toSorted((one, other) => one - other)[Math.floor(CALLS * 0.95)] ?? Number.NaN;
  process.stdout.write(
    `${name.padEnd(38)} rows ${String(rows).padStart(4)}  p50 ${percentiles(times).p50.toFixed(1)} ms  p95 ${p95.toFixed(1)} ms\n`,
  );
}

/** As an import leaves it. */
async function seed(id: string): Promise<void> {
  // Longer than the statement timeout of the service's own pool.
  const client = new pg.Client({ connectionString: cluster.url });
  await client.connect();
  const startedAt = performance.now();
  await client.query(
    `INSERT INTO "${id}" (id, c1, c2, c3, c4, c5, c6)
     SELECT 'row_' || lpad(n::text, 33, '0'), 'person' || n || '@example.com',
       CASE WHEN n % 1000 = 0 THEN 'disputed' WHEN n % 10 < 3 THEN 'open' ELSE 'closed' END,
       (n::bigint * 7919) % 10000, n % 3 = 0, CASE WHEN n % 50 <> 0 THEN now() - n * interval '1 minute' END,
       'The customer called about ticket ' || n || '. Weather was ' || (n % 40) || ' degrees.'
     FROM generate_series(1, ${ROWS}) n`,
  );
  await client.query('INSERT INTO data_table_tally (table_id, rows, bytes) VALUES ($1, $2, 0)', [id, ROWS]);
  await client.end();
  process.stdout.write(`${ROWS} rows inserted in ${((performance.now() - startedAt) / 1000).toFixed(0)} s\n`);
}
