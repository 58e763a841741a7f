import { afterEach, describe, expect, it } from 'vitest';
import { databasePool, prismaClient } from '@/server/platform/db/client';
import { openDatabaseSession } from '@/server/platform/db/session';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import type { ChangeTransaction, NodeRunResult } from '@/server/workflow/nodes/node-type';
import { getRuntime } from '@/server/platform/runtime';
import { useDatabase } from '@/server/testing/database';
import { flow } from '@/server/testing/flow';
import { gate, startRun, startRunOf, storeWorkflow, testKinds, until, type Behaviour } from '@/server/testing/runs';
import { claimRuns } from '../queue/claim';
import { registerWorker, sweepExpiredWorkers } from '../queue/lease';
import { requestCancellation } from '../queue/requests';
import { startWorker, type EngineWorker } from '../worker';
import { createChangeWriter, type NodeChangeRequest } from './change';
import type { PendingNodeRow } from './rows';

useDatabase();

const LEASE_MS = 60_000;
const neverAborted = new AbortController().signal;
const workers: EngineWorker[] = [];
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
  await prismaClient().workspace.deleteMany();
  await prismaClient().worker.deleteMany();
});

async function work(behave: Behaviour): Promise<Map<string, number>> {
  const { kinds, attempts } = testKinds(behave);
  workers.push(await startWorker({ concurrency: 50, kinds, graceMs: 200 }));
  return attempts;
}

const PLACE = { scope: 'workflow', key: 'count' } as const;
const change = (apply: (data: ChangeTransaction) => Promise<unknown>): NodeRunResult => ({ kind: 'change', apply });
const addOne = ({ memory }: ChangeTransaction) => memory.add(PLACE, 1, null);
const start = { type: 'start' };
const call = { type: 'call' };
const definition = flow({ s: start, a: call }, ['s>a']);

/** The stored numbers of a workflow. */
async function stored(workflowId: string): Promise<unknown[]> {
  return (await prismaClient().remembered.findMany({ where: { workflowId }, orderBy: { key: 'asc' } })).map(
    ({ value }) => value,
  );
}

describe('a change', () => {
  it('is stored once per node, and no concurrent change is lost', async () => {
    await work(async () => change(addOne));
    const workflow = await storeWorkflow(definition);
    const runs = await Promise.all(Array.from({ length: 20 }, () => startRun(workflow)));
    const outputs = await Promise.all(runs.map(async (run) => (await run.finish()).output));
    expect(outputs.map(Number).sort((one, other) => one - other)).toEqual(
      Array.from({ length: 20 }, (_, at) => at + 1),
    );
    expect(await stored(workflow.workflowId)).toEqual([20]);
  });

  it('is stored once per round of a loop, and what follows reads its output', async () => {
    await work(async () => change(addOne));
    const body = flow({ in: start, x: call, y: { type: 'transform', config: { expression: 'nodes.x * 10' } } }, [
      'in>x',
      'x>y',
    ]);
    const loop = { type: 'for_each', config: { items: '[1..5]', concurrency: 5, body } };
    const run = await startRunOf(flow({ s: start, l: loop }, ['s>l']));
    const { output } = await run.finish();
    expect((output as number[]).sort((one, other) => one - other)).toEqual([10, 20, 30, 40, 50]);
    expect(await stored(run.workflowId)).toEqual([5]);
  });

  it('that fails is rolled back, and the node is retried', async () => {
    const attempts = await work(async ({ attemptNumber: attempt }) =>
      change(async (data) => {
        const count = await addOne(data);
        if (attempt < 3) throw new NodeFailure('BUSY', 'not yet');
        return count;
      }),
    );
    const retried = { ...call, retry: { maxAttempts: 3, backoffMs: 1 } };
    const run = await startRunOf(flow({ s: start, a: retried }, ['s>a']));
    expect((await run.finish()).output).toBe(1);
    expect(attempts.get('a')).toBe(3);
    expect(await stored(run.workflowId)).toEqual([1]);
  });

  it('whose output cannot be stored is rolled back', async () => {
    await work(async () =>
      change(async (data) => {
        await addOne(data);
        return 'x'.repeat(11 * 1024 * 1024);
      }),
    );
    const run = await startRunOf(definition);
    expect((await run.finish()).error).toMatchObject({ code: 'OUTPUT_TOO_LARGE', nodeId: 'a' });
    expect(await stored(run.workflowId)).toEqual([]);
  });

  it('may have a large output, which later nodes read', async () => {
    await work(async () => change(async (data) => [await addOne(data), 'x'.repeat(1024 * 1024)]));
    const length = { type: 'transform', config: { expression: '$length(nodes.a[1])' } };
    const run = await startRunOf(flow({ s: start, a: call, l: length }, ['s>a', 'a>l']));
    expect((await run.finish()).output).toBe(1024 * 1024);
  });

  it('that fails at the error port leaves nothing behind', async () => {
    await work(async () =>
      change(async (data) => {
        await addOne(data);
        throw new NodeFailure('NO', 'no', false);
      }),
    );
    const caught = { type: 'transform', config: { expression: 'input.code' } };
    const run = await startRunOf(flow({ s: start, a: call, c: caught }, ['s>a', 'a:error>c']));
    expect((await run.finish()).output).toBe('NO');
    expect(await stored(run.workflowId)).toEqual([]);
  });

  it('that deadlocks with another is repeated', async () => {
    const reached = { ab: gate(), ba: gate() };
    await work(async ({ nodeId }) =>
      change(async ({ memory }) => {
        const [own, other] = nodeId === 'ab' ? (['ab', 'ba'] as const) : (['ba', 'ab'] as const);
        await memory.add({ scope: 'workflow', key: own }, 1, null);
        reached[own].open();
        await reached[other].opened;
        return memory.add({ scope: 'workflow', key: other }, 1, null);
      }),
    );
    const run = await startRunOf(flow({ s: start, ab: call, ba: call }, ['s>ab', 's>ba']));
    expect((await run.finish()).status).toBe('completed');
    expect(await stored(run.workflowId)).toEqual([2, 2]);
  });

  it('is rolled back when its run is cancelled meanwhile', async () => {
    const [applied, goOn] = [gate(), gate()];
    await work(async () =>
      change(async (data) => {
        const count = await addOne(data);
        applied.open();
        await goOn.opened;
        return count;
      }),
    );
    const run = await startRunOf(definition);
    await applied.opened;
    await prismaClient().$transaction((db) => requestCancellation(db, [run.executionId]));
    const { error } = await run.finish();
    goOn.open();
    await Promise.all(workers.splice(0).map((worker) => worker.stop()));
    expect(error?.code).toBe('CANCELLED');
    expect(await stored(run.workflowId)).toEqual([]);
  });
});

describe('the transaction of a change', () => {
  const rowOf = (output: unknown): PendingNodeRow => ({
    state: {
      path: 'a',
      status: 'completed',
      port: 'output',
      attemptNumber: 1,
      attempts: [],
      output,
      startedAt: new Date(),
      completedAt: new Date(),
      resumeData: null,
      largeBytes: null,
      isOffloaded: false,
    },
    json: JSON.stringify(output),
    resumeJson: null,
  });

  /** A run of a worker, and a step of it that adds one. */
  async function claimed(more: Partial<NodeChangeRequest> = {}) {
    const run = await startRun(await storeWorkflow(definition));
    const worker = await registerWorker(LEASE_MS);
    await claimRuns(worker, 100, '');
    const step: NodeChangeRequest = {
      ...run,
      path: 'a',
      signal: neverAborted,
      apply: async (data) => rowOf(await addOne(data)),
      ...more,
    };
    return { run, worker, step, commit: createChangeWriter(worker, neverAborted) };
  }

  it('that is repeated changes nothing and returns the stored result', async () => {
    const { run, step, commit } = await claimed();
    expect((await commit(step))?.state).toMatchObject({ output: 1 });
    // As if the response to the commit had been lost.
    expect((await commit(step))?.state).toMatchObject({ path: 'a', status: 'completed', output: 1 });
    const clash = async () => {
      throw new NodeFailure('UNIQUE_CLASH', 'The row exists.', false);
    };
    expect((await commit({ ...step, apply: clash }))?.state).toMatchObject({ output: 1 });
    expect(await stored(run.workflowId)).toEqual([1]);
  });

  it('is rolled back once another worker may have taken over', async () => {
    const { run, worker, step, commit } = await claimed();
    const taken: NodeChangeRequest = {
      ...step,
      async apply(data) {
        const row = await step.apply(data);
        await prismaClient().worker.delete({ where: { id: worker } });
        await sweepExpiredWorkers();
        return row;
      },
    };
    await expect(commit(taken)).rejects.toThrow('belongs to another worker');
    expect(await stored(run.workflowId)).toEqual([]);
    expect(await prismaClient().nodeResult.count({ where: { executionId: run.executionId } })).toBe(0);
  });

  it('is rolled back after the end of the run', async () => {
    const { run, step, commit } = await claimed();
    await prismaClient().execution.update({
      where: { id: run.executionId },
      data: { status: 'failed', completedAt: new Date() },
    });
    await expect(commit(step)).rejects.toThrow('it has ended');
    expect(await stored(run.workflowId)).toEqual([]);
  });

  it('is rolled back when it is aborted before its result is written', async () => {
    const aborting = new AbortController();
    const { run, step, commit } = await claimed({ signal: aborting.signal });
    const late: NodeChangeRequest = {
      ...step,
      async apply(data) {
        const row = await step.apply(data);
        aborting.abort();
        return row;
      },
    };
    await expect(commit(late)).rejects.toThrow('aborted');
    expect(await stored(run.workflowId)).toEqual([]);
  });

  it('of one workspace does not wait for those of another', async () => {
    const hold = gate();
    const under = Array.from({ length: 3 }, () => gate());
    const { step, commit } = await claimed();
    const held = under.map(({ open }, index) =>
      commit({
        ...step,
        path: `held-${index}`,
        async apply() {
          open();
          await hold.opened;
          return null;
        },
      }),
    );
    await Promise.all(under.map(({ opened }) => opened));
    // A fourth of the same workspace waits for them.
    let hasStarted = false;
    const fourth = commit({
      ...step,
      path: 'fourth',
      async apply() {
        hasStarted = true;
        return null;
      },
    });
    const other = await claimed();
    expect((await other.commit(other.step))?.state).toMatchObject({ output: 1 });
    expect(hasStarted).toBe(false);
    hold.open();
    expect(await Promise.all([...held, fourth])).toEqual([null, null, null, null]);
  });
});

it('an interrupted change that is not to be repeated is made, because nothing of it was committed', async () => {
  const workflow = await storeWorkflow(
    flow({ s: start, a: { type: 'remember', config: { operation: 'add', key: 'n' }, repeatable: false } }, ['s>a']),
  );
  const run = await startRun(workflow);
  await prismaClient().nodeResult.create({
    data: {
      executionId: run.executionId,
      nodeId: 'a',
      status: 'running',
      attempts: 1,
      startedAt: new Date(),
      revision: 1,
    },
  });
  await work(async () => null);
  expect((await run.finish()).output).toBe(1);
  expect(await stored(run.workflowId)).toEqual([1]);
});

describe('a change that waits for rows of others', () => {
  it('for longer than a lock may take is repeated, and counts as no failure', async () => {
    const attempts = await work(async () => change(addOne));
    const workflow = await storeWorkflow(definition);
    const holder = await openDatabaseSession(getRuntime().env.databaseUrl, 'command');
    try {
      await holder.query('BEGIN');
      await holder.query(
        `INSERT INTO remembered (workspace_id, workflow_id, scope_id, key, is_list, value) VALUES ($1, $2, $2, 'count', false, '0')`,
        [workflow.workspaceId, workflow.workflowId],
      );
      const run = await startRun(workflow);
      const waiters = new Set<number>();
      // Each try is a transaction of its own: the first one has given its lock up.
      const isRepeated = async () => {
        const { rows } = await databasePool().query<{ started: Date }>(
          `SELECT xact_start AS started FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
        );
        for (const { started } of rows) waiters.add(started.getTime());
        return waiters.size > 1;
      };
      await until(isRepeated, 'a second try');
      await holder.query('COMMIT');
      expect((await run.finish()).output).toBe(1);
      expect(attempts.get('a')).toBe(1);
    } finally {
      await holder.end();
    }
  });
});
