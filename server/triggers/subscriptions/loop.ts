import { MS_PER_MINUTE } from '@/contract/units';
import { generateId } from '@/server/platform/db/ids';
import { serviceLog } from '@/server/platform/log';
import { getRuntime } from '@/server/platform/runtime';
import { repeatAction } from '@/server/platform/timers/repeat';
import { agreeWithProvider } from './agree';
import { claimDueSubscriptions, readSubscriptionWaitMs } from './claim';

const MAX_CONCURRENT_AGREEMENTS = 10;
/** Safety net: how often a worker looks for subscriptions if a notification was lost. */
const SUBSCRIPTION_FALLBACK_MS = MS_PER_MINUTE;

/** Brings subscriptions into agreement with their providers, a bounded number at a time. */
class SubscriptionKeeper {
  private readonly running = new Set<Promise<void>>();
  private readonly stopping = new AbortController();

  /** Starts the agreements that are due, as many as there are free slots. Returns their number. */
  async startDue(onDone: () => void): Promise<number> {
    const free = MAX_CONCURRENT_AGREEMENTS - this.running.size;
    if (free === 0) return 0;
    const claimed = await claimDueSubscriptions(free, generateId('att'), getRuntime().env.apiBaseUrl);
    for (const subscription of claimed) {
      const done = agreeWithProvider(subscription, this.stopping.signal)
        // It is tried again when its lease expires.
        .catch((error: unknown) =>
          serviceLog().error(
            { err: error, subscription: subscription.id },
            'the outcome of a subscription was not stored',
          ),
        )
        .finally(() => {
          this.running.delete(done);
          onDone();
        });
      this.running.add(done);
    }
    return claimed.length;
  }

  async whenIdle(): Promise<void> {
    while (this.running.size > 0) await Promise.all(this.running);
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.whenIdle();
  }
}

/** Brings all subscriptions that are due now into agreement, and waits for them. Returns their number. */
export async function agreeWithProviders(): Promise<number> {
  const keeper = new SubscriptionKeeper();
  let count = 0;
  for (let started = -1; started !== 0; count += Math.max(0, started)) {
    started = await keeper.startDue(() => undefined);
    await keeper.whenIdle();
  }
  return count;
}

/** The loop that makes and removes webhooks at providers. */
export interface SubscriptionLoop {
  /** Looks for subscriptions now. */
  wake(): void;
  stop(): Promise<void>;
}

/**
 * Starts the loop that makes and removes webhooks at providers; it runs in every worker process. Nothing is asked until
 * something is due or `wake` is called: triggers of the database notify of what changes.
 */
export function startSubscriptionLoop(): SubscriptionLoop {
  const keeper = new SubscriptionKeeper();
  const onError = (error: unknown) => serviceLog().error({ err: error }, 'a round of subscriptions failed');
  const loop = repeatAction(
    async () => {
      await keeper.startDue(() => loop.wake());
      const waitMs = await readSubscriptionWaitMs(getRuntime().env.apiBaseUrl);
      return Math.min(SUBSCRIPTION_FALLBACK_MS, waitMs ?? SUBSCRIPTION_FALLBACK_MS);
    },
    SUBSCRIPTION_FALLBACK_MS,
    onError,
  );
  loop.wake();
  return {
    wake: loop.wake,
    async stop() {
      await loop.stop();
      await keeper.stop();
    },
  };
}
