import { MAX_PARSED } from '@/server/expressions/large-json';
import { referencesIn, textsIn, type References } from '@/server/expressions/references';
import type { GraphNode } from '@/server/workflow/graph';
import { largeBytes, type NodeState } from '../../store/state';
import { NodeFailure } from '@/server/errors/node-failure';

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

const referenceCache = new WeakMap<GraphNode, References>();

/** The references in the expressions of a node's config. */
function referencesOf(node: GraphNode): References {
  let references = referenceCache.get(node);
  if (!references) {
    const { inner, deferred } = node.kind ?? {};
    const config = Object.entries(node.node.config).filter(
      ([field]) => field !== inner && !deferred?.some((one) => one === field),
    );
    references = referencesIn(textsIn(Object.fromEntries(config)));
    referenceCache.set(node, references);
  }
  return references;
}

/** Whether a node's config may read `nodes.<id>`. Conservative: true if in doubt. */
export const mentions = (node: GraphNode, id: string): boolean => referencesOf(node).node(id);

/** Whether a node may read its input. Conservative: true if in doubt. */
export const readsInput = (node: GraphNode): boolean =>
  node.kind?.seesInput !== false || node.node.disabled === true || referencesOf(node).input;

/** The references to data besides that of the run. */
export const outsideReferences = (node: GraphNode): Pick<References, 'variables' | 'timeZone'> => referencesOf(node);

/** Whether a node may read the run's input. Conservative: true if in doubt. */
export const readsExecution = (node: GraphNode): boolean => referencesOf(node).execution;
