import { newId } from '@/server/db/ids';
import { log } from '@/server/log';
import { repeat } from '@/server/repeat';
import { Stop } from '../load/stop';
import { LeaseClock, momentNow, type Moment } from '@/server/lease-clock';
import { claimPolls, POLL_LEASE_MS, renewLeases, type ClaimedPoll } from './claim';
import { executePoll } from './poll';

/** Polls that one process executes at a time. */
const CONCURRENCY = 20;
const EVERY_MS = 1000;
/** A quarter of a lease. */
const RENEW_MS = 5000;

/** Executes due polls, a bounded number at a time. */
export class Poller {
  private readonly running = new Map<string, { stop: Stop; lease: LeaseClock; done: Promise<void> }>();

  constructor(private readonly concurrency = CONCURRENCY) {}

  /** Claims due polls for the free slots and starts them. Returns how many; `onDone` is called when one has ended. */
  async startDue(onDone: () => void, now: Date): Promise<number> {
    const free = this.concurrency - this.running.size;
    if (free === 0) return 0;
    const askedAt = momentNow();
    const claimed = await claimPolls(free, newId('att'), now);
    for (const poll of claimed) this.start(poll, askedAt, onDone);
    return claimed.length;
  }

  get size(): number {
    return this.running.size;
  }

  private start(poll: ClaimedPoll, askedAt: Moment, onDone: () => void): void {
    const stop = new Stop();
    const lease = new LeaseClock(POLL_LEASE_MS, askedAt);
    const done = executePoll(poll, stop, lease)
      // Its lease expires; then it is polled again.
      .catch((error: unknown) => log().error({ err: error, poll: poll.id }, 'the outcome of a poll was not stored'))
      .finally(() => {
        this.running.delete(poll.token);
        onDone();
      });
    this.running.set(poll.token, { stop, lease, done });
  }

  /** Renews the leases, and stops polls that another process may have: what they would commit is refused anyway. */
  async renew(): Promise<void> {
    const tokens = [...this.running.keys()];
    if (tokens.length === 0) return;
    const askedAt = momentNow();
    const held = await renewLeases(tokens);
    for (const token of tokens) {
      const poll = this.running.get(token);
      if (held.has(token)) poll?.lease.renewed(askedAt);
      else {
        poll?.stop.stop();
        poll?.lease.lose(new Error('the lease of the poll was lost'));
      }
    }
  }

  async settled(): Promise<void> {
    while (this.running.size > 0) await Promise.all([...this.running.values()].map(({ done }) => done));
  }

  async stop(): Promise<void> {
    for (const { stop } of this.running.values()) stop.stop();
    await this.settled();
  }
}

/** Executes all polls that are due now, and waits for them. Returns how many there were. */
export async function pollDue(now = new Date()): Promise<number> {
  const poller = new Poller();
  let count = 0;
  for (let started = -1; started !== 0; count += Math.max(0, started)) {
    started = await poller.startDue(() => undefined, now);
    await poller.settled();
  }
  return count;
}

/** Polls in every worker process. */
export function startPoller(): { stop(): Promise<void> } {
  const poller = new Poller();
  const onError = (error: unknown) => log().error({ err: error }, 'a round of the poller failed');
  let started = 0;
  const claims = repeat(
    async () => {
      started = await poller.startDue(onDone, new Date());
    },
    EVERY_MS,
    onError,
  );
  // More polls may be due than were started. Half of these have ended: one claim is for several.
  const onDone = () => {
    if (poller.size <= started / 2) claims.now();
  };
  const renewals = repeat(() => poller.renew(), RENEW_MS, onError);
  claims.now();
  renewals.now();
  return {
    async stop() {
      await Promise.all([claims.stop(), renewals.stop()]);
      await poller.stop();
    },
  };
}
