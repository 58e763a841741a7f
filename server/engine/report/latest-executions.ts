import type { LastExecution } from '@/contract/workflows/workflow';
import type { Prisma } from '@/generated/prisma/client';
import { prismaClient } from '@/server/platform/db/client';

interface LatestExecutionRow {
  id: string;
  workflow_id: string;
  status: LastExecution['status'];
  started_at: Date;
}

/**
 * Returns the newest execution of each workflow, by the workflow's id; workflows that never ran have no entry. Costs
 * one index lookup per workflow. `visible` selects the executions that the caller may see.
 */
export async function readLatestExecutions(
  workflowIds: string[],
  visible: Prisma.ExecutionWhereInput,
): Promise<Map<string, LastExecution>> {
  if (workflowIds.length === 0) return new Map();
  const rows = await prismaClient().$queryRaw<LatestExecutionRow[]>`
    SELECT latest.* FROM unnest(${workflowIds}::text[]) AS workflow (id)
    CROSS JOIN LATERAL (
      SELECT id, workflow_id, status, started_at FROM execution WHERE workflow_id = workflow.id
      ORDER BY created_at DESC, id DESC LIMIT 1
    ) AS latest`;
  const visibleRows = await filterVisibleRows(rows, visible);
  return new Map(
    visibleRows.map(({ id, workflow_id, status, started_at }) => [
      workflow_id,
      { id, status, startedAt: started_at.toISOString() },
    ]),
  );
}

async function filterVisibleRows(
  rows: LatestExecutionRow[],
  visible: Prisma.ExecutionWhereInput,
): Promise<LatestExecutionRow[]> {
  if (Object.keys(visible).length === 0) return rows;
  const where = { AND: [{ id: { in: rows.map(({ id }) => id) } }, visible] };
  const found = await prismaClient().execution.findMany({ where, select: { id: true } });
  const ids = new Set(found.map(({ id }) => id));
  return rows.filter(({ id }) => ids.has(id));
}
