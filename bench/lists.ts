// `npm run bench:lists`: how long lists take where a workspace has a million executions and ten thousand workflows.
import path from 'node:path';
import pg from 'pg';
import { routeWebRequest } from '../server/api/http/routes';
import { openDatabaseConnections } from '../server/platform/db/client';
import { migrateDatabase } from '../server/platform/db/migrate';
import { addUpTally } from '../server/engine/store/tally';
import { setRuntime } from '../server/platform/runtime';
import { startCluster } from '../server/testing/cluster';
import { testEnv } from '../server/testing/database';
import { buildUser } from '../server/testing/factories';
import { percentiles } from './load';

const WORKFLOWS = 10_000;
const EXECUTIONS = 1_000_000;
const CALLS = 100;

const cluster = await startCluster();
try {
  await migrateDatabase(cluster.url, path.resolve('prisma/migrations'));
  const { pool, aside, prisma } = openDatabaseConnections(cluster.url);
  setRuntime({ env: testEnv({ databaseUrl: cluster.url }), pool, aside, prisma });
  const { workspaceId, token } = await buildUser();
  await seed(workspaceId);
  const middle = new Date(Date.now() - 12 * 86_400_000).toISOString();
  const recent = new Date(Date.now() - 1_234_567).toISOString();
  const paths = [
    '/api/executions',
    '/api/executions?status=completed',
    '/api/executions?status=failed',
    '/api/executions?status=running',
    '/api/executions?trigger=schedule',
    '/api/executions?search=flow%20999',
    '/api/executions?search=flow',
    '/api/executions?workflowId=wf_00001',
    `/api/executions?from=${middle}&to=${recent}`,
    '/api/executions?limit=100&offset=5000',
    '/api/workflows',
    '/api/workflows?status=active&limit=100',
    '/api/workflows?search=flow%20999',
    '/api/workflows?offset=9900',
  ];
  for (const address of paths) {
    const times: number[] = [];
    let total = 0;
    for (let count = 0; count < CALLS; count += 1) {
      const startedAt = performance.now();
      const headers = { authorization: `Bearer ${token}`, 'x-weft-peer': '127.0.0.1' };
      const response = await routeWebRequest(new Request(`http://weft.test${address}`, { headers }));
      const body: { total?: number } = await response.json();
      if (body.total === undefined) throw new Error(`${address}: ${response.status} ${JSON.stringify(body)}`);
      total = body.total;
      times.push(performance.now() - startedAt);
    }
    const sorted = times.toSorted((a, b) => a - b);
    const p95 = sorted[Math.floor(CALLS * 0.95)] ?? Number.NaN;
    process.stdout.write(
      `${address.replace(/\d{4}-[^&]+/g, '…').padEnd(46)} total ${String(total).padStart(8)}  p50 ${percentiles(times).p50.toFixed(1)} ms  p95 ${p95.toFixed(1)} ms\n`,
    );
  }
  await prisma.$disconnect();
  await pool.end();
} finally {
  await cluster.remove();
}

/** A tenth failed, a few are in progress, over thirty days; each workflow has about a hundred. */
async function seed(workspaceId: string): Promise<void> {
  // Longer than the statement timeout of the service's own pool.
  const client = new pg.Client({ connectionString: cluster.url });
  await client.connect();
  await client.query(
    `INSERT INTO workflow (id, workspace_id, name, description, status, definition, version, created_at)
     SELECT 'wf_' || lpad(n::text, 5, '0'), $1, 'Flow ' || n, '', (ARRAY['draft', 'active', 'paused'])[n % 3 + 1],
       '{"nodes":[],"connections":[]}', 1, now() - n * interval '3 minutes' FROM generate_series(1, ${WORKFLOWS}) n`,
    [workspaceId],
  );
  await client.query(
    `INSERT INTO execution (id, workspace_id, workflow_id, workflow_version, status, trigger, input, created_at, started_at,
       completed_at, available_at)
     SELECT 'exec_' || lpad(n::text, 30, '0'), $1, 'wf_' || lpad((n % ${WORKFLOWS} + 1)::text, 5, '0'), 1, status,
       (ARRAY['webhook', 'manual', 'schedule', 'webhook'])[n % 4 + 1], '{"order": 7}', at, at,
       CASE WHEN status IN ('completed', 'failed') THEN at + interval '1 second' END, NULL
     FROM generate_series(1, ${EXECUTIONS}) n
     CROSS JOIN LATERAL (SELECT now() - n * (interval '30 days' / ${EXECUTIONS}) AS at,
       CASE WHEN n <= 50 THEN 'running' WHEN n % 10 = 0 THEN 'failed' ELSE 'completed' END AS status) s`,
    [workspaceId],
  );
  while ((await addUpTally()) > 0);
  await client.query('VACUUM ANALYZE');
  await client.end();
}
