import { setTimeout as pause } from 'node:timers/promises';
import { Queue, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import type { NotifyListener } from '@/server/platform/db/listen';

/** Keys of one hash slot, so that a Redis cluster accepts them. */
const QUEUE_KEY_PREFIX = '{weft}';
/** A token of a dead process is delivered again after this time, in milliseconds. */
const TOKEN_LOCK_MS = 2000;
const TOKEN_RETRY_MS = 500;
/** A token is kept for this long, half of its lock, while its holder finds work each time it looks. */
const TOKEN_HOLD_MS = 1000;
/** The interval of these looks: work that arrives in between is claimed together. */
const HELD_POLL_INTERVAL_MS = 8;
/** Timers that end this close together are merged. */
const TIMER_GRAIN_MS = 20;

/** The connections of a process to Redis. */
export interface RedisConnections {
  /** For commands that may fail: they fail at once while Redis is unavailable. */
  failFast: Redis;
  /** For blocking reads: they wait until Redis is available again. */
  blocking: Redis;
  onLost(error: unknown): void;
}

/**
 * A BullMQ queue whose jobs are wake-up tokens: each token wakes one process. There is at most one token for now,
 * however many requests there are, and one for each future moment.
 */
export class WakeTokenQueue {
  private readonly queue: Queue;
  private isWanted = false;
  private sending: Promise<void> | undefined;

  constructor(
    private readonly name: string,
    private readonly connections: RedisConnections,
  ) {
    this.queue = new Queue(name, {
      connection: connections.failFast,
      prefix: QUEUE_KEY_PREFIX,
      defaultJobOptions: { removeOnComplete: true, removeOnFail: true },
    });
    this.queue.on('error', connections.onLost);
  }

  offer(at?: Date): void {
    if (this.connections.failFast.status !== 'ready') return;
    if (at && at.getTime() > Date.now()) return void this.setTimer(at.getTime());
    this.isWanted = true;
    this.sending ??= this.send();
  }

  /** Requests of one moment are merged, and none is sent twice at a time. */
  private async send(): Promise<void> {
    while (this.isWanted) {
      this.isWanted = false;
      await this.queue.add('now', null, { deduplication: { id: 'now' } }).catch(this.connections.onLost);
    }
    this.sending = undefined;
  }

  private async setTimer(time: number): Promise<void> {
    const moment = Math.ceil(time / TIMER_GRAIN_MS) * TIMER_GRAIN_MS;
    const options = { jobId: `at-${moment}`, delay: Math.max(0, moment - Date.now()) };
    await this.queue.add('then', null, options).catch(this.connections.onLost);
  }

  /** Calls `onToken` for each token that this process gets. */
  take(onToken: () => void): Promise<NotifyListener> {
    return this.each(
      async () => undefined,
      // Deleted before the process looks: a later request creates a new token, and earlier writes are visible.
      async (release) => {
        await release();
        onToken();
      },
    );
  }

  /**
   * Lets this process look for each token that it gets, and keep the token as long as `look` returns that there may be
   * more. Under constant load one process after the other then claims much, instead of all of them little. It requests
   * no token until `room` has resolved.
   */
  pollWhileHeld(look: () => Promise<boolean>, whenFree: () => Promise<void>): Promise<NotifyListener> {
    return this.each(whenFree, async (release) => {
      const until = performance.now() + TOKEN_HOLD_MS;
      while ((await look()) && performance.now() < until) await pause(HELD_POLL_INTERVAL_MS);
      await release();
      // A request that arrived meanwhile created no new token.
      await look();
    });
  }

  /** Gets one token after the other; `use` has to release it. */
  private async each(
    whenFree: () => Promise<void>,
    use: (release: () => Promise<void>) => Promise<void>,
  ): Promise<NotifyListener> {
    const { blocking, onLost } = this.connections;
    const worker = new Worker(this.name, null, {
      connection: blocking,
      prefix: QUEUE_KEY_PREFIX,
      autorun: false,
      lockDuration: TOKEN_LOCK_MS,
      stalledInterval: TOKEN_LOCK_MS,
      maxStalledCount: Number.MAX_SAFE_INTEGER,
    });
    worker.on('error', onLost);
    let isClosed = false;

    const next = async (): Promise<void> => {
      await whenFree();
      const token = isClosed ? undefined : await worker.getNextJob(this.name);
      if (!token) return;
      const release = async () => void (await token.moveToCompleted(null, this.name, false).catch(onLost));
      await (isClosed ? release() : use(release));
      // Another process has to look in place of this one.
      if (isClosed) this.offer();
    };
    const loop = async (): Promise<void> => {
      while (!isClosed) {
        await next().catch(async (error: unknown) => {
          onLost(error);
          await pause(TOKEN_RETRY_MS);
        });
      }
    };
    void worker.startStalledCheckTimer().catch(onLost);
    const looping = loop();

    return {
      async close() {
        isClosed = true;
        const closing = worker.close(true).catch(onLost);
        // Without Redis, neither of them closes before its connections are closed.
        if (blocking.status === 'ready') await Promise.all([closing, looping]);
      },
    };
  }

  async close(): Promise<void> {
    await this.sending;
    const closing = this.queue.close().catch(this.connections.onLost);
    if (this.connections.failFast.status === 'ready') await closing;
  }
}
