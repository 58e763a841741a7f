import type { TriggerType } from '@/contract/execution';
import type { ExecutionStats } from '@/contract/stats';
import pg from 'pg';
import { databasePool } from '@/server/platform/db/client';
import { invalidFieldProblem } from '@/server/platform/errors/problem';
import { FairSemaphore } from '../load/fair-semaphore';

export interface RunStatsRequest {
  workspaceId: string;
  from: Date;
  to: Date;
  bucket: 'minute' | 'hour' | 'day';
  /** Undefined: all workflows. */
  workflowIds?: string[];
  trigger?: TriggerType;
  /** Runs that end at one node, or only the others. Undefined: both. */
  isPartial?: boolean;
}

/** Maximum number of workflows in one response: those with most failures first, then those with most runs. */
const MAX_STATS_WORKFLOWS = 100;

/**
 * SQL: selects ended runs by the time of their acceptance, for which the runs of a workspace and of a workflow have an
 * index.
 */
const endedRunsSql = (filters: string) => `
  SELECT workflow_id, date_trunc($4, created_at, 'UTC') AS at, status = 'completed' AS is_completed,
    status = 'failed' AND is_cancellation(error) AS is_cancelled,
    CASE WHEN status = 'completed' THEN extract(epoch FROM completed_at - started_at) * 1000 END AS ms
  FROM execution WHERE workspace_id = $1 AND created_at >= $2 AND created_at < $3 AND completed_at IS NOT NULL${filters}`;

const STATS_COUNTS_SQL = `count(*) FILTER (WHERE is_completed)::int AS completed,
  count(*) FILTER (WHERE NOT is_completed AND NOT is_cancelled)::int AS failed,
  count(*) FILTER (WHERE is_cancelled)::int AS cancelled,
  percentile_cont(0.5) WITHIN GROUP (ORDER BY ms) AS "p50Ms",
  percentile_cont(0.95) WITHIN GROUP (ORDER BY ms) AS "p95Ms"`;

const statsSql = (filters: string) => `
WITH ended AS MATERIALIZED (${endedRunsSql(filters)}),
bucket AS (
  SELECT times.at, ${STATS_COUNTS_SQL}
  FROM generate_series(date_trunc($4, $2::timestamptz, 'UTC'), $3::timestamptz - interval '1 microsecond',
    CASE $4 WHEN 'minute' THEN interval '1 minute' WHEN 'hour' THEN interval '1 hour' ELSE interval '24 hours' END) AS times(at)
  LEFT JOIN ended ON ended.at = times.at GROUP BY times.at
),
listed AS (
  SELECT w.id AS "workflowId", w.name, ${STATS_COUNTS_SQL} FROM ended JOIN workflow w ON w.id = ended.workflow_id
  GROUP BY w.id ORDER BY failed DESC, count(*) DESC, w.id LIMIT ${MAX_STATS_WORKFLOWS}
)
SELECT (SELECT coalesce(json_agg(bucket ORDER BY at), '[]') FROM bucket) AS buckets,
  (SELECT coalesce(json_agg(listed), '[]') FROM listed) AS workflows`;

const roundMilliseconds = (value: number | null) => (value === null ? null : Math.round(value));

/**
 * A process reads two statistics at a time, at most one for each workspace: a reading holds a connection, and takes
 * longer with more runs.
 */
const statsTurns = new FairSemaphore(4);
const STATS_TURN_WEIGHT = 2;
/** Maximum duration of one reading, in milliseconds. */
const STATS_TIMEOUT_MS = 20_000;
const QUERY_CANCELED_CODE = '57014';

async function queryStats(
  text: string,
  values: unknown[],
): Promise<Pick<ExecutionStats, 'buckets' | 'workflows'> | undefined> {
  const client = await databasePool().connect();
  try {
    await client.query('BEGIN READ ONLY');
    await client.query(`SET LOCAL statement_timeout = ${STATS_TIMEOUT_MS}`);
    const { rows } = await client.query<{ buckets: ExecutionStats['buckets']; workflows: ExecutionStats['workflows'] }>(
      { text, values },
    );
    return rows[0];
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== QUERY_CANCELED_CODE) throw error;
    throw invalidFieldProblem('from', 'leads to more runs than can be counted in time; choose a shorter range');
  } finally {
    // Nothing was written.
    await client.query('ROLLBACK').then(
      () => client.release(),
      (error: Error) => client.release(error),
    );
  }
}

/**
 * Counts and durations of finished runs, by time and by workflow. Throws a Problem if there are too many in the range.
 */
export async function readRunStats(request: RunStatsRequest): Promise<ExecutionStats> {
  const { workspaceId, from, to, bucket, workflowIds, trigger, isPartial } = request;
  const values: unknown[] = [workspaceId, from, to, bucket];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const filters = [
    ...(workflowIds ? [`workflow_id = ANY(${bind(workflowIds)})`] : []),
    trigger ? `trigger = ${bind(trigger)}` : `trigger <> 'test'`,
    ...(isPartial === undefined ? [] : [`until_node IS ${isPartial ? 'NOT NULL' : 'NULL'}`]),
  ];
  const text = statsSql(filters.map((filter) => ` AND ${filter}`).join(''));
  const release = await statsTurns.acquire(workspaceId, STATS_TURN_WEIGHT);
  const { buckets = [], workflows = [] } = (await queryStats(text, values).finally(release)) ?? {};
  return {
    buckets: buckets.map((row) => ({
      ...row,
      at: new Date(row.at).toISOString(),
      p50Ms: roundMilliseconds(row.p50Ms),
      p95Ms: roundMilliseconds(row.p95Ms),
    })),
    workflows: workflows.map(({ workflowId, name, completed, failed, p50Ms, p95Ms }) => ({
      workflowId,
      name,
      completed,
      failed,
      p50Ms: roundMilliseconds(p50Ms),
      p95Ms: roundMilliseconds(p95Ms),
    })),
  };
}
