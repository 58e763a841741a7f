/** Bytes of a mebibyte. */
export const BYTES_PER_MIB = 1024 * 1024;

/** Milliseconds of a minute, an hour and a day of 24 hours. */
export const MS_PER_MINUTE = 60_000;
export const MS_PER_HOUR = 60 * MS_PER_MINUTE;
export const MS_PER_DAY = 24 * MS_PER_HOUR;
