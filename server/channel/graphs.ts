import { pool } from '@/server/db/client';
import type { Graph } from '@/server/workflow/graph';
import { versionLoader } from '@/server/workflow/versions';
import { kindsByType } from '@/server/nodes';

/** The graphs of executions, in the order of the ids; undefined for one that cannot be run any more. */
export const { load: graphsOf } = versionLoader(kindsByType);

const ranksOf = new WeakMap<Graph, ReadonlyMap<string, number>>();

/** The rank of a node in its graph: after all nodes that it depends on. Rounds of a loop have the rank of the loop. */
export function ranks(graph: Graph | undefined): (nodeId: string) => number {
  if (!graph) return () => 0;
  const ranks = ranksOf.get(graph) ?? new Map(graph.nodes.map(({ id }, index) => [id, index]));
  ranksOf.set(graph, ranks);
  return (nodeId) => ranks.get(nodeId) ?? ranks.get(nodeId.split('[', 1)[0] ?? '') ?? graph.nodes.length;
}

const REACHED = {
  name: 'channel.reached',
  text: 'SELECT execution_id, node_id FROM node_result WHERE execution_id = ANY($1::text[])',
};

/** The nodes that final executions never reached: no edge led to them, or the run ended before. */
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
