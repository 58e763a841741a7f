import type { ExecutionStatus } from '@/contract/execution';
import type { CallerResponse } from '@/server/workflow/nodes/node-type';
import { databasePool } from '@/server/platform/db/client';

/** The stored status, output and response of a run, for its callers. */
interface StoredRunEnd {
  id: string;
  status: ExecutionStatus;
  /** JSON; null also for runs whose output was not asked for. */
  output: string | null;
  answer: CallerResponse | null;
}

const READ_RUN_ENDS_SQL = `
SELECT e.id, e.status, a.answer, CASE WHEN e.status = 'completed' AND e.id = ANY($2::text[]) THEN e.output::text END AS output
FROM execution e LEFT JOIN execution_answer a ON a.execution_id = e.id
WHERE e.id = ANY($1::text[])`;

export async function readRunEnds(executionIds: string[], withOutput: string[]): Promise<StoredRunEnd[]> {
  const { rows } = await databasePool().query<StoredRunEnd>({
    name: 'engine.ends',
    text: READ_RUN_ENDS_SQL,
    values: [executionIds, withOutput],
  });
  return rows;
}
