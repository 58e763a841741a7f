import { pool } from '../db/client';
import { patiently } from '../db/patiently';
import type { Decision } from '../nodes/node';
import { decisionsOf } from './claim';

/** What people asked of a run that a worker has. */
export interface Wishes {
  isCancelRequested: boolean;
  decisions: Map<string, Decision>;
}

export type ReadWishes = (executionId: string) => Promise<Wishes | null>;

/**
 * Takes note of the wishes for a run; null: it isn't this worker's any more. While a run is taken, `available_at` is
 * the flag that a wish came: it is lowered first and the decisions are read after that, so none is ever missed. Waits
 * for a database that is away, until `lost`.
 */
export const wishReader =
  (workerId: string, lost: AbortSignal): ReadWishes =>
  (executionId) =>
    patiently(lost, () => read(workerId, executionId));

async function read(workerId: string, executionId: string): Promise<Wishes | null> {
  const { rows } = await pool().query<{ is_cancel_requested: boolean }>({
    name: 'engine.wishes',
    text: `UPDATE execution SET available_at = NULL WHERE id = $1 AND worker_id = $2
      RETURNING cancel_requested_at IS NOT NULL AS is_cancel_requested`,
    values: [executionId, workerId],
  });
  const [row] = rows;
  if (!row) return null;
  const decisions = await decisionsOf([executionId]);
  return {
    isCancelRequested: row.is_cancel_requested,
    decisions: new Map(decisions.map(([, { path, decision }]) => [path, decision])),
  };
}
