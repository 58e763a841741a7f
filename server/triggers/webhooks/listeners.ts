import { BoundedCache } from '@/server/platform/cache/cache';
import { currentDispatcher } from '@/server/platform/dispatch/dispatcher';
import type { CallingWebhook } from './lookup';

/** Minimum interval between two notifications of a webhook in each process: a listener polls, too. */
const MIN_NOTIFY_INTERVAL_MS = 500;

const nextNotifyTimes = new BoundedCache<string, { nextAt: number }>(1000);

/** Tells those who listen for a test call that one arrived, in all processes. Costs nothing without listeners. */
export function notifyTestListeners({ isListened, id, workflowId }: CallingWebhook): void {
  if (!isListened) return;
  const turn = nextNotifyTimes.get(id, () => ({ nextAt: 0 }));
  if (performance.now() < turn.nextAt) return;
  turn.nextAt = performance.now() + MIN_NOTIFY_INTERVAL_MS;
  currentDispatcher().webhookCalled([workflowId]);
}
