import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { databasePool, prismaClient } from '@/server/platform/db/client';
import { useDatabase } from '@/server/testing/database';
import { buildUser, call, type Refused } from '@/server/testing/factories';
import { flow } from '@/server/testing/flow';
import { startRun, storeWorkflow, testKinds, until, type StoredWorkflow } from '@/server/testing/runs';
import { processRunEndings } from './endings';
import { requestCancellation } from '../queue/requests';
import { startWorker, type EngineWorker } from '../worker';

useDatabase();

const workers: EngineWorker[] = [];
let isAborted = false;
/** The behaviour of `call` by the `kind` of the run's input. */
const { kinds } = testKinds(async ({ execution, signal }) => {
  const { kind } = execution.input as { kind?: string };
  if (kind === 'fail') throw new Error('as asked');
  if (kind !== 'wait') return 'secret output';
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  isAborted = true;
});
const definition = flow({ s: { type: 'start' }, c: { type: 'call' } }, ['s>c']);

beforeEach(async () => {
  isAborted = false;
  workers.push(await startWorker({ concurrency: 10, kinds, graceMs: 200 }));
});
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
  await prismaClient().runEnding.deleteMany();
  await prismaClient().workspace.deleteMany();
});

async function workflowWith(settings: object, graph = definition, workspaceId?: string): Promise<StoredWorkflow> {
  const workflow = await storeWorkflow(graph, workspaceId);
  await prismaClient().workflow.update({ where: { id: workflow.workflowId }, data: { settings } });
  return workflow;
}

/** As if the delays before what is to follow were over. */
async function followAll(): Promise<void> {
  await databasePool().query(`UPDATE run_ending SET due_at = now() - interval '1 second'`);
  while ((await processRunEndings()) > 0);
}

describe('timeoutMs', () => {
  test('ends a run with TIMEOUT and aborts its nodes', async () => {
    const run = await startRun(await workflowWith({ timeoutMs: 300 }), { kind: 'wait' });
    const ended = await run.finish();
    expect(ended).toMatchObject({ status: 'failed', error: { code: 'TIMEOUT', nodeId: null } });
    await until(async () => isAborted, 'the node to be aborted');
  });

  test('ends a run that waits for a decision, and leaves others alone', async () => {
    const graph = flow({ s: { type: 'start' }, a: { type: 'approval' } }, ['s>a']);
    const paused = await startRun(await workflowWith({ timeoutMs: 60_000 }, graph));
    const quick = await startRun(await workflowWith({ timeoutMs: 60_000 }));
    await paused.reach('paused');
    const where = { id: paused.executionId };
    const row = await until(
      () => prismaClient().execution.findFirst({ where: { ...where, workerId: null } }),
      'the run to be released',
    );
    expect(row.availableAt).toEqual(row.deadlineAt);
    await prismaClient().execution.update({ where, data: { availableAt: new Date(), deadlineAt: new Date() } });
    expect(await paused.finish()).toMatchObject({ status: 'failed', error: { code: 'TIMEOUT' } });
    expect(await quick.finish()).toMatchObject({ status: 'completed' });
  });

  test('does not count the wait for room', async () => {
    const workflow = await workflowWith({ timeoutMs: 60_000 });
    await prismaClient().workflow.update({ where: { id: workflow.workflowId }, data: { concurrencyLimit: 1 } });
    const first = await startRun(workflow, { kind: 'wait' });
    const second = await startRun(workflow);
    await first.reach('running');
    // As if it had been accepted long ago.
    await databasePool().query(
      `UPDATE execution SET started_at = started_at - interval '1 hour', deadline_at = deadline_at - interval '1 hour' WHERE id = $1`,
      [second.executionId],
    );
    await requestCancellation(prismaClient(), [first.executionId]);
    expect((await second.finish()).status).toBe('completed');
  });
});

describe('saveData', () => {
  const dataOf = async (executionId: string) => ({
    results: await prismaClient().nodeResult.count({ where: { executionId } }),
    logs: await prismaClient().logEntry.count({ where: { executionId } }),
  });

  test('none: removes the data of every run, and keeps the run', async () => {
    const workflow = await workflowWith({ saveData: 'none' });
    const runs = [await startRun(workflow, { secret: 1 }), await startRun(workflow, { kind: 'fail' })];
    for (const run of runs) await run.finish();
    expect((await runs[0]?.read())?.output).toBe('secret output');
    await followAll();
    const [good, bad] = await Promise.all(runs.map((run) => run.read()));
    expect(good).toMatchObject({ status: 'completed', input: {}, nodeResults: [], dataRemovedAt: expect.any(String) });
    expect(good?.output ?? null).toBeNull();
    expect(bad).toMatchObject({ status: 'failed', input: {}, error: { code: expect.any(String) } });
    for (const run of runs) expect(await dataOf(run.executionId)).toEqual({ results: 0, logs: 0 });
  });

  test('failed: keeps what failed; all: keeps everything', async () => {
    const workflow = await workflowWith({ saveData: 'failed' });
    const plain = await workflowWith({});
    const good = await startRun(workflow, { a: 1 });
    const bad = await startRun(workflow, { kind: 'fail' });
    const kept = await startRun(plain, { a: 1 });
    for (const run of [good, bad, kept]) await run.finish();
    await followAll();
    expect((await good.read()).dataRemovedAt).toBeDefined();
    expect(await bad.read()).toMatchObject({ input: { kind: 'fail' }, nodeResults: [{}, {}] });
    expect(await kept.read()).toMatchObject({ input: { a: 1 }, output: 'secret output' });
  });

  test('does not take the output from a run that waits for it', async () => {
    const child = await workflowWith({ saveData: 'none' });
    const run = await startRun(child);
    await run.finish();
    const parent = await startRun(await storeWorkflow(definition, child.workspaceId), { kind: 'wait' });
    await parent.reach('running');
    await databasePool().query('UPDATE execution SET parent_id = $1, is_awaited = true WHERE id = $2', [
      parent.executionId,
      run.executionId,
    ]);
    await followAll();
    expect((await run.read()).output).toBe('secret output');
    await requestCancellation(prismaClient(), [parent.executionId]);
    await parent.finish();
    await followAll();
    expect((await run.read()).dataRemovedAt).toBeDefined();
  });

  test('a run without data is only run again with an input', async () => {
    const user = await buildUser();
    const run = await startRun(await workflowWith({ saveData: 'none' }, definition, user.workspaceId));
    await run.finish();
    await followAll();
    await prismaClient().workflowVersion.updateMany({ data: { definition: flow({ s: { type: 'start' } }) as object } });
    const path = `/api/executions/${run.executionId}/rerun`;
    const rerun = (body: object) => call<Refused>('POST', path, { token: user.token, body });
    expect((await rerun({})).status).toBe(409);
    expect((await rerun({ fromNodeId: 's', input: {} })).status).toBe(409);
    expect((await rerun({ input: { a: 1 } })).status).toBe(202);
  });
});
