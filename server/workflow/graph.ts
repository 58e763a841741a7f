import type { Definition, Node } from '@/contract/workflows/workflow';
import type { NodeKind } from '@/server/nodes/node';

/** The node types of an engine, by name. */
export type Kinds = ReadonlyMap<string, NodeKind>;

export interface Edge {
  source: GraphNode;
  port: string;
  target: GraphNode;
}

export interface GraphNode {
  id: string;
  /** Its position in the graph's order. */
  place: number;
  node: Node;
  /** Undefined: this server no longer has the type; the node fails when it is reached. */
  kind: NodeKind | undefined;
  isRoot: boolean;
  /** It has side effects, so its start is stored first. */
  isOutside: boolean;
  /** The graph of its rounds, for a node with an inner definition. */
  body: Graph | undefined;
  incoming: Edge[];
  outgoing: Edge[];
}

/** A definition, indexed once for all its runs. */
export interface Graph {
  /** Topological order: every node after those that it depends on. */
  nodes: GraphNode[];
  byId: ReadonlyMap<string, GraphNode>;
  /** The ends of a run: reachable nodes without outgoing edges. */
  leaves: GraphNode[];
}

function sorted(nodes: GraphNode[]): GraphNode[] {
  const waitsFor = new Map(nodes.map((node) => [node, node.incoming.length]));
  const order = nodes.filter((node) => node.incoming.length === 0);
  for (const node of order) {
    for (const { target } of node.outgoing) {
      const left = (waitsFor.get(target) ?? 0) - 1;
      waitsFor.set(target, left);
      if (left === 0) order.push(target);
    }
  }
  if (order.length < nodes.length) throw new Error('The definition has a cycle.');
  for (const [place, node] of order.entries()) node.place = place;
  return order;
}

/** Indexes a definition without definitionIssues. */
export function compile(definition: Definition, kinds: Kinds): Graph {
  const nodes = definition.nodes.map((node): GraphNode => {
    const kind = kinds.get(node.type);
    const isOutside = typeof kind?.isOutside === 'function' ? kind.isOutside(node.config) : kind?.isOutside === true;
    return {
      id: node.id,
      place: 0,
      node,
      kind,
      isRoot: kind?.hasInput === false,
      isOutside: isOutside && !node.disabled,
      body: bodyOf(node, kind, kinds),
      incoming: [],
      outgoing: [],
    };
  });
  const byId = new Map(nodes.map((node) => [node.id, node]));
  for (const { sourceNode, sourcePort, targetNode } of definition.connections) {
    const source = byId.get(sourceNode);
    const target = byId.get(targetNode);
    if (!source || !target) throw new Error('A connection has no target.');
    const edge = { source, port: sourcePort, target };
    source.outgoing.push(edge);
    target.incoming.push(edge);
  }
  const order = sorted(nodes);
  const reachable = new Set<GraphNode>();
  for (const node of order) {
    if (node.isRoot || node.incoming.some(({ source }) => reachable.has(source))) reachable.add(node);
  }
  return { nodes: order, byId, leaves: nodes.filter((node) => reachable.has(node) && node.outgoing.length === 0) };
}

function bodyOf(node: Node, kind: NodeKind | undefined, kinds: Kinds): Graph | undefined {
  const inner = kind?.inner && !node.disabled ? node.config[kind.inner] : undefined;
  return inner ? compile(inner as Definition, kinds) : undefined;
}

/** The port by which a disabled node passes its input on. */
export const passingPort = ({ kind }: GraphNode): string => {
  const outputs = kind?.outputs ?? [];
  return outputs.includes('output') ? 'output' : (outputs[0] ?? 'output');
};
