import { setTimeout as pause } from 'node:timers/promises';
import { log } from '../log';
import { checkpointWriter, type WriteCheckpoint } from './checkpoint';
import { children } from './children';
import type { ClaimedRun } from './claim';
import type { Graph } from './graph';
import { register, release, renew, resign } from './lease';
import { Run } from './run';
import { wishReader, type ReadWishes } from './wishes';

/** A worker under one lease: what it has, from registering until the lease is lost or handed back. */
export class Tenure {
  readonly runs = new Map<string, Run>();
  /** Runs that are being stored as this worker's own. */
  readonly expected = new Set<string>();
  /** Runs that are only waiting for their end to be written. */
  private readonly ending = new Set<string>();
  private readonly losing = new AbortController();
  readonly checkpoint: WriteCheckpoint;
  private readonly readWishes: ReadWishes;
  private renewedAt = performance.now();
  /** Since when it has been in touch with the database without a break. */
  private contactSince = performance.now();

  private constructor(
    readonly id: string,
    private readonly leaseMs: number,
  ) {
    this.checkpoint = checkpointWriter(id, this.losing.signal);
    this.readWishes = wishReader(id, this.losing.signal);
  }

  static async begin(leaseMs: number, id?: string): Promise<Tenure> {
    return new Tenure(await register(leaseMs, id), leaseMs);
  }

  /** Aborted: nothing may be done in this worker's name any more. */
  get lost(): AbortSignal {
    return this.losing.signal;
  }

  /** False: the lease is gone. */
  async renew(): Promise<boolean> {
    const isMine = await renew(this.id, this.leaseMs);
    const now = performance.now();
    if (now - this.renewedAt > this.leaseMs) this.contactSince = now;
    this.renewedAt = now;
    return isMine;
  }

  /**
   * How many more runs it may take if it may do so many at a time. Those that only wait for their end to be written leave
   * room for as many others, so that the processor and the database don't take turns; `mostEnding` bounds how many do. Less
   * than half of that is no room: to take one at a time would cost more than it brings.
   */
  room(concurrency: number, mostEnding = Infinity): number {
    const size = this.runs.size + this.expected.size;
    const ending = this.ending.size;
    const handful = ending > mostEnding / 2 ? 0 : mostEnding - ending;
    return Math.min(concurrency - (size - ending), 2 * concurrency - size, handful);
  }

  /** False: the database may say that it is this worker's, but nothing of it is known here. */
  knows(executionId: string): boolean {
    return this.runs.has(executionId) || this.expected.has(executionId);
  }

  /** How long it has been in touch with the database, in milliseconds; 0 when it isn't. */
  contactMs(): number {
    const now = performance.now();
    return now - this.renewedAt > this.leaseMs ? 0 : now - this.contactSince;
  }

  /** Sets a run going, which writes its steps by `checkpoint`; `onRoom` tells that its place is free again. */
  start(claimed: ClaimedRun, graph: Graph | undefined, onRoom: () => void, checkpoint = this.checkpoint): void {
    const run = new Run(claimed, graph, {
      checkpoint,
      readWishes: this.readWishes,
      children,
      lost: this.losing.signal,
      onEnding: () => {
        this.ending.add(claimed.id);
        onRoom();
      },
    });
    this.expected.delete(claimed.id);
    this.runs.set(claimed.id, run);
    run.done
      .catch((error: unknown) => log().error({ err: error, executionId: claimed.id }, 'a run could not be ended'))
      .finally(() => {
        this.runs.delete(claimed.id);
        this.ending.delete(claimed.id);
        onRoom();
      });
  }

  release(ids: string[]): Promise<void> {
    return release(this.id, ids);
  }

  lose(): void {
    this.losing.abort(new Error('the lease was lost'));
    for (const run of this.runs.values()) run.abandon();
  }

  /** No run starts anything more. */
  stopRuns(): void {
    for (const run of this.runs.values()) run.stop();
  }

  /** Lets running nodes finish for as long as the grace lasts, then hands everything back. */
  async finish(graceMs: number): Promise<void> {
    const all = () => Promise.all([...this.runs.values()].map((run) => run.done.catch(() => undefined)));
    this.stopRuns();
    const grace = new AbortController();
    await Promise.race([all(), pause(graceMs, undefined, { signal: grace.signal }).catch(() => undefined)]);
    grace.abort();
    for (const run of this.runs.values()) run.giveUp();
    await Promise.race([all(), pause(graceMs / 4, undefined, { ref: false })]);
    this.lose();
    await all();
  }

  /** The worker's row goes; what it still had is free. */
  end(): Promise<void> {
    return resign(this.id);
  }
}
