import type { AttemptOutcome } from '../attempt/outcome';
import type { NodeInstance } from './graph-scope';

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
