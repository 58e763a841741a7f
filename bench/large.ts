// `npm run bench:large [-- --runs 10000000]`: lists, statistics, submissions, claims and the daily clean-up of a
// service that has stored many runs. 20 workspaces with 10 workflows each; the first workspace has half of the runs,
// which began over the last year. Every tenth run has node results and log lines. Needs about 1 GB of disk for each
// million runs. `--partition`: in partitions of a week.
import path from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { openDatabaseConnections } from '../server/platform/db/client';
import { migrateDatabase } from '../server/platform/db/migrate';
import { claimRuns } from '../server/engine/queue/claim';
import { submitRun } from '../server/engine/queue/submit';
import { partitionRunTables } from '../server/engine/store/partitions/convert';
import { addNextPartitions } from '../server/engine/store/partitions/upkeep';
import { removeExpiredRows } from '../server/engine/store/retention';
import { routeWebRequest } from '../server/api/http/routes';
import { setRuntime } from '../server/platform/runtime';
import { startCluster } from '../server/testing/cluster';
import { testEnv } from '../server/testing/database';
import { buildUser, buildWorkflow, buildWorkspace } from '../server/testing/factories';
import { percentiles } from './load';

const { values: options } = parseArgs({
  options: { runs: { type: 'string', default: '10000000' }, partition: { type: 'boolean' } },
});
const RUNS = Number(options.runs);
const CHUNK = 500_000;
const CALLS = 60;
const WORKSPACES = 20;
const WORKFLOWS = 10;
const DAYS = 365;
const DAY_MS = 86_400_000;
const NOW = Date.now();
/** SQL: when the run with the number n began, in milliseconds since 1970. */
const AT = `(${NOW} - (${RUNS} - n)::bigint * ${Math.floor((DAYS * DAY_MS) / RUNS)})`;
/** SQL: its id, which begins with the time in base 36. */
const ID = `('exec_' || ${Array.from({ length: 9 }, (_, index) => `substr('0123456789abcdefghijklmnopqrstuvwxyz', (${AT} / ${36 ** (8 - index)} % 36)::int + 1, 1)`).join(' || ')} || lpad(n::text, 24, '0'))`;

const cluster = await startCluster({ shared_buffers: '512MB', maintenance_work_mem: '1GB', max_wal_size: '8GB' });
/** Without the limits of the service's own pool. */
const admin = new pg.Client({ connectionString: cluster.url });
try {
  await migrateDatabase(cluster.url, path.resolve('prisma/migrations'));
  const { aside, prisma, pool: connections } = openDatabaseConnections(cluster.url);
  setRuntime({ env: testEnv({ databaseUrl: cluster.url }), pool: connections, aside, prisma });
  await admin.connect();
  if (options.partition) {
    await partitionRunTables(admin, 7, { start: Math.floor(Date.now() / DAY_MS - DAYS) * DAY_MS });
    await addNextPartitions(admin);
  }
  const owner = await buildUser();
  const workspaceIds = [owner.workspaceId];
  while (workspaceIds.length < WORKSPACES) workspaceIds.push(await buildWorkspace());
  const workflowIds: string[][] = [];
  for (const workspaceId of workspaceIds) {
    const own: string[] = [];
    while (own.length < WORKFLOWS) own.push(await buildWorkflow({ workspaceId, status: 'active' }));
    workflowIds.push(own);
  }
  await fill(workspaceIds, workflowIds);
  const workflowId = workflowIds[0]?.[0] ?? '';
  await lists(owner.token, workflowId);
  await queue(owner.workspaceId, workflowId);
  await retention();
  await prisma.$disconnect();
  await connections.end();
} finally {
  await admin.end();
  await cluster.remove();
}

/** Stores the runs. Indexes are built afterwards, as a restore would. */
async function fill(workspaceIds: string[], workflowIds: string[][]): Promise<void> {
  const startedAt = performance.now();
  const { rows: indexes } = await admin.query<{ name: string; definition: string }>(
    `SELECT indexname AS name, indexdef AS definition FROM pg_indexes WHERE tablename = 'execution' AND indexname <> 'execution_pkey'`,
  );
  for (const { name } of indexes) await admin.query(`DROP INDEX ${name}`);
  // No run has files.
  await admin.query('ALTER TABLE execution DISABLE TRIGGER execution_files');
  await admin.query('ALTER TABLE node_result DISABLE TRIGGER USER');
  for (let from = 0; from < RUNS; from += CHUNK) {
    const range = [from, Math.min(from + CHUNK, RUNS) - 1];
    await admin.query(
      `INSERT INTO execution (id, workspace_id, workflow_id, workflow_version, status, trigger, input, output, error, created_at, started_at, completed_at, available_at, revision)
       SELECT ${ID}, ($3::text[])[place.w], ($4::text[])[(place.w - 1) * ${WORKFLOWS} + 1 + n % ${WORKFLOWS}], 1,
         CASE WHEN n % 25 = 0 THEN 'failed' ELSE 'completed' END, (ARRAY['webhook', 'schedule', 'manual', 'webhook'])[1 + n % 4],
         json_build_object('order', n, 'customer', 'Ada Lovelace ' || n), json_build_object('total', n * 2),
         CASE WHEN n % 25 = 0 THEN json_build_object('code', 'HTTP_STATUS', 'message', 'GET example.com answered 500', 'nodeId', 'a') END,
         place.at, place.at, place.at + interval '1 second', NULL, 3
       FROM generate_series($1::int, $2::int) n, LATERAL (SELECT CASE WHEN n % 2 = 0 THEN 1 ELSE 2 + (n / 2) % ${WORKSPACES - 1} END AS w,
         to_timestamp(${AT} / 1000.0) AS at) place`,
      [...range, workspaceIds, workflowIds.flat()],
    );
    await admin.query(
      `INSERT INTO node_result (execution_id, node_id, status, attempts, output, started_at, completed_at, revision)
       SELECT ${ID}, node, 'completed', 1, '{"status": 200, "body": {"total": 42}}', now(), now(), 1
       FROM generate_series($1::int, $2::int, 10) n, unnest(ARRAY['start', 'a', 'b']) node`,
      range,
    );
    await admin.query(
      `INSERT INTO log_entry (execution_id, level, message, timestamp)
       SELECT ${ID}, 'info', 'A line of the log', now() FROM generate_series($1::int, $2::int, 10) n`,
      range,
    );
  }
  for (const { definition } of indexes) await admin.query(definition.replace(' ON ONLY ', ' ON '));
  await admin.query('ALTER TABLE execution ENABLE TRIGGER execution_files');
  await admin.query('ALTER TABLE node_result ENABLE TRIGGER USER');
  await admin.query('VACUUM ANALYZE');
  const { rows } = await admin.query<{ size: string }>(
    'SELECT pg_size_pretty(pg_database_size(current_database())) AS size',
  );
  process.stdout.write(
    `${RUNS} runs, ${rows[0]?.size}, stored in ${((performance.now() - startedAt) / 1000).toFixed(0)} s\n`,
  );
}

async function lists(token: string, workflowId: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'x-weft-peer': '127.0.0.1' };
  const get = async (address: string) => {
    const response = await routeWebRequest(new Request(`http://weft.test${address}`, { headers }));
    if (!response.ok) throw new Error(`${address}: ${response.status} ${await response.text()}`);
    return (await response.json()) as { data: { id: string }[]; nextCursor?: string | null };
  };
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString();
  const list = (query: string) => () => get(`/api/executions?limit=50&${query}`);
  await measure('list: newest', list(''));
  await measure('list: status=failed', list('status=failed'));
  await measure('list: status=running (none)', list('status=running'));
  await measure('list: one workflow', list(`workflowId=${workflowId}`));
  await measure('list: trigger=schedule', list('trigger=schedule'));
  await measure('list: trigger=form (none)', list('trigger=form'));
  await measure('list: failed, one workflow', list(`workflowId=${workflowId}&status=failed`));
  await measure('list: a day half a year ago', list(`from=${day(183)}&to=${day(182)}`));
  await measure('list: offset 10,000', list('offset=10000'));
  let cursor: string | null | undefined;
  await measure('list: next page by cursor', async () => {
    ({ nextCursor: cursor } = await get(
      `/api/executions?limit=50${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`,
    ));
  });
  const ids = (await get('/api/executions?limit=50&offset=5000')).data.map(({ id }) => id);
  await measure('one run with its results', (n) => get(`/api/executions/${ids[n % ids.length]}`));
  await measure('statistics of the workspace', () => get('/api/stats'));
  await measure('statistics of a workflow', () => get(`/api/stats?workflowId=${workflowId}`));
}

async function queue(workspaceId: string, workflowId: string): Promise<void> {
  const run = {
    workspaceId,
    workflowId,
    workflowVersion: 1,
    trigger: 'manual',
    input: { n: 1 },
    createdBy: null,
  } as const;
  await admin.query(`INSERT INTO worker (id, lease_until) VALUES ('wrk_bench', now() + interval '1 day')`);
  await measure('claim, nothing due', () => claimRuns('wrk_bench', 50, ''));
  await measure('submit a run', () => submitRun(run));
  await measure('claim 10 of 1,000 due', async (n) => {
    if (n === 0) await Promise.all(Array.from({ length: 1000 }, () => submitRun(run)));
    await claimRuns('wrk_bench', 10, '');
  });
}

/** The clean-up of a tenth of the runs, and one that finds nothing; claims go on meanwhile. */
async function retention(): Promise<void> {
  for (const what of ['of a tenth', 'that finds nothing']) {
    const beforehand = performance.now();
    let isOver = false;
    const cleaning = removeExpiredRows(DAYS - DAYS / 10).finally(() => (isOver = true));
    const times: number[] = [];
    while (!isOver) {
      const startedAt = performance.now();
      await claimRuns('wrk_bench', 50, '');
      times.push(performance.now() - startedAt);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const removed = (await cleaning)?.get('execution') ?? 0;
    const seconds = (performance.now() - beforehand) / 1000;
    process.stdout.write(
      `clean-up ${what}: ${removed} runs in ${seconds.toFixed(0)} s, ${(removed / seconds).toFixed(0)} runs/s; claims meanwhile ${shown(times)}\n`,
    );
  }
}

function shown(times: number[]): string {
  const p95 = times.toSorted((one, other) => one - other)[Math.floor(times.length * 0.95)] ?? Number.NaN;
  return `p50 ${percentiles(times).p50.toFixed(1)} ms  p95 ${p95.toFixed(1)} ms`;
}

async function measure(name: string, work: (count: number) => Promise<unknown>): Promise<void> {
  const times: number[] = [];
  for (let count = 0; count < CALLS; count += 1) {
    const startedAt = performance.now();
    await work(count);
    times.push(performance.now() - startedAt);
  }
  // The first call prepares statements.
  process.stdout.write(`${name.padEnd(32)} ${shown(times.slice(1))}\n`);
}
