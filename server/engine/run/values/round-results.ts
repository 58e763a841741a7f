import { databasePool } from '@/server/platform/db/client';
import { retryWhileUnavailable } from '@/server/platform/db/failures/retry-while-unavailable';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import type { StoredRoundResult } from '@/server/workflow/nodes/node-type';
import type { RunStateStore } from '../ledger';

/** Maximum size of the results together, in bytes. */
const MAX_ROUND_RESULT_BYTES = 8 * 1024 * 1024;

const ROUND_NODE_PATTERN = /^(.*)\[(\d{1,7})\]\.[^[\]]*$/;

/** The paths of a part in the rounds of the loop around `path`, up to its own. */
function pathsInRounds(path: string, part: string): string[] {
  const [, loop = '', index = ''] = ROUND_NODE_PATTERN.exec(path) ?? [];
  if (index === '') throw new Error(`${path} is in no round.`);
  return Array.from({ length: Number(index) + 1 }, (_, round) => `${loop}[${round}].${part}`);
}

/**
 * Reads the results of earlier rounds, which are not in memory. Their memory is reserved until the result of `path` is
 * stored.
 */
export const createRoundResultReader =
  (executionId: string, ledger: Pick<RunStateStore, 'reserve'>) =>
  async (path: string, part: string, signal: AbortSignal): Promise<StoredRoundResult[]> => {
    const values = [executionId, pathsInRounds(path, part)];
    const size = await retryWhileUnavailable(signal, () =>
      databasePool().query<{ bytes: string }>({
        name: 'engine.size-of-rounds',
        text: `SELECT coalesce(sum(octet_length(output::text)), 0) AS bytes FROM node_result
          WHERE execution_id = $1 AND node_id = ANY($2) AND status = 'completed'`,
        values,
      }),
    );
    const bytes = Number(size.rows[0]?.bytes);
    if (bytes > MAX_ROUND_RESULT_BYTES)
      throw new NodeFailure('CONVERSATION_TOO_LARGE', 'The results of the rounds so far are larger than 8 MiB.', false);
    // The results are in memory twice: as text and as values.
    if (bytes > 0) await ledger.reserve(path, bytes * 2);
    const { rows } = await retryWhileUnavailable(signal, () =>
      databasePool().query<{ node_id: string; output: unknown }>({
        name: 'engine.rounds',
        text: `SELECT node_id, output FROM node_result
          WHERE execution_id = $1 AND node_id = ANY($2) AND status = 'completed'`,
        values,
      }),
    );
    return rows
      .map(({ node_id: id, output }) => ({ round: Number(ROUND_NODE_PATTERN.exec(id)?.[2]), output }))
      .toSorted((one, other) => one.round - other.round);
  };
