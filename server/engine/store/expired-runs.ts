import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { retryCollision } from '@/server/db/failures/retry-collision';
import { addPartitions, dropPartitions, rangesOfRows, type IdRange } from './partitions/upkeep';

const DAY_MS = 86_400_000;
/** Runs per statement; each cascades to its results and log. */
const BATCH = 200;
/** Pause between two batches, so that the database serves runs. */
const PAUSE_MS = 50;

/** All runs of a workspace, or those of one of its workflows. */
export interface Owner {
  workspaceId: string;
  workflowId?: string;
}

interface Limit extends Owner {
  days: number | null;
}

/** The owners of runs, with the retention of their own. */
const LIMITS = `
SELECT id AS "workspaceId", NULL AS "workflowId", (settings->>'executionRetentionDays')::int AS days FROM workspace
UNION ALL
SELECT workspace_id, id, (settings->>'retentionDays')::int FROM workflow WHERE settings->>'retentionDays' IS NOT NULL`;

/**
 * Removes the runs that ended before `before`, or before the limit of their workspace or workflow. Where they are partitioned, those that
 * no shorter limit concerns leave with their partition, when all of its runs are that old. Returns the number of removed runs.
 */
export async function removeRuns(client: pg.Client, before: Date, signal?: AbortSignal): Promise<number> {
  await addPartitions(client);
  let removed = await dropPartitions(client, before);
  const ranges = await rangesOfRows(client, before);
  const { rows: limits } = await client.query<Limit>(LIMITS);
  const now = Date.now();
  for (const { days, workspaceId, workflowId } of limits) {
    const owner = { workspaceId, ...(workflowId && { workflowId }) };
    const own = days === null ? before : new Date(now - days * DAY_MS);
    const isShorter = own > before;
    for (const range of isShorter || !ranges ? [undefined] : ranges)
      removed += await removeRunsOf(client, owner, isShorter ? own : before, { range, signal });
  }
  return removed;
}

interface Selection {
  /** Default: all ids */
  range?: IdRange | undefined;
  signal?: AbortSignal | undefined;
}

/** Removes runs that no user has asked to keep in batches, the oldest first, so that other statements do not wait. */
export async function removeRunsOf(
  client: Pick<pg.Client, 'query'>,
  { workspaceId, workflowId }: Owner,
  before: Date,
  { range, signal }: Selection = {},
): Promise<number> {
  const values: string[] = [];
  const conditions = Object.entries({ 'workflow_id =': workflowId, 'id >=': range?.from, 'id <': range?.to }).flatMap(
    ([condition, value]) => (value ? `AND ${condition} $${values.push(value) + 3}` : []),
  );
  let from = new Date(0);
  for (let removed = 0; ; await pause(PAUSE_MS)) {
    const { rows: batch } = await client.query<{ id: string; created_at: Date }>(
      `SELECT id, created_at FROM execution WHERE workspace_id = $1 AND status IN ('completed', 'failed')
         AND completed_at < $2 AND created_at < $2 AND created_at >= $3 ${conditions.join(' ')}
         AND NOT EXISTS (SELECT FROM execution_annotation a WHERE a.execution_id = id AND a.is_kept)
       ORDER BY created_at LIMIT ${BATCH}`,
      [workspaceId, before, from, ...values],
    );
    removed += await deleteUnlessKept(
      client,
      batch.map(({ id }) => id),
    );
    // Where runs stay, the next batch begins after them.
    from = batch.at(-1)?.created_at ?? from;
    if (batch.length < BATCH || signal?.aborted) return removed;
  }
}

/**
 * Deletes runs, except those that a user has asked to keep since they were selected. Two statements of one transaction: the first one waits for
 * an annotation that is being stored, which the second one sees.
 */
async function deleteUnlessKept(client: Pick<pg.Client, 'query'>, ids: string[]): Promise<number> {
  if (ids.length === 0) return 0;
  const list = ids.map((id) => pg.escapeLiteral(id)).join(', ');
  // Statements that are sent together, without parameters, are one transaction.
  const both = `SELECT FROM execution WHERE id IN (${list}) ORDER BY id FOR UPDATE;
    DELETE FROM execution e WHERE id IN (${list})
      AND NOT EXISTS (SELECT FROM execution_annotation a WHERE a.execution_id = e.id AND a.is_kept)`;
  const results = (await retryCollision(() => client.query(both))) as unknown as pg.QueryResult[];
  return results.at(-1)?.rowCount ?? 0;
}

/** Ids as a list: a join would read all partitions. Others may write the runs meanwhile. */
export async function deleteRuns(client: Pick<pg.Client, 'query'>, ids: string[]): Promise<number> {
  const { rowCount } = await retryCollision(() => client.query('DELETE FROM execution WHERE id = ANY($1)', [ids]));
  return rowCount ?? 0;
}
