import { NodeFailure } from '@/server/errors/node-failure';
import { PacedParser } from '@/server/outbound/paced-parser';

const MIB = 1024 * 1024;

/** Bytes and values of one reply, lists included. */
export const MAX_REPLY = 10 * MIB;
export const MAX_REPLY_VALUES = 50_000;
/** Lists within lists. Replies of Redis have five levels at most. */
const MAX_NESTING = 16;
/** Bytes of a line: a number, a length, a status or an error. */
const MAX_LINE = 64 * 1024;
/** Up to this size a reply is read without reserving memory. */
const SMALL = 256 * 1024;

const CR = 13;
const LENGTH = /^\d{1,9}$/;
const NUMBER = /^-?\d{1,20}$/;

const tooLarge = (what: string) => new NodeFailure('TOO_LARGE', `The reply of the server ${what}.`, false);
const unreadable = () => new NodeFailure('BAD_RESPONSE', 'The server’s reply could not be read.', false);

/** Waits until so many bytes of memory are available. */
export type Reserve = (bytes: number) => Promise<void>;

/** What the guard does to the connection. */
interface Connection {
  pause(): void;
  resume(): void;
  /** Ends it with an error. */
  close(error: Error): void;
}

/**
 * What a server sends, on its way to the parser of the driver. The server is foreign: the parser allocates lists of any announced length,
 * keeps values of any size, recurses into lists and reads an unfinished line again with each packet. So lengths, sizes, nesting and lines are
 * checked here, by the rules of RESP 2, before the parser sees a byte.
 */
export class ReplyGuard {
  failure: NodeFailure | undefined;
  private reserve: Reserve | undefined;
  private parser: PacedParser | undefined;
  private isAwaited = false;
  private size = 0;
  private values = 0;
  /** The beginning of a line whose end has not arrived. */
  private line = '';
  /** Bytes to pass over: the second half of a line break, and the bytes of a text. */
  private skip = 0;
  /** What follows these bytes ends a value; otherwise the first value of a list begins. */
  private isValue = true;
  /** For each list that is not complete: how many of its values are to come. */
  private lists: number[] = [];

  constructor(private readonly connection: Connection) {}

  /** One reply may arrive. `reserve` is called for a large one. */
  await(reserve?: Reserve): void {
    this.isAwaited = true;
    this.reserve = reserve;
    this.size = 0;
    this.values = 0;
  }

  readonly receive = (chunk: Buffer, parse: (chunk: Buffer) => void): void => {
    if (this.failure) return;
    try {
      this.check(chunk);
    } catch (error) {
      return this.fail(error);
    }
    const { reserve } = this;
    this.parser ??= new PacedParser((piece) => this.pass(piece, parse), this.connection);
    if (reserve && this.size > SMALL) {
      this.reserve = undefined;
      this.parser.waitFor(reserve(MAX_REPLY).catch((error: unknown) => this.fail(error)));
    }
    this.parser.receive(chunk);
  };

  private pass(chunk: Buffer, parse: (chunk: Buffer) => void): void {
    if (this.failure) return;
    try {
      parse(chunk);
    } catch {
      this.fail(unreadable());
    }
  }

  private fail(error: unknown): void {
    this.failure ??= error instanceof NodeFailure ? error : unreadable();
    this.connection.close(this.failure);
  }

  private check(chunk: Buffer): void {
    this.size += chunk.length;
    if (this.size > MAX_REPLY) throw tooLarge('is larger than 10 MiB');
    for (let at = 0; at < chunk.length;) {
      if (!this.isAwaited) throw unreadable();
      if (this.skip > 0) {
        const count = Math.min(this.skip, chunk.length - at);
        this.skip -= count;
        at += count;
        if (this.skip === 0 && this.isValue) this.endValue();
        continue;
      }
      const found = chunk.indexOf(CR, at);
      const end = found === -1 ? chunk.length : found;
      if (this.line.length + end - at > MAX_LINE) throw tooLarge('has a line of more than 64 KiB');
      this.line += chunk.toString('latin1', at, end);
      at = end + 1;
      if (found !== -1) this.readLine();
    }
  }

  private readLine(): void {
    const type = this.line.charAt(0);
    const rest = this.line.slice(1);
    this.line = '';
    this.values += 1;
    this.skip = 1;
    this.isValue = true;
    if (type === '+' || type === '-') return;
    if (type === ':') {
      if (!NUMBER.test(rest)) throw unreadable();
      return;
    }
    if (type !== '$' && type !== '*') throw unreadable();
    if (rest === '-1') return;
    if (!LENGTH.test(rest)) throw unreadable();
    const length = Number(rest);
    if (type === '$') {
      if (length > MAX_REPLY) throw tooLarge('is larger than 10 MiB');
      this.skip += length + 2;
      return;
    }
    if (this.values + length > MAX_REPLY_VALUES) throw tooLarge('has more than 50,000 values');
    if (length === 0) return;
    if (this.lists.length === MAX_NESTING) throw unreadable();
    this.lists.push(length);
    this.isValue = false;
  }

  /** A value has ended, and with it perhaps lists and the reply. */
  private endValue(): void {
    for (let left = this.lists.pop(); left !== undefined; left = this.lists.pop()) {
      if (left > 1) {
        this.lists.push(left - 1);
        return;
      }
    }
    this.isAwaited = false;
  }
}
