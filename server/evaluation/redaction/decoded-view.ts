import { TextRanges } from './ranges';

/** A text, or the result of decoding it, as bytes. */
export interface DecodedView {
  readonly bytes: Uint8Array;
  /** The view that this one was decoded from; undefined for the text itself. */
  readonly before?: DecodedView;
  /** The positions of these ranges in the previous view. Computed on demand: most views contain no secret. */
  origin(ranges: TextRanges): TextRanges;
}

/** Maps ranges of a view to the previous view, part by part in ascending order. */
export class OriginMapper {
  private readonly starts: number[] = [];
  private readonly ends: number[] = [];

  constructor(private readonly ranges: TextRanges) {}

  /** Whether a range begins or ends in the next part, which ends at `until`. */
  isTouched(until: number): boolean {
    const { starts, ends } = this.ranges;
    return (starts[this.starts.length] ?? until) < until || (ends[this.ends.length] ?? Infinity) <= until;
  }

  /**
   * The next part of the view, up to `until`: the source positions of a byte that starts a range, and of one that ends
   * a range.
   */
  part(until: number, startOf: (at: number) => number, endOf: (at: number) => number): void {
    const { starts, ends } = this.ranges;
    for (let at = starts[this.starts.length]; at !== undefined && at < until; at = starts[this.starts.length])
      this.starts.push(startOf(at));
    for (let end = ends[this.ends.length]; end !== undefined && end <= until; end = ends[this.ends.length])
      this.ends.push(endOf(end - 1) + 1);
  }

  result(): TextRanges {
    const result = new TextRanges();
    this.starts.forEach((start, index) => result.add(start, this.ends[index] as number));
    return result;
  }
}
