/**
 * Keeps those waiting who asked for more than they may: whoever asks again as soon as they are answered would otherwise
 * keep the process from everybody else. At most `most` at a time wait, so that they don't fill its memory instead.
 */
export class HoldBack {
  private held = 0;

  constructor(
    private readonly milliseconds: number,
    private readonly most: number,
  ) {}

  async wait(): Promise<void> {
    if (this.held >= this.most) return;
    this.held += 1;
    await new Promise((resolve) => setTimeout(resolve, this.milliseconds));
    this.held -= 1;
  }
}
