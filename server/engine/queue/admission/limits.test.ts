import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { databasePool, prismaClient } from '@/server/platform/db/client';
import { isOverConcurrencyLimit } from '@/server/platform/db/failures/sql-state';
import { useDatabase } from '@/server/testing/database';
import { flow } from '@/server/testing/flow';
import { startRun, storeWorkflow, testKinds, until, type StartedRun, type StoredWorkflow } from '@/server/testing/runs';
import { sweepQueuedRuns } from './limits';
import { requestCancellation } from '../requests';
import { startWorker, type EngineWorker } from '../../worker';

useDatabase();

const workers: EngineWorker[] = [];
/** Functions that end the running node of each run, by execution id. */
const running = new Map<string, () => void>();

beforeEach(async () => {
  running.clear();
  const { kinds } = testKinds(async ({ executionId, signal }) => {
    await new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve());
      running.set(executionId, resolve);
    });
    running.delete(executionId);
  });
  workers.push(await startWorker({ concurrency: 50, kinds, graceMs: 200 }));
});
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
  await prismaClient().workspace.deleteMany();
});

const definition = flow({ s: { type: 'start' }, c: { type: 'call' } }, ['s>c']);

const limit = (table: 'workflow' | 'workspace', id: string, maximum: number, overflow = 'queue') =>
  databasePool().query(`UPDATE ${table} SET concurrency_limit = $1, concurrency_overflow = $2 WHERE id = $3`, [
    maximum,
    overflow,
    id,
  ]);

async function limited(maximum: number, overflow = 'queue'): Promise<StoredWorkflow> {
  const workflow = await storeWorkflow(definition);
  await limit('workflow', workflow.workflowId, maximum, overflow);
  return workflow;
}

const startSeveral = (workflow: StoredWorkflow, count: number) =>
  Promise.all(Array.from({ length: count }, () => startRun(workflow)));

const begin = (run: StartedRun) => until(async () => running.get(run.executionId), `${run.executionId} to begin`);

describe('a concurrency limit', () => {
  it('queues excess runs; each end of a run admits the oldest', async () => {
    const workflow = await limited(2);
    const runs: StartedRun[] = [];
    for (let n = 0; n < 5; n += 1) runs.push(await startRun(workflow));
    for (const [index, run] of runs.entries()) {
      const end = await begin(run);
      expect(running.size).toBeLessThanOrEqual(2);
      const later = await Promise.all(runs.slice(index + 2).map((one) => one.read()));
      expect(later.map(({ status }) => status)).toEqual(later.map(() => 'pending'));
      end();
      expect((await run.finish()).status).toBe('completed');
    }
  });

  it('applies to workflow and workspace together', async () => {
    const one = await limited(2);
    const other = await storeWorkflow(definition, one.workspaceId);
    await limit('workspace', one.workspaceId, 3);
    const runs = [...(await startSeveral(one, 3)), ...(await startSeveral(other, 4))];
    let maximum = 0;
    const left = new Set(runs.map((run) => run.executionId));
    while (left.size > 0) {
      const [id, end] = await until(async () => [...running][0], 'a run to begin');
      maximum = Math.max(maximum, running.size);
      left.delete(id);
      end();
      await runs.find((run) => run.executionId === id)?.finish();
    }
    expect(maximum).toBeLessThanOrEqual(3);
  });

  it('refuses excess concurrent runs if the overflow is "refuse"', async () => {
    const workflow = await limited(2, 'refuse');
    const answers = await Promise.allSettled(Array.from({ length: 8 }, () => startRun(workflow)));
    const refused = answers.filter((answer) => answer.status === 'rejected');
    expect(refused).toHaveLength(6);
    for (const { reason } of refused) expect(isOverConcurrencyLimit(reason)).toBe(true);
    expect(await prismaClient().execution.count({ where: { workflowId: workflow.workflowId } })).toBe(2);
    const [first] = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
    (await begin(first!))();
    await first!.finish();
    await begin(await startRun(workflow));
  });

  it('refuses within the workspace and its workflows together, and queues where the overflow is "queue"', async () => {
    const refusing = await limited(2, 'refuse');
    const queueing = await storeWorkflow(definition, refusing.workspaceId);
    await limit('workspace', refusing.workspaceId, 3);
    const answers = await Promise.allSettled([
      ...Array.from({ length: 4 }, () => startRun(refusing)),
      ...Array.from({ length: 4 }, () => startRun(queueing)),
    ]);
    const stored = (slice: typeof answers) => slice.filter(({ status }) => status === 'fulfilled').length;
    expect(stored(answers.slice(0, 4))).toBeLessThanOrEqual(2);
    expect(stored(answers.slice(4))).toBe(4);
    const admitted = { workspaceId: refusing.workspaceId, queuedAt: null };
    expect(await prismaClient().execution.count({ where: admitted })).toBe(3);
  });

  it('a refusal does not fail the statement that stores the runs of others', async () => {
    const [refusing, other] = [await limited(1, 'refuse'), await storeWorkflow(definition)];
    await begin(await startRun(refusing));
    const query = vi.spyOn(databasePool(), 'query');
    const answers = await Promise.allSettled(
      Array.from({ length: 40 }, (_, n) => startRun(n % 2 === 0 ? refusing : other)),
    );
    const statements = query.mock.calls.filter(([one]) =>
      /engine\.(submit|assign)/.test((one as { name?: string }).name ?? ''),
    );
    const results = await Promise.allSettled(query.mock.results.map(({ value }) => value as Promise<unknown>));
    query.mockRestore();
    expect(answers.map(({ status }) => status)).toEqual(
      answers.map((_, n) => (n % 2 === 0 ? 'rejected' : 'fulfilled')),
    );
    expect(statements.length).toBeLessThan(20);
    expect(results.filter(({ status }) => status === 'rejected')).toEqual([]);
    for (const answer of answers)
      if (answer.status === 'rejected') expect(isOverConcurrencyLimit(answer.reason)).toBe(true);
  });

  it('permits the cancellation of queued runs', async () => {
    const workflow = await limited(1);
    const first = await startRun(workflow);
    const second = await startRun(workflow);
    await begin(first);
    await requestCancellation(prismaClient(), [second.executionId]);
    expect((await second.finish()).error?.code).toBe('CANCELLED');
    expect(running.size).toBe(1);
  });

  it('admits queued runs after the limit is removed, by the sweep', async () => {
    const workflow = await limited(1);
    const [first, second] = (await startSeveral(workflow, 2)) as [StartedRun, StartedRun];
    await until(async () => running.size === 1, 'one to begin');
    await databasePool().query('UPDATE workflow SET concurrency_limit = NULL WHERE id = $1', [workflow.workflowId]);
    // The worker sweeps too: which of both admits the run is open.
    await sweepQueuedRuns();
    for (const run of [first, second]) (await begin(run))();
    for (const run of [first, second]) await run.finish();
  });
});
