import { setTimeout as pause } from 'node:timers/promises';
import { Queue, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import type { Listener } from '../db/listen';

/** Keys of one hash slot, so that a cluster takes them. */
const PREFIX = '{weft}';
/** A token that its taker died with is handed out again after this. */
const LOCK_MS = 2000;
const RETRY_MS = 500;
/** A token is kept this long, half of what its lock lasts, while its taker finds something each time it looks. */
const HOLD_MS = 1000;
/** How often it looks meanwhile: what comes in between is taken together. */
const LOOK_MS = 8;
/** Timers that end this close together are one. */
const GRAIN_MS = 20;

/** What a process needs of Redis. */
export interface Connections {
  /** For commands that may fail: they do at once while Redis is away. */
  hasty: Redis;
  /** For takers: they wait until Redis is back. */
  patient: Redis;
  onLost(error: unknown): void;
}

/**
 * A queue of BullMQ whose jobs are tokens: each means "somebody look", and one taker gets it. There is never more than
 * one for now, however many ask, and one for each moment to come.
 */
export class Tokens {
  private readonly queue: Queue;
  private isWanted = false;
  private sending: Promise<void> | undefined;

  constructor(
    private readonly name: string,
    private readonly connections: Connections,
  ) {
    this.queue = new Queue(name, {
      connection: connections.hasty,
      prefix: PREFIX,
      defaultJobOptions: { removeOnComplete: true, removeOnFail: true },
    });
    this.queue.on('error', connections.onLost);
  }

  offer(at?: Date): void {
    if (this.connections.hasty.status !== 'ready') return;
    if (at && at.getTime() > Date.now()) return void this.setTimer(at.getTime());
    this.isWanted = true;
    this.sending ??= this.send();
  }

  /** Requests of one moment are one, and none is under way twice. */
  private async send(): Promise<void> {
    while (this.isWanted) {
      this.isWanted = false;
      await this.queue.add('now', null, { deduplication: { id: 'now' } }).catch(this.connections.onLost);
    }
    this.sending = undefined;
  }

  private async setTimer(time: number): Promise<void> {
    const moment = Math.ceil(time / GRAIN_MS) * GRAIN_MS;
    const options = { jobId: `at-${moment}`, delay: Math.max(0, moment - Date.now()) };
    await this.queue.add('then', null, options).catch(this.connections.onLost);
  }

  /** Calls `onToken` for each token that this process gets. */
  take(onToken: () => void): Promise<Listener> {
    return this.each(
      async () => undefined,
      // Done with before anybody looks: who offers from now on makes a new one, and what was written before is seen.
      async (release) => {
        await release();
        onToken();
      },
    );
  }

  /**
   * Lets this process look for each token that it gets, and keep it for as long as `look` answers that there may be more:
   * where many ask all the time, one after the other takes much instead of all of them little each. It asks for none
   * until `room` has resolved.
   */
  hold(look: () => Promise<boolean>, room: () => Promise<void>): Promise<Listener> {
    return this.each(room, async (release) => {
      const until = performance.now() + HOLD_MS;
      while ((await look()) && performance.now() < until) await pause(LOOK_MS);
      await release();
      // Who asked meanwhile made no new token.
      await look();
    });
  }

  /** Gets one token after the other; `use` has to release it. */
  private async each(
    room: () => Promise<void>,
    use: (release: () => Promise<void>) => Promise<void>,
  ): Promise<Listener> {
    const { patient, onLost } = this.connections;
    const worker = new Worker(this.name, null, {
      connection: patient,
      prefix: PREFIX,
      autorun: false,
      lockDuration: LOCK_MS,
      stalledInterval: LOCK_MS,
      maxStalledCount: Number.MAX_SAFE_INTEGER,
    });
    worker.on('error', onLost);
    let isClosed = false;

    const next = async (): Promise<void> => {
      await room();
      const token = isClosed ? undefined : await worker.getNextJob(this.name);
      if (!token) return;
      const release = async () => void (await token.moveToCompleted(null, this.name, false).catch(onLost));
      await (isClosed ? release() : use(release));
      // Somebody else has to look where this process no longer does.
      if (isClosed) this.offer();
    };
    const loop = async (): Promise<void> => {
      while (!isClosed) {
        await next().catch(async (error: unknown) => {
          onLost(error);
          await pause(RETRY_MS);
        });
      }
    };
    void worker.startStalledCheckTimer().catch(onLost);
    const looping = loop();

    return {
      async close() {
        isClosed = true;
        const closing = worker.close(true).catch(onLost);
        // Without Redis neither comes to an end before the connections do.
        if (patient.status === 'ready') await Promise.all([closing, looping]);
      },
    };
  }

  async close(): Promise<void> {
    await this.sending;
    const closing = this.queue.close().catch(this.connections.onLost);
    if (this.connections.hasty.status === 'ready') await closing;
  }
}
