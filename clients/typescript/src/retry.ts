import { WeftConnectionError } from './errors.js';

/** Milliseconds before the second, third and fourth attempt. */
export const RETRY_DELAYS_MS: readonly number[] = [1000, 2000, 4000];
/** A longer `Retry-After` is the caller's to wait for: the error is thrown at once. */
const LONGEST_WAIT_MS = 60_000;

export interface Attempt {
  /** Makes one request; throws `WeftConnectionError` if no answer arrives. */
  send: () => Promise<Response>;
  /** True if a repetition does nothing twice. */
  isRepeatable: boolean;
  delaysMs: readonly number[];
  signal?: AbortSignal | undefined;
}

/** An answer, and whether an earlier attempt may have taken effect without one. */
export interface Sent {
  response: Response;
  isUncertain: boolean;
}

/**
 * Sends until an answer is final. 429 is repeated in any case, because the service did nothing; 5xx and lost connections are if the
 * call is repeatable.
 */
export async function sendWithRetries({ send, isRepeatable, delaysMs, signal }: Attempt): Promise<Sent> {
  let isUncertain = false;
  for (let attempt = 0; ; attempt += 1) {
    const delayMs = delaysMs[attempt];
    let waitMs = delayMs ?? 0;
    try {
      const response = await send();
      const isFault = response.status >= 500;
      const mayRepeat = delayMs !== undefined && (response.status === 429 || (isFault && isRepeatable));
      waitMs = Math.max(waitMs, retryAfterMs(response));
      if (!mayRepeat || waitMs > LONGEST_WAIT_MS) return { response, isUncertain };
      isUncertain ||= isFault;
      await response.body?.cancel();
    } catch (error) {
      const mayRepeat = delayMs !== undefined && isRepeatable && error instanceof WeftConnectionError;
      if (!mayRepeat) throw error;
      isUncertain = true;
    }
    await pause(waitMs, signal);
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
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
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
