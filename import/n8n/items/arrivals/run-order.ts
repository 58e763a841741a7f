import { asN8nObject, type N8nFile, type N8nNode } from '../../file';
import { groupLinksByEnd, reachableIds, sortWithoutCycles, type NodeLink } from '../../node-links';
import { shortNodeType } from '../../starts/convert-trigger';
import { findLoopBodies, isLoopNode, loopBodyOutput } from '../rounds/loops';
import { sortFollowed } from '../source-order';
import { ArrivalMap, readRootArrivals } from './arrivals';
import { choosesOneOutput, givesOneItem } from './item-counts';

/** The nodes that runs of triggers may reach, in the order in which n8n runs them. */
export interface RunOrder {
  names: readonly string[];
  /** The connections between them. A loop stands for the nodes inside it. */
  links: readonly NodeLink[];
}

/** A place in the order at which a node may run: by these decisions. */
interface Visit {
  name: string;
  chosen: ReadonlyMap<string, number>;
}

/** Ways to reach nodes that are followed, and nodes that are compared. */
const MAX_VISITS = 400;

function canMeet(one: Visit, other: Visit): boolean {
  for (const [name, output] of one.chosen) if ((other.chosen.get(name) ?? output) !== output) return false;
  return true;
}

/** A loop whose rounds are one line of nodes: it is left when all rounds are done. */
function isPlainLoop(
  loop: N8nNode,
  body: ReadonlySet<string>,
  links: readonly NodeLink[],
  nodes: ReadonlyMap<string, N8nNode>,
): boolean {
  const isInside = (name: string) => body.has(name) || name === loop.name;
  const into = loopBodyOutput(loop);
  return (
    loop.version >= 3 &&
    asN8nObject(loop.parameters['options'])['reset'] === undefined &&
    links.filter(({ from, output }) => from === loop.name && output === into).length === 1 &&
    links.every(({ from, to }) => !body.has(to) || isInside(from)) &&
    [...body].every((name) => {
      const own = links.filter(({ from }) => from === name);
      const node = nodes.get(name);
      return (
        node !== undefined &&
        !isLoopNode(node) &&
        !choosesOneOutput(node) &&
        !['switch', 'textClassifier', 'merge', 'compareDatasets'].includes(shortNodeType(node.type)) &&
        own.length === 1 &&
        own.every(({ to }) => isInside(to))
      );
    })
  );
}

/** The connections that runs follow, without those inside of loops; undefined: there are other rounds. */
function leaveOutRounds(
  reached: ReadonlySet<string>,
  links: readonly NodeLink[],
  nodes: ReadonlyMap<string, N8nNode>,
): { ids: string[]; links: NodeLink[] } | undefined {
  const bodies = findLoopBodies([...reached], links, nodes);
  const hidden = new Set<string>();
  for (const [name, body] of bodies) {
    const loop = nodes.get(name);
    if (!loop || !isPlainLoop(loop, body, links, nodes)) return undefined;
    for (const one of body) hidden.add(one);
  }
  const ids = [...reached].filter((name) => !hidden.has(name));
  const kept = links.filter(({ from, to }) => !hidden.has(from) && !hidden.has(to));
  return { ids, links: kept };
}

/** A merge that waits for all of its inputs in any case, and does not run where one gets nothing. */
const needsAllInputs = ({ type, parameters }: N8nNode): boolean =>
  shortNodeType(type) === 'merge' && parameters['mode'] === 'chooseBranch';

/** Follows all connections from triggers as n8n would. */
class RunWalk {
  readonly visits: Visit[] = [];
  /** The first visit of each node that waits for several inputs. */
  readonly joined = new Map<string, number>();
  /** Whether each node that waits for several inputs may get all of them, and not too much was to follow. */
  isComplete = true;
  private readonly outgoing: Map<string, NodeLink[]>;
  private readonly inputs = new Map<string, number>();

  constructor(
    links: readonly NodeLink[],
    private readonly nodes: ReadonlyMap<string, N8nNode>,
    private readonly arrivals: ArrivalMap,
    private readonly isFormer: boolean,
  ) {
    this.outgoing = groupLinksByEnd(links, 'from');
    for (const [name, own] of groupLinksByEnd(links, 'to'))
      this.inputs.set(name, 1 + Math.max(...own.map(({ input }) => input)));
  }

  /** Follows what runs that begin at a trigger may reach. `index`: a run begins at one of several. */
  followTrigger(trigger: string, index: number): void {
    const waiting = new Map<string, Set<number>>();
    const open: Visit[] = [{ name: trigger, chosen: new Map([['', index]]) }];
    for (let next = open.shift(); next; next = open.shift()) {
      if (this.visits.length + open.length >= MAX_VISITS) break;
      if ((this.inputs.get(next.name) ?? 0) > 1 && !this.joined.has(next.name))
        this.joined.set(next.name, this.visits.length);
      this.visits.push(next);
      const behind = this.listBehind(next, waiting);
      if (this.isFormer) open.push(...behind);
      else open.unshift(...behind);
    }
    const isWaiting = [...waiting].some(([name, given]) => given.size < (this.inputs.get(name) ?? 0));
    if (open.length > 0 || isWaiting || this.visits.length >= MAX_VISITS) this.isComplete = false;
  }

  private listBehind({ name, chosen }: Visit, waiting: Map<string, Set<number>>): Visit[] {
    const node = this.nodes.get(name);
    const isDecision =
      node !== undefined &&
      this.arrivals.arrivalAt(name) === 'one' &&
      givesOneItem(node, true) &&
      choosesOneOutput(node);
    const links = this.outgoing.get(name) ?? [];
    return (this.isFormer ? links : sortFollowed(links, this.nodes)).flatMap(({ output, to, input }): Visit[] => {
      const count = this.inputs.get(to) ?? 1;
      if (count === 1) return [{ name: to, chosen: isDecision ? new Map([...chosen, [name, output]]) : chosen }];
      const given = (waiting.get(to) ?? new Set()).add(input);
      waiting.set(to, given);
      return given.size < count ? [] : [{ name: to, chosen: this.arrivals.listDecisionsBefore(to) }];
    });
  }
}

/**
 * The order in which n8n runs nodes behind triggers: depth first, from top to bottom and from left to right; in files
 * without this order, all nodes of one distance before those of the next. Undefined: it depends on the items, or nodes
 * run several times.
 */
export function findRunOrder(file: N8nFile, triggers: readonly N8nNode[]): RunOrder | undefined {
  const isFormer = file.settings['executionOrder'] !== 'v1';
  const nodes = new Map(file.nodes.map((node) => [node.name, node]));
  const isOff = (name: string) => nodes.get(name)?.isDisabled === true;
  const followed = file.links.filter(({ from, output }) => !(output > 0 && isOff(from)));
  const outgoing = groupLinksByEnd(followed, 'from');
  const roots = triggers.map(({ name }) => name);
  const reached = reachableIds(roots, (name) => (outgoing.get(name) ?? []).map(({ to }) => to));
  const entering = followed.filter(({ from, to }) => reached.has(to) && !reached.has(from));
  // A node that waits for an input that other triggers bring.
  if (entering.some(({ input }) => input > 0)) return undefined;
  const level = leaveOutRounds(
    reached,
    followed.filter(({ from }) => reached.has(from)),
    nodes,
  );
  if (!level || level.links.some(({ to, input }) => input > 0 && isOff(to))) return undefined;
  const { order, cut } = sortWithoutCycles(level.ids, level.links);
  if (cut.length > 0) return undefined;
  const arrivals = new ArrivalMap({ order, links: level.links, nodes, roots: readRootArrivals(roots, nodes) });
  if (order.some((name) => arrivals.arrivalAt(name) === 'lists')) return undefined;
  if (file.nodes.some((node) => reached.has(node.name) && needsAllInputs(node))) return undefined;
  // Without the order, merges run before what they wait for, and the nodes of loops between others.
  if (isFormer && (level.ids.length < reached.size || level.links.some(({ input }) => input > 0))) return undefined;
  const walk = new RunWalk(level.links, nodes, arrivals, isFormer);
  for (const [index, root] of roots.entries()) walk.followTrigger(root, index);
  if (!walk.isComplete) return undefined;
  const names = sortVisits(walk, level.links);
  return names && { names, links: level.links };
}

/** The nodes in an order that holds for each run; undefined: there is none. */
function sortVisits({ visits, joined }: RunWalk, links: readonly NodeLink[]): string[] | undefined {
  const outgoing = groupLinksByEnd(links, 'from');
  for (const [name, first] of joined) {
    // Where one of its inputs gets nothing, it runs after all others.
    const own = visits[first];
    const behind = reachableIds([name], (from) => (outgoing.get(from) ?? []).map(({ to }) => to));
    if (visits.slice(first).some((one) => !behind.has(one.name) && own && canMeet(own, one))) return undefined;
  }
  const names = [...new Set(visits.map(({ name }) => name))];
  const before = new Map<string, NodeLink>();
  for (const [index, one] of visits.entries())
    for (const other of visits.slice(index + 1))
      if (one.name !== other.name && canMeet(one, other))
        before.set(`${one.name}\n${other.name}`, { from: one.name, output: 0, to: other.name, input: 0 });
  const { order, cut } = sortWithoutCycles(names, [...before.values()]);
  return cut.length > 0 ? undefined : order;
}
