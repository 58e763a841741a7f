/**
 * A cache of at most `limit` values that keeps at least the most recently used half. Two generations instead of an LRU
 * list: a hit changes nothing, and keeping an exact order would cost more than most cached values.
 */
export class BoundedCache<Key, Value> {
  private recent = new Map<Key, Value>();
  private older = new Map<Key, Value>();

  constructor(private readonly limit: number) {}

  /** The value of `key`, created if it is missing. */
  get(key: Key, make: () => Value): Value {
    const recent = this.recent.get(key);
    if (recent !== undefined) return recent;
    const value = this.older.get(key) ?? make();
    if (this.recent.size >= this.limit / 2) {
      this.older = this.recent;
      this.recent = new Map();
    }
    this.recent.set(key, value);
    return value;
  }
}
