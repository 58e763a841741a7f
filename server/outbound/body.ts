import type { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { NodeFailure } from '@/server/errors/node-failure';

const decoders: Record<string, () => Transform> = {
  gzip: () => createGunzip(),
  'x-gzip': () => createGunzip(),
  deflate: () => createInflate(),
  br: () => createBrotliDecompress(),
};

/** Servers compress once; nested compression is used for bombs. */
function decoderOf(encoding = ''): (() => Transform) | undefined {
  const names = encoding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim());
  const [first, second] = names.filter((name) => name !== '' && name !== 'identity');
  if (first === undefined) return undefined;
  const decoder = decoders[first];
  if (second === undefined && decoder) return decoder;
  throw new NodeFailure('BAD_RESPONSE', `The answer has the encoding "${encoding}", which is not supported.`, false);
}

/** Up to this size a body is read without reserving memory. */
const SMALL = 256 * 1024;

export interface BodyOptions {
  encoding: string | undefined;
  /** The announced length. */
  length: string | undefined;
  maxBytes: number;
  /** Waits until so many bytes of memory are available. */
  reserve?: (bytes: number) => Promise<void>;
}

/** The parts of a body, decompressed. Throws TOO_LARGE when they exceed `maxBytes`. */
export async function* partsOf(
  source: Readable,
  encoding: string | undefined,
  maxBytes: number,
): AsyncGenerator<Buffer> {
  let size = 0;
  const decoder = decoderOf(encoding)?.();
  // A decoder does not get the errors of what is piped into it.
  if (decoder) source.on('error', (error) => decoder.destroy(error)).pipe(decoder);
  for await (const chunk of (decoder ?? source) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw new NodeFailure('TOO_LARGE', `The answer is larger than ${maxBytes} bytes.`, false);
    yield chunk;
  }
}

/** Parts of a body, of which a server may send any number, of a byte each. */
const MAX_PARTS = 200_000;
/** Smaller parts are copied together: kept alone, each would need some hundred bytes. */
const SMALL_PART = 4 * 1024;
const JOINED = 64 * 1024;

/** Collects the parts of a body in little more memory than their bytes need. */
class Pieces {
  private readonly pieces: Buffer[] = [];
  private joined = Buffer.alloc(0);
  private used = 0;
  private count = 0;

  /** Throws BAD_RESPONSE. */
  add(part: Buffer): void {
    this.count += 1;
    if (this.count > MAX_PARTS) throw new NodeFailure('BAD_RESPONSE', 'The answer came in too small parts.', false);
    if (part.length > SMALL_PART) {
      this.flush();
      this.pieces.push(part);
      return;
    }
    if (this.used + part.length > this.joined.length) {
      this.flush();
      this.joined = Buffer.allocUnsafe(JOINED);
    }
    this.used += part.copy(this.joined, this.used);
  }

  get all(): Buffer {
    this.flush();
    return Buffer.concat(this.pieces);
  }

  private flush(): void {
    if (this.used > 0) this.pieces.push(this.joined.subarray(0, this.used));
    this.joined = this.joined.subarray(this.used);
    this.used = 0;
  }
}

/** Reads a body to its end, decompressed; stops when the result exceeds `maxBytes`. */
export async function bodyOf(source: Readable, options: BodyOptions): Promise<Buffer> {
  const { encoding, length, maxBytes, reserve } = options;
  const whole = new Pieces();
  let received = 0;
  let size = 0;
  async function* limited(stream: AsyncIterable<Buffer>) {
    for await (const chunk of stream) {
      received += chunk.length;
      yield chunk;
    }
  }
  // The decompressed size may be far larger than announced.
  const expected = encoding === undefined ? Math.min(Number(length) || maxBytes, maxBytes) : maxBytes;
  async function collect(stream: AsyncIterable<Buffer>) {
    for await (const chunk of stream) {
      if (size <= SMALL && size + chunk.length > SMALL) await reserve?.(expected);
      size += chunk.length;
      if (size > maxBytes) throw new NodeFailure('TOO_LARGE', `The answer is larger than ${maxBytes} bytes.`, false);
      whole.add(chunk);
    }
  }
  try {
    const decoder = decoderOf(encoding);
    const stream = limited(source);
    await (decoder ? pipeline(stream, decoder(), collect) : collect(stream));
  } catch (error) {
    // A late error of an abandoned stream would end the process.
    source.on('error', () => undefined).destroy();
    // An empty body is empty with any encoding; zlib would report it as truncated.
    const isEmpty = received === 0 && (error as { code?: unknown }).code === 'Z_BUF_ERROR';
    if (!isEmpty) throw error;
  }
  return whole.all;
}
