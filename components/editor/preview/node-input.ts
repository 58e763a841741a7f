import type { NodeResult } from '@/contract/execution';
import type { WorkflowDefinition, WorkflowNode } from '@/contract/workflows/workflow';
import { reachableNodeIds } from '@/components/graph/walk';
import type { OutputsByNode } from '../pins/pinned-outputs';

/** The ids of the nodes that a node is connected to, each once. */
export const sourceNodeIds = (definition: WorkflowDefinition, nodeId: string): string[] => [
  ...new Set(definition.connections.filter((c) => c.targetNode === nodeId).map((c) => c.sourceNode)),
];

/** For each node the ids of the nodes that it is connected to, each once. */
export function mapSourceNodeIds({ connections }: Pick<WorkflowDefinition, 'connections'>): Map<string, Set<string>> {
  const sources = new Map<string, Set<string>>();
  for (const { sourceNode, targetNode } of connections) {
    const known = sources.get(targetNode);
    if (known) known.add(sourceNode);
    else sources.set(targetNode, new Set([sourceNode]));
  }
  return sources;
}

/**
 * Outputs that the expressions of a node can use: of the nodes before it, the nearest first, pinned or from the run
 * shown.
 */
export function outputsUpstream(
  definition: WorkflowDefinition,
  nodeId: string,
  results: ReadonlyMap<string, NodeResult>,
  pins: OutputsByNode,
): Record<string, unknown> {
  const before = reachableNodeIds(definition, [nodeId], 'upstream');
  return Object.fromEntries(
    [...before].flatMap((id) => {
      const output = pins[id] ?? results.get(id)?.output;
      return id !== nodeId && output !== undefined ? [[id, output]] : [];
    }),
  );
}

/** The input of a node: the output of its single source, or the outputs of several sources by id. */
export function nodeInputForPreview(
  definition: WorkflowDefinition,
  nodeId: string,
  results: ReadonlyMap<string, NodeResult>,
  pins: OutputsByNode,
): unknown {
  const sources = sourceNodeIds(definition, nodeId);
  const outputOf = (id: string) => pins[id] ?? results.get(id)?.output;
  const [only] = sources;
  if (sources.length === 1 && only !== undefined && outputOf(only) !== undefined) return outputOf(only);
  if (results.get(nodeId)?.input !== undefined && !sources.some((id) => id in pins)) return results.get(nodeId)?.input;
  const given = sources.flatMap((id) => (outputOf(id) === undefined ? [] : [[id, outputOf(id)] as const]));
  return given.length ? Object.fromEntries(given) : undefined;
}

/** These nodes, each after those that it is connected to. */
export function sortBySources({ nodes, connections }: WorkflowDefinition, ids: ReadonlySet<string>): WorkflowNode[] {
  const waiting = new Map<string, number>();
  const following = new Map<string, string[]>();
  for (const { sourceNode, targetNode } of connections) {
    if (!ids.has(sourceNode) || !ids.has(targetNode)) continue;
    waiting.set(targetNode, (waiting.get(targetNode) ?? 0) + 1);
    following.set(sourceNode, [...(following.get(sourceNode) ?? []), targetNode]);
  }
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const ready = [...ids].filter((id) => !waiting.get(id));
  for (const id of ready) {
    for (const next of following.get(id) ?? []) {
      const left = (waiting.get(next) ?? 1) - 1;
      waiting.set(next, left);
      if (left === 0) ready.push(next);
    }
  }
  return ready.flatMap((id) => byId.get(id) ?? []);
}
