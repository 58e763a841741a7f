/** The limit of the output of a code node, in bytes. */
export const MAX_CODE_OUTPUT_BYTES = 10 * 1024 * 1024;
export const MAX_LOG_LINES = 200;
/** The limit of a line of the log, in characters. */
export const MAX_LOG_LINE_LENGTH = 10_000;
