import { MAX_PARSED } from '@/server/expressions/large-json';
import { NodeFailure } from '@/server/errors/node-failure';
import { largeBytes, type NodeState } from './state';

/** Outputs with more characters of JSON are removed from memory once they are stored. */
export const LARGE = MAX_PARSED;
/** SQL: `held` of a node's result; large items of a loop are replaced by their metadata (`OffloadedItems`). */
export const HELD = `CASE WHEN octet_length(held::text) > ${LARGE} AND loop_items(held) IS NOT NULL
  THEN json_build_object('count', json_array_length(loop_items(held)), 'concurrency', loop_concurrency(held), 'bytes', octet_length(held::text))
  ELSE held END`;
/** The same limit for a run that already keeps many outputs (`KEPT_BY_RUN`). */
export const VERY_SMALL = 4 * 1024;
/** Maximum size of a value. */
const MAX_BYTES = 10 * 1024 * 1024;

/** Refuses a combination of outputs that exceeds the maximum size, before they are loaded. */
export function requireFitting(states: (NodeState | undefined)[]): void {
  const bytes = states.reduce((sum, state) => sum + (largeBytes(state) ?? 0), 0);
  if (bytes > MAX_BYTES)
    throw new NodeFailure('OUTPUT_TOO_LARGE', 'The outputs together are larger than 10 MiB.', false);
}
