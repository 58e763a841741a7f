import { afterEach, describe, expect, it } from 'vitest';
import type { WorkspaceTier } from '@/contract/tier';
import { processTokenBuckets, workspaceBucketName } from '@/server/platform/limits/buckets';
import { databasePool, prismaClient } from '@/server/platform/db/client';
import { useDatabase } from '@/server/testing/database';
import { storedRuns } from '@/server/testing/quotas';
import { flow } from '@/server/testing/flow';
import {
  gate,
  startRun,
  storeWorkflow,
  testKinds,
  until,
  type Behaviour,
  type StoredWorkflow,
} from '@/server/testing/runs';
import { startWorker, type EngineWorker } from '../worker';

useDatabase();

const workers: EngineWorker[] = [];
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
});

async function work(behave: Behaviour): Promise<void> {
  const { kinds } = testKinds(behave);
  workers.push(await startWorker({ concurrency: 50, kinds, graceMs: 200 }));
}

const start = { type: 'start' };
const call = { type: 'call' };

/** `count` nodes that start a workflow without waiting for it, after a `call` node with the behaviour of the test. */
const starting = (workflowId: string, count: number, config: object = { wait: false }, more: object = {}) => {
  const ids = Array.from({ length: count }, (_, index) => `sub${index}`);
  const nodes = ids.map((id) => [id, { type: 'sub_workflow', config: { workflowId, ...config }, ...more }]);
  return flow({ s: start, c: call, ...Object.fromEntries(nodes) }, ['s>c', ...ids.map((id) => `c>${id}`)]);
};

/** A workflow that starts itself `count` times. */
async function storeBomb(count: number): Promise<StoredWorkflow> {
  const workflow = await storeWorkflow(flow({ s: start }));
  const definition = JSON.stringify(starting(workflow.workflowId, count));
  await databasePool().query('UPDATE workflow SET definition = $1 WHERE id = $2', [definition, workflow.workflowId]);
  await databasePool().query('UPDATE workflow_version SET definition = $1 WHERE workflow_id = $2', [
    definition,
    workflow.workflowId,
  ]);
  return workflow;
}

/** Sets the number of descendants of each root run. */
const familyOf =
  (descendants: number): Behaviour =>
  async ({ executionId }) => {
    await databasePool().query(
      `INSERT INTO run_family (root_id, descendants) SELECT id, $2 FROM execution WHERE id = $1 AND parent_id IS NULL
       ON CONFLICT DO NOTHING`,
      [executionId, descendants],
    );
  };

const runsOf = ({ workflowId }: StoredWorkflow) => prismaClient().execution.findMany({ where: { workflowId } });
const allEnded = (workflow: StoredWorkflow) =>
  until(
    async () => {
      const runs = await runsOf(workflow);
      return runs.every(({ completedAt }) => completedAt) && runs;
    },
    'all runs to end',
    60_000,
  );
const setTier = ({ workspaceId }: StoredWorkflow, tier: WorkspaceTier) =>
  prismaClient().workspace.update({ where: { id: workspaceId }, data: { tier } });

describe('descendants of a run', () => {
  it.each([
    ['twice', 2],
    ['fifty times', 50],
  ])('are limited to 1,000 for a workflow that starts itself %s', { tags: 'long' }, async (_, count) => {
    await work(familyOf(940));
    const bomb = await storeBomb(count);
    const { executionId } = await startRun(bomb);
    await until(async () => (await runsOf(bomb)).length > 1, 'the first descendant');
    const runs = await allEnded(bomb);
    expect(runs).toHaveLength(1 + 60);
    expect(await prismaClient().runFamily.findMany({ where: { rootId: executionId } })).toMatchObject([
      { descendants: 1000 },
    ]);
    const refused = runs.flatMap(({ error }) => (error ? [error] : []));
    expect(refused.length).toBeGreaterThan(0);
    for (const error of refused)
      expect(error).toMatchObject({ code: 'TOO_MANY_RUNS', message: expect.stringContaining('1,000') });
  });

  it.each([
    [999, 1],
    [1000, 0],
    [990, 10],
  ])('with %i descendants, %i more are started by concurrent nodes', async (before, more) => {
    await work(familyOf(before));
    const child = await storeWorkflow(flow({ s: start }));
    const parent = await storeWorkflow(starting(child.workflowId, 20), child.workspaceId);
    const { error } = await (await startRun(parent)).finish();
    expect(error?.code).toBe('TOO_MANY_RUNS');
    expect(await runsOf(child)).toHaveLength(more);
  });

  it('are counted once each, for their root only', async () => {
    const running = gate();
    let isFirst = true;
    await work(async ({ executionId }) => {
      if (!isFirst) return executionId;
      isFirst = false;
      running.open();
      return new Promise(() => {});
    });
    const leaf = await storeWorkflow(flow({ s: start, c: call }, ['s>c']));
    const middle = await storeWorkflow(
      flow({ s: start, sub: { type: 'sub_workflow', config: { workflowId: leaf.workflowId } } }, ['s>sub']),
      leaf.workspaceId,
    );
    const top = await storeWorkflow(
      flow({ s: start, sub: { type: 'sub_workflow', config: { workflowId: middle.workflowId } } }, ['s>sub']),
      leaf.workspaceId,
    );
    const [one, other] = [await startRun(top), await startRun(top)];
    // The count does not change when another worker continues.
    await running.opened;
    await workers.splice(0)[0]!.stop();
    await work(async () => null);
    for (const run of [one, other]) {
      expect((await run.finish()).status).toBe('completed');
      expect(await prismaClient().runFamily.findUnique({ where: { rootId: run.executionId } })).toMatchObject({
        descendants: 2,
      });
    }
    expect(await prismaClient().runFamily.count({ where: { root: { workspaceId: leaf.workspaceId } } })).toBe(2);
  });

  it('of a deleted root are counted for the run that starts more', async () => {
    const [running, go] = [gate(), gate()];
    await work(async () => {
      running.open();
      await go.opened;
    });
    const leaf = await storeWorkflow(flow({ s: start }));
    const middle = await storeWorkflow(starting(leaf.workflowId, 1), leaf.workspaceId);
    const top = await storeWorkflow(
      flow({ s: start, sub: { type: 'sub_workflow', config: { workflowId: middle.workflowId, wait: false } } }, [
        's>sub',
      ]),
      leaf.workspaceId,
    );
    const root = await startRun(top);
    await Promise.all([root.finish(), running.opened]);
    await prismaClient().workflow.delete({ where: { id: top.workflowId } });
    go.open();
    const [run] = await allEnded(middle);
    expect(run).toMatchObject({ status: 'completed' });
    expect(await prismaClient().runFamily.findMany({ where: { root: { workspaceId: leaf.workspaceId } } })).toEqual([
      { rootId: run?.id, descendants: 1 },
    ]);
  });
});

describe('a child run', () => {
  const nothing: Behaviour = async () => null;
  /** Takes tokens until a quarter of the burst is left, which is reserved for API calls. */
  async function drain({ workspaceId }: StoredWorkflow): Promise<void> {
    for (let n = 0; n < 75; n += 1) await processTokenBuckets().take(workspaceBucketName(workspaceId), 'free');
  }

  it('takes a token of the rate limit of its workspace', async () => {
    await work(nothing);
    const child = await storeWorkflow(flow({ s: start }));
    await setTier(child, 'free');
    const parent = await storeWorkflow(starting(child.workflowId, 40), child.workspaceId);
    expect((await (await startRun(parent)).finish()).status).toBe('completed');
    expect(processTokenBuckets().peek(workspaceBucketName(child.workspaceId), 'free')?.remaining).toBeLessThan(80);
    const { remaining } = await processTokenBuckets().take(
      workspaceBucketName((await storeWorkflow(flow({ s: start }))).workspaceId),
      'free',
    );
    expect(remaining).toBe(99);
  });

  it.each([true, false])('waits for tokens and leaves the reserve for API calls; awaited: %s', async (wait) => {
    await work(nothing);
    const child = await storeWorkflow(flow({ s: start }));
    await setTier(child, 'free');
    const parent = await storeWorkflow(starting(child.workflowId, 2, { wait }), child.workspaceId);
    await drain(child);
    const run = await startRun(parent);
    await until(
      () => prismaClient().nodeResult.findFirst({ where: { executionId: run.executionId, wakeAt: { not: null } } }),
      'a node to wait',
    );
    expect((await processTokenBuckets().take(workspaceBucketName(child.workspaceId), 'free')).isAllowed).toBe(true);
    expect((await run.finish()).status).toBe('completed');
    expect(await runsOf(child)).toHaveLength(2);
  });

  it('is not started when its node times out while waiting for a token', async () => {
    await work(nothing);
    const child = await storeWorkflow(flow({ s: start }));
    await setTier(child, 'free');
    const more = { timeoutMs: 50, retry: { maxAttempts: 2, backoffMs: 10 } };
    const parent = await storeWorkflow(starting(child.workflowId, 1, {}, more), child.workspaceId);
    await drain(child);
    const { error, nodeResults } = await (await startRun(parent)).finish();
    expect(error?.code).toBe('TIMEOUT');
    expect(nodeResults.find(({ nodeId }) => nodeId === 'sub0')?.attempts).toBe(2);
    expect(await runsOf(child)).toEqual([]);
  });

  it('counts against the quota of stored runs: when it is used up, the node fails', async () => {
    const child = await storeWorkflow(flow({ s: start }));
    await setTier(child, 'free');
    await storedRuns(child.workspaceId, 49_997);
    await work(nothing);
    // One after the other: a node that fails ends the run before its siblings have started theirs.
    const sub = { type: 'sub_workflow', config: { workflowId: child.workflowId, wait: false } };
    const inARow = flow({ s: start, one: sub, two: sub, three: sub }, ['s>one', 'one>two', 'two>three']);
    const { error } = await (await startRun(await storeWorkflow(inARow, child.workspaceId))).finish();
    expect(error).toMatchObject({ code: 'RUN_QUOTA', message: expect.stringContaining('50,000 of 50,000') });
    expect(await runsOf(child)).toHaveLength(2);
  });

  it('takes the place of its waiting parent in a concurrency limit', async () => {
    let [running, maxConcurrent] = [0, 0];
    await work(async () => {
      running += 1;
      maxConcurrent = Math.max(maxConcurrent, running);
      await new Promise((resolve) => setTimeout(resolve, 20));
      running -= 1;
    });
    const child = await storeWorkflow(flow({ s: start, c: call }, ['s>c']));
    const sub = { type: 'sub_workflow', config: { workflowId: child.workflowId } };
    const parent = await storeWorkflow(
      flow({ s: start, one: sub, other: sub, third: sub }, ['s>one', 's>other', 's>third']),
      child.workspaceId,
    );
    await databasePool().query('UPDATE workspace SET concurrency_limit = 1 WHERE id = $1', [child.workspaceId]);
    const runs = await Promise.all([startRun(parent), startRun(parent)]);
    for (const run of runs) expect((await run.finish()).status).toBe('completed');
    expect(await runsOf(child)).toHaveLength(6);
    expect(maxConcurrent).toBe(1);
  });
});
