import type { RetryPolicy } from '@/contract/workflows/workflow';

export const MAX_RETRY_BACKOFF_MS = 300_000;
const DEFAULT_NODE_RETRY: RetryPolicy = { maxAttempts: 1, backoffMs: 1000 };

export const resolveRetry = (retry: Partial<RetryPolicy> | undefined): RetryPolicy =>
  Object.assign({}, DEFAULT_NODE_RETRY, retry);

/** Milliseconds between an attempt that failed and the next one. `retryAfterMs`: what the receiver asks for. */
export function retryDelayMs(attempt: number, { backoffMs }: RetryPolicy, retryAfterMs: number): number {
  const backoff = Math.min(backoffMs * 2 ** (attempt - 1), MAX_RETRY_BACKOFF_MS);
  return Math.max(backoff, Math.min(retryAfterMs, MAX_RETRY_BACKOFF_MS));
}
