import type { Retry } from '@/contract/workflows/workflow';

export const MAX_BACKOFF_MS = 300_000;
const DEFAULT_RETRY: Retry = { maxAttempts: 1, backoffMs: 1000 };

export const retryOf = (retry: Partial<Retry> | undefined): Retry => Object.assign({}, DEFAULT_RETRY, retry);

/** Milliseconds between an attempt that failed and the next one. `retryAfterMs`: what the receiver asks for. */
export function waitAfter(attempt: number, { backoffMs }: Retry, retryAfterMs: number): number {
  const backoff = Math.min(backoffMs * 2 ** (attempt - 1), MAX_BACKOFF_MS);
  return Math.max(backoff, Math.min(retryAfterMs, MAX_BACKOFF_MS));
}
