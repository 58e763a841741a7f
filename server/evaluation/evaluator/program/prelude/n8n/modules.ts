import { PreludeFailure } from './failure';

/** What the sandbox has for texts and digests. */
declare const helpers: {
  hash(text: string, algorithm: string, encoding: string): string;
  hmac(text: string, key: string, algorithm: string, encoding: string): string;
  uuid(): string;
};
declare const DateTime: unknown;
declare const Duration: unknown;
declare const Interval: unknown;
declare const URL: unknown;
declare const URLSearchParams: unknown;
declare function atob(text: string): string;
declare function btoa(text: string): string;

type Encoding = 'utf8' | 'utf-8' | 'base64' | 'base64url' | 'hex' | 'latin1' | 'binary' | 'ascii';

const toCodes = (bytes: Iterable<number>): string => [...bytes].map((byte) => String.fromCodePoint(byte)).join('');
const fromCodes = (text: string): number[] => Array.from(text, (sign) => (sign.codePointAt(0) ?? 0) & 255);

const READERS: Readonly<Record<string, (text: string) => Iterable<number>>> = {
  utf8: (text) => new TextEncoder().encode(text),
  base64: (text) =>
    fromCodes(
      atob(
        text
          .replaceAll('-', '+')
          .replaceAll('_', '/')
          .replaceAll(/[^\w+/]/g, ''),
      ),
    ),
  hex: (text) => (text.match(/[\da-f]{2}/gi) ?? []).map((pair) => Number.parseInt(pair, 16)),
  latin1: fromCodes,
};
const WRITERS: Readonly<Record<string, (bytes: Uint8Array) => string>> = {
  utf8: (bytes) => new TextDecoder().decode(bytes),
  base64: (bytes) => btoa(toCodes(bytes)),
  base64url: (bytes) => btoa(toCodes(bytes)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', ''),
  hex: (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(''),
  latin1: toCodes,
};
const ALIASES: Readonly<Record<string, string>> = { 'utf-8': 'utf8', binary: 'latin1', ascii: 'latin1' };

/** The bytes of Node.js: the parts that code of workflows uses. */
export class CodeBuffer extends Uint8Array {
  static override from(value: unknown, encoding: unknown = 'utf8'): CodeBuffer {
    if (typeof value !== 'string') return new CodeBuffer(value as ArrayLike<number>);
    const name = ALIASES[String(encoding)] ?? String(encoding);
    const read = READERS[name === 'base64url' ? 'base64' : name];
    if (!read) throw new PreludeFailure(`Unknown encoding: ${String(encoding)}`);
    return new CodeBuffer([...read(value)]);
  }

  static alloc = (size: number): CodeBuffer => new CodeBuffer(size);
  static isBuffer = (value: unknown): boolean => value instanceof CodeBuffer;
  static byteLength = (text: string, encoding?: Encoding): number => CodeBuffer.from(text, encoding).length;
  static concat = (list: readonly Uint8Array[]): CodeBuffer => new CodeBuffer(list.flatMap((one) => [...one]));

  override toString(encoding: string = 'utf8'): string {
    const write = WRITERS[ALIASES[encoding] ?? encoding];
    if (!write) throw new PreludeFailure(`Unknown encoding: ${encoding}`);
    return write(this);
  }

  toJSON(): { type: 'Buffer'; data: number[] } {
    return { type: 'Buffer', data: [...this] };
  }
}

/** The text that a digest is computed of. Throws PreludeFailure for bytes that are no text in UTF-8. */
function readDigestText(value: unknown, encoding?: string): string {
  if (typeof value === 'string' && encoding === undefined) return value;
  const bytes = CodeBuffer.from(value, encoding);
  const text = bytes.toString();
  const written = CodeBuffer.from(text);
  if (written.length !== bytes.length || written.some((byte, at) => byte !== bytes[at]))
    throw new PreludeFailure('A digest of bytes that are no text is not available');
  return text;
}

/** A digest whose parts are texts, or bytes that are one. */
class Digest {
  private text = '';

  constructor(private readonly compute: (text: string, encoding: string) => string) {}

  update(value: unknown, encoding?: string): this {
    this.text += readDigestText(value, encoding);
    return this;
  }

  digest(encoding?: string): unknown {
    const hex = this.compute(this.text, 'hex');
    return encoding === 'hex'
      ? hex
      : encoding
        ? CodeBuffer.from(hex, 'hex').toString(encoding)
        : CodeBuffer.from(hex, 'hex');
  }
}

const cryptoModule = {
  createHash: (algorithm: string) =>
    new Digest((text, encoding) => helpers.hash(text, algorithm.toLowerCase(), encoding)),
  createHmac: (algorithm: string, key: unknown) => {
    const secret = readDigestText(key);
    return new Digest((text, encoding) => helpers.hmac(text, secret, algorithm.toLowerCase(), encoding));
  },
  randomUUID: () => helpers.uuid(),
};

/** What code may require. Others are refused with the reason. */
export function requireModule(name: unknown): unknown {
  switch (String(name).replace(/^node:/, '')) {
    case 'crypto':
      return cryptoModule;
    case 'buffer':
      return { Buffer: CodeBuffer };
    case 'luxon':
      return { DateTime, Duration, Interval };
    case 'url':
      return { URL, URLSearchParams };
    default:
      throw new PreludeFailure(`The module “${String(name)}” is not available`);
  }
}
