import type { ChildEnd } from '../nodes/node';
import { lend, type Away, type Lent } from './away';
import type { Ended } from './children';
import type { ClaimedRun } from './claim';
import { put } from './evaluate';
import { inputAt, type Spot } from './frame';
import type { Graph } from './graph';
import { itemAtHand } from './items';
import { mentions, readsExecution, readsInput, requireFitting } from './large';
import type { Ledger } from './ledger';
import type { Stoppable } from './stop';
import { childOf, itemsAwayOf, outputOf, valueOf, type Looked } from './state';

/** What a node sees; large values only until they are given back. */
export interface Seen {
  input: unknown;
  nodes: Record<string, unknown>;
  /** What went into the run. */
  runInput: unknown;
  child: ChildEnd | undefined;
  release(): void;
}

const NOTHING: Lent = {
  outputs: new Map(),
  input: undefined,
  child: undefined,
  item: undefined,
  release: () => undefined,
};

/** What the nodes of one run see: what comes in at them, and what others came to. */
export class Sight {
  /** `ends`: how runs ended that nodes wait for, by their ids. */
  constructor(
    private readonly claimed: ClaimedRun,
    private readonly ledger: Ledger,
    private readonly ends: ReadonlyMap<string, Ended>,
  ) {}

  /** What a node sees; null: some of it is away. */
  at(spot: Spot): Seen | null {
    const child = this.ends.size > 0 ? this.endAt(spot) : undefined;
    if (this.ledger.hasLarge || child?.largeBytes || this.claimed.inputBytes !== null)
      return this.awayFrom(spot) ? null : this.seen(spot, NOTHING);
    const input = inputAt(spot, this.ledger.states, this.claimed.override);
    return { input, nodes: spot.frame.values, runInput: this.claimed.input, child, release: NOTHING.release };
  }

  /** The same with what it needs of large values. */
  async widely(spot: Spot, signal: AbortSignal): Promise<Seen> {
    const away = this.awayFrom(spot);
    return this.seen(spot, away ? await lend(this.claimed, away, signal) : NOTHING);
  }

  /** True when what a graph came to isn't all here. Throws NodeFailure when that is too much. */
  isWide(graph: Graph, prefixes: string[]): boolean {
    const states = pathsOf(graph, prefixes).map((path) => this.ledger.states.get(path));
    requireFitting(states);
    return states.some((state) => state?.isAway);
  }

  /** What a graph came to, under each of these prefixes. */
  async outputs(graph: Graph, prefixes: string[], until: Stoppable): Promise<unknown[]> {
    const away = this.awayOf(pathsOf(graph, prefixes));
    const lent = away.outputs.length > 0 ? await lend(this.claimed, away, until.signal) : NOTHING;
    try {
      const states = this.filled(lent);
      return prefixes.map((prefix) => outputOf(graph, states, prefix));
    } finally {
      lent.release();
    }
  }

  private endAt({ path }: Spot): Ended | undefined {
    return this.ends.get(childOf(this.ledger.states.get(path)) ?? '');
  }

  private seen(spot: Spot, lent: Lent): Seen {
    const states = this.filled(lent);
    const nodes = { ...spot.frame.values };
    for (const [id, path] of this.largeNamedBy(spot)) {
      const state = states.get(path);
      if (state) put(nodes, id, valueOf(state));
    }
    const end = this.endAt(spot);
    const child = end?.status === 'completed' && end.largeBytes !== null ? { ...end, output: lent.child } : end;
    const runInput = this.claimed.inputBytes === null ? this.claimed.input : lent.input;
    const input = inputAt(this.begun(spot, lent), states, this.claimed.override);
    return { input, nodes, runInput, child, release: lent.release };
  }

  /** The states, with the outputs that were brought. */
  private filled({ outputs }: Lent): Looked {
    const { states } = this.ledger;
    if (outputs.size === 0) return states;
    const get = (path: string) => {
      const state = states.get(path);
      return state?.isAway && outputs.has(path) ? { ...state, output: outputs.get(path), isAway: false } : state;
    };
    return { get };
  }

  /** With what its round or run begins with. */
  private begun(spot: Spot, lent: Lent): Spot {
    const { node, frame } = spot;
    if (this.claimed.inputBytes !== null && node.isRoot && !frame.owner)
      return { ...spot, frame: { ...frame, input: lent.input } };
    const needed = this.itemOf(spot);
    if (!needed) return spot;
    const { loop, index } = needed;
    const [item = lent.item] = itemAtHand(this.claimed.id, loop, index);
    return { ...spot, frame: { ...frame, input: { item, index } } };
  }

  /** The item that begins a round, if the loop's items are away. */
  private itemOf({ node, frame: { owner, index } }: Spot): { loop: string; index: number; bytes: number } | null {
    const bytes = node.isRoot && owner ? itemsAwayOf(this.ledger.states.get(owner.path)) : null;
    return bytes === null || !owner ? null : { loop: owner.path, index, bytes };
  }

  private isInputNeeded({ node, frame }: Spot): boolean {
    return this.claimed.inputBytes !== null && ((node.isRoot && !frame.owner) || readsExecution(node));
  }

  private awayOf(paths: Iterable<string>): Away {
    const { states } = this.ledger;
    const outputs = [...new Set(paths)].filter((path) => states.get(path)?.isAway);
    const bytes = outputs.reduce((sum, path) => sum + (states.get(path)?.largeBytes ?? 0), 0);
    return { outputs, isInput: false, childId: null, item: null, bytes };
  }

  /** What a node needs that isn't here; null: nothing. */
  private awayFrom(spot: Spot): Away | null {
    const { node, frame } = spot;
    const senders = (readsInput(node) ? node.incoming : []).map(({ source }) => frame.prefix + source.id);
    const { outputs, bytes } = this.awayOf([...senders, ...this.largeNamedBy(spot).values()]);
    const needed = this.itemOf(spot);
    const item = needed && itemAtHand(this.claimed.id, needed.loop, needed.index).length === 0 ? needed : null;
    const end = this.endAt(spot);
    const childId = end && end.largeBytes !== null ? end.executionId : null;
    const isInput = this.isInputNeeded(spot);
    if (outputs.length === 0 && !item && childId === null && !isInput) return null;
    const more = (item?.bytes ?? 0) + (end?.largeBytes ?? 0) + (isInput ? (this.claimed.inputBytes ?? 0) : 0);
    return { outputs, isInput, item, childId, bytes: bytes + more };
  }

  /** Paths of large outputs that a node's config may read, by their ids: its own frame's before those around it. */
  private largeNamedBy({ node, frame }: Spot): Map<string, string> {
    const found = new Map<string, string>();
    for (let at: typeof frame | undefined = frame; at; at = at.owner?.frame) {
      for (const { id } of at.graph.nodes) {
        const path = at.prefix + id;
        if (found.has(id) || !this.ledger.states.get(path)?.largeBytes) continue;
        if (mentions(node, id)) found.set(id, path);
      }
    }
    return found;
  }
}

const pathsOf = (graph: Graph, prefixes: string[]): string[] =>
  prefixes.flatMap((prefix) => graph.leaves.map(({ id }) => prefix + id));
