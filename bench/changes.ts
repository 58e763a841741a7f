// `npm run bench:changes`: rows per second that runs write with a table node, beside plain insertions.
import path from 'node:path';
import { openDatabaseConnections } from '../server/platform/db/client';
import { migrateDatabase } from '../server/platform/db/migrate';
import { startWorker } from '../server/engine/worker';
import { setRuntime } from '../server/platform/runtime';
import { createDataTable } from '../server/data/tables/schema';
import { createPrismaSql } from '../server/data/tables/sql';
import { startCluster } from '../server/testing/cluster';
import { testEnv } from '../server/testing/database';
import { flow } from '../server/testing/flow';
import { startRun, storeWorkflow } from '../server/testing/runs';

const RUNS = 2000;
/** Transactions at a time: the engine makes as many for one workspace. */
const PARALLEL = 3;
const ROWS = [1, 100];

const cluster = await startCluster({ synchronous_commit: 'on' });
try {
  await migrateDatabase(cluster.url, path.resolve('prisma/migrations'));
  const { pool, aside, prisma } = openDatabaseConnections(cluster.url);
  setRuntime({ env: testEnv({ databaseUrl: cluster.url }), pool, aside, prisma });
  const { workspaceId } = await storeWorkflow(flow({ s: { type: 'start' } }));
  const columns = [
    { name: 'email', type: 'text' as const },
    { name: 'visits', type: 'number' as const },
  ];
  const { id } = await prisma.$transaction((db) =>
    createDataTable(createPrismaSql(db), { workspaceId, name: 'Bench', columns, createdBy: null }),
  );
  const storedRows = async () =>
    Number((await pool.query<{ count: string }>(`SELECT count(*) FROM "${id}"`)).rows[0]?.count);

  /** Writes until `expected` more rows are stored, and prints the rate. */
  async function measure(what: string, expected: number, write: () => Promise<unknown>): Promise<void> {
    const before = await storedRows();
    const startedAt = performance.now();
    await write();
    const seconds = (performance.now() - startedAt) / 1000;
    const written = (await storedRows()) - before;
    if (written !== expected) throw new Error(`${what}: ${written} rows instead of ${expected}`);
    process.stdout.write(`${what.padEnd(44)} ${Math.round(written / seconds)} rows/s\n`);
  }

  const insert = `INSERT INTO "${id}" (id, c1, c2) SELECT gen_random_uuid(), 'ada@example.com', n FROM generate_series(1, $1::int) n`;
  const worker = await startWorker({ concurrency: 50 });
  for (const count of ROWS) {
    const plain = async () => {
      for (let left = RUNS / PARALLEL; left > 0; left -= 1) await pool.query(insert, [count]);
    };
    await measure(`${count} per insertion, plain`, Math.ceil(RUNS / PARALLEL) * PARALLEL * count, () =>
      Promise.all(Array.from({ length: PARALLEL }, plain)),
    );
    const rows = `{{ [1..${count}].{"email": "ada@example.com", "visits": $} }}`;
    const table = { type: 'table', config: { tableId: id, operation: 'insert', rows } };
    const workflow = await storeWorkflow(flow({ s: { type: 'start' }, t: table }, ['s>t']), workspaceId);
    await measure(`${count} per run with a table node`, RUNS * count, async () => {
      const runs = await Promise.all(Array.from({ length: RUNS }, () => startRun(workflow)));
      const open = { workflowId: workflow.workflowId, status: { notIn: ['completed', 'failed'] } };
      while ((await prisma.execution.count({ where: open })) > 0)
        await new Promise((resolve) => setTimeout(resolve, 20));
      return runs;
    });
  }
  await worker.stop();
  await prisma.$disconnect();
  await pool.end();
} finally {
  await cluster.remove();
}
