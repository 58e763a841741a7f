/** Maximum age of a cached value: it limits the damage of a lost notification. */
const MAX_CACHED_AGE_MS = 10_000;

/**
 * Values that are read once and kept until `forget`. A value that is being read while it is forgotten is not kept: it
 * may be the old one. `maxWeight`: of all values; beyond it the cache starts empty again.
 */
export class ReadThroughCache<Value> {
  private entries = new Map<string, { value: Value; readAt: number }>();
  private readonly pendingReads = new Map<string, Promise<Value>>();
  private weight = 0;

  constructor(
    private readonly source: (id: string) => Promise<{ value: Value; weight: number }>,
    private readonly maxWeight: number,
  ) {}

  findCached(id: string): Value | undefined {
    const entry = this.entries.get(id);
    return entry && performance.now() - entry.readAt < MAX_CACHED_AGE_MS ? entry.value : undefined;
  }

  /** Concurrent reads of one value share one query. */
  read(id: string): Promise<Value> {
    const underWay = this.pendingReads.get(id);
    if (underWay) return underWay;
    const readAt = performance.now();
    const reading: Promise<Value> = this.source(id)
      .then(({ value, weight }) => {
        if (this.pendingReads.get(id) === reading) this.keep(id, { value, readAt }, weight);
        return value;
      })
      .finally(() => {
        if (this.pendingReads.get(id) === reading) this.pendingReads.delete(id);
      });
    this.pendingReads.set(id, reading);
    return reading;
  }

  forget(id: string): void {
    this.entries.delete(id);
    this.pendingReads.delete(id);
  }

  private keep(id: string, entry: { value: Value; readAt: number }, weight: number): void {
    this.weight += weight;
    if (this.weight > this.maxWeight) {
      this.entries = new Map();
      this.weight = weight;
    }
    this.entries.set(id, entry);
  }
}
