/** Work may keep the browser from reacting for this long. */
const TIME_SLICE_MS = 12;

/** Long work in slices: between them the browser handles input and paints. Throws if the signal aborts. */
export class TimeSlices {
  private end = performance.now() + TIME_SLICE_MS;

  constructor(private readonly signal?: AbortSignal) {}

  /** Whether the slice is used up: call `next` before going on. */
  get isOver(): boolean {
    return performance.now() >= this.end;
  }

  async next(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve));
    this.signal?.throwIfAborted();
    this.end = performance.now() + TIME_SLICE_MS;
  }
}
