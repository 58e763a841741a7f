import { isUtf8 } from 'node:buffer';
import iconv from 'iconv-lite';
import { readByteOrderMark, detectUnmarkedUtf16 } from '@/contract/text-encoding';

/** Bytes that are not text in their encoding. The message names the first of them and its place. */
export class UnreadableTextError extends Error {}

const REPLACEMENT_CHARACTER = '\ufffd';

/** Hints about the encoding of bytes, besides the bytes. */
export interface TextEncodingHints {
  /** The encoding that the author names. A byte order mark takes precedence. */
  encoding?: string | undefined;
  /** The label that the sender names, read as browsers do: they take `iso-8859-1` for windows-1252. */
  charset?: string | undefined;
  /** The encoding that is assumed of bytes that are not UTF-8 and name none. Default: such bytes are unreadable. */
  otherwise?: string | undefined;
}

/** Whether the encoding is known: by its labels in the Encoding Standard, which browsers use. */
export const isKnownEncoding = (label: string): boolean => findEncodingByLabel(label) !== undefined;

/** The name of an encoding by a label of the Encoding Standard. Undefined: there is none. */
export function findEncodingByLabel(label: string): string | undefined {
  try {
    return new TextDecoder(label).encoding;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Turns the bytes of a text, which come in parts, into characters. */
export class TextByteDecoder {
  private readonly decoder: { write(bytes: Buffer): string; end(): string | undefined };
  private lines = 1;
  private column = 1;

  constructor(readonly encoding: string) {
    this.decoder = createTextDecoder(encoding, (bytes) => this.fail(bytes));
  }

  /** Throws UnreadableText. */
  write(bytes: Buffer): string {
    return this.check(this.decoder.write(bytes));
  }

  end(): string {
    return this.check(this.decoder.end() ?? '');
  }

  private check(text: string): string {
    const at = this.isUnicode ? -1 : text.indexOf(REPLACEMENT_CHARACTER);
    this.advance(at < 0 ? text : text.slice(0, at));
    if (at >= 0) this.fail('A character');
    return text;
  }

  private get isUnicode(): boolean {
    return /^utf-?(8|16)/i.test(this.encoding);
  }

  /** Counts lines and the characters of the last one, which name the place of what cannot be read. */
  private advance(text: string): void {
    let start = 0;
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', start)) {
      this.lines += 1;
      this.column = 1;
      start = at + 1;
    }
    this.column += text.length - start;
  }

  private fail(what: string | { before: string; byte: number | undefined }): never {
    if (typeof what !== 'string') this.advance(what.before);
    const subject =
      typeof what === 'string'
        ? what
        : what.byte === undefined
          ? 'The last character'
          : `The byte 0x${what.byte.toString(16).padStart(2, '0').toUpperCase()}`;
    throw new UnreadableTextError(
      `${subject} in line ${this.lines}, column ${this.column} is not ${encodingDisplayName(this.encoding)}.`,
    );
  }
}

const encodingDisplayName = (encoding: string) => (/^utf-?8$/i.test(encoding) ? 'UTF-8' : encoding.toLowerCase());

const MULTI_BYTE_ENCODINGS = /^(utf-?16|gb|shift|euc|big5|iso-2022)/i;

type FailAtByte = (what: { before: string; byte: number | undefined }) => never;

function createTextDecoder(
  encoding: string,
  fail: FailAtByte,
): { write(bytes: Buffer): string; end(): string | undefined } {
  if (/^utf-?8$/i.test(encoding)) return createUtf8Decoder(fail);
  // Of one byte for a character: Node.js 20's TextDecoder takes windows-1252 for latin1. Of several: iconv-lite loses
  // characters between parts.
  if (!MULTI_BYTE_ENCODINGS.test(encoding) && iconv.encodingExists(encoding)) return iconv.getDecoder(encoding);
  const decoder = new TextDecoder(encoding, { fatal: true });
  const decode = (bytes?: Buffer): string => {
    try {
      return decoder.decode(bytes, { stream: bytes !== undefined });
    } catch {
      const before = new TextDecoder(encoding).decode(bytes).split(REPLACEMENT_CHARACTER, 1)[0] ?? '';
      const at = /^utf-?16/i.test(encoding) ? before.length * 2 : -1;
      return fail({ before, byte: at < 0 ? undefined : bytes?.[at] });
    }
  };
  return { write: (bytes) => decode(bytes), end: () => decode() };
}

function createUtf8Decoder(fail: FailAtByte) {
  let held = Buffer.alloc(0);
  const check = (bytes: Buffer): string => {
    if (isUtf8(bytes)) return bytes.toString();
    const at = firstInvalidByte(bytes);
    return fail({ before: bytes.toString('utf8', 0, at), byte: bytes[at] });
  };
  return {
    write(part: Buffer): string {
      const bytes = held.length > 0 ? Buffer.concat([held, part]) : part;
      const whole = bytes.length - unfinishedByteCount(bytes);
      held = Buffer.from(bytes.subarray(whole));
      return check(bytes.subarray(0, whole));
    },
    end: () => check(held),
  };
}

/** Bytes at the end that begin a character and do not end it. */
function unfinishedByteCount(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? back : 0;
  }
  return 0;
}

const UTF8_CHECK_BLOCK_BYTES = 64 * 1024;

/** The position of the first byte that is no UTF-8. */
function firstInvalidByte(bytes: Buffer): number {
  let at = 0;
  for (;;) {
    const block = bytes.subarray(at, at + UTF8_CHECK_BLOCK_BYTES);
    const whole = block.length - (at + UTF8_CHECK_BLOCK_BYTES < bytes.length ? unfinishedByteCount(block) : 0);
    if (whole === 0 || !isUtf8(block.subarray(0, whole))) break;
    at += whole;
  }
  while (at < bytes.length) {
    const byte = bytes[at] ?? 0;
    const next = at + (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1);
    if (next > bytes.length || !isUtf8(bytes.subarray(at, next))) break;
    at = next;
  }
  return at;
}

/** The number of bytes in which a document names its encoding. */
const DECLARATION_BYTES = 1024;
const XML_DECLARATION_PATTERN = /^\s*<\?xml\b([^>]*?)\?>/;

/** The encoding that a document of XML or HTML names inside of itself. */
export function findDeclaredEncoding(bytes: Buffer): string | undefined {
  const start = bytes.toString('latin1', 0, DECLARATION_BYTES).replace(/^\xef\xbb\xbf/, '');
  if (!/^\s*</.test(start)) return undefined;
  const [, declaration] = XML_DECLARATION_PATTERN.exec(start) ?? [];
  const [, label] =
    /\bencoding\s*=\s*["']([\w.:-]+)["']/.exec(declaration ?? '') ??
    /<meta\b[^>]*?\bcharset\s*=\s*["']?\s*([\w.:-]+)/i.exec(start.replaceAll(/<!--[^]*?-->/g, '')) ??
    [];
  // A declaration that can be read as ASCII is not in UTF-16: the document was stored in another encoding than it says.
  return label && !/^utf-?16/i.test(label) ? label : undefined;
}

/** The encoding of a text. */
export function detectTextEncoding(bytes: Buffer, { encoding, charset, otherwise }: TextEncodingHints): string {
  const given = readByteOrderMark(bytes) ?? encoding;
  if (given !== undefined) return given;
  const label = charset ?? findDeclaredEncoding(bytes);
  if (label !== undefined) return findEncodingByLabel(label) ?? label;
  const found = detectUnmarkedUtf16(bytes);
  if (found !== undefined) return found;
  return otherwise !== undefined && !isUtf8(bytes) ? otherwise : 'utf-8';
}

const TEXT_PART_BYTES = 1024 * 1024;

/** The characters of a text in parts, without a byte order mark. Throws UnreadableText. */
export function* decodeTextInParts(bytes: Buffer, facts: TextEncodingHints = {}): Generator<string> {
  const encoding = detectTextEncoding(bytes, facts);
  if (!isKnownEncoding(encoding)) throw new UnreadableTextError(`The encoding ${encoding.slice(0, 40)} is not known.`);
  const reader = new TextByteDecoder(encoding);
  for (let at = 0; at < bytes.length; at += TEXT_PART_BYTES) {
    const text = reader.write(bytes.subarray(at, at + TEXT_PART_BYTES));
    yield at === 0 && text.startsWith('\ufeff') ? text.slice(1) : text;
  }
  yield reader.end();
}

/** All characters of a text. Throws UnreadableText. */
export function decodeWholeText(bytes: Buffer, facts: TextEncodingHints = {}): string {
  if (detectTextEncoding(bytes, facts) !== 'utf-8' || !isUtf8(bytes))
    return [...decodeTextInParts(bytes, facts)].join('');
  const text = bytes.toString();
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

/** The text for display: what cannot be read is shown as the sign for unknown characters. */
export function decodeTextForDisplay(bytes: Buffer, facts: TextEncodingHints = {}): string {
  const encoding = detectTextEncoding(bytes, { otherwise: 'windows-1252', ...facts });
  const text = iconv.encodingExists(encoding)
    ? iconv.decode(bytes, encoding)
    : new TextDecoder(findEncodingByLabel(encoding)).decode(bytes);
  return text.toWellFormed();
}

/** The charset that a content type names. */
export const contentTypeCharset = (contentType: string): string | undefined =>
  /;\s*charset\s*=\s*["']?\s*([^"';\s]+)/i.exec(contentType)?.[1];
