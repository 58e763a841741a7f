import { Cache } from '@/server/cache';
import { dispatcher } from '@/server/dispatch/dispatcher';
import type { CallingWebhook } from './lookup';

/** Minimum interval between two notifications of a webhook in each process: a listener polls, too. */
const INTERVAL_MS = 500;

const told = new Cache<string, { nextAt: number }>(1000);

/** Tells those who listen for a test call that one arrived, in all processes. Costs nothing without listeners. */
export function notifyListeners({ isListened, id, workflowId }: CallingWebhook): void {
  if (!isListened) return;
  const turn = told.get(id, () => ({ nextAt: 0 }));
  if (performance.now() < turn.nextAt) return;
  turn.nextAt = performance.now() + INTERVAL_MS;
  dispatcher().webhookCalled([workflowId]);
}
