import { NodeFailure } from '@/server/platform/errors/node-failure';
import type { ReserveMemory } from '@/server/network/pools/memory';
import { PacedParser } from '@/server/network/outbound/paced-parser';
import { BYTES_PER_MIB } from '@/contract/units';

/** Bytes and values of one reply, lists included. */
export const MAX_REDIS_REPLY_BYTES = 10 * BYTES_PER_MIB;
export const MAX_REDIS_REPLY_VALUES = 50_000;
/** The maximum depth of lists within lists. Replies of Redis have five levels at most. */
const MAX_REPLY_NESTING = 16;
/** The maximum size of a line in bytes: a number, a length, a status or an error. */
const MAX_REPLY_LINE_BYTES = 64 * 1024;
/** Up to this size a reply is read without reserving memory. */
const UNRESERVED_REPLY_BYTES = 256 * 1024;

const CARRIAGE_RETURN_BYTE = 13;
const REPLY_LENGTH_PATTERN = /^\d{1,9}$/;
const REPLY_NUMBER_PATTERN = /^-?\d{1,20}$/;

const redisReplyTooLarge = (what: string) => new NodeFailure('TOO_LARGE', `The reply of the server ${what}.`, false);
const unreadableReply = () => new NodeFailure('BAD_RESPONSE', 'The server’s reply could not be read.', false);

/** The connection, as far as the guard controls it. */
interface GuardedConnection {
  pause(): void;
  resume(): void;
  /** Ends it with an error. */
  close(error: Error): void;
}

/**
 * What a server sends, on its way to the parser of the driver. The server is foreign: the parser allocates lists of any
 * announced length, keeps values of any size, recurses into lists and reads an unfinished line again with each packet.
 * So lengths, sizes, nesting and lines are checked here, by the rules of RESP 2, before the parser sees a byte.
 */
export class RedisReplyGuard {
  failure: NodeFailure | undefined;
  private reserve: ReserveMemory | undefined;
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

  constructor(private readonly connection: GuardedConnection) {}

  /** One reply may arrive. `reserve` is called for a large one. */
  await(reserve?: ReserveMemory): void {
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
    if (reserve && this.size > UNRESERVED_REPLY_BYTES) {
      this.reserve = undefined;
      this.parser.waitFor(reserve(MAX_REDIS_REPLY_BYTES).catch((error: unknown) => this.fail(error)));
    }
    this.parser.receive(chunk);
  };

  private pass(chunk: Buffer, parse: (chunk: Buffer) => void): void {
    if (this.failure) return;
    try {
      parse(chunk);
    } catch {
      this.fail(unreadableReply());
    }
  }

  private fail(error: unknown): void {
    this.failure ??= error instanceof NodeFailure ? error : unreadableReply();
    this.connection.close(this.failure);
  }

  private check(chunk: Buffer): void {
    this.size += chunk.length;
    if (this.size > MAX_REDIS_REPLY_BYTES) throw redisReplyTooLarge('is larger than 10 MiB');
    for (let at = 0; at < chunk.length;) {
      if (!this.isAwaited) throw unreadableReply();
      if (this.skip > 0) {
        const count = Math.min(this.skip, chunk.length - at);
        this.skip -= count;
        at += count;
        if (this.skip === 0 && this.isValue) this.endValue();
        continue;
      }
      const found = chunk.indexOf(CARRIAGE_RETURN_BYTE, at);
      const end = found === -1 ? chunk.length : found;
      if (this.line.length + end - at > MAX_REPLY_LINE_BYTES)
        throw redisReplyTooLarge('has a line of more than 64 KiB');
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
      if (!REPLY_NUMBER_PATTERN.test(rest)) throw unreadableReply();
      return;
    }
    if (type !== '$' && type !== '*') throw unreadableReply();
    if (rest === '-1') return;
    if (!REPLY_LENGTH_PATTERN.test(rest)) throw unreadableReply();
    const length = Number(rest);
    if (type === '$') {
      if (length > MAX_REDIS_REPLY_BYTES) throw redisReplyTooLarge('is larger than 10 MiB');
      this.skip += length + 2;
      return;
    }
    if (this.values + length > MAX_REDIS_REPLY_VALUES) throw redisReplyTooLarge('has more than 50,000 values');
    if (length === 0) return;
    if (this.lists.length === MAX_REPLY_NESTING) throw unreadableReply();
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
