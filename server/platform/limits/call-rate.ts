declare module '@/server/platform/runtime' {
  interface Runtime {
    /** The rate of calls to this process. */
    callRate?: CallRateMeter;
  }
}

/** Calls per second: the greater of the current and the last second. */
export class CallRateMeter {
  private second = 0;
  private count = 0;
  private before = 0;

  constructor(private readonly clock = () => performance.now()) {}

  note(): void {
    this.turn();
    this.count += 1;
  }

  get perSecond(): number {
    this.turn();
    return Math.max(this.count, this.before);
  }

  private turn(): void {
    const second = Math.floor(this.clock() / 1000);
    if (second === this.second) return;
    this.before = second === this.second + 1 ? this.count : 0;
    this.count = 0;
    this.second = second;
  }
}
