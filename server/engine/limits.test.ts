import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { pool, prisma } from '../db/client';
import { isOverLimit } from '../db/over-limit';
import { useDatabase } from '../testing/database';
import { flow } from '../testing/flow';
import { startRun, storeWorkflow, testKinds, until, type StartedRun, type StoredWorkflow } from '../testing/runs';
import { sweepQueues } from './limits';
import { cancel } from './requests';
import { startWorker, type Worker } from './worker';

useDatabase();

const workers: Worker[] = [];
/** Runs whose node is under way, by their ids, with what ends it. */
const under = new Map<string, () => void>();

beforeEach(async () => {
  under.clear();
  const { kinds } = testKinds(async ({ executionId, signal }) => {
    await new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve());
      under.set(executionId, resolve);
    });
    under.delete(executionId);
  });
  workers.push(await startWorker({ concurrency: 50, kinds, graceMs: 200 }));
});
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
  await prisma().workspace.deleteMany();
});

const definition = flow({ s: { type: 'start' }, c: { type: 'call' } }, ['s>c']);

const limit = (table: 'workflow' | 'workspace', id: string, most: number, overflow = 'queue') =>
  pool().query(`UPDATE ${table} SET concurrency_limit = $1, concurrency_overflow = $2 WHERE id = $3`, [
    most,
    overflow,
    id,
  ]);

async function limited(most: number, overflow = 'queue'): Promise<StoredWorkflow> {
  const workflow = await storeWorkflow(definition);
  await limit('workflow', workflow.workflowId, most, overflow);
  return workflow;
}

const several = (workflow: StoredWorkflow, count: number) =>
  Promise.all(Array.from({ length: count }, () => startRun(workflow)));

const begin = (run: StartedRun) => until(async () => under.get(run.executionId), `${run.executionId} to begin`);

describe('a limit on runs at a time', () => {
  it('queues what is over; each end lets the oldest go', async () => {
    const workflow = await limited(2);
    const runs: StartedRun[] = [];
    for (let n = 0; n < 5; n += 1) runs.push(await startRun(workflow));
    for (const [index, run] of runs.entries()) {
      const end = await begin(run);
      expect(under.size).toBeLessThanOrEqual(2);
      const later = await Promise.all(runs.slice(index + 2).map((one) => one.read()));
      expect(later.map(({ status }) => status)).toEqual(later.map(() => 'pending'));
      end();
      expect((await run.finish()).status).toBe('completed');
    }
  });

  it('holds for a workspace as well, and for both at once', async () => {
    const one = await limited(2);
    const other = await storeWorkflow(definition, one.workspaceId);
    await limit('workspace', one.workspaceId, 3);
    const runs = [...(await several(one, 3)), ...(await several(other, 4))];
    let most = 0;
    const left = new Set(runs.map((run) => run.executionId));
    while (left.size > 0) {
      const [id, end] = await until(async () => [...under][0], 'a run to begin');
      most = Math.max(most, under.size);
      left.delete(id);
      end();
      await runs.find((run) => run.executionId === id)?.finish();
    }
    expect(most).toBeLessThanOrEqual(3);
  });

  it('refuses what is over if that is what was asked for, however many come at once', async () => {
    const workflow = await limited(2, 'refuse');
    const answers = await Promise.allSettled(Array.from({ length: 8 }, () => startRun(workflow)));
    const refused = answers.filter((answer) => answer.status === 'rejected');
    expect(refused).toHaveLength(6);
    for (const { reason } of refused) expect(isOverLimit(reason)).toBe(true);
    expect(await prisma().execution.count({ where: { workflowId: workflow.workflowId } })).toBe(2);
    const [first] = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
    (await begin(first!))();
    await first!.finish();
    await begin(await startRun(workflow));
  });

  it('keeps nobody from cancelling what waits', async () => {
    const workflow = await limited(1);
    const first = await startRun(workflow);
    const second = await startRun(workflow);
    await begin(first);
    await cancel(prisma(), [second.executionId]);
    expect((await second.finish()).error?.code).toBe('CANCELLED');
    expect(under.size).toBe(1);
  });

  it('lets what waits go when the limit is lifted, and when nobody told of the room', async () => {
    const workflow = await limited(1);
    const [first, second] = (await several(workflow, 2)) as [StartedRun, StartedRun];
    await until(async () => under.size === 1, 'one to begin');
    await pool().query('UPDATE workflow SET concurrency_limit = NULL WHERE id = $1', [workflow.workflowId]);
    expect(await sweepQueues()).toBe(1);
    for (const run of [first, second]) (await begin(run))();
    for (const run of [first, second]) await run.finish();
  });
});
