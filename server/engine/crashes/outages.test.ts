import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDatabaseConnections, type DatabaseConnections } from '@/server/platform/db/client';
import { getRuntime, setRuntime } from '@/server/platform/runtime';
import { createDataTable } from '@/server/data/tables/schema';
import { createPrismaSql } from '@/server/data/tables/sql';
import { useOwnDatabase } from '@/server/testing/database';
import { buildCredential, buildUser, buildWorkflow, unique, type TestUser } from '@/server/testing/factories';
import { flow, type Sketch } from '@/server/testing/flow';
import { startTarget, type Target } from '@/server/testing/servers/target';
import { startProxy, type Proxy } from '@/server/testing/proxy';
import { startRun, until, type StartedRun } from '@/server/testing/runs';
import { startWorker, type EngineWorker } from '../worker';

useOwnDatabase();

const LIMIT_MS = 300_000;
const PATIENCE_MS = 200_000;
const ROUNDS = 12;
/** Far below the time for which the database is away. */
const TIMEOUT_MS = 5000;
const AWAY_MS = 8000;

let proxy: Proxy;
let through: DatabaseConnections;
/** What the test itself reads by. */
let direct: pg.Pool;
let target: Target;
let worker: EngineWorker;
let user: TestUser;

beforeAll(async () => {
  target = await startTarget();
  user = await buildUser();
  direct = getRuntime().pool;
  proxy = await startProxy(getRuntime().env.databaseUrl ?? '');
  through = openDatabaseConnections(proxy.url);
  setRuntime({ ...getRuntime(), env: { ...getRuntime().env, databaseUrl: proxy.url }, ...through });
  worker = await startWorker({ concurrency: 50, graceMs: 200 });
});
afterAll(async () => {
  await worker.stop();
  await through.prisma.$disconnect();
  await through.pool.end();
  await Promise.all([proxy.close(), target.close()]);
});

/** A run that has a node in each round of a loop. */
async function startLoop(node: Sketch): Promise<StartedRun> {
  const { workspaceId } = user;
  const body = flow({ in: { type: 'start' }, x: node }, ['in>x']);
  const loop = { type: 'for_each', config: { items: `[1..${ROUNDS}]`, body } };
  const definition = flow({ s: { type: 'start' }, loop }, ['s>loop']);
  return startRun({ workspaceId, workflowId: await buildWorkflow({ workspaceId, definition }) });
}

const roundsOf = async ({ executionId }: StartedRun) => {
  const { rows } = await direct.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM node_result WHERE execution_id = $1 AND node_id LIKE '%.x' AND status = 'completed'`,
    [executionId],
  );
  return rows[0]?.count ?? 0;
};
const endOf = async ({ executionId }: StartedRun) => {
  const { rows } = await direct.query<{ status: string; error: object | null; deaths: number }>(
    'SELECT status, error, deaths FROM execution WHERE id = $1',
    [executionId],
  );
  return rows[0];
};
const isOver = (run: StartedRun) => async () => ['completed', 'failed'].includes((await endOf(run))?.status ?? '');
const pauseFor = (ms: number) => {
  const end = Date.now() + ms;
  return until(async () => Date.now() >= end, 'the outage to last');
};

it(
  'a database that is away for longer than the timeouts of nodes costs no run, whatever its nodes do',
  { timeout: LIMIT_MS, tags: 'long' },
  async () => {
    const { workspaceId } = user;
    const key = unique('key');
    const table = await through.prisma.$transaction((db) =>
      createDataTable(createPrismaSql(db), {
        workspaceId,
        name: unique('Rows'),
        columns: [{ name: 'n', type: 'number' }],
        createdBy: null,
      }),
    );
    const credentialId = await buildCredential(user, 'basic_auth', { username: 'u', password: 'p' });
    const child = await buildWorkflow({
      workspaceId,
      definition: flow({ s: { type: 'start' } }, []),
      status: 'active',
    });
    const call = (path: string, more: object = {}) => ({
      url: `${target.url}${path}`,
      method: 'POST',
      body: {},
      ...more,
    });
    const runs = {
      remember: await startLoop({
        timeoutMs: TIMEOUT_MS,
        type: 'remember',
        config: { operation: 'add', scope: 'workspace', key },
      }),
      table: await startLoop({
        timeoutMs: TIMEOUT_MS,
        type: 'table',
        config: { tableId: table.id, operation: 'insert', row: { n: 1 } },
      }),
      credential: await startLoop({
        timeoutMs: TIMEOUT_MS,
        type: 'http_request',
        credentialId,
        config: call('/credential'),
      }),
      file: await startLoop({
        timeoutMs: TIMEOUT_MS,
        type: 'http_request',
        config: call('/file', { responseType: 'file' }),
      }),
      mail: await startLoop({
        timeoutMs: TIMEOUT_MS,
        type: 'send_email',
        config: { to: ['a@example.com'], subject: 'S', template: 'T' },
      }),
      child: await startLoop({ type: 'sub_workflow', config: { workflowId: child } }),
      vars: await startLoop({
        timeoutMs: TIMEOUT_MS,
        type: 'http_request',
        config: call('/vars', { body: { v: '{{ vars.none }}' } }),
      }),
    };
    const all = Object.values(runs);
    for (const least of [1, 4]) {
      for (const [name, run] of Object.entries(runs)) {
        const isFarEnough = async () => (await roundsOf(run)) >= least || (await isOver(run)());
        await until(isFarEnough, `some rounds of ${name}`, PATIENCE_MS);
      }
      await proxy.cut();
      await pauseFor(AWAY_MS);
      await proxy.restore();
    }
    for (const run of all) await until(isOver(run), 'the run to end', PATIENCE_MS);
    const ends = Object.fromEntries(
      await Promise.all(Object.entries(runs).map(async ([name, run]) => [name, await endOf(run)])),
    );
    const completed = { status: 'completed', error: null, deaths: 0 };
    expect(ends).toEqual(Object.fromEntries(Object.keys(runs).map((name) => [name, completed])));
    const counted = await direct.query<{ value: number; rows: number; mails: number }>(
      `SELECT (SELECT value::text::int FROM remembered WHERE workspace_id = $1 AND key = $2) AS value,
         (SELECT count(*)::int FROM "${table.id}") AS rows,
         (SELECT count(*)::int FROM outbox_mail WHERE workspace_id = $1 AND subject = 'S') AS mails`,
      [workspaceId, key],
    );
    // What the service stores itself happens exactly once; what acts outside happens at least once.
    expect(counted.rows[0]).toMatchObject({ value: ROUNDS, rows: ROUNDS });
    expect(counted.rows[0]?.mails).toBeGreaterThanOrEqual(ROUNDS);
  },
);
