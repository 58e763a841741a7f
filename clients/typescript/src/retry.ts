import { WeftConnectionError } from './errors.js';

/** Milliseconds before the second, third and fourth attempt. */
export const RETRY_DELAYS_MS: readonly number[] = [1000, 2000, 4000];
/** If `Retry-After` is longer, the response is returned at once and the caller decides whether to wait. */
const MAX_RETRY_WAIT_MS = 60_000;

export interface RetryOptions {
  /** Makes one request; throws `WeftConnectionError` if no answer arrives. */
  send: () => Promise<Response>;
  /** True if repeating the request has no further effect. */
  isRepeatable: boolean;
  delaysMs: readonly number[];
  signal?: AbortSignal | undefined;
}

/** A response, and whether an earlier attempt without a response may have taken effect. */
export interface RetriedResponse {
  response: Response;
  isUncertain: boolean;
}

/**
 * Sends a request until its response is final. A 429 is always retried, because the service did nothing; 5xx and lost
 * connections only if the request is repeatable.
 */
export async function sendWithRetries({
  send,
  isRepeatable,
  delaysMs,
  signal,
}: RetryOptions): Promise<RetriedResponse> {
  let isUncertain = false;
  for (let attempt = 0; ; attempt += 1) {
    const delayMs = delaysMs[attempt];
    let waitMs = delayMs ?? 0;
    try {
      const response = await send();
      const isFault = response.status >= 500;
      const mayRepeat = delayMs !== undefined && (response.status === 429 || (isFault && isRepeatable));
      waitMs = Math.max(waitMs, retryAfterMs(response));
      if (!mayRepeat || waitMs > MAX_RETRY_WAIT_MS) return { response, isUncertain };
      isUncertain ||= isFault;
      await response.body?.cancel();
    } catch (error) {
      const mayRepeat = delayMs !== undefined && isRepeatable && error instanceof WeftConnectionError;
      if (!mayRepeat) throw error;
      isUncertain = true;
    }
    await waitUnlessAborted(waitMs, signal);
  }
}

/** `Retry-After` in milliseconds: seconds or an HTTP date (RFC 9110); 0: none. */
export function retryAfterMs({ headers }: Response): number {
  const value = headers.get('retry-after');
  if (!value) return 0;
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isFinite(ms) ? Math.max(ms, 0) : 0;
}

/** Waits; rejects with the reason of the signal once it is aborted. */
export function waitUnlessAborted(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      signal?.removeEventListener('abort', abort);
      resolve();
    };
    const timer = setTimeout(end, ms);
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}
