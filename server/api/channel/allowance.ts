/* Limits of one person's connections to one process. All counters are in memory: a frame over the limit costs no database query. */

interface BucketSize {
  burst: number;
  perSecond: number;
}

/** Frames; a frame costs one more token per KiB. The bucket allows a connection to fill all its subscriptions twice. */
export const CONNECTION_FRAME_LIMIT: BucketSize = { burst: 4000, perSecond: 50 };
export const USER_FRAME_LIMIT: BucketSize = { burst: 20_000, perSecond: 200 };
/** Subscriptions to executions or workflows that do not exist or that this person may not see. */
export const USER_MISS_LIMIT: BucketSize = { burst: 200, perSecond: 2 };
export const MAX_USER_CONNECTIONS = 500;
export const MAX_USER_SUBSCRIPTIONS = 10_000;

/** `auth` costs more, because it queries the database each time. */
export const AUTH_FRAME_COST = 50;
const BYTES_PER_TOKEN = 1024;

class FrameBucket {
  #level: number;
  #at: number;

  constructor(
    private readonly size: BucketSize,
    private readonly clock: () => number,
  ) {
    this.#level = size.burst;
    this.#at = clock();
  }

  get isEmpty(): boolean {
    this.#refill();
    return this.#level < 1;
  }

  get isFull(): boolean {
    this.#refill();
    return this.#level >= this.size.burst;
  }

  /** Returns false if there were too few tokens; the rest is used up then. */
  take(count: number): boolean {
    this.#refill();
    const isEnough = this.#level >= count;
    this.#level = Math.max(0, this.#level - count);
    return isEnough;
  }

  #refill(): void {
    const now = this.clock();
    const { burst, perSecond } = this.size;
    this.#level = Math.min(burst, this.#level + (Math.max(0, now - this.#at) * perSecond) / 1000);
    this.#at = now;
  }
}

interface PersonCounters {
  connections: number;
  subscriptions: number;
  frames: FrameBucket;
  misses: FrameBucket;
}

/** The counters of all people who are, or recently were, connected to this process. */
export class ConnectionAllowances {
  readonly #people = new Map<string, PersonCounters>();

  constructor(private readonly clock: () => number = () => performance.now()) {}

  get size(): number {
    return this.#people.size;
  }

  /** Creates the allowance of a connection that is not authenticated yet. */
  connection(): ConnectionAllowance {
    return new ConnectionAllowance(new FrameBucket(CONNECTION_FRAME_LIMIT, this.clock), (userId) => this.#of(userId));
  }

  /** Returns false if the person has reached the limit of connections. */
  hasRoomFor(userId: string): boolean {
    return (this.#people.get(userId)?.connections ?? 0) < MAX_USER_CONNECTIONS;
  }

  /**
   * Removes people who have disconnected and whose buckets are full. A user who returns earlier finds their counters
   * unchanged.
   */
  sweep(): void {
    for (const [userId, { connections, frames, misses }] of this.#people) {
      if (connections === 0 && frames.isFull && misses.isFull) this.#people.delete(userId);
    }
  }

  #of(userId: string): PersonCounters {
    const existing = this.#people.get(userId);
    if (existing) return existing;
    const frames = new FrameBucket(USER_FRAME_LIMIT, this.clock);
    const misses = new FrameBucket(USER_MISS_LIMIT, this.clock);
    const counts = { connections: 0, subscriptions: 0, frames, misses };
    this.#people.set(userId, counts);
    return counts;
  }
}

/** The limits of one connection. */
export class ConnectionAllowance {
  #person: PersonCounters | undefined;
  #subscriptions = 0;

  constructor(
    private readonly frames: FrameBucket,
    private readonly countsOf: (userId: string) => PersonCounters,
  ) {}

  /** Counts the connection for this person, once. Returns false if they have too many. */
  enter(userId: string): boolean {
    if (this.#person) return true;
    const person = this.countsOf(userId);
    if (person.connections >= MAX_USER_CONNECTIONS) return false;
    person.connections += 1;
    this.#person = person;
    return true;
  }

  /** Call when the connection is closed. */
  leave(): void {
    if (!this.#person) return;
    this.#person.connections -= 1;
    this.#person.subscriptions -= this.#subscriptions;
    this.#subscriptions = 0;
    this.#person = undefined;
  }

  /** Counts a frame. Returns false if it is over the limit. */
  takeFrame(bytes: number): boolean {
    return this.take(1 + Math.floor(bytes / BYTES_PER_TOKEN));
  }

  take(cost: number): boolean {
    const isWithin = this.frames.take(cost);
    return (this.#person?.frames.take(cost) ?? true) && isWithin;
  }

  /** Returns false if the person has too many subscriptions. */
  subscribe(): boolean {
    if (!this.#person || this.#person.subscriptions >= MAX_USER_SUBSCRIPTIONS) return false;
    this.#person.subscriptions += 1;
    this.#subscriptions += 1;
    return true;
  }

  unsubscribe(): void {
    if (!this.#person) return;
    this.#person.subscriptions -= 1;
    this.#subscriptions -= 1;
  }

  /** Counts a subscription to an unknown id. */
  miss(): void {
    this.#person?.misses.take(1);
  }

  /** Whether so many subscriptions had unknown ids that no more are looked up. */
  get hasTooManyMisses(): boolean {
    return this.#person?.misses.isEmpty ?? false;
  }
}
