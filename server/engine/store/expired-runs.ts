import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { retryCollision } from '@/server/platform/db/failures/retry-collision';
import {
  addNextPartitions,
  dropExpiredPartitions,
  findRangesOutsidePartitions,
  type RunIdRange,
} from './partitions/upkeep';
import { MS_PER_DAY } from '@/contract/units';

/** Runs per statement; each cascades to its results and log. */
const MAX_RUNS_PER_DELETE = 200;
/** Pause between two batches, so that the database serves runs. */
const DELETE_PAUSE_MS = 50;

/** All runs of a workspace, or those of one of its workflows. */
export interface RunOwner {
  workspaceId: string;
  workflowId?: string;
}

interface RunRetentionLimit extends RunOwner {
  days: number | null;
}

/** SQL: the workspaces, and the workflows that set a retention themselves, with their retention in days. */
const RUN_RETENTION_LIMITS = `
SELECT id AS "workspaceId", NULL AS "workflowId", (settings->>'executionRetentionDays')::int AS days FROM workspace
UNION ALL
SELECT workspace_id, id, (settings->>'retentionDays')::int FROM workflow WHERE settings->>'retentionDays' IS NOT NULL`;

/**
 * Removes the runs that ended before `before`, or before the limit of their workspace or workflow. Where they are
 * partitioned, those that no shorter limit concerns leave with their partition, when all of its runs are that old.
 * Returns the number of removed runs.
 */
export async function removeExpiredRuns(client: pg.Client, before: Date, signal?: AbortSignal): Promise<number> {
  await addNextPartitions(client);
  let removed = await dropExpiredPartitions(client, before);
  const ranges = await findRangesOutsidePartitions(client, before);
  const { rows: limits } = await client.query<RunRetentionLimit>(RUN_RETENTION_LIMITS);
  const now = Date.now();
  for (const { days, workspaceId, workflowId } of limits) {
    const owner = { workspaceId, ...(workflowId && { workflowId }) };
    const own = days === null ? before : new Date(now - days * MS_PER_DAY);
    const isShorter = own > before;
    for (const range of isShorter || !ranges ? [undefined] : ranges)
      removed += await removeOwnedRuns(client, owner, isShorter ? own : before, { range, signal });
  }
  return removed;
}

interface RunSelection {
  /** Default: all ids */
  range?: RunIdRange | undefined;
  signal?: AbortSignal | undefined;
}

/** Removes runs that no user has asked to keep in batches, the oldest first, so that other statements do not wait. */
export async function removeOwnedRuns(
  client: Pick<pg.Client, 'query'>,
  { workspaceId, workflowId }: RunOwner,
  before: Date,
  { range, signal }: RunSelection = {},
): Promise<number> {
  const values: string[] = [];
  const conditions = Object.entries({ 'workflow_id =': workflowId, 'id >=': range?.from, 'id <': range?.to }).flatMap(
    ([condition, value]) => (value ? `AND ${condition} $${values.push(value) + 3}` : []),
  );
  let from = new Date(0);
  for (let removed = 0; ; await pause(DELETE_PAUSE_MS)) {
    const { rows: batch } = await client.query<{ id: string; created_at: Date }>(
      `SELECT id, created_at FROM execution WHERE workspace_id = $1 AND status IN ('completed', 'failed')
         AND completed_at < $2 AND created_at < $2 AND created_at >= $3 ${conditions.join(' ')}
         AND NOT EXISTS (SELECT FROM execution_annotation a WHERE a.execution_id = id AND a.is_kept)
       ORDER BY created_at LIMIT ${MAX_RUNS_PER_DELETE}`,
      [workspaceId, before, from, ...values],
    );
    removed += await deleteRunsUnlessKept(
      client,
      batch.map(({ id }) => id),
    );
    // The next batch begins after runs that were not deleted.
    from = batch.at(-1)?.created_at ?? from;
    if (batch.length < MAX_RUNS_PER_DELETE || signal?.aborted) return removed;
  }
}

/**
 * Deletes runs, except those that a user has asked to keep since they were selected. Two statements of one transaction:
 * the first one waits for an annotation that is being stored, which the second one sees.
 */
async function deleteRunsUnlessKept(client: Pick<pg.Client, 'query'>, ids: string[]): Promise<number> {
  if (ids.length === 0) return 0;
  const list = ids.map((id) => pg.escapeLiteral(id)).join(', ');
  // Statements that are sent together, without parameters, are one transaction.
  const both = `SELECT FROM execution WHERE id IN (${list}) ORDER BY id FOR UPDATE;
    DELETE FROM execution e WHERE id IN (${list})
      AND NOT EXISTS (SELECT FROM execution_annotation a WHERE a.execution_id = e.id AND a.is_kept)`;
  const results = (await retryCollision(() => client.query(both))) as unknown as pg.QueryResult[];
  return results.at(-1)?.rowCount ?? 0;
}

/**
 * Passes the ids as a list, because a join would read all partitions. Repeats on collisions: workers may write the runs
 * meanwhile.
 */
export async function deleteRunRows(client: Pick<pg.Client, 'query'>, ids: string[]): Promise<number> {
  const { rowCount } = await retryCollision(() => client.query('DELETE FROM execution WHERE id = ANY($1)', [ids]));
  return rowCount ?? 0;
}
