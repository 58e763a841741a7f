import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { QUOTAS_BY_TIER } from '@/contract/quota';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { databasePool, prismaClient } from '@/server/platform/db/client';
import { openDatabaseSession } from '@/server/platform/db/session';
import { getRuntime } from '@/server/platform/runtime';
import { createDataTable } from '@/server/data/tables/schema';
import { createPrismaSql } from '@/server/data/tables/sql';
import { useDatabase } from '@/server/testing/database';
import { flow } from '@/server/testing/flow';
import { startRun, storeWorkflow, until } from '@/server/testing/runs';
import { startWorker, type EngineWorker } from '../worker';

useDatabase();

let worker: EngineWorker;
beforeAll(async () => {
  worker = await startWorker({ concurrency: 50, graceMs: 200 });
});
afterAll(() => worker.stop());

const start = { type: 'start' };
const only = (config: Record<string, unknown>): WorkflowDefinition =>
  flow({ s: start, t: { type: 'table', config } }, ['s>t']);

const COLUMNS = [
  { name: 'email', type: 'text', isUnique: true },
  { name: 'visits', type: 'number' },
  { name: 'note', type: 'text' },
] as const;

/** A table in a workspace of its own. */
async function newTable(name = 'People') {
  const { workspaceId } = await storeWorkflow(only({}));
  const table = await prismaClient().$transaction((db) =>
    createDataTable(createPrismaSql(db), { workspaceId, name, columns: [...COLUMNS], createdBy: null }),
  );
  return { workspaceId, tableId: table.id };
}

let workspaceId: string;
let tableId: string;
beforeEach(async () => {
  ({ workspaceId, tableId } = await newTable());
});

/** Runs one operation, and returns its output, or its error. */
async function run(config: Record<string, unknown>, input: object = {}) {
  const started = await startRun(await storeWorkflow(only({ tableId, ...config }), workspaceId), input);
  const { output, error } = await started.finish();
  return error ?? output;
}

const rowCount = async () => {
  const { rows } = await databasePool().query<{ count: number }>(`SELECT count(*)::int AS count FROM "${tableId}"`);
  return rows[0]?.count;
};

describe('the table node', () => {
  it('inserts, reads, changes and removes rows', async () => {
    const ada = { email: 'ada@example.com', visits: 1 };
    expect(await run({ operation: 'insert', row: '{{ input }}' }, ada)).toMatchObject({
      ...ada,
      id: expect.any(String),
    });
    const rows = [
      { email: 'ben@example.com', visits: 5 },
      { email: 'cy@example.com', visits: null },
    ];
    expect(await run({ operation: 'insert', rows: '{{ input.rows }}' }, { rows })).toMatchObject(rows);
    const single = { email: 'one@example.com' };
    expect(await run({ operation: 'insert', rows: '{{ input.row }}' }, { row: single })).toMatchObject([single]);
    expect(await run({ operation: 'insert', rows: '{{ input.none }}' })).toEqual([]);
    await run({ operation: 'delete', filter: { column: 'email', operator: 'eq', value: single.email } });
    expect(await run({ operation: 'get', key: { email: ada.email } })).toMatchObject(ada);
    expect(await run({ operation: 'get', key: { email: 'nobody' } })).toBeNull();
    const filter = { column: 'visits', operator: 'gte', value: '{{ input.least }}' };
    expect(await run({ operation: 'find', filter, sort: '-visits' }, { least: 1 })).toMatchObject([rows[0], ada]);
    expect(await run({ operation: 'find', limit: 2 })).toHaveLength(2);
    expect(await run({ operation: 'count' })).toBe(3);
    expect(await run({ operation: 'count', filter }, { least: 2 })).toBe(1);
    expect(await run({ operation: 'update', filter, row: { visits: 9 } }, { least: 2 })).toEqual({ count: 1 });
    const key = { email: 'ben@example.com' };
    expect(await run({ operation: 'upsert', key, row: { visits: 10 } })).toMatchObject({ ...key, visits: 10 });
    expect(await run({ operation: 'upsert', key: { email: 'dee@example.com' }, row: { visits: 0 } })).toMatchObject({
      visits: 0,
    });
    expect(await run({ operation: 'increment', key, column: 'visits' })).toMatchObject({ visits: 11 });
    expect(
      await run({ operation: 'increment', key: { email: 'eve@example.com' }, column: 'visits', by: 3 }),
    ).toMatchObject({
      visits: 3,
    });
    expect(await run({ operation: 'delete', filter: { column: 'visits', operator: 'lt', value: 4 } })).toEqual({
      count: 3,
    });
    expect(await run({ operation: 'delete', all: true })).toEqual({ count: 2 });
    expect(await rowCount()).toBe(0);
  });

  it('changes all rows only if it is asked to', async () => {
    await run({ operation: 'insert', row: { visits: 1 } });
    const missing = { operation: 'delete', filter: '{{ input.filter }}' };
    expect(await run(missing)).toMatchObject({ code: 'CONFIG', message: expect.stringContaining('config.all') });
    expect(await run({ ...missing, operation: 'update', row: { visits: 2 } })).toMatchObject({ code: 'CONFIG' });
    expect(await rowCount()).toBe(1);
    expect(await run({ operation: 'update', all: true, row: { visits: 2 } })).toEqual({ count: 1 });
  });

  it('gives the rows that it changed or removed', async () => {
    const emails = ['a', 'b', 'c'].map((name) => ({ email: `${name}@example.com`, visits: 1 }));
    await run({ operation: 'insert', rows: emails });
    const some = { or: emails.slice(0, 2).map(({ email }) => ({ column: 'email', operator: 'eq', value: email })) };
    const changed = await run({ operation: 'update', filter: some, row: { visits: 2 }, givesRows: true });
    expect(changed).toMatchObject(emails.slice(0, 2).map((row) => ({ ...row, visits: 2, note: null })));
    expect(await run({ operation: 'find', filter: some, sort: 'createdAt' })).toEqual(changed);
    expect(await run({ operation: 'delete', filter: some, givesRows: true })).toEqual(changed);
    expect(await run({ operation: 'delete', filter: some, givesRows: true })).toEqual([]);
    expect(await rowCount()).toBe(1);
    await databasePool().query(`UPDATE "${tableId}" SET c3 = repeat('x', 90000)`);
    await run({ operation: 'insert', rows: '{{ [1..1000].{"visits": 1} }}' });
    const all = { operation: 'update', all: true, row: { visits: 3 }, givesRows: true };
    expect(await run(all)).toMatchObject({ code: 'CONFIG', message: expect.stringContaining('at most 1000 rows') });
    expect(await run({ operation: 'count', filter: { column: 'visits', operator: 'eq', value: 3 } })).toBe(0);
    await run({ operation: 'delete', filter: { column: 'visits', operator: 'eq', value: 1 } });
    await run({ operation: 'insert', rows: Array.from({ length: 150 }, () => ({ visits: 1 })) });
    await databasePool().query(`UPDATE "${tableId}" SET c3 = repeat('x', 90000)`);
    expect(await run(all)).toMatchObject({ code: 'CONFIG', message: expect.stringContaining('10 MiB') });
  });

  it('converts values to the types of their columns', async () => {
    const convertsValues = true;
    const row = { email: 7, visits: ' 12 ', note: '{{ {"a": [1]} }}' };
    const stored = { email: '7', visits: 12, note: '{"a":[1]}' };
    expect(await run({ operation: 'insert', row, convertsValues })).toMatchObject(stored);
    const filter = {
      and: [
        { column: 'email', operator: 'in', value: [7] },
        { column: 'visits', operator: 'gt', value: '11' },
      ],
    };
    expect(await run({ operation: 'find', filter, convertsValues })).toMatchObject([stored]);
    expect(await run({ operation: 'find', filter })).toMatchObject({ code: 'CONFIG' });
    expect(await run({ operation: 'upsert', key: { email: 7 }, row: { visits: true }, convertsValues })).toMatchObject({
      visits: 1,
    });
    expect(await run({ operation: 'insert', row: { visits: '' }, convertsValues })).toMatchObject({ code: 'CONFIG' });
    expect(await run({ operation: 'insert', row: { visits: 'many' }, convertsValues })).toMatchObject({
      code: 'CONFIG',
    });
  });

  it('fails with a clear code, and changes nothing', async () => {
    const row = { email: 'ada@example.com' };
    await run({ operation: 'insert', row });
    const rows = [{ email: 'ben@example.com' }, row];
    expect(await run({ operation: 'insert', rows })).toMatchObject({
      code: 'UNIQUE_CLASH',
      message: expect.stringContaining('email'),
      nodeId: 't',
    });
    const upsert = { operation: 'upsert', key: { visits: 7 }, row };
    expect(await run(upsert)).toMatchObject({ code: 'UNIQUE_CLASH' });
    expect(await run({ operation: 'insert', row: { visits: 'many' } })).toMatchObject({
      code: 'CONFIG',
      message: expect.stringContaining('visits must be a number'),
    });
    expect(await run({ operation: 'insert', row: { unknown: 1 } })).toMatchObject({ code: 'CONFIG' });
    expect(await run({ operation: 'find', filter: { column: 'x', operator: 'eq', value: 1 } })).toMatchObject({
      code: 'CONFIG',
    });
    const many = { operation: 'insert', rows: '{{ [1..1001].{"visits": $} }}' };
    expect(await run(many)).toMatchObject({ code: 'CONFIG', message: expect.stringContaining('1000') });
    expect(await rowCount()).toBe(1);
  });

  it('reads at most 10 MiB of rows', async () => {
    const insert = `INSERT INTO "${tableId}" (id, c3) SELECT n::text, repeat('x', 100000) FROM generate_series(1, 110) n`;
    await databasePool().query(insert);
    expect(await run({ operation: 'find', limit: 110 })).toMatchObject({ code: 'OUTPUT_TOO_LARGE' });
    expect(await run({ operation: 'find', limit: 5 })).toHaveLength(5);
  });

  it('does not reach tables of other workspaces', async () => {
    const other = await newTable();
    expect(await run({ tableId: other.tableId, operation: 'count' })).toMatchObject({ code: 'TABLE_NOT_FOUND' });
    expect(await run({ tableId: 'tbl_unknown', operation: 'insert', row: {} })).toMatchObject({
      code: 'TABLE_NOT_FOUND',
    });
    expect(await run({ tableId: `${tableId}" --`, operation: 'count' })).toMatchObject({ code: 'TABLE_NOT_FOUND' });
  });

  it('respects the quota of its workspace', async () => {
    await prismaClient().workspace.update({ where: { id: workspaceId }, data: { tier: 'free' } });
    await prismaClient().dataTableTally.create({ data: { tableId, rows: QUOTAS_BY_TIER.free.tableRows, bytes: 0 } });
    expect(await run({ operation: 'insert', row: { visits: 1 } })).toMatchObject({ code: 'QUOTA' });
    expect(await run({ operation: 'increment', key: { email: 'x' }, column: 'visits' })).toMatchObject({
      code: 'QUOTA',
    });
    expect(await rowCount()).toBe(0);
  });

  it('loses no increment of concurrent runs, and makes the row once', async () => {
    const config = { tableId, operation: 'increment', key: { email: 'x' }, column: 'visits' };
    const workflow = await storeWorkflow(only(config), workspaceId);
    const runs = await Promise.all(Array.from({ length: 20 }, () => startRun(workflow)));
    const visits = await Promise.all(
      runs.map(async (one) => ((await one.finish()).output as { visits: number }).visits),
    );
    expect(visits.sort((one, other) => one - other)).toEqual(Array.from({ length: 20 }, (_, at) => at + 1));
    expect(await rowCount()).toBe(1);
  });

  it('lets one of concurrent runs insert a unique value, and the others take their error port', async () => {
    const insert = { type: 'table', config: { tableId, operation: 'insert', row: { email: 'x' } } };
    const code = { type: 'transform', config: { expression: 'input.code' } };
    const row = { type: 'transform', config: { expression: '"inserted"' } };
    const definition = flow({ s: start, t: insert, e: code, r: row }, ['s>t', 't:error>e', 't>r']);
    const workflow = await storeWorkflow(definition, workspaceId);
    const runs = await Promise.all(Array.from({ length: 8 }, () => startRun(workflow)));
    const outputs = await Promise.all(runs.map(async (one) => Object.values((await one.finish()).output as object)));
    expect(outputs.flat().sort()).toEqual([...Array.from({ length: 7 }, () => 'UNIQUE_CLASH'), 'inserted']);
  });

  it('is refused when the author of the version may not use the table', async () => {
    const started = await storeWorkflow(only({ tableId, operation: 'count' }), workspaceId);
    await prismaClient().workflowVersion.updateMany({
      where: { workflowId: started.workflowId },
      data: { authorizedBy: 'usr_gone' },
    });
    const { error } = await (await startRun(started)).finish();
    expect(error).toMatchObject({ code: 'FORBIDDEN', message: expect.stringContaining('table:read') });
  });
});

it('the example of docs/data/table-node.md does what it says', async () => {
  const text = readFileSync('docs/data/table-node.md', 'utf8');
  const definition = JSON.parse(
    (/```json\n([\s\S]*?)```/.exec(text)?.[1] ?? '').replaceAll('tbl_…', tableId),
  ) as WorkflowDefinition;
  const workflow = await storeWorkflow(definition, workspaceId);
  const input = { email: 'ada@example.com' };
  expect((await (await startRun(workflow, input)).finish()).output).toMatchObject({ ...input, visits: 1 });
  expect((await (await startRun(workflow, input)).finish()).output).toMatchObject({ ...input, visits: 2 });
});

it('a wait for a row that others change is repeated, and is no fault of the configuration', async () => {
  await run({ operation: 'insert', row: { email: 'a@example.com', visits: 1 } });
  const holder = await openDatabaseSession(getRuntime().env.databaseUrl, 'command');
  try {
    await holder.query('BEGIN');
    await holder.query(`UPDATE "${tableId}" SET c2 = 5`);
    const updated = run({
      operation: 'update',
      filter: { column: 'email', operator: 'eq', value: 'a@example.com' },
      row: { note: 'x' },
    });
    const waiters = new Set<number>();
    const isRepeated = async () => {
      const { rows } = await databasePool().query<{ started: Date }>(
        `SELECT xact_start AS started FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
      );
      for (const { started } of rows) waiters.add(started.getTime());
      return waiters.size > 1;
    };
    await until(isRepeated, 'a second try');
    await holder.query('COMMIT');
    expect(await updated).toMatchObject({ count: 1 });
  } finally {
    await holder.end();
  }
});
