import { readItemListReference } from '@/contract/workflows/item-list';
import { isLargeJson } from '@/server/evaluation/expressions/large-json';
import { parseStoredJson } from '@/server/platform/messages/json-in-pieces';
import { setField } from '@/server/evaluation/expressions/scope';
import type { GraphNode } from '@/server/workflow/definition/graph';
import { takesOutputPort } from '../../store/state';
import { listSharePositions } from '../../store/port-shares';
import type { CompletedNode, NodeStateReader } from '../../store/state';
import type { ItemPairing } from '../../attempt/context';
import { createNodeInstance, findItemInstance, type NodeInstance } from '../graph-scope';
import { mayReferenceName } from './node-references';
import type { LoadedValues } from './offloaded-values';

/**
 * A list whose items a node works on: the output of a node, or a port of it, or one value that counts as a list of one.
 */
interface ItemSource {
  instance: NodeInstance;
  state: CompletedNode;
  port: string | undefined;
}

/** The number of items of a source, and for a port their positions in the output of the node. */
interface MeasuredSource extends ItemSource {
  count: number;
  positions: number[] | undefined;
}

/** An item of a list that a node works on: `owner` is that node. */
interface ItemPosition {
  owner: NodeInstance;
  index: number;
}

/** The items of a node that runs for the first one alone. */
const FIRST_ITEM_EXPRESSION = /^\[input\]\.flat\(\)\.slice\(0, 1\)$/;

/** The expression that gives a node the list whose order its output follows; undefined: it has none. */
export function findListExpression({ definition: { config }, nodeType, names, each }: GraphNode): string | undefined {
  const field = nodeType?.type === 'merge' ? 'left' : 'items';
  const source = config[field];
  // With a prelude a node works on what comes in, or on the first item of it.
  if (names && (!each || FIRST_ITEM_EXPRESSION.test(String(source)))) return 'input';
  return typeof source === 'string' ? source : undefined;
}

/**
 * What the import of n8n writes for the items that a round begins with, and for those of all rounds: where they came
 * from are positions in the list that the loop works on.
 */
const ROUND_EXPRESSION = /^n8n\.(roundNumbers|circleNumbers|runNumbers|joinTracedRounds)\(/;

/** The loop whose list the output of a node follows; undefined: it follows what comes in. */
function findFollowedLoop({ graphNode: node, graphScope }: NodeInstance): NodeInstance | undefined {
  const [, name] = (node.names && ROUND_EXPRESSION.exec(String(node.definition.config['expression']))) || [];
  if (name === undefined) return undefined;
  if (name !== 'joinTracedRounds') return graphScope.owner ?? undefined;
  const [edge] = node.incoming;
  return edge && createNodeInstance(graphScope, edge.source);
}

/** The lists that a node works on, one after the other. Empty: they are not whole outputs of nodes. */
function findItemSources(owner: NodeInstance, states: NodeStateReader): ItemSource[] {
  const loop = findFollowedLoop(owner);
  // The loop itself is none that follows another: its node has rounds.
  if (loop?.graphNode.body) return findItemSources(loop, states);
  const { graphNode: node, graphScope } = owner;
  const expression = findListExpression(node);
  if (expression === undefined) return [];
  const toSource = (instance: NodeInstance, port: string | undefined): ItemSource[] => {
    const state = states.get(instance.path);
    const isTaken = state?.status === 'completed' && (port === undefined || takesOutputPort(state, port));
    return isTaken ? [{ instance, state, port }] : [];
  };
  const reference = readItemListReference(expression);
  if (reference?.kind === 'input') {
    const found = node.incoming.flatMap(({ source, port }) => toSource(createNodeInstance(graphScope, source), port));
    // Only a node with `each` gets several lists one after the other.
    return found.length === 1 || node.each || node.names ? found : [];
  }
  for (let at: typeof graphScope | undefined = graphScope; reference && at; at = at.owner?.graphScope) {
    const named = at.graph.byId.get(reference.id);
    if (named) return toSource(createNodeInstance(at, named), undefined);
  }
  return [];
}

/** The outputs that expressions of the items of a node can read as `paired`, by path: those of all lists before it. */
export function listPairedPaths(owner: NodeInstance, states: NodeStateReader): string[] {
  const paths = new Set<string>();
  const owners = [owner];
  for (const one of owners) {
    for (const { instance } of findItemSources(one, states)) {
      if (!paths.has(instance.path)) owners.push(instance);
      paths.add(instance.path);
    }
  }
  return [...paths];
}

/** Parsed lists by the path of their node. */
export type ParsedLists = ReadonlyMap<string, unknown[]>;

export const NO_PARSED_LISTS: ParsedLists = new Map();

/** How code with a prelude reads the item of another node that its own came from. */
const READS_FORMER_ITEM = /\.(?:item|itemMatching|pairedItem)\b/;

/** Whether a node that runs once, with a prelude, reads items that the first one that comes in came from. */
const hasFirstPairs = ({ each, names, body, definition: { config } }: GraphNode): boolean =>
  names !== undefined &&
  !each &&
  !body &&
  Object.values(config).some((value) => typeof value === 'string' && READS_FORMER_ITEM.test(value));

/**
 * The node that a node is, or whose item it belongs to, if its expressions may read `paired`: one with `each`, or one
 * that runs once with a prelude.
 */
export function findPairingOwner(instance: NodeInstance): NodeInstance | undefined {
  const isOwner = instance.graphNode.each?.isComputed === true;
  const ofItem = isOwner ? instance : findItemInstance(instance)?.graphScope.owner;
  const owner = ofItem ?? (hasFirstPairs(instance.graphNode) ? instance : undefined);
  return owner?.graphNode.isTraced && mayReferenceName(instance.graphNode, 'paired') ? owner : undefined;
}

/**
 * Parses the large lists that the expressions of a node may read as `paired`, in pieces between which others get their
 * turn.
 */
export async function parsePairedLists(
  instance: NodeInstance,
  states: NodeStateReader,
  { outputs }: LoadedValues,
): Promise<ParsedLists> {
  const owner = findPairingOwner(instance);
  if (!owner) return NO_PARSED_LISTS;
  const lists = new Map<string, unknown[]>();
  for (const path of listPairedPaths(owner, states)) {
    const output = outputs.get(path);
    const value = isLargeJson(output) ? await parseStoredJson(output.text) : output;
    if (Array.isArray(value)) lists.set(path, value);
  }
  return lists;
}

/** Finds the items that the items of a node came from; undefined: its expressions do not ask. */
export function createPairing(
  instance: NodeInstance,
  states: NodeStateReader,
  lists: ParsedLists,
): ItemPairing | undefined {
  const owner = findPairingOwner(instance);
  if (!owner) return undefined;
  const parsed = new Map<string, unknown>(lists);
  return createItemPairing(owner, states, ({ path, output }) => {
    if (!parsed.has(path)) parsed.set(path, isLargeJson(output) ? (JSON.parse(output.text) as unknown) : output);
    const value = parsed.get(path);
    return Array.isArray(value) ? value : undefined;
  });
}

/**
 * Finds the items that an item of a node came from. `readList`: the parsed output of a node; undefined: it is no list.
 */
function createItemPairing(
  owner: NodeInstance,
  states: NodeStateReader,
  readList: (state: CompletedNode) => unknown[] | undefined,
): ItemPairing {
  const measure = (source: ItemSource): MeasuredSource => {
    const { state, port } = source;
    const positions = state.shares && port !== undefined ? listSharePositions(state.shares, port) : undefined;
    const isEmpty = state.output === null || state.output === undefined;
    return { ...source, positions, count: (positions ?? readList(state))?.length ?? (isEmpty ? 0 : 1) };
  };
  const cachedSources = new Map<string, MeasuredSource[]>();
  const sourcesAt = (one: NodeInstance) => {
    const sources = cachedSources.get(one.path) ?? findItemSources(one, states).map(measure);
    cachedSources.set(one.path, sources);
    return sources;
  };
  return (index) => {
    const paired: Record<string, unknown> = {};
    for (let at: ItemPosition | undefined = { owner, index }; at;) {
      const found = locateItem(sourcesAt(at.owner), at.index);
      if (!found) break;
      const { instance, state } = found.source;
      const list = readList(state);
      setField(paired, instance.graphNode.id, list ? list[found.position] : state.output);
      at = list && findOrigin(instance, state, found.position);
    }
    return paired;
  };
}

/** The list that has the item at an index of all these lists, and its position there. */
function locateItem(
  sources: MeasuredSource[],
  index: number,
): { source: MeasuredSource; position: number } | undefined {
  let left = index;
  for (const source of sources) {
    if (left < source.count) return { source, position: source.positions?.[left] ?? left };
    left -= source.count;
  }
  return undefined;
}

/** Types whose output is their input, as is that of a disabled node. */
const PASSING_TYPES = new Set(['delay', 'respond']);

/** Where the item at a position of the output of a node came from. */
function findOrigin(owner: NodeInstance, { origins }: CompletedNode, position: number): ItemPosition | undefined {
  const { names, nodeType, definition } = owner.graphNode;
  const isPassing = definition.disabled === true || PASSING_TYPES.has(nodeType?.type ?? '');
  const passesOn = !origins && names !== undefined && isPassing;
  const index = passesOn ? position : origins?.[position];
  return index === undefined || index === null ? undefined : { owner, index };
}
