import type { Failed, Visited } from './attempt';
import type { Spot } from './frame';
import type { GraphNode } from './graph';
import type { NodeState } from './state';

/** The outside nodes of one run that are being visited, and what those came to that nobody has taken in yet. */
export class UnderWay {
  private readonly active = new Map<string, AbortController>();
  private arrived: { spot: Spot; visited: Visited }[] = [];

  /** `onArrival`: one has come back. */
  constructor(private readonly onArrival: () => void) {}

  get count(): number {
    return this.active.size;
  }

  get hasArrivals(): boolean {
    return this.arrived.length > 0;
  }

  has(path: string): boolean {
    return this.active.has(path);
  }

  begin(spot: Spot, visit: (signal: AbortSignal) => Visited | Promise<Visited>): void {
    const controller = new AbortController();
    this.active.set(spot.path, controller);
    void Promise.resolve(visit(controller.signal)).then((visited) => {
      if (this.active.get(spot.path) !== controller) return;
      this.active.delete(spot.path);
      this.arrived.push({ spot, visited });
      this.onArrival();
    });
  }

  collect(): { spot: Spot; visited: Visited }[] {
    return this.arrived.splice(0);
  }

  /** Stops those whose paths begin like this; whatever they still come to is ignored. */
  stop(prefix = ''): void {
    for (const [path, controller] of this.active) {
      if (!path.startsWith(prefix)) continue;
      controller.abort();
      this.active.delete(path);
    }
    this.arrived = this.arrived.filter(({ spot }) => !spot.path.startsWith(prefix));
  }
}

/** The failure of a node that may have been done when its worker was lost, and must not be done twice. */
export function inDoubt({ node }: GraphNode, known: NodeState | undefined): Failed | undefined {
  const isInterrupted = known?.status === 'running' && !known.isWaiting;
  if (node.repeatable !== false || !isInterrupted) return undefined;
  const message = 'The service was lost while this node was under way. Whether it was done is unknown.';
  return { kind: 'failed', code: 'OUTCOME_UNKNOWN', message, isRetriable: false, retryAfterMs: 0 };
}
