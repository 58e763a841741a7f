import { isUtf8 } from 'node:buffer';
import { BSON } from 'bson';
import { decodeUtf8InTurns, YieldTimer } from '@/server/platform/timers/cooperative';
import { MAX_DOCUMENT_NESTING, toMongoReplyJson, tooDeepFailure } from './document-json';
import { unreadableMongoReply } from './wire';

/** Characters that are written at once. */
const WRITTEN_PIECE = 32 * 1024;
const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER);

/** A text as JSON, in pieces between which others get their turn. */
async function writeLongText(bytes: Buffer, timer: YieldTimer): Promise<string> {
  const text = await decodeUtf8InTurns(bytes);
  const pieces: string[] = [];
  for (let at = 0; at < text.length;) {
    const last = text.charCodeAt(at + WRITTEN_PIECE - 1);
    // A pair of surrogates stays together.
    const end = at + WRITTEN_PIECE - (last >= 0xd800 && last <= 0xdbff ? 1 : 0);
    pieces.push(JSON.stringify(text.slice(at, end)).slice(1, -1));
    at = end;
    if (timer.isDue) await timer.take();
  }
  return `"${pieces.join('')}"`;
}

/** A document or a list that is being written. */
interface OpenDocument {
  /** Where it ends: behind its last byte, which is 0. */
  end: number;
  isList: boolean;
  isEmpty: boolean;
}

/** Writes a document of the server as JSON, field by field, so that a large one holds up nobody. */
export class MongoDocumentWriter {
  private at = 0;
  private readonly texts: string[] = [];
  private readonly pieces: string[] = [];
  private readonly open: OpenDocument[] = [];
  private readonly timer = new YieldTimer();

  constructor(private readonly bytes: Buffer) {}

  /** Throws NodeFailure BAD_RESPONSE or OUTPUT_TOO_DEEP. */
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

  private begin(limit: number, isList: boolean): void {
    if (this.open.length > MAX_DOCUMENT_NESTING) throw tooDeepFailure();
    const end = this.at + this.bytes.readInt32LE(this.at);
    if (end < this.at + 5 || end > limit || this.bytes[end - 1] !== 0) throw unreadableMongoReply();
    this.at += 4;
    this.open.push({ end, isList, isEmpty: true });
    this.pieces.push(isList ? '[' : '{');
  }

  private async writeField(inside: OpenDocument): Promise<void> {
    const type = this.bytes[this.at] ?? 0;
    this.at += 1;
    if (type === 0) {
      if (this.at !== inside.end) throw unreadableMongoReply();
      this.open.pop();
      this.pieces.push(inside.isList ? ']' : '}');
      return;
    }
    const name = this.take(this.lengthOfName(inside.end)).subarray(0, -1);
    if (!isUtf8(name)) throw unreadableMongoReply();
    const before = inside.isEmpty ? '' : ',';
    inside.isEmpty = false;
    this.pieces.push(inside.isList ? before : `${before}${JSON.stringify(name.toString())}:`);
    if (type === 3 || type === 4) this.begin(inside.end - 1, type === 4);
    else this.pieces.push(await this.writeValue(type, inside.end - 1));
  }

  private async writeValue(type: number, limit: number): Promise<string> {
    const { bytes, at } = this;
    switch (type) {
      case 1: {
        const number = this.take(8).readDoubleLE();
        return Number.isFinite(number) ? String(number) : `"${number}"`;
      }
      case 2: {
        const text = this.take(4 + bytes.readInt32LE(at), limit).subarray(4, -1);
        if (!isUtf8(text)) throw unreadableMongoReply();
        return text.length > WRITTEN_PIECE ? writeLongText(text, this.timer) : JSON.stringify(text.toString());
      }
      case 7:
        return `"${this.take(12).toString('hex')}"`;
      case 8:
        return this.take(1)[0] === 1 ? 'true' : 'false';
      case 10:
        return 'null';
      case 16:
        return String(this.take(4).readInt32LE());
      case 18: {
        const number = this.take(8).readBigInt64LE();
        return number > MAX_SAFE || number < -MAX_SAFE ? `"${number}"` : String(number);
      }
      default:
        return this.writeRareValue(type, this.take(this.lengthOfRareValue(type, limit), limit));
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

  private lengthOfRareValue(type: number, limit: number): number {
    const { bytes, at } = this;
    switch (type) {
      case 5:
        return 5 + bytes.readInt32LE(at);
      case 9:
      case 17:
        return 8;
      case 11: {
        const pattern = this.lengthOfName(limit);
        const options = bytes.indexOf(0, at + pattern);
        return options + 1 - at;
      }
      case 12:
        return 16 + bytes.readInt32LE(at);
      case 13:
      case 14:
        return 4 + bytes.readInt32LE(at);
      case 15:
        return bytes.readInt32LE(at);
      case 19:
        return 16;
      case 6:
      case 127:
      case 255:
        return 0;
      default:
        throw unreadableMongoReply();
    }
  }

  /** The length of a text that ends with 0. */
  private lengthOfName(limit: number): number {
    const end = this.bytes.indexOf(0, this.at);
    if (end === -1 || end >= limit) throw unreadableMongoReply();
    return end + 1 - this.at;
  }

  private take(length: number, limit = this.bytes.length - 1): Buffer {
    const end = this.at + length;
    if (length < 0 || end > limit) throw unreadableMongoReply();
    const taken = this.bytes.subarray(this.at, end);
    this.at = end;
    return taken;
  }
}
