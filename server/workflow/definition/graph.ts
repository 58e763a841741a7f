import type { NodeEach } from '@/contract/workflows/each';
import { definitionDialect, type ExpressionDialect } from '@/contract/workflows/expression-language';
import { joinNestedTexts } from '@/server/evaluation/expressions/references';
import type { WorkflowDefinition, WorkflowNode } from '@/contract/workflows/workflow';
import { listOutputPorts } from '@/server/workflow/nodes';
import { nameNodes, type NodeNames } from './node-names';
import { runsForEach } from '@/server/workflow/nodes/each';
import { createEachNodeType, firstOutputPort, readEachRules, type EachRules } from '@/server/workflow/nodes/each-loop';
import type { NodeTypeDefinition } from '@/server/workflow/nodes/node-type';
import {
  partOfNodeId,
  type LoopPart,
  type RoundNodeResult,
  type LoopParts,
  type PlannedRoundNode,
} from '@/server/workflow/nodes/parts';

/** The node types of an engine, by name. */
export type NodeTypeRegistry = ReadonlyMap<string, NodeTypeDefinition>;

export interface GraphEdge {
  source: GraphNode;
  port: string;
  target: GraphNode;
}

export interface GraphNode {
  id: string;
  /** Of the expressions in its config. */
  language: ExpressionDialect;
  /** With a prelude: the nodes that it finds by their names. */
  names: NodeNames | undefined;
  /** Its position in the graph's order. */
  orderIndex: number;
  definition: WorkflowNode;
  /** Undefined: this server no longer has the type; the node fails when it is reached. */
  nodeType: NodeTypeDefinition | undefined;
  isRoot: boolean;
  /** The node has side effects, so its start is stored first. */
  isOutside: boolean;
  /**
   * The graph of its rounds, for a node with an inner definition; for a loop of parts, all parts without connections.
   */
  body: WorkflowGraph | undefined;
  /** The graphs of its rounds, for a loop of parts. */
  rounds: RoundGraphs | undefined;
  /** The part that it was made from, for a node in a round of such a loop. */
  part: LoopPart<NodeTypeDefinition> | undefined;
  /**
   * For a loop that was made from a node with `each`: its rounds have one node, and its output is divided among the
   * ports of that.
   */
  each: EachRules | undefined;
  /** For the node in the rounds of such a loop. It has no id: its path is that of its round, `node[3]`. */
  itemOf: EachRules | undefined;
  /** Expressions of its graph read where the items of lists came from (`paired`). */
  isTraced: boolean;
  incoming: GraphEdge[];
  outgoing: GraphEdge[];
}

/** A definition, indexed once for all its runs. */
export interface WorkflowGraph {
  /** Topological order: every node after those that it depends on. */
  nodes: GraphNode[];
  byId: ReadonlyMap<string, GraphNode>;
  /** The source of the graph's output. */
  output: GraphOutput;
}

/**
 * `node`: the output of one node. `leaves`: the outputs of the leaves that completed, which are nodes whose taken port
 * has no connection. Only `possible` nodes can be leaves: the reachable ones of which a port leads nowhere. `isSingle`:
 * at most one reachable node has no connections at all, so that the output of a single leaf is the output of the graph.
 */
export type GraphOutput =
  | { kind: 'node'; node: GraphNode | undefined }
  | { kind: 'leaves'; possible: GraphNode[]; isSingle: boolean };

/** The nodes that can give a graph its output. */
export const possibleLeaves = ({ output }: WorkflowGraph): GraphNode[] =>
  output.kind === 'leaves' ? output.possible : output.node ? [output.node] : [];

function outputFromLeaves(nodes: GraphNode[]): GraphOutput {
  const isOpen = ({ nodeType: kind, definition: node, outgoing }: GraphNode) =>
    outgoing.length === 0 ||
    !kind ||
    listOutputPorts(kind, node.config).some((port) => port !== 'error' && !outgoing.some((edge) => edge.port === port));
  const isSingle = nodes.filter(({ outgoing }) => outgoing.length === 0).length <= 1;
  return { kind: 'leaves', possible: nodes.filter(isOpen), isSingle };
}

function sortTopologically(nodes: GraphNode[]): GraphNode[] {
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
  for (const [place, node] of order.entries()) node.orderIndex = place;
  return order;
}

function createGraphNode(
  node: WorkflowNode,
  kind: NodeTypeDefinition | undefined,
  part: LoopPart<NodeTypeDefinition> | undefined,
  { language, startNodeId, names }: GraphSettings,
): GraphNode {
  const isOutside = typeof kind?.isOutside === 'function' ? kind.isOutside(node.config) : kind?.isOutside === true;
  return {
    id: node.id,
    language,
    names,
    orderIndex: 0,
    definition: node,
    nodeType: kind,
    isRoot: kind?.hasInput === false && (startNodeId === null || node.id === startNodeId),
    isOutside: isOutside && !node.disabled,
    body: undefined,
    rounds: undefined,
    part,
    each: undefined,
    itemOf: undefined,
    isTraced: false,
    incoming: [],
    outgoing: [],
  };
}

/** What is decided outside of the nodes of a graph. */
export interface GraphSettings {
  /** The language of its expressions; inner definitions have that of the one around them. */
  language: ExpressionDialect;
  /**
   * The only start node that is a root; others receive nothing, so they are skipped with everything that only they lead
   * to. Null: every start node is a root.
   */
  startNodeId: string | null;
  /** With a prelude: the names of its nodes, and of those of the graphs around it. */
  names?: NodeNames | undefined;
}

/**
 * A node that runs once for each item of a list is a loop: a round has that node alone. Its retries, its time limit and
 * its credential are those of the rounds.
 */
function createEachGraphNode(
  node: WorkflowNode,
  kind: NodeTypeDefinition,
  each: NodeEach,
  kinds: NodeTypeRegistry,
  around: GraphSettings,
): GraphNode {
  const { id, position, name, config } = node;
  const { each: _each, ...single } = node;
  const settings = { ...around, startNodeId: null };
  const rules = readEachRules(kind, node, each, around.names !== undefined);
  const inner: GraphNode = {
    ...createGraphNode({ ...single, id: '' }, kind, undefined, settings),
    isRoot: true,
    itemOf: rules,
  };
  addInnerGraphs(inner, kind, kinds);
  const { type } = kind;
  const items = each.items === undefined || each.items.trim() === '' ? 'input' : each.items;
  const owner = { id, type, position, name, config: { items, concurrency: rules.concurrency } };
  return {
    ...createGraphNode(owner, createEachNodeType(kind, config, rules.isComputed), undefined, settings),
    each: rules,
    body: { nodes: [inner], byId: new Map([['', inner]]), output: { kind: 'node', node: inner } },
  };
}

/** Indexes a definition without definitionIssues. */
export function compileGraph(
  definition: WorkflowDefinition,
  kinds: NodeTypeRegistry,
  given: Partial<GraphSettings> = {},
): WorkflowGraph {
  const whole: GraphSettings = { language: definitionDialect(definition), startNodeId: null, ...given };
  const names = whole.language === 'n8n' ? nameNodes(definition.nodes, whole.names) : undefined;
  const settings = { ...whole, names };
  const nodes = definition.nodes.map((node): GraphNode => {
    const kind = kinds.get(node.type);
    if (kind && node.each && runsForEach(node)) return createEachGraphNode(node, kind, node.each, kinds, settings);
    const made = createGraphNode(node, kind, undefined, settings);
    if (kind && !node.disabled) addInnerGraphs(made, kind, kinds);
    return made;
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
  const isTraced =
    names !== undefined ||
    nodes.some(({ definition: node, body }) => mentionsPairs(node.config) || body?.nodes.some(mentionsPairsInItem));
  if (isTraced) for (const node of nodes) node.isTraced = true;
  const order = sortTopologically(nodes);
  const reachable = new Set<GraphNode>();
  for (const node of order) {
    if (node.isRoot || node.incoming.some(({ source }) => reachable.has(source))) reachable.add(node);
  }
  return { nodes: order, byId, output: outputFromLeaves(nodes.filter((node) => reachable.has(node))) };
}

const mentionsPairs = (config: unknown): boolean => joinNestedTexts(config).includes('paired');
const mentionsPairsInItem = ({ definition }: GraphNode): boolean => mentionsPairs(definition.config);

/** Adds the graphs that run inside of a loop. */
function addInnerGraphs(node: GraphNode, kind: NodeTypeDefinition, kinds: NodeTypeRegistry): void {
  const inner = kind.inner && node.definition.config[kind.inner];
  if (inner)
    node.body = compileGraph(inner as WorkflowDefinition, kinds, { language: node.language, names: node.names });
  if (!kind.parts) return;
  const parts = kind.parts(node.definition, node.language);
  const nodes = parts.parts.map((part) =>
    createGraphNode(part.node, part.nodeType, part, {
      language: node.language,
      startNodeId: null,
      names: node.names,
    }),
  );
  const byId = new Map(nodes.map((one) => [one.id, one]));
  node.body = { nodes, byId, output: { kind: 'node', node: undefined } };
  node.rounds = createRoundGraphs(parts, byId);
}

/** The maximum number of graphs that one loop caches. Most rounds have the same nodes as others. */
const MAX_CACHED_ROUNDS = 100;

/** The graphs of the rounds of a loop that consists of parts. */
export interface RoundGraphs {
  /** The nodes of a round as far as they follow from its results; the same object while they do not change. */
  graphForRound(index: number, resultOf: (id: string) => RoundNodeResult | undefined): WorkflowGraph;
}

function createRoundGraphs(
  { round, result }: LoopParts<NodeTypeDefinition>,
  byPart: ReadonlyMap<string, GraphNode>,
): RoundGraphs {
  const cache = new Map<string, WorkflowGraph>();
  return {
    graphForRound(index, resultOf) {
      const nodes = round(index, resultOf);
      const key = JSON.stringify(nodes);
      const cached = cache.get(key);
      if (cached) return cached;
      const graph = buildRoundGraph(nodes, byPart, result);
      if (cache.size >= MAX_CACHED_ROUNDS) cache.clear();
      cache.set(key, graph);
      return graph;
    },
  };
}

/** Makes the graph of one round. The nodes are listed in an order in which each follows the one that it waits for. */
function buildRoundGraph(
  nodes: PlannedRoundNode[],
  byPart: ReadonlyMap<string, GraphNode>,
  result: string,
): WorkflowGraph {
  const made: GraphNode[] = [];
  const byId = new Map<string, GraphNode>();
  for (const { id, part, after } of nodes) {
    const from = byPart.get(part);
    if (!from) throw new Error(`There is no part ${part}.`);
    const isRoot = after === undefined;
    const node: GraphNode = { ...from, id, orderIndex: made.length, isRoot, incoming: [], outgoing: [] };
    const source = after && byId.get(after.id);
    if (after && source) {
      const edge = { source, port: after.port, target: node };
      source.outgoing.push(edge);
      node.incoming.push(edge);
    }
    made.push(node);
    byId.set(id, node);
  }
  return { nodes: made, byId, output: { kind: 'node', node: byId.get(result) } };
}

/** The node with an id, also where it is made from a part, as the second of its round or later. */
export function findGraphNode({ byId }: WorkflowGraph, id: string): GraphNode | undefined {
  const own = byId.get(id);
  if (own) return own;
  const from = byId.get(partOfNodeId(id));
  return from?.part && { ...from, id };
}

/** The port by which a disabled node passes its input on. */
export const passThroughPort = ({ nodeType: kind }: Pick<GraphNode, 'nodeType'>): string => firstOutputPort(kind);
