import type { LastExecution } from '@/contract/workflow';
import type { Prisma } from '@/generated/prisma/client';
import { prisma } from '../db/client';

interface Row {
  id: string;
  workflow_id: string;
  status: LastExecution['status'];
  started_at: Date;
}

/**
 * The newest execution of each workflow, by the workflow's id; nothing for one that never ran. One look into an index per
 * workflow, however many executions there are. `visible`: what the asker may see of executions.
 */
export async function latestExecutions(
  workflowIds: string[],
  visible: Prisma.ExecutionWhereInput,
): Promise<Map<string, LastExecution>> {
  if (workflowIds.length === 0) return new Map();
  const rows = await prisma().$queryRaw<Row[]>`
    SELECT latest.* FROM unnest(${workflowIds}::text[]) AS workflow (id)
    CROSS JOIN LATERAL (
      SELECT id, workflow_id, status, started_at FROM execution WHERE workflow_id = workflow.id
      ORDER BY created_at DESC, id DESC LIMIT 1
    ) AS latest`;
  const seen = await narrowed(rows, visible);
  return new Map(
    seen.map(({ id, workflow_id, status, started_at }) => [
      workflow_id,
      { id, status, startedAt: started_at.toISOString() },
    ]),
  );
}

async function narrowed(rows: Row[], visible: Prisma.ExecutionWhereInput): Promise<Row[]> {
  if (Object.keys(visible).length === 0) return rows;
  const where = { AND: [{ id: { in: rows.map(({ id }) => id) } }, visible] };
  const found = await prisma().execution.findMany({ where, select: { id: true } });
  const ids = new Set(found.map(({ id }) => id));
  return rows.filter(({ id }) => ids.has(id));
}
