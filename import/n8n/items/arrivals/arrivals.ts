import type { N8nNode } from '../../file';
import { groupLinksByEnd, listLinkOutputs, reachableIds, sortWithoutCycles, type NodeLink } from '../../node-links';
import { isLoopNode } from '../rounds/loops';
import { isTriggerNode, shortNodeType } from '../../starts/convert-trigger';
import type { NodeCircle } from '../rounds/circles';
import { choosesOneOutput, givesOneItem, startsWithOneItem } from './item-counts';

/** What comes to a node in a run of n8n: one item at most, a list once, or perhaps several lists one after another. */
export type ItemArrival = 'one' | 'list' | 'lists';

/** The links of a level without circles. */
interface ArrivalLevel {
  order: readonly string[];
  links: readonly NodeLink[];
  nodes: ReadonlyMap<string, N8nNode>;
  /** What comes to the nodes at which the level begins. */
  roots: ReadonlyMap<string, ItemArrival>;
  /** The circles, each of which stands for its first node. */
  circles?: readonly NodeCircle[];
}

/** Bounds the work for files with many decisions or connections. */
const MAX_CHOICES = 100;
const MAX_COMPARED_OUTPUTS = 20;

/** Finds out what n8n would bring to each node of a level, and how often. */
export class ArrivalMap {
  private readonly incoming: Map<string, NodeLink[]>;
  private readonly outgoing: Map<string, NodeLink[]>;
  private readonly rootsBefore = new Map<string, ReadonlySet<string>>();
  private readonly arriving = new Map<string, ItemArrival>();
  private readonly leaving = new Map<string, ItemArrival>();
  /** Outputs by which one item leaves or not, with the nodes that are reached by them alone. */
  private readonly choices: { from: string; output: number; behind: ReadonlySet<string> }[] = [];
  private readonly circles: ReadonlyMap<string, NodeCircle>;

  constructor(private readonly level: ArrivalLevel) {
    this.incoming = groupLinksByEnd(level.links, 'to');
    this.outgoing = groupLinksByEnd(level.links, 'from');
    this.circles = new Map((level.circles ?? []).map((circle) => [circle.first, circle]));
    for (const id of level.order) this.visit(id);
  }

  /** What comes to a node. */
  arrivalAt(id: string): ItemArrival {
    return this.arriving.get(id) ?? 'list';
  }

  /** What a node passes on. */
  leavingFrom(id: string): ItemArrival {
    return this.leaving.get(id) ?? 'list';
  }

  /** Whether at most one of several outputs brings something in a run. `most`: how many are compared; of more it is not known. */
  areExclusive(outputs: readonly NodeLink[], most = MAX_COMPARED_OUTPUTS): boolean {
    return (
      outputs.length <= most &&
      outputs.every((one, index) => outputs.slice(index + 1).every((other) => this.excludeEachOther(one, other)))
    );
  }

  /** The outputs that have to bring an item before a node gets one, by the nodes that choose them. */
  listDecisionsBefore(id: string): Map<string, number> {
    return this.listChoices({ from: id, output: -1, to: '', input: 0 });
  }

  private excludeEachOther(one: NodeLink, other: NodeLink): boolean {
    const before = this.rootsBefore.get(other.from);
    if (![...(this.rootsBefore.get(one.from) ?? [])].some((root) => before?.has(root))) return true;
    const [ours, theirs] = [this.listChoices(one), this.listChoices(other)];
    return [...ours].some(([from, output]) => {
      const otherOutput = theirs.get(from);
      return otherOutput !== undefined && otherOutput !== output;
    });
  }

  private visit(id: string): void {
    const own = this.incoming.get(id) ?? [];
    const roots = own.flatMap(({ from }) => [...(this.rootsBefore.get(from) ?? [])]);
    this.rootsBefore.set(id, new Set(this.level.roots.has(id) ? [id, ...roots] : roots));
    const arrival = this.level.roots.get(id) ?? this.joinSources(id, own);
    this.arriving.set(id, arrival);
    const leaving = this.findLeaving(id, arrival);
    this.leaving.set(id, leaving);
    const node = this.level.nodes.get(id);
    const isChoosing = this.circles.has(id) || (node !== undefined && choosesOneOutput(node));
    if (leaving === 'one' && isChoosing) this.addChoices(id);
  }

  private joinSources(id: string, own: readonly NodeLink[]): ItemArrival {
    const inputs = this.hasSeveralInputs(id) ? [...new Set(own.map(({ input }) => input))] : [undefined];
    const joined = inputs.map((input) =>
      this.joinInput(listLinkOutputs(own.filter((link) => input === undefined || link.input === input))),
    );
    if (joined.includes('lists')) return 'lists';
    return joined.length === 1 && joined[0] === 'one' ? 'one' : 'list';
  }

  private joinInput(sources: readonly NodeLink[]): ItemArrival {
    const given = sources.map(({ from }) => this.leavingFrom(from));
    if (!this.areExclusive(sources) || given.includes('lists')) return 'lists';
    return given.length > 0 && given.every((each) => each === 'one') ? 'one' : 'list';
  }

  private hasSeveralInputs(id: string): boolean {
    return ['merge', 'compareDatasets'].includes(shortNodeType(this.level.nodes.get(id)?.type ?? ''));
  }

  private findLeaving(id: string, arrival: ItemArrival): ItemArrival {
    const circle = this.circles.get(id);
    if (circle) return isRunOnce(circle, this.level.nodes, arrival) ? 'one' : 'lists';
    const node = this.level.nodes.get(id);
    const isStart = node === undefined || (this.level.roots.has(id) && (isTriggerNode(node) || isLoopNode(node)));
    if (arrival === 'lists' || isStart) return arrival;
    return givesOneItem(node, arrival === 'one') ? 'one' : 'list';
  }

  private addChoices(id: string): void {
    for (const output of new Set((this.outgoing.get(id) ?? []).map((link) => link.output))) {
      if (this.choices.length >= MAX_CHOICES) return;
      const reach = (isOpen: (link: NodeLink) => boolean) =>
        reachableIds(this.level.roots.keys(), (from) =>
          (this.outgoing.get(from) ?? []).filter(isOpen).map(({ to }) => to),
        );
      const others = reach((link) => link.from !== id || link.output !== output);
      const behind = new Set([...reach(() => true)].filter((one) => !others.has(one)));
      this.choices.push({ from: id, output, behind });
    }
  }

  /** The outputs that have to bring an item before this one does, by the nodes that choose them. */
  private listChoices({ from, output }: NodeLink): Map<string, number> {
    return new Map(
      this.choices.flatMap((choice): [string, number][] =>
        (choice.from === from && choice.output === output) || choice.behind.has(from)
          ? [[choice.from, choice.output]]
          : [],
      ),
    );
  }
}

/** What the nodes bring at which runs begin: triggers, or a start without one. */
export const readRootArrivals = (
  ids: Iterable<string>,
  nodes: ReadonlyMap<string, N8nNode>,
): Map<string, ItemArrival> =>
  new Map(
    [...ids].map((id) => {
      const node = nodes.get(id);
      return [id, node === undefined || startsWithOneItem(node) ? 'one' : 'list'];
    }),
  );

/** Links that end behind the level. */
const leadOut = (links: readonly NodeLink[]): NodeLink[] => links.map((link) => ({ ...link, to: '' }));

/** Whether one item goes round a circle until it leaves it, once. */
function isRunOnce(
  { first, ids, back, inner, exits }: NodeCircle,
  nodes: ReadonlyMap<string, N8nNode>,
  arrival: ItemArrival,
): boolean {
  if (arrival !== 'one') return false;
  const { order, cut } = sortWithoutCycles([...ids], inner);
  if (cut.length > 0) return false;
  const ends = listLinkOutputs([...back, ...exits]);
  const map = new ArrivalMap({ order, links: [...inner, ...leadOut(ends)], nodes, roots: new Map([[first, arrival]]) });
  return (
    map.areExclusive(ends) &&
    [...ids].every((id) => {
      const node = nodes.get(id);
      return map.arrivalAt(id) === 'one' && node !== undefined && givesOneItem(node, true);
    })
  );
}

/** What comes to the first node of a circle in each of its rounds. */
export function findRoundArrival(
  circle: NodeCircle,
  nodes: ReadonlyMap<string, N8nNode>,
  arrival: ItemArrival,
): ItemArrival {
  if (isRunOnce(circle, nodes, arrival)) return 'one';
  return arrival === 'lists' || leadsBackSeveralTimes(circle, nodes, arrival) ? 'lists' : 'list';
}

/** Whether the links back into a circle may bring several lists in one round. */
function leadsBackSeveralTimes(
  { first, ids, back, inner }: NodeCircle,
  nodes: ReadonlyMap<string, N8nNode>,
  arrival: ItemArrival,
): boolean {
  const ends = listLinkOutputs(back);
  if (ends.length < 2) return false;
  const { order, kept } = sortWithoutCycles([...ids], inner);
  const map = new ArrivalMap({ order, links: [...kept, ...leadOut(ends)], nodes, roots: new Map([[first, arrival]]) });
  return !map.areExclusive(ends);
}
