import { generateId } from '@/server/platform/db/ids';
import { serviceLog } from '@/server/platform/log';
import { repeatAction } from '@/server/platform/timers/repeat';
import { StopController } from '@/server/engine/load/stop';
import { LeaseClock, currentClockMoment, type ClockMoment } from '@/server/platform/timers/lease-clock';
import { claimDuePolls, POLL_LEASE_MS, renewPollLeases, type ClaimedPoll } from './claim';
import { executeClaimedPoll } from './poll';

/** Limit of the polls that one process executes at a time. */
const MAX_CONCURRENT_POLLS = 20;
const POLLER_INTERVAL_MS = 1000;
/** A quarter of a lease. */
const POLL_LEASE_RENEWAL_MS = 5000;

/** Executes due polls, a bounded number at a time. */
export class DuePollRunner {
  private readonly running = new Map<string, { stop: StopController; lease: LeaseClock; done: Promise<void> }>();

  constructor(private readonly concurrency = MAX_CONCURRENT_POLLS) {}

  /**
   * Claims due polls for the free slots and starts them. Returns their number. `onDone` is called after each of them.
   */
  async startDue(onDone: () => void, now: Date): Promise<number> {
    const free = this.concurrency - this.running.size;
    if (free === 0) return 0;
    const askedAt = currentClockMoment();
    const claimed = await claimDuePolls(free, generateId('att'), now);
    for (const poll of claimed) this.start(poll, askedAt, onDone);
    return claimed.length;
  }

  get runningCount(): number {
    return this.running.size;
  }

  private start(poll: ClaimedPoll, askedAt: ClockMoment, onDone: () => void): void {
    const stop = new StopController();
    const lease = new LeaseClock(POLL_LEASE_MS, askedAt);
    const done = executeClaimedPoll(poll, stop, lease)
      // The poll is executed again when its lease expires.
      .catch((error: unknown) =>
        serviceLog().error({ err: error, poll: poll.id }, 'the outcome of a poll was not stored'),
      )
      .finally(() => {
        this.running.delete(poll.token);
        onDone();
      });
    this.running.set(poll.token, { stop, lease, done });
  }

  /** Renews the leases, and stops polls that another process may own: their commits would be refused anyway. */
  async renew(): Promise<void> {
    const tokens = [...this.running.keys()];
    if (tokens.length === 0) return;
    const askedAt = currentClockMoment();
    const held = await renewPollLeases(tokens);
    for (const token of tokens) {
      const poll = this.running.get(token);
      if (held.has(token)) poll?.lease.renewed(askedAt);
      else {
        poll?.stop.stop();
        poll?.lease.lose(new Error('the lease of the poll was lost'));
      }
    }
  }

  async whenIdle(): Promise<void> {
    while (this.running.size > 0) await Promise.all([...this.running.values()].map(({ done }) => done));
  }

  async stop(): Promise<void> {
    for (const { stop } of this.running.values()) stop.stop();
    await this.whenIdle();
  }
}

/** Executes all polls that are due now, and waits for them. Returns their number. */
export async function executeDuePolls(now = new Date()): Promise<number> {
  const poller = new DuePollRunner();
  let count = 0;
  for (let started = -1; started !== 0; count += Math.max(0, started)) {
    started = await poller.startDue(() => undefined, now);
    await poller.whenIdle();
  }
  return count;
}

/** Starts the loop that executes due polls; it runs in every worker process. */
export function startPollLoop(): { stop(): Promise<void> } {
  const poller = new DuePollRunner();
  const onError = (error: unknown) => serviceLog().error({ err: error }, 'a round of the poller failed');
  let started = 0;
  const claims = repeatAction(
    async () => {
      started = await poller.startDue(onDone, new Date());
    },
    POLLER_INTERVAL_MS,
    onError,
  );
  // More polls may be due than were started. Claims again when half of them have ended, so that one claim covers
  // several.
  const onDone = () => {
    if (poller.runningCount <= started / 2) claims.wake();
  };
  const renewals = repeatAction(() => poller.renew(), POLL_LEASE_RENEWAL_MS, onError);
  claims.wake();
  renewals.wake();
  return {
    async stop() {
      await Promise.all([claims.stop(), renewals.stop()]);
      await poller.stop();
    },
  };
}
