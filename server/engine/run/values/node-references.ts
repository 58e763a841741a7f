import { findScopeReferences } from '@/server/evaluation/expressions/references';
import type { ScopeReferences } from '@/server/evaluation/expressions/scope-references';
import type { GraphNode } from '@/server/workflow/definition/graph';

const nodeReferenceCache = new WeakMap<GraphNode, ScopeReferences>();

/** The config of a node, and of the node that it computes for each item. */
function listConfigs({ nodeType, definition, each, body }: GraphNode): object[] {
  const { inner, deferred } = nodeType ?? {};
  const config = Object.entries(definition.config).filter(
    ([field]) => field !== inner && !deferred?.some((one) => one === field),
  );
  const ofItems = each?.isComputed ? (body?.nodes ?? []).flatMap(listConfigs) : [];
  return [Object.fromEntries(config), ...ofItems];
}

/** The references in the expressions of a node's config. */
function readNodeReferences(node: GraphNode): ScopeReferences {
  let references = nodeReferenceCache.get(node);
  if (!references) {
    references = findScopeReferences(listConfigs(node), node.language);
    nodeReferenceCache.set(node, references);
  }
  return references;
}

/** Whether a node's config may read `nodes.<id>`. Conservative: true if in doubt. */
export const mayReferenceNode = (node: GraphNode, id: string): boolean =>
  readNodeReferences(node).node(id, node.names?.byId.get(id));

/** Whether a node may read its input. Conservative: true if in doubt. */
export const mayReferenceInput = (node: GraphNode): boolean =>
  node.nodeType?.seesInput !== false || node.definition.disabled === true || readNodeReferences(node).input;

/** Whether a node's config may read this name of the scope of an item. Conservative: true if in doubt. */
export const mayReferenceName = (node: GraphNode, name: 'item' | 'items' | 'index' | 'paired'): boolean =>
  readNodeReferences(node).name(name);

/** The references to data besides that of the run. */
export const findOutsideReferences = (node: GraphNode): Pick<ScopeReferences, 'variables' | 'timeZone'> =>
  readNodeReferences(node);

/** Whether a node may read the run's input. Conservative: true if in doubt. */
export const mayReferenceRunInput = (node: GraphNode): boolean => readNodeReferences(node).execution;
