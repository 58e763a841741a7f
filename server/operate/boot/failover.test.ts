import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDatabaseConnections, type DatabaseConnections } from '@/server/platform/db/client';
import { migrateDatabase } from '@/server/platform/db/migrate';
import { setRuntime } from '@/server/platform/runtime';
import { startStandby, type Standby } from '@/server/testing/copies';
import { startCluster, type Cluster } from '@/server/testing/cluster';
import { TEST_KEYS, testEnv } from '@/server/testing/database';
import { buildUser, buildWorkflow } from '@/server/testing/factories';
import { flow } from '@/server/testing/flow';
import { startProxy, type Proxy } from '@/server/testing/proxy';
import {
  startWebProcess,
  startWorkerProcess,
  type WebProcess,
  type ServiceProcess,
} from '@/server/testing/processes/service';
import { until } from '@/server/testing/runs';

const LIMIT_MS = 180_000;

let primary: Cluster;
let standby: Standby;
/** The name of the database: it leads to the primary, whichever server that is. */
let name: Proxy;
let own: DatabaseConnections;
let web: WebProcess;
let worker: ServiceProcess;

beforeAll(async () => {
  primary = await startCluster({ synchronous_commit: 'on' });
  await migrateDatabase(primary.url, path.resolve('prisma/migrations'));
  standby = await startStandby(primary);
  name = await startProxy(primary.url);
  own = openDatabaseConnections(primary.url);
  setRuntime({ env: testEnv({ databaseUrl: primary.url }), ...own });
  const more = { ...TEST_KEYS, RATE_LIMIT_TIER: 'unlimited' };
  [web, worker] = await Promise.all([startWebProcess(name.url, more), startWorkerProcess(name.url, more)]);
}, LIMIT_MS);
afterAll(async () => {
  await Promise.all([web.end('SIGKILL'), worker.end('SIGKILL')]);
  await own.prisma.$disconnect();
  await own.pool.end();
  await name.close();
  await Promise.all([primary.remove(), standby.remove()]);
  setRuntime(undefined);
});

it(
  'when the primary is lost and a synchronous standby takes its place, no accepted run is lost and no process is started again',
  async () => {
    const { token, workspaceId } = await buildUser();
    const definition = flow(
      {
        s: { type: 'start' },
        d: { type: 'delay', config: { durationMs: 1500 } },
        t: { type: 'transform', config: { expression: 'input.n * 2' } },
      },
      ['s>d', 'd>t'],
    );
    const workflowId = await buildWorkflow({ workspaceId, definition });
    const accepted = new Map<string, number>();
    const execute = async (n: number): Promise<number> => {
      const answer = await fetch(`${web.url}/api/workflows/${workflowId}/execute`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ input: { n } }),
      });
      const { executionId } = (await answer.json()) as { executionId?: string };
      if (answer.status === 202 && executionId) accepted.set(executionId, n);
      return answer.status;
    };
    expect(await Promise.all(Array.from({ length: 20 }, (_, n) => execute(n)))).toEqual(
      Array.from({ length: 20 }, () => 202),
    );
    const meanwhile = Promise.all(Array.from({ length: 20 }, (_, n) => execute(100 + n)));

    // The server is lost with its connections.
    await name.cut();
    await primary.stop();
    const statuses = await meanwhile;
    expect(statuses.filter((status) => status !== 202 && status !== 503)).toEqual([]);
    await standby.promote();
    name.redirect(standby.url);
    await name.restore();

    await until(async () => (await execute(1000)) === 202, 'calls to be taken', LIMIT_MS);
    const reader = new pg.Client({ connectionString: standby.url });
    await reader.connect();
    const ids = [...accepted.keys()];
    const read = async () => {
      const { rows } = await reader.query<{ id: string; status: string; output: unknown }>(
        'SELECT id, status, output FROM execution WHERE id = ANY($1)',
        [ids],
      );
      return rows;
    };
    await until(
      async () => (await read()).every(({ status }) => status === 'completed'),
      'all runs to complete',
      LIMIT_MS,
    );
    const rows = await read();
    expect(rows).toHaveLength(ids.length);
    for (const { id, output } of rows) expect(JSON.stringify(output)).toContain(String((accepted.get(id) ?? 0) * 2));
    await reader.end();
    // Neither process has ended.
    for (const { pid } of [web, worker]) expect(() => process.kill(pid, 0)).not.toThrow();
    expect(await (await fetch(`${web.url}/readyz`)).json()).toMatchObject({ status: 'ok' });
  },
  LIMIT_MS,
);
