import { dispatcher } from '@/server/dispatch/dispatcher';
import { pool, type Db } from '@/server/db/client';

/** Admits queued runs of these workspaces up to their concurrency limits. */
export async function admit(workspaceIds: string[]): Promise<void> {
  await pool().query({
    name: 'engine.admit',
    text: 'SELECT admit_runs(id) FROM unnest($1::text[]) id ORDER BY id',
    values: [[...new Set(workspaceIds)]],
  });
  dispatcher().notifyWork();
}

/** Safety net for `admit`: admits queued runs if the end of another run was not reported. Returns their number. */
export async function sweepQueues(): Promise<number> {
  const { rows } = await pool().query<{ admitted: number | null }>({
    name: 'engine.sweep-queues',
    text: `SELECT sum(admit_runs(workspace_id))::int AS admitted FROM
      (SELECT DISTINCT workspace_id FROM execution WHERE queued_at IS NOT NULL AND status = 'pending' ORDER BY 1) queueing`,
  });
  return rows[0]?.admitted ?? 0;
}

/** Whether another run of a workflow would be refused now because of a concurrency limit. */
export async function isFull(db: Db, workflowId: string): Promise<boolean> {
  const [row] = await db.$queryRaw<{ full: boolean }[]>`
    SELECT (w.concurrency_overflow = 'refuse' AND w.concurrency_limit <= count(e.id) FILTER (WHERE e.workflow_id = w.id))
        OR (s.concurrency_overflow = 'refuse' AND s.concurrency_limit <= count(e.id)) AS full
    FROM workflow w JOIN workspace s ON s.id = w.workspace_id
    LEFT JOIN execution e ON e.workspace_id = s.id AND e.is_limited AND e.status NOT IN ('completed', 'failed')
      AND NOT EXISTS (SELECT FROM execution c WHERE c.parent_id = e.id AND c.is_awaited AND c.status NOT IN ('completed', 'failed'))
    WHERE w.id = ${workflowId} GROUP BY w.id, s.id`;
  return row?.full === true;
}
