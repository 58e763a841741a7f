import { afterEach, describe, expect, it } from 'vitest';
import { pool, prisma } from '../db/client';
import { useDatabase } from '../testing/database';
import { flow } from '../testing/flow';
import { gate, startRun, storeWorkflow, testKinds, until, type StartedRun, type StoredWorkflow } from '../testing/runs';
import { placeFor } from './handover';
import { newRun } from './submission';
import { startWorker, type Worker } from './worker';

useDatabase();

const workers: Worker[] = [];
let held = gate();
const { kinds } = testKinds(async ({ input }) => {
  await held.opened;
  return input;
});
const definition = flow({ s: { type: 'start' }, c: { type: 'call' } }, ['s>c']);

afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
  await prisma().workspace.deleteMany();
  held = gate();
});

const probe = newRun('exec_probe', {
  workspaceId: 'ws_none',
  workflowId: 'wf_none',
  workflowVersion: 1,
  trigger: 'manual',
  input: null,
  createdBy: null,
});

/** A place that was there for the asking is given back at once. */
function hasPlaces(): boolean {
  const place = placeFor(probe);
  place?.settle(false);
  return place !== undefined;
}

/** A worker that has seen that nothing waits. */
async function idleWorker(id: string, concurrency = 50): Promise<void> {
  workers.push(await startWorker({ concurrency, kinds, id, graceMs: 200 }));
  await until(async () => hasPlaces(), 'the worker to have looked');
}

interface Row {
  worker_id: string | null;
  is_waiting: boolean;
}

const rowOf = async ({ executionId }: StartedRun): Promise<Row | undefined> => {
  const { rows } = await pool().query<Row>(
    'SELECT worker_id, available_at IS NOT NULL AS is_waiting FROM execution WHERE id = $1',
    [executionId],
  );
  return rows[0];
};

const limit = ({ workflowId }: StoredWorkflow, most: number) =>
  pool().query('UPDATE workflow SET concurrency_limit = $1 WHERE id = $2', [most, workflowId]);

describe('a run that is stored in the process of a worker with room', () => {
  it('is that worker’s before anybody is answered, without a claim', async () => {
    const workflow = await storeWorkflow(definition);
    await idleWorker('wrk_here');
    const run = await startRun(workflow, { a: 1 });
    expect(await rowOf(run)).toEqual({ worker_id: 'wrk_here', is_waiting: false });
    held.open();
    expect(await run.finish()).toMatchObject({ status: 'completed', output: { a: 1 } });
  });

  it('is given back when the worker stops before its end, for others to go on', async () => {
    const workflow = await storeWorkflow(definition);
    await idleWorker('wrk_stopping');
    const runs = await Promise.all([startRun(workflow), startRun(workflow), startRun(workflow)]);
    await workers.splice(0)[0]?.stop();
    for (const run of runs) expect(await rowOf(run)).toEqual({ worker_id: null, is_waiting: true });
  });

  it('waits for anybody when the worker’s lease is gone', async () => {
    const workflow = await storeWorkflow(definition);
    await idleWorker('wrk_lost');
    await pool().query(`DELETE FROM worker WHERE id = 'wrk_lost'`);
    const run = await startRun(workflow);
    expect((await rowOf(run))?.worker_id).not.toBe('wrk_lost');
    await until(async () => (await rowOf(run))?.worker_id, 'somebody to take it');
  });

  it('is held back like any other where a limit holds', async () => {
    const workflow = await storeWorkflow(definition);
    await limit(workflow, 1);
    await idleWorker('wrk_limited');
    const [first, second] = [await startRun(workflow), await startRun(workflow)];
    await until(async () => (await rowOf(first))?.worker_id, 'the first to begin');
    expect(await rowOf(second)).toEqual({ worker_id: null, is_waiting: false });
  });
});

describe('a worker without room', () => {
  it('takes nothing past those who wait', async () => {
    const workflow = await storeWorkflow(definition);
    await idleWorker('wrk_full', 2);
    const first = [await startRun(workflow), await startRun(workflow)];
    for (const run of first) expect((await rowOf(run))?.worker_id).toBe('wrk_full');
    expect(hasPlaces()).toBe(false);
    const waiting = await startRun(workflow);
    expect(await rowOf(waiting)).toEqual({ worker_id: null, is_waiting: true });
    held.open();
    for (const run of [...first, waiting]) expect((await run.finish()).status).toBe('completed');
    await until(async () => hasPlaces(), 'it to have room again');
  });
});
