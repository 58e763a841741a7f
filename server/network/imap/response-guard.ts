import type { Socket } from 'node:net';
import { Transform, type TransformCallback } from 'node:stream';
import { setImmediate as breathe } from 'node:timers/promises';
import { NodeFailure } from '@/server/platform/errors/node-failure';

const BYTES_PER_KIB = 1024;

/** Bytes of a line without its literals. The library reads a list of numbers at a fraction of the cost. */
const MAX_IMAP_LINE_BYTES = 32 * BYTES_PER_KIB;
const MAX_NUMBER_LIST_BYTES = 256 * BYTES_PER_KIB;
const NUMBER_LIST_PATTERN = /^\* SEARCH /i;
/** Limits of all responses to one command: lines, their bytes, and bytes with literals. */
const MAX_RESPONSE_LINES = 10_000;
const MAX_BYTES_OF_LINES = 1024 * BYTES_PER_KIB;
const MAX_IMAP_RESPONSE_BYTES = 16 * MAX_BYTES_OF_LINES;
/** Numbers in the ranges of a line, which the library writes out. */
const MAX_RANGE_NUMBERS = 20_000;
const RANGE_LINE_PATTERN = /COPYUID|APPENDUID|VANISHED|ESEARCH/i;
const NUMBER_RANGE_PATTERN = /(\d+):(\d+)/g;
/** Bytes of lines that the library reads before others have their turn: a few milliseconds of work. */
const BYTES_PER_TURN = 2 * BYTES_PER_KIB;

const LINE_FEED_BYTE = 10;
const LITERAL_PATTERN = /\{(\d{1,19})\}\r?\n$/;
/** Bytes that announce a literal, at most. */
const MAX_LITERAL_PREFIX_BYTES = 24;

const imapTooLargeFailure = (what: string) => new NodeFailure('BAD_RESPONSE', `The mail server sent ${what}.`, false);

/**
 * What a mail server sends, on its way to the library. The server is foreign: the library writes out ranges of any
 * length, and reads all lines that have arrived without a pause. So lines, bytes and ranges are counted here, and lines
 * are passed on a few at a time.
 */
class ImapResponseGuard extends Transform {
  /** The parts of the line so far, without its literals, and their bytes. */
  private parts: string[] = [];
  private length = 0;
  /** The last bytes of them. */
  private tail = '';
  /** Bytes of a literal that are still to come. */
  private literal = 0;
  private lines = 0;
  private bytesOfLines = 0;
  private bytes = 0;
  private weight = 0;
  /** Bytes that were received and not yet passed on. */
  private rest: Buffer = Buffer.alloc(0);

  /** The client has sent a command: its answers may arrive. */
  awaitAnswers(): void {
    this.lines = 0;
    this.bytesOfLines = 0;
    this.bytes = 0;
  }

  override _transform(chunk: Buffer, _: string, done: TransformCallback): void {
    this.pass(chunk).then(() => done(), done);
  }

  /** Everything that the library has not read. */
  takeRest(): Buffer {
    const { rest } = this;
    this.rest = Buffer.alloc(0);
    return Buffer.concat([(this.read() as Buffer | null) ?? Buffer.alloc(0), rest]);
  }

  private async pass(chunk: Buffer): Promise<void> {
    this.bytes += chunk.length;
    if (this.bytes > MAX_IMAP_RESPONSE_BYTES) throw imapTooLargeFailure('more than 16 MiB in answer to a command');
    this.rest = chunk;
    while (this.rest.length > 0) {
      const count = this.check(this.rest);
      const part = this.rest.subarray(0, count);
      this.rest = this.rest.subarray(count);
      this.push(part);
      if (this.weight < BYTES_PER_TURN) continue;
      await breathe();
      this.weight = 0;
    }
  }

  /** How many of these bytes are passed on at once: lines of at most a turn, and the literals between them. */
  private check(bytes: Buffer): number {
    let at = 0;
    while (at < bytes.length && this.weight < BYTES_PER_TURN) {
      if (this.literal > 0) {
        const count = Math.min(this.literal, bytes.length - at);
        this.literal -= count;
        at += count;
        continue;
      }
      const most = Math.min(bytes.length, at + BYTES_PER_TURN - this.weight);
      const found = bytes.subarray(at, most).indexOf(LINE_FEED_BYTE);
      const end = found === -1 ? most : at + found + 1;
      this.addToLine(bytes.toString('latin1', at, end));
      this.weight += end - at;
      at = end;
      if (found !== -1) this.endLine();
    }
    return at;
  }

  private addToLine(part: string): void {
    this.parts.push(part);
    this.length += part.length;
    this.tail = (this.tail + part).slice(-MAX_LITERAL_PREFIX_BYTES);
    this.bytesOfLines += part.length;
    if (this.bytesOfLines > MAX_BYTES_OF_LINES)
      throw imapTooLargeFailure('more than 1 MiB of lines in answer to a command');
    if (
      this.length > MAX_IMAP_LINE_BYTES &&
      (this.length > MAX_NUMBER_LIST_BYTES || !NUMBER_LIST_PATTERN.test(this.parts[0] ?? ''))
    )
      throw imapTooLargeFailure('a line that is too long');
  }

  private endLine(): void {
    this.lines += 1;
    if (this.lines > MAX_RESPONSE_LINES)
      throw imapTooLargeFailure(`more than ${MAX_RESPONSE_LINES} lines in answer to a command`);
    this.literal = Number(LITERAL_PATTERN.exec(this.tail)?.[1] ?? 0);
    this.tail = '';
    // What follows a literal belongs to the same line.
    if (this.literal > 0) return;
    const line = this.parts.join('');
    this.parts = [];
    this.length = 0;
    if (RANGE_LINE_PATTERN.test(line) && countRangeNumbers(line) > MAX_RANGE_NUMBERS)
      throw imapTooLargeFailure(`a range of more than ${MAX_RANGE_NUMBERS} messages`);
  }
}

function countRangeNumbers(line: string): number {
  let count = 0;
  for (const [, first, last] of line.matchAll(NUMBER_RANGE_PATTERN))
    count += Math.abs(Number(last) - Number(first)) + 1;
  return count;
}

/** Whatever the library reads from a connection passes a guard. */
export function guardImapResponses<Stream extends Socket>(socket: Stream): Stream {
  const guard = new ImapResponseGuard();
  guard.on('error', (error) => socket.destroy(error));
  const [pipe, unpipe, write] = [socket.pipe.bind(socket), socket.unpipe.bind(socket), socket.write.bind(socket)];
  return Object.assign(socket, {
    pipe(to: NodeJS.WritableStream) {
      pipe(guard);
      return guard.pipe(to);
    },
    /** Before TLS begins: what the server has sent too early is found by the library in the socket. */
    unpipe(from: NodeJS.WritableStream) {
      unpipe(guard);
      guard.unpipe(from);
      const rest = guard.takeRest();
      if (rest.length > 0) socket.unshift(rest);
      return socket;
    },
    write(...content: unknown[]) {
      guard.awaitAnswers();
      return (write as (...content: unknown[]) => boolean)(...content);
    },
  });
}
