import { isJsonLogFormat } from '@/server/platform/env/log-format';

const OUTPUT_LEVELS = { info: 30, warn: 40, error: 50 };
export type OutputLevel = keyof typeof OUTPUT_LEVELS;

/** Writes text as a line of JSON like those of the log: errors to standard error. */
export function writeJsonLine(level: OutputLevel, text: string): void {
  const line = { level: OUTPUT_LEVELS[level], time: Date.now(), pid: process.pid, name: 'weft', msg: text.trim() };
  (level === 'error' ? process.stderr : process.stdout).write(`${JSON.stringify(line)}\n`);
}

/**
 * A message of start or stop: text for people, or a line of JSON like those of the log with LOG_FORMAT=json. `isError`:
 * to standard error.
 */
export function printMessage(text: string, { isError = false } = {}): void {
  // Read here, because messages about a wrong environment are written before it is complete.
  if (isJsonLogFormat()) writeJsonLine(isError ? 'error' : 'info', text);
  else (isError ? process.stderr : process.stdout).write(`${text}\n`);
}
