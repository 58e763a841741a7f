import type { WorkflowGraph, GraphNode } from '@/server/workflow/definition/graph';
import { isNodeFinished, takesOutputPort, type NodeRouteState } from '../store/state';
import type { RunPlan } from '../store/plan';

/**
 * The plan of one run, updated incrementally: a refresh costs as much as has changed since the last one, independent of
 * the size of the graph. Equals `plan` as long as states only advance: no finished node becomes open again, and only
 * ready or open nodes get new states.
 */
export class IncrementalPlan {
  /** Ready and open nodes, in the order of the graph. */
  private reached: GraphNode[] = [];
  private readonly everReached = new Set<GraphNode>();
  /** The number of undecided incoming connections, for nodes with some decided ones. */
  private readonly undecidedInputs = new Map<GraphNode, number>();
  private readonly deliveredNodes = new Set<GraphNode>();

  constructor(
    graph: WorkflowGraph,
    private readonly standings: ReadonlyMap<string, NodeRouteState>,
    private readonly prefix = '',
  ) {
    const idle: GraphNode[] = [];
    for (const node of graph.nodes) {
      const isFree = node.incoming.length === 0;
      if (standings.has(prefix + node.id) || (isFree && node.isRoot)) this.reach(node);
      else if (isFree) idle.push(node);
    }
    for (const node of idle) this.decide(node, undefined);
  }

  refresh(): Omit<RunPlan, 'skipped'> {
    const open: GraphNode[] = [];
    const ready: GraphNode[] = [];
    const left: GraphNode[] = [];
    // Nodes that are reached during the iteration are appended and visited by it.
    for (const node of this.reached) {
      const standing = this.standings.get(this.prefix + node.id);
      if (standing && isNodeFinished(standing)) this.decide(node, standing);
      else left.push(node);
    }
    this.reached = left.sort((one, other) => one.orderIndex - other.orderIndex);
    for (const node of left) (this.standings.has(this.prefix + node.id) ? open : ready).push(node);
    return { ready, open, isFinished: left.length === 0 };
  }

  private reach(node: GraphNode): void {
    if (this.everReached.has(node)) return;
    this.everReached.add(node);
    this.reached.push(node);
  }

  /**
   * Marks a finished node as decided, and transitively the nodes that are skipped because of it. Undefined: the node
   * itself is skipped.
   */
  private decide(node: GraphNode, state: NodeRouteState | undefined): void {
    const decided: [GraphNode, NodeRouteState | undefined][] = [[node, state]];
    for (const [source, standing] of decided) {
      for (const edge of source.outgoing) {
        const { target } = edge;
        const isDelivered = takesOutputPort(standing, edge.port);
        if (target.incoming.length > 1) {
          const undecidedInputs = (this.undecidedInputs.get(target) ?? target.incoming.length) - 1;
          this.undecidedInputs.set(target, undecidedInputs);
          if (isDelivered) this.deliveredNodes.add(target);
          if (undecidedInputs > 0) continue;
        }
        if (this.everReached.has(target)) continue;
        if (isDelivered || target.isRoot || this.deliveredNodes.has(target)) this.reach(target);
        else decided.push([target, undefined]);
      }
    }
  }
}
