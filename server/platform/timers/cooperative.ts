import { StringDecoder } from 'node:string_decoder';
import { setImmediate as breathe } from 'node:timers/promises';

/** Maximum time in milliseconds that work may block the event loop. */
const MAX_EVENT_LOOP_BLOCK_MS = 1;

/** For loops: yields to the event loop from time to time. */
export class YieldTimer {
  private since = performance.now();

  get isDue(): boolean {
    return performance.now() - this.since > MAX_EVENT_LOOP_BLOCK_MS;
  }

  async take(): Promise<void> {
    await breathe();
    this.since = performance.now();
  }
}

/** Bytes that are decoded at once: less than a millisecond, whatever they are. */
const DECODED_PIECE_BYTES = 32 * 1024;

/**
 * The text of UTF-8, in pieces between which others get their turn: some MiB of other letters than ASCII would block
 * the process for a tenth of a second.
 */
export async function decodeUtf8InTurns(bytes: Buffer): Promise<string> {
  if (bytes.length <= DECODED_PIECE_BYTES) return bytes.toString();
  const timer = new YieldTimer();
  const decoder = new StringDecoder('utf8');
  const texts: string[] = [];
  for (let at = 0; at < bytes.length; at += DECODED_PIECE_BYTES) {
    texts.push(decoder.write(bytes.subarray(at, at + DECODED_PIECE_BYTES)));
    if (timer.isDue) await timer.take();
  }
  return texts.join('') + decoder.end();
}

/** The maximum delay of a timer. */
const MAX_TIMER_DELAY_MS = 86_400_000;

/** The delay of a timer for this moment. */
export const timerDelayMs = (at: Date): number => Math.min(Math.max(at.getTime() - Date.now(), 0), MAX_TIMER_DELAY_MS);
