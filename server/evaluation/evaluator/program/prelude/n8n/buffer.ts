import { PreludeFailure } from './failure';

/** What the sandbox has for texts. */
declare function atob(text: string): string;
declare function btoa(text: string): string;

const CHUNK = 4096;

/** The signs with the codes of bytes. */
export function bytesToCodes(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += CHUNK)
    parts.push(String.fromCharCode(...Uint8Array.prototype.subarray.call(bytes, at, at + CHUNK)));
  return parts.join('');
}

/** A loop: files have millions of signs, and `Uint8Array.from` calls a function for each. */
function codesToBytes(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at);
  return bytes;
}

/** How a text is read as bytes and written, by the name of an encoding. */
interface Encoding {
  read(text: string): Uint8Array;
  write(bytes: Uint8Array): string;
}

const readBase64 = (text: string): Uint8Array =>
  codesToBytes(
    atob(
      text
        .replaceAll('-', '+')
        .replaceAll('_', '/')
        .replaceAll(/[^\w+/]/g, ''),
    ),
  );

const latin1: Encoding = { read: codesToBytes, write: bytesToCodes };
const utf16: Encoding = {
  read: (text) => Uint8Array.from({ length: text.length * 2 }, (_, at) => text.charCodeAt(at >> 1) >> ((at & 1) * 8)),
  write: (bytes) =>
    Array.from({ length: bytes.length >> 1 }, (_, at) =>
      String.fromCharCode((bytes[at * 2] ?? 0) | ((bytes[at * 2 + 1] ?? 0) << 8)),
    ).join(''),
};
const utf8: Encoding = {
  read: (text) => new TextEncoder().encode(text),
  write: (bytes) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes),
};
const ENCODINGS: Readonly<Record<string, Encoding>> = {
  utf8,
  'utf-8': utf8,
  latin1,
  binary: latin1,
  ascii: { read: codesToBytes, write: (bytes) => bytesToCodes(bytes.map((byte) => byte & 127)) },
  hex: {
    read: (text) =>
      Uint8Array.from(/^(?:[\da-f]{2})*/i.exec(text)?.[0].match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)),
    write: (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(''),
  },
  base64: { read: readBase64, write: (bytes) => btoa(bytesToCodes(bytes)) },
  base64url: {
    read: readBase64,
    write: (bytes) => btoa(bytesToCodes(bytes)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', ''),
  },
  utf16le: utf16,
  'utf-16le': utf16,
  ucs2: utf16,
  'ucs-2': utf16,
};

const findEncoding = (name: unknown): Encoding | undefined => {
  const key = String(name ?? 'utf8').toLowerCase();
  return Object.hasOwn(ENCODINGS, key) ? ENCODINGS[key] : undefined;
};

function requireEncoding(name: unknown): Encoding {
  const found = findEncoding(name);
  if (!found) throw new PreludeFailure(`Unknown encoding: ${String(name)}`);
  return found;
}

/** The bytes of a value from which Node.js makes a buffer: a text, bytes, or the JSON of a buffer. */
function readBytes(value: unknown, encoding?: unknown): ArrayLike<number> {
  if (typeof value === 'string') return requireEncoding(encoding).read(value);
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  const { type, data } = (value ?? {}) as { type?: unknown; data?: unknown };
  return (type === 'Buffer' && Array.isArray(data) ? data : value) as ArrayLike<number>;
}

const comparedOrder = (one: Uint8Array, other: Uint8Array): number => {
  const at = one.findIndex((byte, index) => byte !== other[index]);
  const difference = at === -1 ? one.length - other.length : (one[at] ?? 0) - (other[at] ?? -1);
  return Math.sign(difference);
};

/** The bytes of Node.js: the parts that code of workflows uses. */
export class CodeBuffer extends Uint8Array {
  static override from(value: unknown, encoding?: unknown, length?: unknown): CodeBuffer {
    const isPart = value instanceof ArrayBuffer && typeof encoding === 'number';
    const bytes = readBytes(value, isPart ? undefined : encoding);
    const end = typeof length === 'number' && isPart ? encoding + length : undefined;
    return new CodeBuffer(isPart ? Array.from(bytes).slice(encoding, end) : bytes);
  }

  static alloc(size: number, fill: unknown = 0, encoding?: unknown): CodeBuffer {
    return new CodeBuffer(size).fill(fill, 0, size, encoding);
  }

  static allocUnsafe = (size: number): CodeBuffer => new CodeBuffer(size);
  static isBuffer = (value: unknown): boolean => value instanceof CodeBuffer;
  static isEncoding = (name: unknown): boolean => typeof name === 'string' && findEncoding(name) !== undefined;
  static byteLength = (value: unknown, encoding?: unknown): number => readBytes(value, encoding).length;
  static compare = comparedOrder;

  static concat(list: readonly Uint8Array[], length?: number): CodeBuffer {
    const whole = new CodeBuffer(length ?? list.reduce((sum, one) => sum + one.length, 0));
    let at = 0;
    for (const one of list) {
      const part = Uint8Array.prototype.subarray.call(one, 0, Math.max(whole.length - at, 0));
      whole.set(part, at);
      at += part.length;
    }
    return whole;
  }

  override toString(encoding?: unknown, start = 0, end = this.length): string {
    return requireEncoding(encoding).write(start === 0 && end >= this.length ? this : this.subarray(start, end));
  }

  toJSON(): { type: 'Buffer'; data: number[] } {
    return { type: 'Buffer', data: [...this] };
  }

  override slice(start?: number, end?: number): CodeBuffer {
    return this.subarray(start, end) as CodeBuffer;
  }

  equals(other: Uint8Array): boolean {
    return comparedOrder(this, other) === 0;
  }

  compare(other: Uint8Array): number {
    return comparedOrder(this, other);
  }

  copy(target: Uint8Array, targetStart = 0, start = 0, end = this.length): number {
    const part = this.subarray(start, Math.min(end, start + target.length - targetStart));
    target.set(part, targetStart);
    return part.length;
  }

  override fill(value: unknown, start = 0, end = this.length, encoding?: unknown): this {
    const bytes = typeof value === 'number' ? [value] : readBytes(value, typeof start === 'string' ? start : encoding);
    if (bytes.length === 0) return this;
    const from = typeof start === 'number' ? start : 0;
    for (let at = from; at < end; at += 1) this[at] = bytes[(at - from) % bytes.length] ?? 0;
    return this;
  }

  write(text: string, offset: unknown = 0, length: unknown = undefined, encoding: unknown = undefined): number {
    const name = [offset, length, encoding].find((one) => typeof one === 'string');
    const from = typeof offset === 'number' ? offset : 0;
    const most = Math.min(typeof length === 'number' ? length : Infinity, this.length - from);
    const bytes = requireEncoding(name).read(text).subarray(0, most);
    this.set(bytes, from);
    return bytes.length;
  }

  override indexOf(value: unknown, from: number = 0, encoding?: unknown): number {
    if (typeof value === 'number') return super.indexOf(value, from);
    const wanted = CodeBuffer.from(value, encoding);
    return bytesToCodes(this).indexOf(bytesToCodes(wanted), from);
  }

  override includes(value: unknown, from: number = 0, encoding?: unknown): boolean {
    return this.indexOf(value, from, encoding) !== -1;
  }
}

/** The numbers that a buffer reads and writes: the names in Node.js, and those of a view of data. */
const NUMBERS: readonly (readonly [name: string, inView: string, bytes: number])[] = [
  ['UInt8', 'Uint8', 1],
  ['Int8', 'Int8', 1],
  ['UInt16', 'Uint16', 2],
  ['Int16', 'Int16', 2],
  ['UInt32', 'Uint32', 4],
  ['Int32', 'Int32', 4],
  ['Float', 'Float32', 4],
  ['Double', 'Float64', 8],
  ['BigInt64', 'BigInt64', 8],
  ['BigUInt64', 'BigUint64', 8],
];

type ViewMethods = Record<string, (at: number, ...values: unknown[]) => unknown>;

for (const [name, inView, bytes] of NUMBERS)
  for (const ending of bytes === 1 ? [''] : ['LE', 'BE']) {
    const view = (buffer: Uint8Array) =>
      new DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength) as unknown as ViewMethods;
    const isLittle = ending === 'LE';
    const read = function (this: Uint8Array, at = 0): unknown {
      return view(this)[`get${inView}`]?.(at, isLittle);
    };
    const write = function (this: Uint8Array, value: unknown, at = 0): number {
      view(this)[`set${inView}`]?.(at, value, isLittle);
      return at + bytes;
    };
    const methods = { [`read${name}${ending}`]: read, [`write${name}${ending}`]: write };
    for (const [method, value] of Object.entries(methods)) {
      const described = { value, writable: true, configurable: true };
      Object.defineProperty(CodeBuffer.prototype, method, described);
      Object.defineProperty(CodeBuffer.prototype, method.replace('UInt', 'Uint'), described);
    }
  }
