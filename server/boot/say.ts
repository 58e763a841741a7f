import { isLogJson } from '@/server/env/log-format';

const LEVELS = { info: 30, warn: 40, error: 50 };
export type Level = keyof typeof LEVELS;

/** Writes text as a line of JSON like those of the log: errors to standard error. */
export function writeLine(level: Level, text: string): void {
  const line = { level: LEVELS[level], time: Date.now(), pid: process.pid, name: 'weft', msg: text.trim() };
  (level === 'error' ? process.stderr : process.stdout).write(`${JSON.stringify(line)}\n`);
}

/** A message of start or stop: text for people, or a line of JSON like those of the log with LOG_FORMAT=json. `isError`: to standard error. */
export function say(text: string, { isError = false } = {}): void {
  // Read here, because messages about a wrong environment are written before it is complete.
  if (isLogJson()) writeLine(isError ? 'error' : 'info', text);
  else (isError ? process.stderr : process.stdout).write(`${text}\n`);
}
