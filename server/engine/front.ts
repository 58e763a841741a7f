import type { Graph, GraphNode } from './graph';
import { isSettled, type Plan, type Standing } from './plan';

/**
 * The plan of one run, kept from one look to the next: a look costs as much as has happened since the last one, not as
 * much as the graph is large. Says what `plan` says as long as standings only get on: no node that was seen settled is
 * open again, and only nodes that were ready or open get new ones.
 */
export class Front {
  /** Nodes whose turn has come and that aren't settled, in the graph's order. */
  private reached: GraphNode[] = [];
  private readonly known = new Set<GraphNode>();
  /** How many incoming connections are undecided, where some have been decided. */
  private readonly undecided = new Map<GraphNode, number>();
  private readonly delivered = new Set<GraphNode>();

  constructor(
    graph: Graph,
    private readonly standings: ReadonlyMap<string, Standing>,
    private readonly prefix = '',
  ) {
    const idle: GraphNode[] = [];
    for (const node of graph.nodes) {
      const isFree = node.incoming.length === 0;
      if (standings.has(prefix + node.id) || (isFree && node.isRoot)) this.reach(node);
      else if (isFree) idle.push(node);
    }
    for (const node of idle) this.decide(node, null);
  }

  look(): Omit<Plan, 'skipped'> {
    const open: GraphNode[] = [];
    const ready: GraphNode[] = [];
    const left: GraphNode[] = [];
    // What is reached on the way is looked at on the same way.
    for (const node of this.reached) {
      const standing = this.standings.get(this.prefix + node.id);
      if (standing && isSettled(standing)) this.decide(node, standing.port);
      else left.push(node);
    }
    this.reached = left.sort((one, other) => one.place - other.place);
    for (const node of left) (this.standings.has(this.prefix + node.id) ? open : ready).push(node);
    return { ready, open, isFinished: left.length === 0 };
  }

  private reach(node: GraphNode): void {
    if (this.known.has(node)) return;
    this.known.add(node);
    this.reached.push(node);
  }

  /** It left by this port, or by none; so did all that is skipped because of it. */
  private decide(node: GraphNode, port: string | null): void {
    const decided: [GraphNode, string | null][] = [[node, port]];
    for (const [source, left] of decided) {
      for (const edge of source.outgoing) {
        const { target } = edge;
        const isDelivered = edge.port === left;
        if (target.incoming.length > 1) {
          const undecided = (this.undecided.get(target) ?? target.incoming.length) - 1;
          this.undecided.set(target, undecided);
          if (isDelivered) this.delivered.add(target);
          if (undecided > 0) continue;
        }
        if (this.known.has(target)) continue;
        if (isDelivered || target.isRoot || this.delivered.has(target)) this.reach(target);
        else decided.push([target, null]);
      }
    }
  }
}
