import type { Trigger } from '@/contract/execution';
import type { Stats } from '@/contract/stats';
import pg from 'pg';
import { pool } from '@/server/db/client';
import { invalidField } from '@/server/errors/problem';
import { FairSemaphore } from '../load/fair-semaphore';

export interface StatsRequest {
  workspaceId: string;
  from: Date;
  to: Date;
  bucket: 'minute' | 'hour' | 'day';
  /** Undefined: all workflows. */
  workflowIds?: string[];
  trigger?: Trigger;
  /** Runs that end at one node, or only the others. Undefined: both. */
  isPartial?: boolean;
}

/** Workflows of one answer: those with most failures, then those with most runs. */
const MAX_WORKFLOWS = 100;

/** Runs by the time of their acceptance: an index of the workspace's or the workflow's runs leads to them. */
const ended = (filters: string) => `
  SELECT workflow_id, date_trunc($4, created_at, 'UTC') AS at, status = 'completed' AS is_completed,
    status = 'failed' AND is_cancellation(error) AS is_cancelled,
    CASE WHEN status = 'completed' THEN extract(epoch FROM completed_at - started_at) * 1000 END AS ms
  FROM execution WHERE workspace_id = $1 AND created_at >= $2 AND created_at < $3 AND completed_at IS NOT NULL${filters}`;

const COUNTS = `count(*) FILTER (WHERE is_completed)::int AS completed,
  count(*) FILTER (WHERE NOT is_completed AND NOT is_cancelled)::int AS failed,
  count(*) FILTER (WHERE is_cancelled)::int AS cancelled,
  percentile_cont(0.5) WITHIN GROUP (ORDER BY ms) AS "p50Ms",
  percentile_cont(0.95) WITHIN GROUP (ORDER BY ms) AS "p95Ms"`;

const statement = (filters: string) => `
WITH ended AS MATERIALIZED (${ended(filters)}),
bucket AS (
  SELECT times.at, ${COUNTS}
  FROM generate_series(date_trunc($4, $2::timestamptz, 'UTC'), $3::timestamptz - interval '1 microsecond',
    CASE $4 WHEN 'minute' THEN interval '1 minute' WHEN 'hour' THEN interval '1 hour' ELSE interval '24 hours' END) AS times(at)
  LEFT JOIN ended ON ended.at = times.at GROUP BY times.at
),
listed AS (
  SELECT w.id AS "workflowId", w.name, ${COUNTS} FROM ended JOIN workflow w ON w.id = ended.workflow_id
  GROUP BY w.id ORDER BY failed DESC, count(*) DESC, w.id LIMIT ${MAX_WORKFLOWS}
)
SELECT (SELECT coalesce(json_agg(bucket ORDER BY at), '[]') FROM bucket) AS buckets,
  (SELECT coalesce(json_agg(listed), '[]') FROM listed) AS workflows`;

const rounded = (value: number | null) => (value === null ? null : Math.round(value));

/** Two readings at a time in a process, one for each workspace: each is as long as there are runs in its range, and holds a connection. */
const turns = new FairSemaphore(4);
const WEIGHT = 2;
/** Milliseconds that one may take. */
const LIMIT_MS = 20_000;
const CANCELED = '57014';

async function read(text: string, values: unknown[]): Promise<Pick<Stats, 'buckets' | 'workflows'> | undefined> {
  const client = await pool().connect();
  try {
    await client.query('BEGIN READ ONLY');
    await client.query(`SET LOCAL statement_timeout = ${LIMIT_MS}`);
    const { rows } = await client.query<{ buckets: Stats['buckets']; workflows: Stats['workflows'] }>({ text, values });
    return rows[0];
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== CANCELED) throw error;
    throw invalidField('from', 'leads to more runs than can be counted in time; choose a shorter range');
  } finally {
    // Nothing was written.
    await client.query('ROLLBACK').then(
      () => client.release(),
      (error: Error) => client.release(error),
    );
  }
}

/** Counts and durations of finished runs, by time and by workflow. Throws a Problem if there are too many in the range. */
export async function readStats(request: StatsRequest): Promise<Stats> {
  const { workspaceId, from, to, bucket, workflowIds, trigger, isPartial } = request;
  const values: unknown[] = [workspaceId, from, to, bucket];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const filters = [
    ...(workflowIds ? [`workflow_id = ANY(${bind(workflowIds)})`] : []),
    trigger ? `trigger = ${bind(trigger)}` : `trigger <> 'test'`,
    ...(isPartial === undefined ? [] : [`until_node IS ${isPartial ? 'NOT NULL' : 'NULL'}`]),
  ];
  const text = statement(filters.map((filter) => ` AND ${filter}`).join(''));
  const release = await turns.take(workspaceId, WEIGHT);
  const { buckets = [], workflows = [] } = (await read(text, values).finally(release)) ?? {};
  return {
    buckets: buckets.map((row) => ({
      ...row,
      at: new Date(row.at).toISOString(),
      p50Ms: rounded(row.p50Ms),
      p95Ms: rounded(row.p95Ms),
    })),
    workflows: workflows.map(({ workflowId, name, completed, failed, p50Ms, p95Ms }) => ({
      workflowId,
      name,
      completed,
      failed,
      p50Ms: rounded(p50Ms),
      p95Ms: rounded(p95Ms),
    })),
  };
}
