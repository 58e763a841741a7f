/**
 * Remembers at most `limit` values, among them the half that was used last. In two generations, so that a hit changes
 * nothing: to keep all in their order costs more than most of what is remembered here.
 */
export class Cache<Key, Value> {
  private recent = new Map<Key, Value>();
  private older = new Map<Key, Value>();

  constructor(private readonly limit: number) {}

  /** The value of `key`, made when it isn't there. */
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
