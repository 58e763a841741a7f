import { pool } from '../db/client';
import type { Graph } from '../engine/graph';
import { versionLoader } from '../engine/versions';
import { nodeKinds } from '../nodes';

/** The graphs that executions follow, in the order asked; undefined for one that can't be run any more. */
export const graphsOf = versionLoader(new Map(nodeKinds.map((kind) => [kind.type, kind])));

const ranksOf = new WeakMap<Graph, ReadonlyMap<string, number>>();

/** Where a node stands in its graph, every node after those that it depends on; rounds of a loop where the loop does. */
export function ranks(graph: Graph | undefined): (nodeId: string) => number {
  if (!graph) return () => 0;
  const known = ranksOf.get(graph) ?? new Map(graph.nodes.map(({ id }, index) => [id, index]));
  ranksOf.set(graph, known);
  return (nodeId) => known.get(nodeId) ?? known.get(nodeId.split('[', 1)[0] ?? '') ?? graph.nodes.length;
}

const REACHED = {
  name: 'channel.reached',
  text: 'SELECT execution_id, node_id FROM node_result WHERE execution_id = ANY($1::text[])',
};

/** Of final executions, the nodes that were never reached: nothing led to them, or the run ended before. */
export async function skippedNodes(
  graphs: ReadonlyMap<string, Graph | undefined>,
): Promise<ReadonlyMap<string, string[]>> {
  if (graphs.size === 0) return new Map();
  const { rows } = await pool().query<{ execution_id: string; node_id: string }>({
    ...REACHED,
    values: [[...graphs.keys()]],
  });
  const reached = new Map([...graphs.keys()].map((id) => [id, new Set<string>()]));
  for (const { execution_id, node_id } of rows) reached.get(execution_id)?.add(node_id);
  return new Map(
    [...graphs].map(([executionId, graph]) => [
      executionId,
      (graph?.nodes ?? []).map(({ id }) => id).filter((id) => !reached.get(executionId)?.has(id)),
    ]),
  );
}
