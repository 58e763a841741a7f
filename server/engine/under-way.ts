import type { Visited } from './attempt';
import type { Spot } from './frame';

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
