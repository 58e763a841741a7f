import type { ClaimedRun } from './claim';
import { put } from './evaluate';
import { inputAt, type Spot } from './frame';
import type { Graph } from './graph';
import { lend, mentions, requireFitting, type Lent } from './large';
import type { Ledger } from './ledger';
import { outputOf, valueOf } from './state';

/** What a node sees; large outputs only until they are given back. */
export interface Seen {
  input: unknown;
  nodes: Record<string, unknown>;
  release(): void;
}

/** What the nodes of one run see: what comes in at them, and what others came to. */
export class Sight {
  constructor(
    private readonly claimed: ClaimedRun,
    private readonly ledger: Ledger,
  ) {}

  /** What a node sees of a run without large outputs. */
  at(spot: Spot): Seen {
    const { frame } = spot;
    const input = inputAt(spot, this.ledger.states, this.claimed.override);
    return { input, nodes: frame.values, release: () => undefined };
  }

  /** The same with what it needs of large outputs. */
  async widely(spot: Spot, signal: AbortSignal): Promise<Seen> {
    const { frame, node } = spot;
    const named = this.largeNamedBy(spot);
    const senders = node.incoming.map(({ source }) => frame.prefix + source.id);
    const lent = await this.borrow([...senders, ...named.values()], signal);
    const nodes = { ...frame.values };
    for (const [id, path] of named) {
      const state = lent.get(path);
      if (state) put(nodes, id, valueOf(state));
    }
    return { input: inputAt(spot, lent, this.claimed.override), nodes, release: () => lent.release() };
  }

  /** What a graph came to, under each of these prefixes. Throws NodeFailure when that is too much. */
  async outputs(graph: Graph, prefixes: string[], signal: AbortSignal): Promise<unknown[]> {
    const paths = prefixes.flatMap((prefix) => graph.leaves.map(({ id }) => prefix + id));
    requireFitting(paths.map((path) => this.ledger.states.get(path)));
    const lent = await this.borrow(paths, signal);
    try {
      return prefixes.map((prefix) => outputOf(graph, lent, prefix));
    } finally {
      lent.release();
    }
  }

  private borrow(paths: string[], signal: AbortSignal): Promise<Lent> {
    return lend(this.claimed.id, this.ledger.states, paths, signal);
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
