import { Console } from 'node:console';
import { Writable } from 'node:stream';
import { isJsonLogFormat } from '@/server/platform/env/log-format';
import { writeJsonLine, type OutputLevel } from './print-message';

/** Receives text of libraries, such as the messages of Next.js, and writes it as lines of the log. */
const createLogStream = (level: OutputLevel): Writable =>
  new Writable({
    decodeStrings: false,
    write(text: string, _encoding, done) {
      if (text.trim() !== '') writeJsonLine(level, text);
      done();
    },
  });

/**
 * With LOG_FORMAT=json every line of output is JSON, also what others write: libraries to the console, Node.js about
 * itself, and the reason for which a process ends. Only what V8 writes when its memory is exhausted stays as it is.
 */
export function redirectOutputToJson(): void {
  if (!isJsonLogFormat()) return;
  globalThis.console = new Console({ stdout: createLogStream('info'), stderr: createLogStream('warn') });
  // Node's own listener writes text.
  process.removeAllListeners('warning');
  process.on('warning', ({ name, message, stack }) => writeJsonLine('warn', stack ?? `${name}: ${message}`));
  process.on('uncaughtException', (error) => {
    writeJsonLine('error', error instanceof Error ? (error.stack ?? error.message) : String(error));
    // Node.js does the same without this listener.
    process.exit(1);
  });
}
