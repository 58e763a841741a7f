import { isUtf8 } from 'node:buffer';
import { BSON } from 'bson';
import { decodeUtf8InTurns, YieldTimer } from '@/server/platform/timers/cooperative';
import { MAX_DOCUMENT_NESTING, toMongoReplyJson, tooDeepFailure } from './document-json';
import { findTextEnd, measureBsonValue, unreadableMongoReply } from './bson-fields';
import { NodeFailure } from '@/server/platform/errors/node-failure';

/** Characters that are written at once. */
const WRITTEN_PIECE = 32 * 1024;
const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER);

export const tooLargeMongoResult = (): NodeFailure =>
  new NodeFailure('TOO_LARGE', 'The result is larger than 10 MiB.', false);

/** A document or a list that is being written. */
interface OpenDocument {
  /** Where it ends: behind its last byte, which is 0. */
  end: number;
  isList: boolean;
  isEmpty: boolean;
}

/** Writes a document of the server as JSON, field by field, so that other work goes on beside a large one. */
export class MongoDocumentWriter {
  private at = 0;
  private readonly texts: string[] = [];
  private readonly pieces: string[] = [];
  private readonly open: OpenDocument[] = [];
  private readonly timer = new YieldTimer();

  /** `room`: characters that the text may have. */
  constructor(
    private readonly bytes: Buffer,
    private room: number,
  ) {}

  /** Throws NodeFailure BAD_RESPONSE, OUTPUT_TOO_DEEP or TOO_LARGE. */
  async write(): Promise<string> {
    try {
      this.begin(this.bytes.length, false);
      for (let inside = this.open.at(-1); inside; inside = this.open.at(-1)) {
        if (this.timer.isDue) await this.rest();
        await this.writeField(inside);
      }
    } catch (error) {
      throw error instanceof RangeError ? unreadableMongoReply() : error;
    }
    if (this.at !== this.bytes.length) throw unreadableMongoReply();
    return [...this.texts, this.pieces.join('')].join('');
  }

  /** Others get their turn. Pieces are joined meanwhile: a million of them at the end would take long. */
  private async rest(): Promise<void> {
    this.texts.push(this.pieces.splice(0).join(''));
    await this.timer.take();
  }

  private push(text: string): void {
    this.room -= text.length;
    if (this.room < 0) throw tooLargeMongoResult();
    this.pieces.push(text);
  }

  private begin(limit: number, isList: boolean): void {
    if (this.open.length > MAX_DOCUMENT_NESTING) throw tooDeepFailure();
    const end = this.at + this.bytes.readInt32LE(this.at);
    if (end < this.at + 5 || end > limit || this.bytes[end - 1] !== 0) throw unreadableMongoReply();
    this.at += 4;
    this.open.push({ end, isList, isEmpty: true });
    this.push(isList ? '[' : '{');
  }

  private async writeField(inside: OpenDocument): Promise<void> {
    const type = this.bytes[this.at] ?? 0;
    this.at += 1;
    if (type === 0) {
      if (this.at !== inside.end) throw unreadableMongoReply();
      this.open.pop();
      this.push(inside.isList ? ']' : '}');
      return;
    }
    const name = this.take(findTextEnd(this.bytes, this.at, inside.end) - this.at).subarray(0, -1);
    if (!isUtf8(name)) throw unreadableMongoReply();
    const before = inside.isEmpty ? '' : ',';
    inside.isEmpty = false;
    this.push(inside.isList ? before : `${before}${JSON.stringify(name.toString())}:`);
    if (type === 3 || type === 4) this.begin(inside.end - 1, type === 4);
    else await this.writeValue(type, this.take(measureBsonValue(type, this.bytes, this.at, inside.end - 1)));
  }

  private async writeValue(type: number, value: Buffer): Promise<void> {
    const text = type === 2 ? value.subarray(4, -1) : undefined;
    if (text && !isUtf8(text)) throw unreadableMongoReply();
    if (text && text.length > WRITTEN_PIECE) await this.writeLongText(text);
    else this.push(text ? JSON.stringify(text.toString()) : this.formatValue(type, value));
  }

  /** A text as JSON, in pieces between which others get their turn. */
  private async writeLongText(bytes: Buffer): Promise<void> {
    const text = await decodeUtf8InTurns(bytes);
    this.push('"');
    for (let at = 0; at < text.length;) {
      const last = text.charCodeAt(at + WRITTEN_PIECE - 1);
      // A pair of surrogates stays together.
      const end = at + WRITTEN_PIECE - (last >= 0xd800 && last <= 0xdbff ? 1 : 0);
      this.push(JSON.stringify(text.slice(at, end)).slice(1, -1));
      at = end;
      if (this.timer.isDue) await this.rest();
    }
    this.push('"');
  }

  private formatValue(type: number, value: Buffer): string {
    switch (type) {
      case 1: {
        const number = value.readDoubleLE();
        return Number.isFinite(number) ? String(number) : `"${number}"`;
      }
      case 7:
        return `"${value.toString('hex')}"`;
      case 8:
        return value[0] === 1 ? 'true' : 'false';
      case 10:
        return 'null';
      case 16:
        return String(value.readInt32LE());
      case 18: {
        const number = value.readBigInt64LE();
        return number > MAX_SAFE || number < -MAX_SAFE ? `"${number}"` : String(number);
      }
      default:
        return this.writeRareValue(type, value);
    }
  }

  /** A value of another type is read by the library, in a document of its own. */
  private writeRareValue(type: number, value: Buffer): string {
    const document = Buffer.concat([Buffer.from([0, 0, 0, 0, type, 118, 0]), value, Buffer.from([0])]);
    document.writeInt32LE(document.length, 0);
    try {
      return JSON.stringify(toMongoReplyJson(BSON.deserialize(document, { bsonRegExp: true })['v'] ?? null));
    } catch {
      throw unreadableMongoReply();
    }
  }

  /** The next bytes, whose length was checked. */
  private take(length: number): Buffer {
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }
}
