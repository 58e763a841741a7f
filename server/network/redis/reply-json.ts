import { isUtf8 } from 'node:buffer';
import { parseExactJson } from '@/contract/exact-json';
import { YieldTimer } from '@/server/platform/timers/cooperative';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import { measureJsonDepth, MAX_JSON_NESTING } from '@/server/evaluation/expressions/json-depth';
import { serializeJson, MAX_PARSED_JSON } from '@/server/evaluation/expressions/large-json';
import type { RedisReply } from './session';

/** How texts of a reply are read. `json`: the value, if a text is JSON. */
export type ReplyReading = 'text' | 'json';

/** The maximum size of the JSON of a result, in bytes. */
const MAX_REPLY_JSON_BYTES = 10 * 1024 * 1024;
/** Levels that are left for the lists around a value. */
const MAX_REPLY_VALUE_DEPTH = MAX_JSON_NESTING - 20;

/** Reads a text that is too large for the main thread; what is no JSON stays text. */
export type ReadLargeReply = (bytes: Buffer, reading: ReplyReading) => Promise<unknown>;

/** Writes replies as JSON, and counts its size. */
export class ReplyJsonWriter {
  private left = MAX_REPLY_JSON_BYTES;
  private readonly yieldTimer = new YieldTimer();

  constructor(
    private readonly reading: ReplyReading,
    private readonly readLarge: ReadLargeReply,
  ) {}

  /** Throws NodeFailure TOO_LARGE, OUTPUT_TOO_DEEP or RESPONSE_ENCODING, and errors inside of a reply. */
  async toJson(reply: RedisReply): Promise<string> {
    if (reply === null) return this.counted('null');
    if (reply instanceof Error) throw reply;
    if (Array.isArray(reply)) return this.list(reply);
    if (this.yieldTimer.isDue) await this.yieldTimer.take();
    return this.counted(Buffer.isBuffer(reply) ? await this.text(reply) : integerJson(reply));
  }

  /** A reply of names and values in turn as an object. */
  async toJsonObject(reply: RedisReply): Promise<string> {
    const pairs: string[] = [];
    const values = Array.isArray(reply) ? reply : [];
    for (let index = 0; index + 1 < values.length; index += 2) {
      const name = this.plain(String(values[index]));
      pairs.push(`${name}:${await this.toJson(values[index + 1] ?? null)}`);
    }
    return `{${pairs.join(',')}}`;
  }

  private async list(replies: RedisReply[]): Promise<string> {
    const parts: string[] = [];
    for (const reply of replies) parts.push(await this.toJson(reply));
    return `[${parts.join(',')}]`;
  }

  /** A text as it is. Throws NodeFailure TOO_LARGE. */
  plain(text: string): string {
    return this.counted(JSON.stringify(text));
  }

  private counted(json: string): string {
    // A comma or a colon is added.
    this.left -= Buffer.byteLength(json) + 1;
    if (this.left < 0) throw new NodeFailure('TOO_LARGE', 'The result is larger than 10 MiB.', false);
    return json;
  }

  private async text(bytes: Buffer): Promise<string> {
    if (!isUtf8(bytes))
      throw new NodeFailure('RESPONSE_ENCODING', 'A value of the server is not text in UTF-8.', false);
    const json = bytes.length > MAX_PARSED_JSON ? await this.largeJson(bytes) : this.smallJson(bytes.toString());
    // A text has no levels, however long it is.
    const isDeepable = !json.startsWith('"') && json.length > MAX_REPLY_VALUE_DEPTH;
    if (isDeepable && measureJsonDepth(json) > MAX_REPLY_VALUE_DEPTH) {
      throw new NodeFailure(
        'OUTPUT_TOO_DEEP',
        `The output is nested deeper than ${MAX_REPLY_VALUE_DEPTH} levels.`,
        false,
      );
    }
    return json;
  }

  private async largeJson(bytes: Buffer): Promise<string> {
    return serializeJson(await this.readLarge(bytes, this.reading)) ?? 'null';
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
const integerJson = (digits: string): string =>
  Number.isSafeInteger(Number(digits)) ? String(Number(digits)) : JSON.stringify(digits);
