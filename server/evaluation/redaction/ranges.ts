/** Half-open ranges in ascending order. Those that overlap or touch are one. */
export class TextRanges {
  readonly starts: number[] = [];
  readonly ends: number[] = [];

  get length(): number {
    return this.starts.length;
  }

  /** Ends have to come in ascending order. */
  add(start: number, end: number): void {
    let from = start;
    while (this.length > 0 && (this.ends.at(-1) as number) >= from) {
      from = Math.min(from, this.starts.pop() as number);
      this.ends.pop();
    }
    this.starts.push(from);
    this.ends.push(end);
  }

  shifted(by: number): TextRanges {
    const result = new TextRanges();
    this.starts.forEach((start, index) => result.add(start + by, (this.ends[index] as number) + by));
    return result;
  }

  /** All ranges of several lists as one. */
  static union(lists: readonly TextRanges[]): TextRanges {
    const [only, ...more] = lists;
    if (only && more.length === 0) return only;
    const pairs = lists.flatMap(({ starts, ends }) => starts.map((start, index) => [start, ends[index] as number]));
    const union = new TextRanges();
    for (const [start, end] of pairs.toSorted(([, one = 0], [, other = 0]) => one - other))
      union.add(start as number, end as number);
    return union;
  }
}
