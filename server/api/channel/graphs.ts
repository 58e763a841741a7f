import { databasePool } from '@/server/platform/db/client';
import type { WorkflowGraph } from '@/server/workflow/definition/graph';
import { createVersionLoader } from '@/server/workflow/definition/versions';
import { definitionsByNodeType } from '@/server/workflow/nodes';

/** The graphs of executions, in the order of the ids; undefined for one that cannot be run any more. */
export const { load: loadRunGraphs } = createVersionLoader(definitionsByNodeType);

const ranksByGraph = new WeakMap<WorkflowGraph, ReadonlyMap<string, number>>();

/** The rank of a node in its graph: after all nodes that it depends on. Rounds of a loop have the rank of the loop. */
export function nodeRanks(graph: WorkflowGraph | undefined): (nodeId: string) => number {
  if (!graph) return () => 0;
  const ranks = ranksByGraph.get(graph) ?? new Map(graph.nodes.map(({ id }, index) => [id, index]));
  ranksByGraph.set(graph, ranks);
  return (nodeId) => ranks.get(nodeId) ?? ranks.get(nodeId.split('[', 1)[0] ?? '') ?? graph.nodes.length;
}

const REACHED_NODES_QUERY = {
  name: 'channel.reached',
  text: 'SELECT execution_id, node_id FROM node_result WHERE execution_id = ANY($1::text[])',
};

/** The nodes that final executions never reached: no edge led to them, or the run ended before. */
export async function findSkippedNodes(
  graphs: ReadonlyMap<string, WorkflowGraph | undefined>,
): Promise<ReadonlyMap<string, string[]>> {
  if (graphs.size === 0) return new Map();
  const { rows } = await databasePool().query<{ execution_id: string; node_id: string }>({
    ...REACHED_NODES_QUERY,
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
