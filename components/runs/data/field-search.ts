/** Fields that are read for one search: more would keep the browser from reacting. */
const MAX_SEARCHED_FIELDS = 1_000_000;

const hasInnerFields = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Finds fields of a value by name or content, in any case of letters. */
export class FieldSearch {
  private readonly wanted: string;
  private readonly known = new WeakMap<object, boolean>();
  private left = MAX_SEARCHED_FIELDS;

  constructor(text: string) {
    this.wanted = text.trim().toLowerCase();
  }

  /** Whether a value was too large to be read to its end. */
  get isCut(): boolean {
    return this.left < 0;
  }

  /** Whether the name or the text of a field matches. */
  isMatch(name: string, value: unknown): boolean {
    return this.has(name) || (!hasInnerFields(value) && this.has(String(value)));
  }

  /** Whether a field matches, or one inside of it. */
  isShown(name: string, value: unknown): boolean {
    return this.isMatch(name, value) || (hasInnerFields(value) && this.hasInside(value));
  }

  private hasInside(value: object): boolean {
    const known = this.known.get(value);
    if (known !== undefined) return known;
    const entries = Object.entries(value);
    this.left -= entries.length;
    // The names of items are their positions.
    const isFound =
      !this.isCut && entries.some(([name, inner]) => this.isShown(Array.isArray(value) ? '' : name, inner as unknown));
    this.known.set(value, isFound);
    return isFound;
  }

  private has(text: string): boolean {
    return text.toLowerCase().includes(this.wanted);
  }
}
