import { afterEach, describe, expect, it, vi } from 'vitest';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { databasePool, prismaClient } from '@/server/platform/db/client';
import { useDatabase } from '@/server/testing/database';
import { flow } from '@/server/testing/flow';
import {
  gate,
  startRun,
  startRunOf,
  storeWorkflow,
  testKinds,
  until,
  type Behaviour,
  type StoredWorkflow,
} from '@/server/testing/runs';
import { sweepChildRuns } from './child-sweep';
import { childRunTools } from './children';
import { readExecutionReport } from '../report/report';
import { requestCancellation } from './requests';
import { startWorker, type EngineWorker } from '../worker';

useDatabase();

const workers: EngineWorker[] = [];
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
});

async function work(behave: Behaviour = async ({ input }) => input): Promise<Map<string, number>> {
  const { kinds, attempts } = testKinds(behave);
  workers.push(await startWorker({ concurrency: 50, kinds, graceMs: 200 }));
  return attempts;
}

const start = { type: 'start' };
const shape = (expression: string) => ({ type: 'transform', config: { expression } });
const sub = (workflowId: string, config: object = {}, more: object = {}) => ({
  type: 'sub_workflow',
  config: { workflowId, ...config },
  ...more,
});

const parentOf = (child: StoredWorkflow, config: object = {}, more: object = {}) =>
  storeWorkflow(flow({ s: start, sub: sub(child.workflowId, config, more) }, ['s>sub']), child.workspaceId);

const childrenOf = (id: string) =>
  prismaClient().execution.findMany({ where: { parentId: id }, orderBy: { createdAt: 'asc' } });

/** Waits until the single child of a run has one of these statuses; returns it. */
const childReaches = (id: string, ...statuses: string[]) =>
  until(
    async () => {
      const [child] = await childrenOf(id);
      return child && statuses.includes(child.status) && child;
    },
    `the child of ${id} to be ${statuses.join(' or ')}`,
  );

/** Waits for a decision. */
const paused: WorkflowDefinition = flow({ s: start, ask: { type: 'approval' } }, ['s>ask']);

describe('a sub-workflow', () => {
  it('runs with the node’s input, and returns its output as the node’s output', async () => {
    await work();
    const child = await storeWorkflow(flow({ s: start, out: shape('input.n * 2') }, ['s>out']));
    const run = await startRun(await parentOf(child), { n: 21 });
    const execution = await run.finish();
    expect(execution).toMatchObject({ status: 'completed', output: 42, parentExecutionId: null });
    const [stored] = await childrenOf(run.executionId);
    const read = await readExecutionReport(child.workspaceId, stored?.id ?? '');
    expect(read).toMatchObject({ trigger: 'sub_workflow', input: { n: 21 }, parentExecutionId: run.executionId });
    expect(execution.nodeResults[1]).toMatchObject({ nodeId: 'sub', childExecutionId: stored?.id });
  });

  it('takes a configured input, and runs in loops', async () => {
    await work();
    const child = await storeWorkflow(flow({ s: start, out: shape('input.n + 1') }, ['s>out']));
    const body = flow({ in: start, sub: sub(child.workflowId, { input: { n: '{{ input.item }}' } }) }, ['in>sub']);
    const loop = { type: 'for_each', config: { items: '[1..5]', concurrency: 5, body } };
    const run = await startRun(await storeWorkflow(flow({ s: start, l: loop }, ['s>l']), child.workspaceId));
    expect((await run.finish()).output).toEqual([2, 3, 4, 5, 6]);
  });

  it('is independent of its parent if the parent does not wait', async () => {
    await work();
    const child = await storeWorkflow(paused);
    const run = await startRun(await parentOf(child, { wait: false }));
    const { output } = await run.finish();
    const own = await childReaches(run.executionId, 'paused');
    expect(output).toEqual({ executionId: own.id });
    expect(await requestCancellation(prismaClient(), [run.executionId])).toEqual([]);
    expect((await childReaches(run.executionId, 'paused')).cancelRequestedAt).toBeNull();
  });

  it('fails the node when it fails; the error port may catch it', async () => {
    await work();
    const child = await storeWorkflow(flow({ s: start, out: shape('$error("no")') }, ['s>out']));
    const failed = await (await startRun(await parentOf(child))).finish();
    expect(failed.error).toMatchObject({ code: 'SUB_WORKFLOW', nodeId: 'sub' });
    expect(failed.error?.message).toMatch(/^exec_\S+ failed with EXPRESSION/);
    const definition = flow({ s: start, sub: sub(child.workflowId), e: shape('input.code') }, ['s>sub', 'sub:error>e']);
    const caught = await startRun(await storeWorkflow(definition, child.workspaceId));
    expect((await caught.finish()).output).toBe('SUB_WORKFLOW');
  });

  it('is started again by each attempt', async () => {
    let count = 0;
    await work(async () => {
      count += 1;
      if (count < 3) throw new Error('Not yet.');
      return count;
    });
    const child = await storeWorkflow(flow({ s: start, c: { type: 'call' } }, ['s>c']));
    const run = await startRun(await parentOf(child, {}, { retry: { maxAttempts: 3, backoffMs: 10 } }));
    expect((await run.finish()).output).toBe(3);
    expect((await childrenOf(run.executionId)).map(({ parentAttempt }) => parentAttempt)).toEqual([1, 2, 3]);
  });

  it('is cancelled with the run that waits for it, at any depth', async () => {
    await work();
    const child = await storeWorkflow(paused);
    const run = await startRun(await parentOf(await parentOf(child)));
    const middle = await childReaches(run.executionId, 'running');
    const lowest = await childReaches(middle.id, 'paused');
    await requestCancellation(prismaClient(), [run.executionId]);
    expect((await run.finish()).error?.code).toBe('CANCELLED');
    for (const { id } of [middle, lowest]) {
      const ended = await until(async () => {
        const execution = await readExecutionReport(run.workspaceId, id);
        return execution?.status === 'failed' && execution;
      }, `${id} to end`);
      expect(ended.error?.code).toBe('CANCELLED');
    }
  });

  it('is cancelled when the node times out', async () => {
    await work();
    const run = await startRun(await parentOf(await storeWorkflow(paused), {}, { timeoutMs: 100 }));
    expect((await run.finish()).error?.code).toBe('TIMEOUT');
    expect((await childReaches(run.executionId, 'failed')).error).toMatchObject({ code: 'CANCELLED' });
  });

  it('is not found in another workspace, and not started when it is not ready', async () => {
    await work();
    const foreign = await storeWorkflow(paused);
    const outsider = await startRunOf(flow({ s: start, sub: sub(foreign.workflowId) }, ['s>sub']));
    expect((await outsider.finish()).error?.code).toBe('WORKFLOW_NOT_FOUND');
    const unready = await storeWorkflow(flow({ s: start, h: { type: 'http_request' } }, ['s>h']));
    expect((await (await startRun(await parentOf(unready))).finish()).error?.code).toBe('WORKFLOW_NOT_READY');
    const schema = { type: 'object', required: ['n'] };
    const picky = await storeWorkflow(flow({ s: { ...start, config: { inputSchema: schema } } }));
    expect((await (await startRun(await parentOf(picky))).finish()).error).toMatchObject({ code: 'WORKFLOW_INPUT' });
    expect(await prismaClient().execution.count({ where: { workflowId: foreign.workflowId } })).toBe(0);
  });

  it('may run itself, up to the nesting limit', async () => {
    await work();
    const workflow = await storeWorkflow(flow({ s: start }));
    const endless = flow({ s: start, sub: sub(workflow.workflowId) }, ['s>sub']);
    for (const table of ['workflow', 'workflow_version']) {
      const column = table === 'workflow' ? 'id' : 'workflow_id';
      await databasePool().query(`UPDATE ${table} SET definition = $1 WHERE ${column} = $2`, [
        JSON.stringify(endless),
        workflow.workflowId,
      ]);
    }
    const { error } = await (await startRun(workflow)).finish();
    expect(error?.message).toContain('nested 10 deep');
    expect(await prismaClient().execution.count({ where: { workflowId: workflow.workflowId } })).toBe(11);
  });

  it('continues after the worker that started it has stopped', async () => {
    const under = gate();
    await work(async () => {
      under.open();
      return await new Promise(() => {});
    });
    const child = await storeWorkflow(flow({ s: start, c: { type: 'call' } }, ['s>c']));
    const run = await startRun(await parentOf(child));
    await under.opened;
    await workers.splice(0)[0]!.stop();
    await work(async () => 'done');
    expect((await run.finish()).output).toBe('done');
    expect(await childrenOf(run.executionId)).toHaveLength(1);
  });
});

describe('after the death of a process', () => {
  it('the sweep wakes parents of ended children and cancels orphaned children', async () => {
    await work();
    const run = await startRun(await parentOf(await storeWorkflow(paused)));
    const child = await childReaches(run.executionId, 'paused');
    await run.reach('running');
    await until(
      async () =>
        (await prismaClient().execution.findUniqueOrThrow({ where: { id: run.executionId } })).workerId === null,
      'the release of the parent',
    );
    const final = { status: 'completed', output: 'manual', completedAt: new Date(), availableAt: null };
    await prismaClient().execution.update({ where: { id: child.id }, data: final });
    expect(await sweepChildRuns()).toBeGreaterThan(0);
    expect((await run.finish()).output).toBe('manual');

    const other = await startRun(await parentOf(await storeWorkflow(paused)));
    const orphan = await childReaches(other.executionId, 'paused');
    await prismaClient().nodeResult.updateMany({
      where: { executionId: other.executionId },
      data: { status: 'failed' },
    });
    await prismaClient().execution.update({
      where: { id: other.executionId },
      data: { status: 'failed', availableAt: null },
    });
    expect(await sweepChildRuns()).toBeGreaterThan(0);
    expect((await childReaches(other.executionId, 'failed')).id).toBe(orphan.id);
    expect(await sweepChildRuns()).toBe(0);
  });
});

it('retries the query for ended children until the database answers', async () => {
  const query = vi.spyOn(databasePool(), 'query');
  const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', syscall: 'connect' });
  query.mockImplementationOnce(() => Promise.reject(refused));
  const ends = await childRunTools.readEnds(['exec_gone'], new AbortController().signal);
  expect(ends).toMatchObject([{ executionId: 'exec_gone', status: 'failed', error: { code: 'NOT_FOUND' } }]);
  expect(query).toHaveBeenCalledTimes(2);
});
