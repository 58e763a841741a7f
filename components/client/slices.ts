/** For how long work may keep the browser from reacting. */
const SLICE_MS = 12;

/** Long work in slices: between them the browser handles input and paints. Throws if the signal aborts. */
export class Slices {
  private end = performance.now() + SLICE_MS;

  constructor(private readonly signal?: AbortSignal) {}

  /** Whether the slice is used up: call `next` before going on. */
  get isOver(): boolean {
    return performance.now() >= this.end;
  }

  async next(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve));
    this.signal?.throwIfAborted();
    this.end = performance.now() + SLICE_MS;
  }
}
