/** Remembers the `limit` values used last. */
export class Cache<Key, Value> {
  private readonly entries = new Map<Key, Value>();

  constructor(private readonly limit: number) {}

  /** The value of `key`, made when it isn't there. */
  get(key: Key, make: () => Value): Value {
    const known = this.entries.get(key);
    const value = known ?? make();
    // A Map keeps the order of insertion: its first entry is the one unused for longest.
    if (known !== undefined) this.entries.delete(key);
    this.entries.set(key, value);
    if (this.entries.size > this.limit) {
      const [oldest] = this.entries.keys();
      if (oldest !== undefined) this.entries.delete(oldest);
    }
    return value;
  }
}
