import { MAX_PARSED_JSON } from '@/server/evaluation/expressions/large-json';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import { largeOutputBytes, type NodeState } from './state';

/** Outputs with more characters of JSON are removed from memory once they are stored. */
export const IN_MEMORY_OUTPUT_LIMIT = MAX_PARSED_JSON;
/** SQL: `held` of a node's result; large items of a loop are replaced by their metadata (`OffloadedItems`). */
export const HELD_WITHOUT_LARGE_ITEMS = `CASE WHEN octet_length(held::text) > ${IN_MEMORY_OUTPUT_LIMIT} AND loop_items(held) IS NOT NULL
  THEN json_build_object('count', json_array_length(loop_items(held)), 'concurrency', loop_concurrency(held), 'bytes', octet_length(held::text))
  ELSE held END`;
/** The limit for a run that already keeps many outputs in memory (`KEPT_BY_RUN`). */
export const REDUCED_IN_MEMORY_LIMIT = 4 * 1024;
/** Maximum size of all combined outputs, in bytes. */
const MAX_COMBINED_BYTES = 10 * 1024 * 1024;

/** Refuses a combination of outputs that exceeds the maximum size, before they are loaded. */
export function requireCombinedSize(states: (NodeState | undefined)[]): void {
  const bytes = states.reduce((sum, state) => sum + (largeOutputBytes(state) ?? 0), 0);
  if (bytes > MAX_COMBINED_BYTES)
    throw new NodeFailure('OUTPUT_TOO_LARGE', 'The outputs together are larger than 10 MiB.', false);
}
