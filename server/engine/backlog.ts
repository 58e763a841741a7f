import { setImmediate as breathe } from 'node:timers/promises';

/** An amount that many add to: nobody is kept from adding, but whoever asks first waits until it is within its limit. */
export class Backlog {
  private amount = 0;
  private readonly waiting: (() => void)[] = [];
  private isLettingGo = false;

  constructor(private readonly limit: number) {}

  get isFull(): boolean {
    return this.amount > this.limit;
  }

  add(amount: number): void {
    this.amount += amount;
  }

  remove(amount: number): void {
    this.amount -= amount;
    if (this.waiting.length > 0 && !this.isLettingGo) void this.letGo();
  }

  async room(): Promise<void> {
    if (this.isFull || this.waiting.length > 0) await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  /** One after the other: what one of them adds counts for the next. */
  private async letGo(): Promise<void> {
    this.isLettingGo = true;
    for (; !this.isFull && this.waiting.length > 0; await breathe()) this.waiting.shift()?.();
    this.isLettingGo = false;
  }
}
