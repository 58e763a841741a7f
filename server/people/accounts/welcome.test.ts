import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ExecutionResponse } from '@/contract/execution';
import { prismaClient } from '@/server/platform/db/client';
import { definitionIssues } from '@/server/workflow/definition/definition';
import { readinessIssues } from '@/server/workflow/definition/readiness';
import { startWorker, type EngineWorker } from '@/server/engine/worker';
import type { ServiceEnv } from '@/server/platform/env/env';
import { getRuntime, setRuntime } from '@/server/platform/runtime';
import { buildUser, call, type TestUser } from '@/server/testing/factories';
import { useDatabase } from '@/server/testing/database';
import { buildWelcomeDefinition } from './welcome';
import { createWorkspace } from './workspaces';

useDatabase();

test.each<Partial<ServiceEnv>>([{}, { deploymentEnv: 'selfhosted' }, { deploymentEnv: 'saas', smtpUrl: 'smtp://x' }])(
  'the Welcome workflow is valid and ready to run in %j',
  async (changes) => {
    const definition = buildWelcomeDefinition({ ...getRuntime().env, ...changes }, 'ada@example.com');
    expect(await definitionIssues(definition, { workspaceId: 'ws_1' })).toEqual([]);
    expect(readinessIssues(definition)).toEqual([]);
  },
);

describe('run by hand', () => {
  const health = createServer((_, response) => response.end('{"status":"ok"}'));
  let worker: EngineWorker;
  let user: TestUser;

  beforeAll(async () => {
    await new Promise<void>((resolve) => health.listen(0, '127.0.0.1', resolve));
    const apiBaseUrl = `http://127.0.0.1:${(health.address() as AddressInfo).port}`;
    setRuntime({ ...getRuntime(), env: { ...getRuntime().env, apiBaseUrl } });
    user = await buildUser();
    worker = await startWorker({ concurrency: 10 });
  });
  afterAll(async () => {
    await worker.stop();
    health.close();
  });

  const deadline = { timeout: 10_000, interval: 20 };

  async function execute(
    input: object,
  ): Promise<{ read(): Promise<ExecutionResponse>; decide(decision: string): Promise<void> }> {
    const { id: workspace } = await prismaClient().$transaction((db) =>
      createWorkspace(db, { name: 'Try', ownerId: user.id }),
    );
    const { id } = await prismaClient().workflow.findFirstOrThrow({ where: { workspaceId: workspace } });
    const caller = { token: user.token, workspace };
    const path = `/api/workflows/${id}/execute`;
    const { body } = await call<{ executionId: string }>('POST', path, { ...caller, body: { input } });
    const run = `/api/executions/${body.executionId}`;
    return {
      read: async () => (await call<ExecutionResponse>('GET', run, caller)).body,
      async decide(decision) {
        const answer = await call('POST', `${run}/resume`, { ...caller, body: { nodeId: 'approval', decision } });
        expect(answer.status).toBe(200);
      },
    };
  }

  const ended = async (run: { read(): Promise<ExecutionResponse> }) => {
    await expect.poll(async () => (await run.read()).status, deadline).toBe('completed');
    const { nodeResults } = await run.read();
    return Object.fromEntries(nodeResults.map(({ nodeId, status }) => [nodeId, status]));
  };
  const subjects = async () =>
    (await prismaClient().outboxMail.findMany({ orderBy: { createdAt: 'desc' } })).map(({ subject }) => subject);

  test('without input it waits for approval, then calls the service and sends a mail', async () => {
    const run = await execute({});
    await expect.poll(async () => (await run.read()).status, deadline).toBe('paused');
    await run.decide('approved');
    expect(await ended(run)).toMatchObject({
      approval: 'completed',
      health: 'completed',
      report: 'completed',
      declined: 'skipped',
    });
    const mail = await prismaClient().outboxMail.findFirstOrThrow();
    expect(mail).toMatchObject({ to: [user.email], subject: 'Order of a first visitor accepted' });
    expect(mail.text).toContain('The service said: status 200.');
  });

  test('a rejection sends another mail', async () => {
    const run = await execute({ customer: 'Bob' });
    await expect.poll(async () => (await run.read()).status, deadline).toBe('paused');
    await run.decide('rejected');
    expect(await ended(run)).toMatchObject({ health: 'skipped', report: 'skipped', declined: 'completed' });
    expect(await subjects()).toContain('Order of Bob declined');
  });

  test('a small order needs no approval, and a failed call is reported without failing the run', async () => {
    const before = getRuntime();
    setRuntime({ ...before, env: { ...before.env, apiBaseUrl: 'http://127.0.0.1:1' } });
    const run = await execute({ customer: 'Cleo', amount: 5 });
    expect(await ended(run)).toMatchObject({ approval: 'skipped', health: 'failed', report: 'completed' });
    expect(await subjects()).toContain('Order of Cleo accepted');
    setRuntime(before);
  });
});
