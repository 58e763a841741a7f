/** A moment by two clocks: the time since the machine was started, and that of the day. */
export interface ClockMoment {
  elapsedMs: number;
  dayMs: number;
}

export const currentClockMoment = (): ClockMoment => ({ elapsedMs: performance.now(), dayMs: Date.now() });

/**
 * The part of a lease after which its holder starts nothing new without asking: the rest is the time that a start
 * takes.
 */
const CERTAIN_LEASE_PART = 2 / 3;

/** The certainty that code needs about its lease before it starts an action outside. */
export interface LeaseCertainty {
  /** Resolves when it is certain that the lease is held; undefined: it is. Rejects once the lease is lost. */
  confirm(): Promise<void> | undefined;
  /** Milliseconds in which it was not certain so far: the database did not answer. */
  uncertainMs(): number;
}

/** For work that nobody else can take over. */
export const ALWAYS_CERTAIN: LeaseCertainty = { confirm: () => undefined, uncertainMs: () => 0 };

/**
 * How old a lease is, as its holder can know it: from the moment when it asked for the lease, because the answer may be
 * old when it is read. Of both clocks the one counts that has gone further: one stands still while a virtual machine is
 * frozen, the other can be set back.
 */
export class LeaseClock implements LeaseCertainty {
  private waiting: { resolve(): void; reject(loss: Error): void }[] = [];
  private away = 0;
  private loss: Error | undefined;

  constructor(
    private readonly leaseMs: number,
    private askedAt: ClockMoment = currentClockMoment(),
  ) {}

  get ageMs(): number {
    return Math.max(performance.now() - this.askedAt.elapsedMs, Date.now() - this.askedAt.dayMs);
  }

  private get lateMs(): number {
    return Math.max(0, this.ageMs - this.leaseMs * CERTAIN_LEASE_PART);
  }

  get isCertain(): boolean {
    return this.loss === undefined && this.lateMs === 0;
  }

  get isLost(): boolean {
    return this.loss !== undefined;
  }

  /** The lease was extended by a request that was sent at `askedAt`. */
  renewed(askedAt: ClockMoment): void {
    this.away += this.lateMs;
    this.askedAt = askedAt;
    if (this.lateMs > 0) return;
    for (const { resolve } of this.waiting.splice(0)) resolve();
  }

  lose(loss: Error): void {
    this.loss ??= loss;
    for (const { reject } of this.waiting.splice(0)) reject(loss);
  }

  confirm(): Promise<void> | undefined {
    if (this.isCertain) return undefined;
    if (this.loss) return Promise.reject(this.loss);
    return new Promise((resolve, reject) => this.waiting.push({ resolve, reject }));
  }

  uncertainMs(): number {
    return this.away + this.lateMs;
  }
}
