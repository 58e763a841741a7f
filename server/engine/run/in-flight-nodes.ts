import type { Failed, AttemptOutcome } from '../attempt/outcome';
import type { NodeInstance } from './graph-scope';
import type { GraphNode } from '@/server/workflow/graph';
import type { NodeState } from '../store/state';

/** The outside nodes of one run that are in flight, and outcomes that were not collected yet. */
export class InFlightNodes {
  private readonly active = new Map<string, AbortController>();
  private arrivals: { instance: NodeInstance; outcome: AttemptOutcome }[] = [];

  /** `onArrival` is called when an outcome has arrived. */
  constructor(private readonly onArrival: () => void) {}

  get count(): number {
    return this.active.size;
  }

  get hasArrivals(): boolean {
    return this.arrivals.length > 0;
  }

  has(path: string): boolean {
    return this.active.has(path);
  }

  begin(instance: NodeInstance, attempt: (signal: AbortSignal) => AttemptOutcome | Promise<AttemptOutcome>): void {
    const controller = new AbortController();
    this.active.set(instance.path, controller);
    void Promise.resolve(attempt(controller.signal)).then((outcome) => {
      if (this.active.get(instance.path) !== controller) return;
      this.active.delete(instance.path);
      this.arrivals.push({ instance, outcome });
      this.onArrival();
    });
  }

  collect(): { instance: NodeInstance; outcome: AttemptOutcome }[] {
    return this.arrivals.splice(0);
  }

  /** Aborts the nodes below a path; their outcomes are ignored. */
  stop(prefix = ''): void {
    for (const [path, controller] of this.active) {
      if (!path.startsWith(prefix)) continue;
      controller.abort();
      this.active.delete(path);
    }
    this.arrivals = this.arrivals.filter(({ instance }) => !instance.path.startsWith(prefix));
  }
}

/** Whether an attempt that was interrupted is repeated. An effect without a result was not committed. */
export function isRepeatable({ node, kind }: GraphNode): boolean {
  const isRetried = (node.retry?.maxAttempts ?? 1) > 1;
  return kind?.isTransactional === true || (node.repeatable ?? (!kind?.isOnce || isRetried));
}

/** The failure of a node that was interrupted and is not repeated. */
export const OUTCOME_UNKNOWN: Failed = {
  kind: 'failed',
  code: 'OUTCOME_UNKNOWN',
  message: 'The service was lost while this node was running. Whether its action was completed is unknown.',
  isRetriable: false,
  retryAfterMs: 0,
};

/** The outcome of a node that was in flight when its worker was lost, if it is not repeated. */
export function outcomeUnknown(node: GraphNode, previous: NodeState | undefined): Failed | undefined {
  return previous?.status === 'running' && !isRepeatable(node) ? OUTCOME_UNKNOWN : undefined;
}
