import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { databasePool, prismaClient } from '@/server/platform/db/client';
import { Client } from '@/server/api/channel/testing/rig';
import { getRuntime } from '@/server/platform/runtime';
import { removeWorkspaces, TEST_KEYS, useOwnDatabase } from '@/server/testing/database';
import { buildUser, buildWorkflow } from '@/server/testing/factories';
import { flow } from '@/server/testing/flow';
import { startRedis, type RedisServer } from '@/server/testing/servers/redis';
import { until } from '@/server/testing/runs';
import { startWebProcess, startWorkerProcess, type ServiceProcess } from '@/server/testing/processes/service';

useOwnDatabase();

const LIMIT_MS = 60_000;
const definition = flow({ s: { type: 'start' }, t: { type: 'transform', config: { expression: 'input.n * 2' } } }, [
  's>t',
]);

let redis: RedisServer;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.remove());

const processes: ServiceProcess[] = [];
afterEach(async () => {
  await Promise.all(processes.splice(0).map((first) => first.end('SIGKILL')));
  await removeWorkspaces();
});

async function keep<Each extends ServiceProcess>(starting: Promise<Each>): Promise<Each> {
  const first = await starting;
  processes.push(first);
  return first;
}
const database = () => getRuntime().env.databaseUrl ?? '';
const startWeb = (more = {}) => keep(startWebProcess(database(), { ...TEST_KEYS, ...more }));
const startWorker = (more = {}) => keep(startWorkerProcess(database(), { ...TEST_KEYS, ...more }));

interface Answer {
  status: number;
  executionId: string;
}

async function execute(url: string, token: string, workflowId: string, n: number): Promise<Answer> {
  const response = await fetch(`${url}/api/workflows/${workflowId}/execute`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ input: { n } }),
  });
  return { status: response.status, executionId: ((await response.json()) as Answer).executionId };
}

const statusOf = async (id: string) => (await prismaClient().execution.findUnique({ where: { id } }))?.status;

it(
  'an execution accepted with 202 runs although the process is killed right after the response',
  async () => {
    const { token, workspaceId } = await buildUser();
    const workflowId = await buildWorkflow({ workspaceId, definition });
    const web = await startWeb();
    const accepted: string[] = [];
    let killed: Promise<unknown> | undefined;
    const requests = Array.from({ length: 100 }, async (_, n) => {
      const answer = await execute(web.url, token, workflowId, n).catch(() => null);
      if (answer?.status !== 202) return;
      accepted.push(answer.executionId);
      killed ??= web.end('SIGKILL');
    });
    await Promise.all(requests);
    await killed;
    processes.splice(processes.indexOf(web), 1);
    expect(accepted.length).toBeGreaterThan(0);
    await startWorker();
    for (const id of accepted) await until(async () => (await statusOf(id)) === 'completed', `${id} to complete`);
  },
  LIMIT_MS,
);

describe.each([
  ['PostgreSQL', () => ({})],
  ['Redis', () => ({ REDIS_URL: redis.url })],
])('a fleet over %s', (dispatcher, more) => {
  it(
    'runs executions accepted by any web process, and notifies the viewers of each',
    { timeout: LIMIT_MS, tags: dispatcher === 'Redis' ? ['long'] : [] },
    async () => {
      const { token, workspaceId } = await buildUser();
      const workflowId = await buildWorkflow({ workspaceId, definition });
      const slow = flow({ s: { type: 'start' }, d: { type: 'delay', config: { durationMs: 1500 } } }, ['s>d']);
      const slowId = await buildWorkflow({ workspaceId, definition: slow });
      const [first, second] = await Promise.all([
        startWeb(more()),
        startWeb(more()),
        startWorker(more()),
        startWorker(more()),
      ]);
      for (const { url } of [first, second]) {
        const { executionId } = await execute(url, token, workflowId, 21);
        await until(async () => (await statusOf(executionId)) === 'completed', 'the run to complete');
      }
      const { executionId } = await execute(first.url, token, slowId, 1);
      const watchers = await Promise.all(
        [first, second].map(({ url }) => Client.connect(Number(new URL(url).port), token)),
      );
      for (const watcher of watchers) watcher.subscribe(executionId);
      for (const { heard } of watchers) {
        await until(async () => heard.some(({ type }) => type === 'execution_completed'), 'the last message');
        expect(heard.filter(({ type }) => type === 'error')).toEqual([]);
        expect(heard.at(-1)).toMatchObject({ type: 'execution_completed', status: 'completed', executionId });
      }
      for (const { socket } of watchers) socket.terminate();
    },
  );

  it('is fair: a single run is not blocked by ten thousand runs of another workspace', { tags: 'long' }, async () => {
    const busy = await buildUser();
    const busyId = await buildWorkflow({ workspaceId: busy.workspaceId, definition });
    await databasePool().query(
      `INSERT INTO execution (id, workspace_id, workflow_id, workflow_version, status, trigger, input)
         SELECT 'exec_' || $2 || n, $1, $2, 1, 'pending', 'manual', '{"n": 1}' FROM generate_series(1, 10000) n`,
      [busy.workspaceId, busyId],
    );
    const quiet = await buildUser();
    const quietId = await buildWorkflow({ workspaceId: quiet.workspaceId, definition });
    const web = await startWeb(more());
    const { executionId } = await execute(web.url, quiet.token, quietId, 4);
    await startWorker({ ...more(), WORKER_CONCURRENCY: '20' });
    const where = { workflowId: busyId, status: 'pending' };
    await until(async () => (await statusOf(executionId)) === 'completed', 'the single run');
    expect(await prismaClient().execution.count({ where })).toBeGreaterThan(5000);
  });
});
