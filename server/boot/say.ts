import { isLogJson } from '@/server/env/log-format';

/** A message of start or stop: text for people, or a line of JSON like those of the log with LOG_FORMAT=json. `isError`: to standard error. */
export function say(text: string, { isError = false } = {}): void {
  // Read here, because messages about a wrong environment are written before it is complete.
  const isJson = isLogJson();
  const line = { level: isError ? 50 : 30, time: Date.now(), pid: process.pid, name: 'weft', msg: text.trim() };
  (isError ? process.stderr : process.stdout).write(isJson ? `${JSON.stringify(line)}\n` : `${text}\n`);
}
