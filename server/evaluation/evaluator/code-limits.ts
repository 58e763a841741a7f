/** Bytes of the output of a code node. */
export const MAX_OUTPUT = 10 * 1024 * 1024;
export const MAX_LOG_LINES = 200;
/** Characters. */
export const MAX_LOG_LINE = 10_000;
