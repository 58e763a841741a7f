import type { FailedHttpResponse, RunError } from '@/contract/execution';

/** Thrown by a node to fail with a stable code. Any other error becomes INTERNAL. */
export class NodeFailure extends Error {
  constructor(
    readonly code: string,
    message: string,
    /** False: a retry would fail in the same way. */
    readonly retriable = true,
    /** The minimum delay before the next try, in milliseconds (Retry-After). */
    readonly retryAfterMs = 0,
    /** Details of the failure: the expression, or the response. */
    readonly by: { expression?: RunError['expression']; answer?: FailedHttpResponse } = {},
  ) {
    super(message);
  }
}
