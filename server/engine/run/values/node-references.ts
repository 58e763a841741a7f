import { referencesIn, textsIn, type References } from '@/server/expressions/references';
import type { GraphNode } from '@/server/workflow/graph';

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
