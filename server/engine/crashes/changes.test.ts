import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { databasePool, prismaClient } from '@/server/platform/db/client';
import { getRuntime } from '@/server/platform/runtime';
import { removeWorkspaces, useOwnDatabase } from '@/server/testing/database';
import { flow } from '@/server/testing/flow';
import { startTarget, type Target } from '@/server/testing/servers/target';
import { startWorkerProcess, type ServiceProcess } from '@/server/testing/processes/service';
import { startRun, storeWorkflow, until, type StartedRun } from '@/server/testing/runs';

useOwnDatabase();

const LIMIT_MS = 60_000;

let target: Target;
const workers: ServiceProcess[] = [];
beforeAll(async () => {
  target = await startTarget();
});
afterEach(async () => {
  await Promise.all(locks.splice(0).map((unlock) => unlock()));
  await Promise.all(workers.splice(0).map((worker) => worker.end('SIGKILL')));
  await removeWorkspaces();
  await prismaClient().worker.deleteMany();
  target.reset();
});
afterAll(() => target.close());

async function startWorker(): Promise<void> {
  workers.push(await startWorkerProcess(getRuntime().env.databaseUrl ?? ''));
}
const killWorker = async () => void (await Promise.all(workers.splice(0).map((worker) => worker.end('SIGKILL'))));

const locks: (() => Promise<void>)[] = [];

/** Locks rows until the returned function is called. */
async function lock(table: string, id: string): Promise<() => Promise<void>> {
  const client = await databasePool().connect();
  await client.query('BEGIN');
  await client.query(`SELECT FROM ${table} WHERE id::text = $1 FOR UPDATE`, [id]);
  let isLocked = true;
  const unlock = async () => {
    if (!isLocked) return;
    isLocked = false;
    await client.query('ROLLBACK');
    client.release();
  };
  locks.push(unlock);
  return unlock;
}

/** Resolves when a transaction waits for the lock of another, at a statement with this text. */
const waiting = (statement: string) =>
  until(async () => {
    const { rowCount } = await databasePool().query(
      `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE $1 AND datname = current_database()`,
      [`%${statement}%`],
    );
    return rowCount;
  }, `a transaction that waits at ${statement}`);

const finish = (run: StartedRun) =>
  until(
    async () => {
      const execution = await run.read();
      return (execution.status === 'completed' || execution.status === 'failed') && execution;
    },
    'the run to end',
    LIMIT_MS,
  );

const stored = async (workflowId: string) => {
  const { id, value } = await prismaClient().remembered.findFirstOrThrow({ where: { workflowId, isList: false } });
  return { id: String(id), value };
};

it('a change is stored once, wherever its process is killed', { timeout: LIMIT_MS * 3, tags: 'long' }, async () => {
  const config = { operation: 'add', key: 'n' };
  const workflow = await storeWorkflow(
    flow(
      {
        s: { type: 'start' },
        n: { type: 'remember', config, repeatable: false },
        h: { type: 'http_request', config: { url: `${target.url}/after`, method: 'POST', body: '{{ nodes.n }}' } },
      },
      ['s>n', 'n>h'],
    ),
  );
  await startWorker();
  expect((await finish(await startRun(workflow))).status).toBe('completed');
  const { id } = await stored(workflow.workflowId);

  // Before the change.
  const beforeChange = await lock('remembered', id);
  const first = await startRun(workflow);
  await waiting('INSERT INTO remembered');
  await killWorker();
  await beforeChange();
  await startWorker();
  expect((await finish(first)).status).toBe('completed');
  expect((await stored(workflow.workflowId)).value).toBe(2);

  // After the change, and before the result of the node.
  const change = await lock('remembered', id);
  const second = await startRun(workflow);
  await waiting('INSERT INTO remembered');
  const result = await lock('execution', second.executionId);
  await change();
  await waiting('WITH alive');
  await killWorker();
  await result();
  await startWorker();
  expect((await finish(second)).status).toBe('completed');
  expect((await stored(workflow.workflowId)).value).toBe(3);

  // After both.
  target.hold('/after');
  const third = await startRun(workflow);
  await until(async () => target.countOf('/after') === 4, 'the call');
  await killWorker();
  target.letGo('/after');
  await startWorker();
  const { nodeResults } = await finish(third);
  expect(nodeResults.map(({ status, output }) => [status, typeof output === 'number' && output])).toEqual([
    ['completed', false],
    ['completed', 4],
    ['completed', false],
  ]);
  expect((await stored(workflow.workflowId)).value).toBe(4);
  expect(target.countOf('/after')).toBe(5);
});
