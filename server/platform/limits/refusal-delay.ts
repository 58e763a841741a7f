/**
 * Delays the answers to callers that exceed their limit: a client that retries immediately would otherwise occupy the
 * process. At most `most` responses wait at a time, so that they do not fill its memory.
 */
export class RefusalDelay {
  private waiting = 0;

  constructor(
    private readonly milliseconds: number,
    private readonly most: number,
  ) {}

  async wait(): Promise<void> {
    if (this.waiting >= this.most) return;
    this.waiting += 1;
    await new Promise((resolve) => setTimeout(resolve, this.milliseconds));
    this.waiting -= 1;
  }
}
