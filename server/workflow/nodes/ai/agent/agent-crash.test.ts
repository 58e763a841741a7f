import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { getRuntime } from '@/server/platform/runtime';
import { TEST_KEYS, useOwnDatabase } from '@/server/testing/database';
import { buildUser, buildWorkflow, call } from '@/server/testing/factories';
import { flow } from '@/server/testing/flow';
import { startModels, type Models } from '@/server/testing/servers/models';
import { startTarget, type Target } from '@/server/testing/servers/target';
import { startWorkerProcess, type ServiceProcess } from '@/server/testing/processes/service';
import { gate, startRun, until } from '@/server/testing/runs';

useOwnDatabase();

const LIMIT_MS = 60_000;

let models: Models;
let target: Target;
let process: ServiceProcess | undefined;

beforeAll(async () => {
  models = await startModels();
  target = await startTarget();
});
afterEach(() => process?.end('SIGKILL'));
afterAll(() => Promise.all([models.close(), target.close()]));

async function start(): Promise<void> {
  process = await startWorkerProcess(getRuntime().env.databaseUrl ?? '', TEST_KEYS);
}

async function kill(): Promise<void> {
  await process?.end('SIGKILL');
  process = undefined;
}

it(
  'repeats nothing that is stored when its process is killed during a call of a tool, and during one of the model',
  async () => {
    const { token, workspaceId } = await buildUser();
    const credential = await call<{ id: string }>('POST', '/api/credentials', {
      token,
      body: { name: 'model', type: 'llm', config: { provider: 'openai_compatible', baseUrl: models.url } },
    });
    const look = (id: string) => ({ name: 'look_up', arguments: { id } });
    const { opened, open } = gate();
    models.say(async (_, index) => {
      if (index === 0) return { calls: [look('1'), look('2')] };
      await opened;
      return { text: 'Done' };
    });
    const tools = [{ name: 'look_up', type: 'http_request', config: { url: `${target.url}/orders/{{ input.id }}` } }];
    const agent = { type: 'agent', credentialId: credential.body.id, config: { model: 'm', input: 'Hi', tools } };
    const definition = flow({ in: { type: 'start' }, agent }, ['in>agent']);
    const workflowId = await buildWorkflow({ workspaceId, definition });

    target.hold('/orders/1');
    await start();
    const run = await startRun({ workspaceId, workflowId });
    await until(
      async () =>
        target.countOf('/orders/1') === 1 &&
        (await run.read()).nodeResults.some(
          ({ nodeId, status }) => nodeId === 'agent[0].look_up#2' && status === 'completed',
        ),
      'the second call to be stored, and the first to be in flight',
      LIMIT_MS,
    );
    await kill();
    target.letGo('/orders/1');
    await start();
    await until(async () => models.requests.length === 2, 'the second step', LIMIT_MS);
    await kill();
    open();
    await start();
    const execution = await until(
      async () => {
        const found = await run.read();
        return found.status === 'completed' && found;
      },
      'the run to complete',
      LIMIT_MS,
    );
    expect(execution.output).toMatchObject({ text: 'Done', steps: 2 });
    // Only what was in flight is repeated, each with the same key.
    expect([target.countOf('/orders/1'), target.countOf('/orders/2')]).toEqual([2, 1]);
    expect(models.requests).toHaveLength(3);
    expect(execution.nodeResults.every(({ status }) => status === 'completed')).toBe(true);
  },
  3 * LIMIT_MS,
);
