import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { ExecutionResponse } from '@/contract/execution';
import { openDatabaseConnections, databasePool, prismaClient } from '@/server/platform/db/client';
import { migrateDatabase } from '@/server/platform/db/migrate';
import { readExecutionReport } from '@/server/engine/report/report';
import { createDataTable } from '@/server/data/tables/schema';
import { createPrismaSql } from '@/server/data/tables/sql';
import { readServiceEnv } from '@/server/platform/env/env';
import { retryWhileUnavailable } from '@/server/platform/db/failures/retry-while-unavailable';
import { setRuntime } from '@/server/platform/runtime';
import { startCluster } from '../cluster';
import { buildUser, buildWorkflow } from '../factories';
import { startRedis } from '../servers/redis';
import { violations } from './check';
import { Client, type Service, type Workflow } from './client';
import { Fleet } from './fleet';
import { graphs } from './graphs';
import type { Happening, Rest } from './history';
import { startPolledSource } from './polls';
import { Random } from './random';
import { startTarget } from './target';

export interface ChaosOptions {
  seed: number;
  /** How long faults are injected. */
  milliseconds: number;
  clients?: number;
  webs?: number;
  workers?: number;
  /** Dispatch over a separate Redis, which also gets faults. */
  withRedis?: boolean;
}

export interface ChaosReport {
  history: Happening[];
  rest: Rest;
  /** Violated guarantees; empty on success. */
  violations: string[];
}

const KEYS = {
  JWT_SECRET: 'a secret that signs the access tokens of chaos',
  ENCRYPTION_KEY: 'a key that encrypts the secrets of all the chaos',
  MFA_SECRET_KEY: 'a key that encrypts second factors of chaos',
};
/** Time limit for all accepted runs to end after the last fault. */
const REST_MS = 60_000;

/** Runs the service under load, injects faults, and checks the guarantees. */
export async function chaos(options: ChaosOptions): Promise<ChaosReport> {
  const { seed, milliseconds, clients = 60, webs = 3, workers = 2, withRedis = false } = options;
  const history: Happening[] = [];
  const closing: (() => Promise<unknown>)[] = [];
  try {
    const target = await startTarget(history, new Random(seed + 1));
    closing.push(() => target.close());
    // Commits must survive a killed server, as in production.
    const cluster = await startCluster({ synchronous_commit: 'on' });
    closing.push(() => cluster.remove());
    const redis = withRedis ? await startRedis() : undefined;
    if (redis) closing.push(() => redis.remove());
    await migrateDatabase(cluster.url, path.resolve(import.meta.dirname, '../../../prisma/migrations'));
    const own = openDatabaseConnections(cluster.url);
    setRuntime({ env: readServiceEnv({ ...KEYS, DATABASE_URL: cluster.url, BCRYPT_COST: '4' }), ...own });
    closing.push(async () => {
      setRuntime(undefined);
      await own.prisma.$disconnect();
      await own.pool.end();
    });

    const env = { ...KEYS, WORKER_CONCURRENCY: '40', ...(redis && { REDIS_URL: redis.url }) };
    const fleet = new Fleet(cluster, redis, env, history, new Random(seed + 2));
    closing.push(() => fleet.remove());
    const { token, workspaceId } = await buildUser();
    const polled = await startPolledSource(workspaceId);
    closing.push(() => polled.close());
    await fleet.start(webs, workers);
    const service: Service = { urls: fleet.urls, token, workflows: [] };
    const tableId = await newTable(workspaceId);
    service.workflows = await workflowsOf(service, workspaceId, target.url, tableId);

    const people = Array.from(
      { length: clients },
      (_, index) => new Client(`client-${index}`, service, history, new Random(seed + 100 + index)),
    );
    const staying = people.map((person) => person.stay());
    const random = new Random(seed);
    for (const end = Date.now() + milliseconds; Date.now() < end;) {
      await pause(random.between(1000, 4000));
      await fleet.suffer();
    }
    await fleet.heal();
    for (const person of people) person.leave();
    await Promise.all(staying);
    const polledViolations = await polled.finish();
    const rest = await restOf(workspaceId, tableId);
    return { history, rest, violations: [...fleet.deaths, ...polledViolations, ...violations(history, rest)] };
  } finally {
    for (const close of closing.toReversed()) await close();
  }
}

/** The table that workflows write. No column is unique, so that a second row is not refused but found. */
async function newTable(workspaceId: string): Promise<string> {
  const columns = [
    { name: 'name', type: 'text' as const },
    { name: 'n', type: 'number' as const },
  ];
  const { id } = await prismaClient().$transaction((db) =>
    createDataTable(createPrismaSql(db), { workspaceId, name: 'Chaos', columns, createdBy: null }),
  );
  return id;
}

async function workflowsOf(
  service: Service,
  workspaceId: string,
  target: string,
  tableId: string,
): Promise<Workflow[]> {
  const chainId = await buildWorkflow({ workspaceId, definition: graphs(target, tableId).chain, status: 'active' });
  const others = Object.entries(graphs(target, tableId, chainId)).filter(([name]) => name !== 'chain');
  const ids: [string, string][] = [['chain', chainId]];
  for (const [name, definition] of others) {
    ids.push([name, await buildWorkflow({ workspaceId, definition, status: 'active' })]);
  }
  return Promise.all(
    ids.map(async ([name, id]) => {
      const response = await fetch(`${service.urls()[0]}/api/workflows/${id}/webhooks`, {
        method: 'POST',
        headers: { authorization: `Bearer ${service.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ path: 'in' }),
      });
      const { secret } = (await response.json()) as { secret: string };
      return { id, name, secret };
    }),
  );
}

/**
 * The database's content once all runs have ended or the time is up. Connections that the last fault has broken are
 * opened again.
 */
const restOf = (workspaceId: string, tableId: string): Promise<Rest> =>
  retryWhileUnavailable(AbortSignal.timeout(2 * REST_MS), () => hasEnded().then(() => readRest(workspaceId, tableId)));

/** Resolves when all runs have ended, or the time is up: `check` reports those that have not. */
async function hasEnded(): Promise<void> {
  const open = { status: { in: ['pending', 'running'] } };
  for (const end = Date.now() + REST_MS; Date.now() < end; await pause(50)) {
    if ((await prismaClient().execution.count({ where: open })) === 0) return;
  }
}

async function readRest(workspaceId: string, tableId: string): Promise<Rest> {
  const { rows } = await databasePool().query<{ id: string }>('SELECT id FROM execution');
  const executions: ExecutionResponse[] = [];
  for (const { id } of rows) {
    const execution = await readExecutionReport(workspaceId, id);
    if (execution) executions.push(JSON.parse(JSON.stringify(execution)) as ExecutionResponse);
  }
  const auditedRequests = await prismaClient().auditEntry.count({
    where: { action: { in: ['workflows.execute', 'webhooks.deliver'] }, result: 'success' },
  });
  const remembered = await prismaClient().remembered.findMany({ where: { isList: false } });
  const { rows: written } = await databasePool().query<Rest['rows'][number]>(
    `SELECT c1 AS name, c2 AS n FROM "${tableId}"`,
  );
  const numbers = Object.fromEntries(remembered.map(({ key, value }) => [key, value]));
  return { executions, auditedRequests, remembered: numbers, rows: written };
}
