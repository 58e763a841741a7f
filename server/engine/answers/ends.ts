import type { ExecutionStatus } from '@/contract/execution';
import type { RunAnswer } from '@/server/nodes/node';
import { pool } from '@/server/db/client';

/** What is stored for the callers of a run. */
interface End {
  id: string;
  status: ExecutionStatus;
  /** JSON; null also for runs whose output was not asked for. */
  output: string | null;
  answer: RunAnswer | null;
}

const ENDS = `
SELECT e.id, e.status, a.answer, CASE WHEN e.status = 'completed' AND e.id = ANY($2::text[]) THEN e.output::text END AS output
FROM execution e LEFT JOIN execution_answer a ON a.execution_id = e.id
WHERE e.id = ANY($1::text[])`;

export async function readEnds(executionIds: string[], withOutput: string[]): Promise<End[]> {
  const { rows } = await pool().query<End>({
    name: 'engine.ends',
    text: ENDS,
    values: [executionIds, withOutput],
  });
  return rows;
}
