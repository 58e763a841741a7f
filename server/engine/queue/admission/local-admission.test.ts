import { afterEach, describe, expect, it } from 'vitest';
import { databasePool, prismaClient } from '@/server/platform/db/client';
import { useDatabase } from '@/server/testing/database';
import { flow } from '@/server/testing/flow';
import {
  gate,
  hasFreeSlot,
  waitForSlot,
  startRun,
  storeWorkflow,
  testKinds,
  until,
  type StartedRun,
  type StoredWorkflow,
} from '@/server/testing/runs';
import { startWorker, type EngineWorker } from '../../worker';

useDatabase();

const workers: EngineWorker[] = [];
let callGate = gate();
const { kinds } = testKinds(async ({ input }) => {
  await callGate.opened;
  return input;
});
const definition = flow({ s: { type: 'start' }, c: { type: 'call' } }, ['s>c']);

afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
  await prismaClient().workspace.deleteMany();
  callGate = gate();
});

/** Starts a worker that has run the workflow once and knows that the queue is empty. */
async function idleWorker(id: string, workflow: StoredWorkflow, concurrency = 50): Promise<void> {
  workers.push(await startWorker({ concurrency, kinds, id, graceMs: 200 }));
  const first = await startRun(workflow);
  callGate.open();
  await first.finish();
  callGate = gate();
  await waitForSlot(workflow);
}

interface Row {
  worker_id: string | null;
  is_waiting: boolean;
}

const rowOf = async ({ executionId }: StartedRun): Promise<Row | undefined> => {
  const { rows } = await databasePool().query<Row>(
    'SELECT worker_id, available_at IS NOT NULL AS is_waiting FROM execution WHERE id = $1',
    [executionId],
  );
  return rows[0];
};

const limit = ({ workflowId }: StoredWorkflow, maximum: number) =>
  databasePool().query('UPDATE workflow SET concurrency_limit = $1 WHERE id = $2', [maximum, workflowId]);

describe('a run that is submitted in the process of a worker with a free slot', () => {
  it('is assigned to that worker before the response, without a claim', async () => {
    const workflow = await storeWorkflow(definition);
    await idleWorker('wrk_here', workflow);
    const run = await startRun(workflow, { a: 1 });
    expect(await rowOf(run)).toEqual({ worker_id: 'wrk_here', is_waiting: false });
    callGate.open();
    expect(await run.finish()).toMatchObject({ status: 'completed', output: { a: 1 } });
  });

  it('is released when the worker stops, for other workers to continue', async () => {
    const workflow = await storeWorkflow(definition);
    await idleWorker('wrk_stopping', workflow);
    const runs = await Promise.all([startRun(workflow), startRun(workflow), startRun(workflow)]);
    await workers.splice(0)[0]?.stop();
    for (const run of runs) expect(await rowOf(run)).toEqual({ worker_id: null, is_waiting: true });
  });

  it('is queued for any worker when the worker’s lease is lost', async () => {
    const workflow = await storeWorkflow(definition);
    await idleWorker('wrk_lost', workflow);
    await databasePool().query(`DELETE FROM worker WHERE id = 'wrk_lost'`);
    const run = await startRun(workflow);
    expect((await rowOf(run))?.worker_id).not.toBe('wrk_lost');
    await until(async () => (await rowOf(run))?.worker_id, 'a worker to claim it');
  });

  it('is queued like any other where a concurrency limit applies', async () => {
    const workflow = await storeWorkflow(definition);
    await idleWorker('wrk_limited', workflow);
    await limit(workflow, 1);
    const [first, second] = [await startRun(workflow), await startRun(workflow)];
    await until(async () => (await rowOf(first))?.worker_id, 'the first to begin');
    expect(await rowOf(second)).toEqual({ worker_id: null, is_waiting: false });
  });
});

describe('a worker without a free slot', () => {
  it('starts no run ahead of waiting runs', async () => {
    const workflow = await storeWorkflow(definition);
    await idleWorker('wrk_full', workflow, 2);
    const first = [await startRun(workflow), await startRun(workflow)];
    for (const run of first) expect((await rowOf(run))?.worker_id).toBe('wrk_full');
    expect(hasFreeSlot(workflow)).toBe(false);
    const waiting = await startRun(workflow);
    expect(await rowOf(waiting)).toEqual({ worker_id: null, is_waiting: true });
    callGate.open();
    for (const run of [...first, waiting]) expect((await run.finish()).status).toBe('completed');
    await waitForSlot(workflow);
  });
});
