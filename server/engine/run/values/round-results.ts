import { pool } from '@/server/db/client';
import { retryWhileUnavailable } from '@/server/db/failures/retry-while-unavailable';
import { NodeFailure } from '@/server/errors/node-failure';
import type { RoundResult } from '@/server/nodes/node';
import type { Ledger } from '../ledger';

/** Maximum size of the results together, in bytes. */
const MAX_BYTES = 8 * 1024 * 1024;

const IN_ROUND = /^(.*)\[(\d{1,7})\]\.[^[\]]*$/;

/** The paths of a part in the rounds of the loop around `path`, up to its own. */
function pathsOf(path: string, part: string): string[] {
  const [, loop = '', index = ''] = IN_ROUND.exec(path) ?? [];
  if (index === '') throw new Error(`${path} is in no round.`);
  return Array.from({ length: Number(index) + 1 }, (_, round) => `${loop}[${round}].${part}`);
}

/** Reads the results of earlier rounds, which are not in memory. Their memory is reserved until the result of `path` is stored. */
export const roundResultsReader =
  (executionId: string, ledger: Pick<Ledger, 'reserve'>) =>
  async (path: string, part: string, signal: AbortSignal): Promise<RoundResult[]> => {
    const values = [executionId, pathsOf(path, part)];
    const size = await retryWhileUnavailable(signal, () =>
      pool().query<{ bytes: string }>({
        name: 'engine.size-of-rounds',
        text: `SELECT coalesce(sum(octet_length(output::text)), 0) AS bytes FROM node_result
          WHERE execution_id = $1 AND node_id = ANY($2) AND status = 'completed'`,
        values,
      }),
    );
    const bytes = Number(size.rows[0]?.bytes);
    if (bytes > MAX_BYTES)
      throw new NodeFailure('CONVERSATION_TOO_LARGE', 'The results of the rounds so far are larger than 8 MiB.', false);
    // Twice: as text, and as values.
    if (bytes > 0) await ledger.reserve(path, bytes * 2);
    const { rows } = await retryWhileUnavailable(signal, () =>
      pool().query<{ node_id: string; output: unknown }>({
        name: 'engine.rounds',
        text: `SELECT node_id, output FROM node_result
          WHERE execution_id = $1 AND node_id = ANY($2) AND status = 'completed'`,
        values,
      }),
    );
    return rows
      .map(({ node_id: id, output }) => ({ round: Number(IN_ROUND.exec(id)?.[2]), output }))
      .toSorted((one, other) => one.round - other.round);
  };
