import type { Readable } from 'node:stream';
import { NodeFailure } from '@/server/errors/node-failure';
import { decodedParts } from './encodings';

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
  let size = 0;
  // The decompressed size may be far larger than announced.
  const expected = encoding === undefined ? Math.min(Number(length) || maxBytes, maxBytes) : maxBytes;
  try {
    for await (const chunk of decodedParts(source, encoding, maxBytes)) {
      if (size <= SMALL && size + chunk.length > SMALL) await reserve?.(expected);
      size += chunk.length;
      whole.add(chunk);
    }
  } catch (error) {
    // A late error of an abandoned stream would end the process.
    source.on('error', () => undefined).destroy();
    throw error;
  }
  return whole.all;
}
