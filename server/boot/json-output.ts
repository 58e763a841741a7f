import { Console } from 'node:console';
import { Writable } from 'node:stream';
import { isLogJson } from '@/server/env/log-format';
import { writeLine, type Level } from './say';

/** Receives text of libraries, such as the messages of Next.js, and writes it as lines of the log. */
const textAs = (level: Level): Writable =>
  new Writable({
    decodeStrings: false,
    write(text: string, _encoding, done) {
      if (text.trim() !== '') writeLine(level, text);
      done();
    },
  });

/**
 * With LOG_FORMAT=json every line of output is JSON, also what others write: libraries to the console, Node.js about itself, and the reason
 * for which a process ends. Only what V8 writes when its memory is exhausted stays as it is.
 */
export function writeJsonOnly(): void {
  if (!isLogJson()) return;
  globalThis.console = new Console({ stdout: textAs('info'), stderr: textAs('warn') });
  // Node's own listener writes text.
  process.removeAllListeners('warning');
  process.on('warning', ({ name, message, stack }) => writeLine('warn', stack ?? `${name}: ${message}`));
  process.on('uncaughtException', (error) => {
    writeLine('error', error instanceof Error ? (error.stack ?? error.message) : String(error));
    // As Node.js does without this listener.
    process.exit(1);
  });
}
