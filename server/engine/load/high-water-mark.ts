import { setImmediate as nextTurn } from 'node:timers/promises';

/** Backpressure: `add` never blocks; `waitUntilBelow` resolves when the amount is within the limit. */
export class HighWaterMark {
  private amount = 0;
  private readonly waiting: (() => void)[] = [];
  private isReleasing = false;

  constructor(private readonly limit: number) {}

  get isFull(): boolean {
    return this.amount > this.limit;
  }

  add(amount: number): void {
    this.amount += amount;
  }

  remove(amount: number): void {
    this.amount -= amount;
    if (this.waiting.length > 0 && !this.isReleasing) void this.releaseWaiters();
  }

  async waitUntilBelow(): Promise<void> {
    if (this.isFull || this.waiting.length > 0) await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  /** Releases one waiter per turn of the event loop: the amount that it adds counts for the next one. */
  private async releaseWaiters(): Promise<void> {
    this.isReleasing = true;
    for (; !this.isFull && this.waiting.length > 0; await nextTurn()) this.waiting.shift()?.();
    this.isReleasing = false;
  }
}
