import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, inject, it } from 'vitest';
import type { Hook } from '@/server/testing/hooks';
import { cloneDatabase } from '@/server/testing/cluster';
import { databasePool, prismaClient } from '@/server/platform/db/client';
import { LocalStorage } from '@/server/data/files/local-storage';
import { getRuntime } from '@/server/platform/runtime';
import { TEST_KEYS, useOwnDatabase } from '@/server/testing/database';
import { buildUser, buildWorkflow } from '@/server/testing/factories';
import { flow } from '@/server/testing/flow';
import { register } from '@/server/testing/hooks';
import { startWebProcess, startWorkerProcess, type ServiceProcess } from '@/server/testing/processes/service';
import { until } from '@/server/testing/runs';
import { documentedSignature } from '@/server/triggers/webhooks/verification';
import { openDatabaseConnections } from '@/server/platform/db/client';
import { forwardHeldDeliveries, moveDatabase } from './move';

useOwnDatabase();

const LIMIT_MS = 90_000;
const folder = mkdtempSync(path.join(tmpdir(), 'weft-moving-'));
const processes: ServiceProcess[] = [];
const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(processes.splice(0).map((first) => first.end('SIGKILL')));
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
  rmSync(folder, { recursive: true, force: true });
});

async function keep<Each extends ServiceProcess>(starting: Promise<Each>): Promise<Each> {
  const first = await starting;
  processes.push(first);
  return first;
}

async function emptyDatabase(): Promise<string> {
  const { url, drop } = await cloneDatabase(inject('postgresUrl'), 'template0');
  cleanUps.push(drop);
  return url;
}

async function deliver(url: string, hook: Hook, n: number): Promise<{ status: number; executionId: string }> {
  const body = JSON.stringify({ n });
  const headers = {
    'content-type': 'application/json',
    'x-service-signature': documentedSignature(hook.secret, Buffer.from(body)),
  };
  const answer = await fetch(url + new URL(hook.url).pathname, { method: 'POST', headers, body });
  return { status: answer.status, executionId: ((await answer.json()) as { executionId: string }).executionId };
}

it(
  'a fleet moves to another database: reading goes on, no delivery and no waiting run is lost',
  async () => {
    const from = getRuntime().env.databaseUrl ?? '';
    const to = await emptyDatabase();
    const user = await buildUser();
    const definition = flow(
      {
        s: { type: 'start' },
        a: { type: 'approval', config: {} },
        t: { type: 'transform', config: { expression: '"shipped"' } },
      },
      ['s>a', 'a:approved>t'],
    );
    const workflowId = await buildWorkflow({ workspaceId: user.workspaceId, status: 'active', definition });
    const { body: hook } = await register(user, workflowId, 'orders/new');
    const [web] = await Promise.all([
      keep(startWebProcess(from, TEST_KEYS)),
      keep(startWorkerProcess(from, TEST_KEYS)),
    ]);
    const before = await deliver(web.url, hook, 1);
    const statusOf = async (id: string, db = prismaClient()) =>
      (await db.execution.findUnique({ where: { id } }))?.status;
    await until(async () => (await statusOf(before.executionId)) === 'paused', 'the first run to wait');

    const copied = moveDatabase(
      { url: from, version: '1.2.3', filesAt: null, key: TEST_KEYS.ENCRYPTION_KEY },
      {
        url: to,
        migrations: path.resolve(import.meta.dirname, '../../../prisma/migrations'),
        files: new LocalStorage(path.join(folder, 'files')),
        temporary: folder,
        keys: [TEST_KEYS.ENCRYPTION_KEY],
      },
    );
    await copied;
    const headers = { authorization: `Bearer ${user.token}`, 'content-type': 'application/json' };
    const change = (url: string) =>
      fetch(`${url}/api/workflows/${workflowId}`, {
        method: 'PATCH',
        headers,
        body: JSON.stringify({ name: 'Moved' }),
      });
    const read = (url: string) => fetch(`${url}/api/workflows/${workflowId}`, { headers });
    expect([(await change(web.url)).status, (await read(web.url)).status]).toEqual([503, 200]);
    const held = await deliver(web.url, hook, 2);
    expect(held.status).toBe(202);

    await Promise.all(processes.splice(0).map((each) => each.end('SIGTERM')));
    expect(await forwardHeldDeliveries(async () => from, to, { quietMs: 0 })).toBe(1);
    const [moved] = await Promise.all([keep(startWebProcess(to, TEST_KEYS)), keep(startWorkerProcess(to, TEST_KEYS))]);
    const copy = openDatabaseConnections(to, { max: 2 });
    cleanUps.push(() => copy.prisma.$disconnect().then(() => copy.pool.end()));
    for (const { executionId } of [before, held]) {
      await until(async () => (await statusOf(executionId, copy.prisma)) === 'paused', `${executionId} to wait`);
      const resumed = await fetch(`${moved.url}/api/executions/${executionId}/resume`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ nodeId: 'a', decision: 'approved' }),
      });
      expect(resumed.status, await resumed.text()).toBe(200);
      await until(async () => (await statusOf(executionId, copy.prisma)) === 'completed', `${executionId} to complete`);
    }
    expect((await change(moved.url)).status).toBe(200);
    const { rows } = await databasePool().query('SELECT name FROM workflow WHERE id = $1', [workflowId]);
    expect(rows[0]).not.toEqual({ name: 'Moved' });
  },
  LIMIT_MS,
);
