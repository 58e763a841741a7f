/** Maximum number of calls in one tRPC batch. */
export const MAX_CALLS = 20;
