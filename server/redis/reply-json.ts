import { isUtf8 } from 'node:buffer';
import { parseExactJson } from '@/contract/exact-json';
import { YieldTimer } from '@/server/cooperative';
import { NodeFailure } from '@/server/errors/node-failure';
import { depthOf, MAX_DEPTH } from '@/server/expressions/json-depth';
import { jsonOf, MAX_PARSED } from '@/server/expressions/large-json';
import type { Reply } from './session';

/** How texts of a reply are read. `json`: the value, if a text is JSON. */
export const READINGS = ['text', 'json'] as const;
export type Reading = (typeof READINGS)[number];

/** Bytes of JSON of a result. */
const MAX_BYTES = 10 * 1024 * 1024;
/** Levels that are left for the lists around a value. */
const MAX_VALUE_DEPTH = MAX_DEPTH - 20;

/** Reads a text that is too large for the main thread; what is no JSON stays text. */
export type ReadLarge = (bytes: Buffer, reading: Reading) => Promise<unknown>;

/** Writes replies as JSON, and counts its size. */
export class ReplyJson {
  private left = MAX_BYTES;
  private readonly yieldTimer = new YieldTimer();

  constructor(
    private readonly reading: Reading,
    private readonly readLarge: ReadLarge,
  ) {}

  /** Throws NodeFailure TOO_LARGE, OUTPUT_TOO_DEEP or RESPONSE_ENCODING, and errors inside of a reply. */
  async of(reply: Reply): Promise<string> {
    if (reply === null) return this.counted('null');
    if (reply instanceof Error) throw reply;
    if (Array.isArray(reply)) return this.list(reply);
    if (this.yieldTimer.isDue) await this.yieldTimer.take();
    return this.counted(Buffer.isBuffer(reply) ? await this.text(reply) : numberOf(reply));
  }

  /** A reply of names and values in turn as an object. */
  async object(reply: Reply): Promise<string> {
    const pairs: string[] = [];
    const values = Array.isArray(reply) ? reply : [];
    for (let index = 0; index + 1 < values.length; index += 2) {
      const name = this.plain(String(values[index]));
      pairs.push(`${name}:${await this.of(values[index + 1] ?? null)}`);
    }
    return `{${pairs.join(',')}}`;
  }

  private async list(replies: Reply[]): Promise<string> {
    const parts: string[] = [];
    for (const reply of replies) parts.push(await this.of(reply));
    return `[${parts.join(',')}]`;
  }

  /** A text as it is. Throws NodeFailure TOO_LARGE. */
  plain(text: string): string {
    return this.counted(JSON.stringify(text));
  }

  private counted(json: string): string {
    // With a comma or a colon.
    this.left -= Buffer.byteLength(json) + 1;
    if (this.left < 0) throw new NodeFailure('TOO_LARGE', 'The result is larger than 10 MiB.', false);
    return json;
  }

  private async text(bytes: Buffer): Promise<string> {
    if (!isUtf8(bytes))
      throw new NodeFailure('RESPONSE_ENCODING', 'A value of the server is not text in UTF-8.', false);
    const json = bytes.length > MAX_PARSED ? await this.largeJson(bytes) : this.smallJson(bytes.toString());
    // A text has no levels, however long it is.
    const isDeepable = !json.startsWith('"') && json.length > MAX_VALUE_DEPTH;
    if (isDeepable && depthOf(json) > MAX_VALUE_DEPTH) {
      throw new NodeFailure('OUTPUT_TOO_DEEP', `The output is nested deeper than ${MAX_VALUE_DEPTH} levels.`, false);
    }
    return json;
  }

  private async largeJson(bytes: Buffer): Promise<string> {
    return jsonOf(await this.readLarge(bytes, this.reading)) ?? 'null';
  }

  private smallJson(text: string): string {
    if (this.reading === 'text') return JSON.stringify(text);
    try {
      return JSON.stringify(parseExactJson(text));
    } catch {
      return JSON.stringify(text);
    }
  }
}

/** An integer that a number has exactly; a larger one as text. */
const numberOf = (digits: string): string =>
  Number.isSafeInteger(Number(digits)) ? String(Number(digits)) : JSON.stringify(digits);
