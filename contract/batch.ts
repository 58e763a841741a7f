/** Maximum number of calls in one tRPC batch. */
export const MAX_BATCH_CALLS = 20;
