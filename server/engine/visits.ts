import type { RunError } from '@/contract/execution';
import { visit, type Visited } from './attempt';
import type { ClaimedRun } from './claim';
import type { GraphNode } from './graph';
import type { Ledger } from './ledger';
import { Masks } from './masks';
import { isSettled } from './plan';
import { settle } from './settle';
import { inputOf, type NodeState } from './state';

/** The visits to the nodes of one run: who is to be visited, who is being visited, and what came of it. */
export class Visits {
  readonly masks = new Masks();
  /** Set once a node has failed and nobody takes care of its error. */
  failure: RunError | null = null;

  /** Outside nodes under way. */
  private readonly active = new Set<GraphNode>();
  private arrived: { node: GraphNode; visited: Visited }[] = [];
  private readonly aborter = new AbortController();

  /** `onArrival`: an outside node has come back. */
  constructor(
    private readonly claimed: ClaimedRun,
    private readonly ledger: Ledger,
    private readonly onArrival: () => void,
  ) {}

  get underWay(): number {
    return this.active.size;
  }

  get hasArrivals(): boolean {
    return this.arrived.length > 0;
  }

  /** Stops what is under way; whatever it still comes to is ignored. */
  stop(): void {
    this.active.clear();
    this.arrived = [];
    this.aborter.abort();
  }

  stateOf({ id }: GraphNode): NodeState | undefined {
    return this.ledger.states.get(id);
  }

  /** True for an open node that can go on: interrupted by a crash, its time has come, or somebody decided. */
  isDue(node: GraphNode): boolean {
    const state = this.stateOf(node);
    if (!state || this.active.has(node)) return false;
    return (
      !state.isWaiting || this.claimed.decisions.has(node.id) || (state.wakeAt?.getTime() ?? Infinity) <= Date.now()
    );
  }

  /** True for an approval that is due although nobody decided. */
  isExpiring(node: GraphNode): boolean {
    return this.stateOf(node)?.status === 'paused' && !this.claimed.decisions.has(node.id);
  }

  nextWake(open: GraphNode[]): Date | null {
    const times = open.flatMap((node) => this.stateOf(node)?.wakeAt?.getTime() ?? []);
    return times.length > 0 ? new Date(Math.min(...times)) : null;
  }

  /** Visits pure nodes, here and now; false when they were stopped on the way. */
  async compute(nodes: GraphNode[]): Promise<boolean> {
    const visited = await Promise.all(nodes.map(async (node) => ({ node, visited: await this.visit(node) })));
    if (this.aborter.signal.aborted) return false;
    for (const one of visited) this.take(one.node, one.visited);
    return true;
  }

  /** Notes that an outside node is about to be visited; the answer visits it. */
  begin(node: GraphNode): () => void {
    const known = this.stateOf(node);
    this.ledger.put({
      path: node.id,
      status: 'running',
      port: null,
      attempts: attemptOf(known),
      output: null,
      error: null,
      startedAt: known?.startedAt ?? new Date(),
      completedAt: null,
      wakeAt: null,
      isWaiting: false,
    });
    return () => {
      this.active.add(node);
      void this.visit(node, known).then((visited) => {
        if (!this.active.delete(node)) return;
        this.arrived.push({ node, visited });
        this.onArrival();
      });
    };
  }

  /** Takes in what outside nodes came to. */
  collect(): void {
    for (const { node, visited } of this.arrived.splice(0)) this.take(node, visited);
  }

  /** The run has ended: whatever is still open ends with it. */
  close(): void {
    this.stop();
    const completedAt = new Date();
    for (const state of this.ledger.states.values()) {
      if (isSettled(state)) continue;
      const error = { code: 'CANCELLED', message: 'Stopped, because the run had ended.', nodeId: state.path };
      this.ledger.put({ ...state, status: 'failed', error, completedAt, wakeAt: null, isWaiting: false });
    }
  }

  private visit(node: GraphNode, known = this.stateOf(node)): Promise<Visited> {
    const { id, workflowId, workspaceId, input } = this.claimed;
    return visit({
      node,
      path: node.id,
      attempt: attemptOf(known),
      scope: {
        input: inputOf(node, this.ledger.states, input),
        nodes: this.ledger.values,
        execution: { id, workflowId, input },
      },
      workspaceId,
      masks: this.masks,
      signal: this.aborter.signal,
      decision: this.claimed.decisions.get(node.id),
      waitingSince: known?.isWaiting && !known.error ? known.startedAt : undefined,
      log: (level, message) => this.ledger.log(node.id, level, message),
    });
  }

  private take(node: GraphNode, visited: Visited): void {
    const { state, json, failure, warning } = settle(node, node.id, this.stateOf(node), visited);
    if (warning) this.ledger.log(node.id, 'warn', warning);
    this.ledger.put(state, json);
    this.failure ??= failure;
  }
}

/** The number of the try that comes now: one that was interrupted is made again, one after a failure counts on. */
const attemptOf = (known: NodeState | undefined): number =>
  known ? (known.isWaiting && known.error ? known.attempts + 1 : known.attempts) : 1;
