import { afterEach, it } from 'vitest';
import { databasePool, prismaClient } from '@/server/platform/db/client';
import { CallRateMeter } from '@/server/platform/limits/call-rate';
import { getRuntime } from '@/server/platform/runtime';
import { useDatabase } from '@/server/testing/database';
import { flow } from '@/server/testing/flow';
import { storeWorkflow, until } from '@/server/testing/runs';
import { startWorker, type EngineWorker } from '../worker';

useDatabase();

let worker: EngineWorker | undefined;

afterEach(async () => {
  getRuntime().callRate = undefined;
  await worker?.stop();
  await prismaClient().workspace.deleteMany();
});

const claimed = async () => {
  const { rows } = await databasePool().query<{ count: number }>(
    'SELECT count(*)::int FROM execution WHERE worker_id IS NOT NULL',
  );
  return rows[0]?.count ?? 0;
};
const unended = async () =>
  (await databasePool().query<{ count: number }>('SELECT count(*)::int FROM execution WHERE completed_at IS NULL'))
    .rows[0]?.count;

it('claims small batches while its process serves calls, and fills all slots otherwise', async () => {
  const { workspaceId, workflowId } = await storeWorkflow(flow({ s: { type: 'start' } }));
  await databasePool().query(
    `INSERT INTO execution (id, workspace_id, workflow_id, workflow_version, status, trigger, input)
     SELECT 'exec_' || n, $1, $2, 1, 'pending', 'manual', '{}' FROM generate_series(1, 400) n`,
    [workspaceId, workflowId],
  );
  // No run can end while this lock is held.
  const lock = await databasePool().connect();
  await lock.query('BEGIN; LOCK TABLE node_result IN SHARE MODE');
  try {
    let now = 0;
    const calls = (getRuntime().callRate = new CallRateMeter(() => now));
    calls.note();
    worker = await startWorker({ concurrency: 100 });
    await until(async () => (await claimed()) === 50, 'a small batch');
    now = 2000;
    await until(async () => (await claimed()) === 200, 'all slots to be filled');
  } finally {
    await lock.query('ROLLBACK');
    lock.release();
  }
  await until(async () => (await unended()) === 0, 'all to end');
});
