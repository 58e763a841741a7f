import type { WorkflowNode } from '@/contract/workflows/workflow';
import { cutWellFormed, type N8nNode } from '../../file';
import { groupLinksByEnd, listLinkOutputs, reachableIds, type NodeLink } from '../../node-links';
import { shortNodeType } from '../../starts/convert-trigger';
import type { ArrivalMap, ItemArrival } from '../arrivals/arrivals';
import { connectNodes } from '../connect-nodes';
import type { ItemConversion, ItemLevel, ItemNodes } from '../item-conversion';
import { findNamedNodes, readsComputedName } from '../node-names';
import { readNodeSources } from '../node-sources';
import { compareFollowed, orderSources } from '../source-order';
import type { NodeCircle } from './circles';
import { createTransform } from './round-nodes';

/** Nodes that n8n runs once for each of several lists: from the first ones to the ends behind them. */
export interface SeveralRuns {
  /** The first node that gets the lists. */
  head: string;
  ids: ReadonlySet<string>;
  /** The connections that bring the lists, in n8n's order: several, or the one out of a circle. */
  sources: readonly NodeLink[];
  /** The connections from there to the first nodes. */
  entries: readonly NodeLink[];
  /** What each of the lists is. */
  arrival: ItemArrival;
  /** The circle whose rounds bring the lists, and whether n8n goes on with the last round first. */
  circle?: { first: string; isReversed: boolean };
}

/** A level whose nodes are looked through. */
interface RunLevel {
  shown: readonly string[];
  links: readonly NodeLink[];
  nodes: ReadonlyMap<string, N8nNode>;
  arrivals: ArrivalMap;
  circles: readonly NodeCircle[];
  /** Nodes that exist already. */
  given: ReadonlySet<string>;
  /** Nodes whose results would be others if they ran once. */
  dependent: ReadonlySet<string>;
  /** The ids of all nodes that are part of a node of the level: those of a circle or of a loop, too. */
  listParts(id: string): Iterable<string>;
}

/** Places of a level that are looked at: each of them costs time. */
const MAX_PLACES = 50;
/** Types that wait for several inputs. */
const WAITING_TYPES = new Set(['merge', 'compareDatasets']);
/** Types that belong to the whole run: the state of a loop lasts for all runs of it. */
const WHOLE_RUN_TYPES = new Set([...WAITING_TYPES, 'respondToWebhook', 'splitInBatches']);
/** What depends on the number of the run. */
const READS_RUN = /\$runIndex\b|\$prevNode\b/;

/** The lists of a circle with one way out, that each of its rounds may bring. */
function findCircleRuns(
  circle: NodeCircle,
  { links, nodes, arrivals }: RunLevel,
): Omit<SeveralRuns, 'ids'> | undefined {
  const [exit, ...others] = listLinkOutputs(circle.exits);
  if (!exit || others.length > 0 || arrivals.leavingFrom(circle.first) !== 'lists') return undefined;
  if (arrivals.arrivalAt(circle.first) === 'lists') return undefined;
  const staying = [...circle.inner, ...circle.back].filter(({ from }) => from === exit.from);
  const orders = new Set(
    circle.exits.flatMap((one) => staying.map((other) => Math.sign(compareFollowed(nodes)(one, other)))),
  );
  const [order] = orders;
  if (orders.size !== 1 || order === 0) return undefined;
  const entries = links.filter(({ from }) => from === circle.first);
  const [source] = entries;
  if (!source) return undefined;
  const around = { first: circle.first, isReversed: order === 1 };
  return { head: source.to, sources: [source], entries, arrival: 'list', circle: around };
}

/** The lists that several connections bring to one node. */
function findJoinedRuns(id: string, { links, arrivals }: RunLevel): Omit<SeveralRuns, 'ids'> | undefined {
  const entries = links.filter(({ to }) => to === id);
  const sources = listLinkOutputs(entries);
  if (arrivals.arrivalAt(id) !== 'lists' || sources.length < 2) return undefined;
  if (sources.some(({ from }) => arrivals.leavingFrom(from) === 'lists')) return undefined;
  const isOne = sources.every(({ from }) => arrivals.leavingFrom(from) === 'one');
  return { head: id, sources, entries, arrival: isOne ? 'one' : 'list' };
}

/** Whether a node cannot be repeated for itself. */
const belongsToWholeRun = (node: N8nNode): boolean =>
  WHOLE_RUN_TYPES.has(shortNodeType(node.type)) || READS_RUN.test(readNodeSources(node)) || readsComputedName(node);

/**
 * Whether the nodes of runs are apart from all others: nothing else leads to them, and none reads the other too early.
 * `whole`: the ids of the nodes that belong to the whole run.
 */
function isApart(found: SeveralRuns, level: RunLevel, whole: ReadonlySet<string>): boolean {
  const { links, nodes } = level;
  const entries = new Set(found.entries);
  if (links.some((link) => found.ids.has(link.to) && !found.ids.has(link.from) && !entries.has(link))) return false;
  if ([...found.ids].some((id) => level.given.has(id))) return false;
  const own = new Set([...found.ids].flatMap((id) => [...level.listParts(id)]));
  if ([...own].some((id) => whole.has(id))) return false;
  const ownNodes = [...own].flatMap((id) => nodes.get(id) ?? []);
  const incoming = groupLinksByEnd(links, 'to');
  const before = found.sources.map(({ from }) =>
    reachableIds([from], (to) => (incoming.get(to) ?? []).map((link) => link.from)),
  );
  // What ran before all runs can be read in each of them. Of nodes in circles and loops it is not known.
  const isKnown = (id: string) => before.every((ids) => ids.has(id)) && [...level.listParts(id)].length === 1;
  const unknown = [...nodes].filter(([id]) => !own.has(id) && !isKnown(id)).map(([, { name }]) => name);
  if (ownNodes.some((node) => findNamedNodes(node, unknown).length > 0)) return false;
  const names = ownNodes.map(({ name }) => name);
  return [...nodes].every(
    ([id, node]) => own.has(id) || (findNamedNodes(node, names).length === 0 && !readsComputedName(node)),
  );
}

/** The nodes of a level that n8n runs several times, where they can be repeated as it does. */
export function findSeveralRuns(level: RunLevel): SeveralRuns[] {
  const { shown, links, circles, nodes, arrivals, dependent } = level;
  if (dependent.size === 0) return [];
  const whole = new Set([...nodes].flatMap(([id, node]) => (belongsToWholeRun(node) ? [id] : [])));
  const outgoing = groupLinksByEnd(links, 'from');
  const incoming = groupLinksByEnd(links, 'to');
  const circleAt = new Map(circles.map((circle) => [circle.first, circle]));
  const order = orderSources(links, nodes);
  const taken = new Set<string>();
  const found: SeveralRuns[] = [];
  let places = 0;
  for (const id of shown) {
    const circle = circleAt.get(id);
    const isPlace = arrivals.arrivalAt(id) === 'lists' || arrivals.leavingFrom(id) === 'lists';
    const runs = isPlace ? ((circle && findCircleRuns(circle, level)) ?? findJoinedRuns(id, level)) : undefined;
    if (!runs) continue;
    places += 1;
    if (places > MAX_PLACES) break;
    const first = runs.entries.map(({ to }) => to);
    const ids = reachableIds(first, (from) => (outgoing.get(from) ?? []).map(({ to }) => to));
    if ([...ids].every((other) => !dependent.has(other))) continue;
    const one = { ...runs, ids, sources: order.filter((link) => runs.sources.includes(link)) };
    // Of merges before them it is not known when they run.
    const before = reachableIds([id], (to) => (incoming.get(to) ?? []).map(({ from }) => from));
    const isOrdered =
      runs.circle !== undefined ||
      [...before].every((name) => !WAITING_TYPES.has(shortNodeType(nodes.get(name)?.type ?? '')));
    if ([...ids].some((other) => taken.has(other)) || !isOrdered || !isApart(one, level, whole)) continue;
    found.push(one);
    for (const other of ids) taken.add(other);
  }
  return found;
}

/** What the nodes that repeat runs are made of. */
interface RunsAround {
  runs: SeveralRuns;
  /** The connections inside of the runs. */
  links: readonly NodeLink[];
  ids: readonly string[];
  /** The rounds of the circle that brings the lists. */
  rounds?: ItemNodes['rounds'] | undefined;
  buildLevel(level: ItemLevel): { nodes: WorkflowNode[]; connections: unknown[] };
}

/** Nodes that n8n runs several times as the body of a `for_each`: a round for each list that comes to them. */
export function convertSeveralRuns(conversion: ItemConversion, around: RunsAround): ItemNodes {
  const { id, node, createId } = conversion;
  const { runs, rounds } = around;
  const name = cutWellFormed(node.name, 190);
  const { x, y } = node.position;
  const [loop = '', start = '', numbers = '', items = ''] = ['runs', 'run', 'numbers', 'items'].map((word) =>
    createId(`${id}_${word}`),
  );
  const inputs = runs.circle ? [] : runs.sources.map((_, index) => createId(`${id}_source_${index + 1}`));
  const lists = rounds
    ? `n8n.circleRuns(nodes.${rounds.loop}.outputs, ${JSON.stringify(rounds.ends[0])}, ${String(runs.circle?.isReversed)})`
    : `n8n.joinedRuns([${inputs.map((input) => `nodes.${input}`).join(', ')}])`;
  const first: ItemNodes = {
    nodes: [
      { id: start, type: 'start', name: `${name}: run`, position: { x: x - 320, y }, config: {} },
      createTransform(numbers, `${name}: numbers`, { x: x - 240, y }, 'n8n.runNumbers(input)'),
      createTransform(items, `${name}: items`, { x: x - 160, y }, `n8n.roundItems(nodes.${start}.item.items)`),
    ],
    connections: [connectNodes(start, numbers), connectNodes(numbers, items)],
    entries: [],
    outputs: [[{ node: items, port: 'output' }]],
  };
  const entries = [...new Map(runs.entries.map((link) => [`${link.to} ${link.input}`, link])).values()];
  const body = around.buildLevel({
    ids: around.ids,
    links: [...entries.map(({ to, input }) => ({ from: start, output: 0, to, input })), ...around.links],
    given: new Map([[start, first]]),
    roots: new Map([[start, runs.arrival]]),
  });
  const {
    disabled: _,
    notes: __,
    ...repeated
  } = conversion.createNode(loop, {
    type: 'for_each',
    config: { items: lists, body },
  });
  return {
    nodes: [
      ...inputs.map((input, index) => ({
        ...createTransform(input, `${name}: source ${index + 1}`, { x: x - 160, y: y + index * 120 }),
        each: {},
      })),
      { ...repeated, name: `${name}: runs` },
    ],
    connections: inputs.map((input) => connectNodes(input, loop)),
    entries: inputs.length > 0 ? inputs : [loop],
    outputs: [],
  };
}

/** Links of a level in which the first node of several runs stands for all of their nodes. */
export const linkToRuns = (links: readonly NodeLink[], several: readonly SeveralRuns[]): NodeLink[] => {
  const inside = new Set(several.flatMap(({ ids }) => [...ids]));
  const outside = links.filter(({ from, to }) => !inside.has(from) && !inside.has(to));
  return [
    ...outside,
    ...several.flatMap(({ head, sources }) => sources.map((source, input) => ({ ...source, to: head, input }))),
  ];
};

/** What the report says of the first node. */
export const describeSeveralRuns = ({ circle }: SeveralRuns): string =>
  circle
    ? 'It and what follows run once for what each round lets out, inside of a node “runs”.'
    : 'It and what follows run once for each connection to it, inside of a node “runs”.';
