/** How long a value is used if the notification of its change is lost. */
const MAX_AGE_MS = 10_000;

/**
 * Values that are read once and kept until `forget`. A value that is being read while it is forgotten is not kept: it may be the old one.
 * `maxWeight`: of all values; beyond it the cache starts empty again.
 */
export class ReadThroughCache<Value> {
  private entries = new Map<string, { value: Value; readAt: number }>();
  private readonly reading = new Map<string, Promise<Value>>();
  private weight = 0;

  constructor(
    private readonly source: (id: string) => Promise<{ value: Value; weight: number }>,
    private readonly maxWeight: number,
  ) {}

  cached(id: string): Value | undefined {
    const entry = this.entries.get(id);
    return entry && performance.now() - entry.readAt < MAX_AGE_MS ? entry.value : undefined;
  }

  /** Concurrent reads of one value share one query. */
  read(id: string): Promise<Value> {
    const underWay = this.reading.get(id);
    if (underWay) return underWay;
    const readAt = performance.now();
    const reading: Promise<Value> = this.source(id)
      .then(({ value, weight }) => {
        if (this.reading.get(id) === reading) this.keep(id, { value, readAt }, weight);
        return value;
      })
      .finally(() => {
        if (this.reading.get(id) === reading) this.reading.delete(id);
      });
    this.reading.set(id, reading);
    return reading;
  }

  forget(id: string): void {
    this.entries.delete(id);
    this.reading.delete(id);
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
