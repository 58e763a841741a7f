import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ExecutionResponse, ExecutionSummary } from '@/contract/execution';
import type { LogEntry } from '@/contract/execution-log';
import { databasePool, prismaClient } from '@/server/platform/db/client';
import { useDatabase } from '@/server/testing/database';
import { buildUser, buildWorkflow, call, type TestUser } from '@/server/testing/factories';
import { flow } from '@/server/testing/flow';
import { startRun, testKinds, until } from '@/server/testing/runs';
import { processRunEndings } from './endings';
import { requestCancellation } from '../queue/requests';
import { startWorker, type EngineWorker } from '../worker';

useDatabase();

const workers: EngineWorker[] = [];
const { kinds } = testKinds(async ({ signal, execution }) => {
  const { kind } = execution.input as { kind?: string };
  if (kind !== 'wait') throw new Error('as asked');
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
});
const FAILS = flow({ s: { type: 'start' }, c: { type: 'call' } }, ['s>c']);

let owner: TestUser;
let failing: string;
let handler: string;
beforeEach(async () => {
  workers.push(await startWorker({ concurrency: 10, kinds, graceMs: 200 }));
  owner = await buildUser();
  failing = await buildWorkflow({ workspaceId: owner.workspaceId, definition: FAILS });
  handler = await buildWorkflow({ workspaceId: owner.workspaceId });
});
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
  await prismaClient().runEnding.deleteMany();
  await prismaClient().workspace.deleteMany();
});

const choose = async (workflowId: string, errorWorkflowId: string | null, user = owner) => {
  const body = { settings: { errorWorkflowId } };
  const { status } = await call('PUT', `/api/workflows/${workflowId}`, { token: user.token, body });
  expect(status).toBe(200);
};
const chooseForAll = async (errorWorkflowId: string) => {
  const body = { settings: { errorWorkflowId } };
  const { status } = await call('PUT', `/api/workspaces/${owner.workspaceId}`, { token: owner.token, body });
  expect(status).toBe(200);
};

/** Fails a run, and answers the error runs of the workspace once everything that follows is done. */
async function fail(workflowId = failing, input: object = { order: 7 }) {
  const run = await startRun({ workspaceId: owner.workspaceId, workflowId }, input);
  const failed = await run.finish();
  expect(failed.status).toBe('failed');
  await settle();
  return { failed, errorRuns: await errorRuns() };
}
async function settle(): Promise<void> {
  while ((await processRunEndings()) > 0);
}
const errorRuns = async () =>
  (await call<{ data: ExecutionSummary[] }>('GET', '/api/executions?trigger=error', { token: owner.token })).body.data;
const logOf = async (id: string) =>
  (await call<{ logs: LogEntry[] }>('GET', `/api/executions/${id}/logs`, { token: owner.token })).body.logs.map(
    ({ message }) => message,
  );

test('a failed run starts the error workflow of its workflow, with the error and the input', async () => {
  await choose(failing, handler);
  const { failed, errorRuns: started } = await fail();
  expect(started).toMatchObject([{ workflowId: handler, trigger: 'error' }]);
  const path = `/api/executions/${started[0]?.id}`;
  const { body } = await call<ExecutionResponse>('GET', path, { token: owner.token });
  const { name } = await prismaClient().workflow.findUniqueOrThrow({ where: { id: failing } });
  expect(body.input).toEqual({
    execution: {
      id: failed.id,
      url: expect.stringMatching(new RegExp(`^http.*/executions/${failed.id}$`)),
      workflowId: failing,
      workflowName: name,
      trigger: 'manual',
      error: failed.error,
      startedAt: failed.startedAt,
      failedAt: failed.completedAt,
    },
    input: { order: 7 },
  });
  // As the page shows it.
  const [, shown = ''] = /```json\n([^`]*)```/.exec(readFileSync('docs/build/workflow-settings.md', 'utf8')) ?? [];
  const keysOf = ({ execution, ...rest }: { execution: object }) => [Object.keys(rest), Object.keys(execution).sort()];
  expect(keysOf(body.input as { execution: object })).toEqual(keysOf(JSON.parse(shown) as { execution: object }));
  expect((await logOf(failed.id)).at(-1)).toContain(started[0]?.id);
});

test('that of the workspace is started where the workflow has none', async () => {
  await chooseForAll(handler);
  expect((await fail()).errorRuns).toMatchObject([{ workflowId: handler }]);
  const own = await buildWorkflow({ workspaceId: owner.workspaceId });
  await choose(failing, own);
  expect((await fail()).errorRuns.map(({ workflowId }) => workflowId)).toEqual([own, handler]);
});

test('it is started once, however many processes look', async () => {
  await choose(failing, handler);
  const run = await startRun({ workspaceId: owner.workspaceId, workflowId: failing });
  await run.finish();
  await Promise.all([processRunEndings(), processRunEndings(), processRunEndings()]);
  await settle();
  expect(await errorRuns()).toHaveLength(1);
});

test('a failure of the error workflow starts nothing', async () => {
  const other = await buildWorkflow({ workspaceId: owner.workspaceId, definition: FAILS });
  await choose(failing, other);
  await choose(other, handler);
  await chooseForAll(handler);
  await fail();
  const [first] = await errorRuns();
  await until(async () => (await errorRuns()).every(({ status }) => status === 'failed'), 'the error run to fail');
  await settle();
  expect(await errorRuns()).toMatchObject([{ id: first?.id, workflowId: other }]);
});

test('nor do failures of runs that an error run has started, or of the workflow itself', async () => {
  await chooseForAll(failing);
  expect((await fail()).errorRuns).toEqual([]);
  await choose(failing, handler);
  const root = await startRun({ workspaceId: owner.workspaceId, workflowId: handler });
  await root.finish();
  await databasePool().query(`UPDATE execution SET trigger = 'error' WHERE id = $1`, [root.executionId]);
  const child = await startRun({ workspaceId: owner.workspaceId, workflowId: failing }, { kind: 'wait' });
  await child.reach('running');
  const { executionId } = child;
  await databasePool().query(`UPDATE execution SET root_id = $1, deadline_at = now() WHERE id = $2`, [
    root.executionId,
    executionId,
  ]);
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
  workers.push(await startWorker({ concurrency: 10, kinds, graceMs: 200 }));
  expect(await child.finish()).toMatchObject({ status: 'failed', error: { code: 'TIMEOUT' } });
  await settle();
  expect((await errorRuns()).map(({ id }) => id)).toEqual([root.executionId]);
});

test('a cancelled run starts nothing', async () => {
  await choose(failing, handler);
  const run = await startRun({ workspaceId: owner.workspaceId, workflowId: failing }, { kind: 'wait' });
  await run.reach('running');
  await requestCancellation(prismaClient(), [run.executionId]);
  await run.finish();
  await settle();
  expect(await errorRuns()).toEqual([]);
});

test('it needs the permission of the person who chose it, also when it starts', async () => {
  const editor = await buildUser({ workspaceId: owner.workspaceId, role: 'editor' });
  await choose(failing, handler, editor);
  await prismaClient().member.deleteMany({ where: { userId: editor.id } });
  const { failed, errorRuns: started } = await fail();
  expect(started).toEqual([]);
  expect((await logOf(failed.id)).at(-1)).toContain('workflow:execute');
});

test('what keeps it from starting is in the log of the failed run', async () => {
  const start = { type: 'start', config: { inputSchema: { type: 'object', required: ['absent'] } } };
  const strict = await buildWorkflow({ workspaceId: owner.workspaceId, definition: flow({ s: start }) });
  await choose(failing, strict);
  const first = await fail();
  expect(first.errorRuns).toEqual([]);
  expect((await logOf(first.failed.id)).at(-1)).toContain('absent');
  await prismaClient().workflow.delete({ where: { id: strict } });
  const second = await fail();
  expect((await logOf(second.failed.id)).at(-1)).toContain('deleted');
});

test('a workflow whose runs keep no data still tells its error workflow the input', async () => {
  await choose(failing, handler);
  const body = { settings: { saveData: 'none' } };
  await call('PUT', `/api/workflows/${failing}`, { token: owner.token, body });
  const run = await startRun({ workspaceId: owner.workspaceId, workflowId: failing }, { order: 9 });
  await run.finish();
  await databasePool().query(`UPDATE run_ending SET due_at = now() - interval '1 second'`);
  await settle();
  const [started] = await errorRuns();
  const { body: read } = await call<ExecutionResponse>('GET', `/api/executions/${started?.id}`, { token: owner.token });
  expect(read.input).toMatchObject({ input: { order: 9 } });
});
