import { pool } from '../db/client';
import type { Graph } from '../engine/graph';
import { plan } from '../engine/plan';
import { versionLoader, type Version } from '../engine/versions';
import { nodeKinds } from '../nodes';

/** The graphs that executions follow, in the order asked; undefined for one that can't be run any more. */
export const graphsOf: (versions: Version[]) => Promise<(Graph | undefined)[]> = versionLoader(
  new Map(nodeKinds.map((kind) => [kind.type, kind])),
);

const ranksOf = new WeakMap<Graph, ReadonlyMap<string, number>>();

/** Where a node stands in its graph, every node after those that it depends on; rounds of a loop where the loop does. */
export function ranks(graph: Graph | undefined): (nodeId: string) => number {
  if (!graph) return () => 0;
  const known = ranksOf.get(graph) ?? new Map(graph.nodes.map(({ id }, index) => [id, index]));
  ranksOf.set(graph, known);
  return (nodeId) => known.get(nodeId) ?? known.get(nodeId.split('[', 1)[0] ?? '') ?? graph.nodes.length;
}

const STANDINGS = {
  name: 'channel.standings',
  text: 'SELECT execution_id, node_id, status, port FROM node_result WHERE execution_id = ANY($1::text[])',
};

/** Of final executions, the nodes that were never to run because nothing led to them. */
export async function skippedNodes(
  graphs: ReadonlyMap<string, Graph | undefined>,
): Promise<ReadonlyMap<string, string[]>> {
  if (graphs.size === 0) return new Map();
  const { rows } = await pool().query<{ execution_id: string; node_id: string; status: string; port: string | null }>({
    ...STANDINGS,
    values: [[...graphs.keys()]],
  });
  const standings = new Map([...graphs.keys()].map((id) => [id, new Map<string, (typeof rows)[number]>()]));
  for (const row of rows) standings.get(row.execution_id)?.set(row.node_id, row);
  return new Map(
    [...graphs].map(([id, graph]) => {
      const skipped = graph ? plan(graph, standings.get(id) ?? new Map()).skipped : [];
      return [id, skipped.map((node) => node.id)];
    }),
  );
}
