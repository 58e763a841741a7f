import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { ExecutionResponse } from '@/contract/execution';
import { buildCallUrl } from '@/server/engine/attempt/call-link';
import { getRuntime } from '@/server/platform/runtime';
import { TEST_KEYS, useOwnDatabase } from '@/server/testing/database';
import { buildUser, buildWorkflow, call } from '@/server/testing/factories';
import { flow } from '@/server/testing/flow';
import { startRedis, type RedisServer } from '@/server/testing/servers/redis';
import { startWebProcess, startWorkerProcess, type ServiceProcess } from '@/server/testing/processes/service';
import { until } from '@/server/testing/runs';

useOwnDatabase();

const LIMIT_MS = 120_000;

let redis: RedisServer;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.remove());

const processes: ServiceProcess[] = [];
afterEach(() => Promise.all(processes.splice(0).map((one) => one.end('SIGKILL'))));

async function keep<Each extends ServiceProcess>(starting: Promise<Each>): Promise<Each> {
  const one = await starting;
  processes.push(one);
  return one;
}

const body = flow({ i: { type: 'start' }, w: { type: 'wait_for_call', config: { expiresInMs: 600_000 } } }, ['i>w']);
const definition = flow(
  { s: { type: 'start' }, l: { type: 'for_each', config: { items: '["a", "b"]', concurrency: 2, body } } },
  ['s>l'],
);

it(
  'calls to a web process continue a run whose worker was killed, over Redis',
  async () => {
    const settings = { ...TEST_KEYS, REDIS_URL: redis.url };
    const database = getRuntime().env.databaseUrl ?? '';
    const startWorker = () => keep(startWorkerProcess(database, settings));
    const [web, worker] = await Promise.all([keep(startWebProcess(database, settings)), startWorker()]);
    const { token, workspaceId } = await buildUser();
    const workflowId = await buildWorkflow({ workspaceId, definition, status: 'active' });
    const started = await call<{ executionId: string }>('POST', `/api/workflows/${workflowId}/execute`, {
      token,
      body: { input: {} },
    });
    const { executionId } = started.body;
    const read = async () => (await call<ExecutionResponse>('GET', `/api/executions/${executionId}`, { token })).body;
    const isWaiting = async () => (await read()).nodeResults.filter(({ nodeId }) => nodeId.endsWith('.w')).length === 2;
    await until(isWaiting, 'both rounds to wait');
    const post = async (nodeId: string, value: string) => {
      const { pathname } = new URL(buildCallUrl({ executionId, nodeId }));
      const headers = { 'content-type': 'application/json' };
      return (await fetch(web.url + pathname, { method: 'POST', headers, body: JSON.stringify(value) })).status;
    };
    expect(await post('l[1].w', 'second')).toBe(202);
    processes.splice(processes.indexOf(worker), 1);
    await worker.end('SIGKILL');
    expect(await post('l[0].w', 'first')).toBe(202);
    expect(await post('l[1].w', 'again')).toBe(410);
    await startWorker();
    const ended = await until(
      async () => {
        const execution = await read();
        return execution.completedAt === undefined ? null : execution;
      },
      'the end of the run',
      LIMIT_MS,
    );
    expect(ended).toMatchObject({ status: 'completed', output: ['first', 'second'] });
  },
  LIMIT_MS,
);
