import { afterEach, it } from 'vitest';
import { pool, prisma } from '../db/client';
import { CallRate } from '../api/call-rate';
import { runtime } from '../runtime';
import { useDatabase } from '../testing/database';
import { flow } from '../testing/flow';
import { storeWorkflow, until } from '../testing/runs';
import { startWorker, type Worker } from './worker';

useDatabase();

let worker: Worker | undefined;

afterEach(async () => {
  runtime().callRate = undefined;
  await worker?.stop();
  await prisma().workspace.deleteMany();
});

const taken = async () => {
  const { rows } = await pool().query<{ count: number }>(
    'SELECT count(*)::int FROM execution WHERE worker_id IS NOT NULL',
  );
  return rows[0]?.count ?? 0;
};
const unended = async () =>
  (await pool().query<{ count: number }>('SELECT count(*)::int FROM execution WHERE completed_at IS NULL')).rows[0]
    ?.count;

it('takes a backlog by the handful while its process is being called, and fills up when it isn’t', async () => {
  const { workspaceId, workflowId } = await storeWorkflow(flow({ s: { type: 'start' } }));
  await pool().query(
    `INSERT INTO execution (id, workspace_id, workflow_id, workflow_version, status, trigger, input)
     SELECT 'exec_' || n, $1, $2, 1, 'pending', 'manual', '{}' FROM generate_series(1, 400) n`,
    [workspaceId, workflowId],
  );
  // No run can come to its end while somebody has this.
  const other = await pool().connect();
  await other.query('BEGIN; LOCK TABLE node_result IN SHARE MODE');
  try {
    let now = 0;
    const calls = (runtime().callRate = new CallRate(() => now));
    calls.note();
    worker = await startWorker({ concurrency: 100 });
    await until(async () => (await taken()) === 50, 'a handful to be taken');
    now = 2000;
    await until(async () => (await taken()) === 200, 'it to fill up');
  } finally {
    await other.query('ROLLBACK');
    other.release();
  }
  await until(async () => (await unended()) === 0, 'all to end');
});
