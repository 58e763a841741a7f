import type { Readable } from 'node:stream';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import { decodeBodyChunks } from './encodings';

/** Up to this size a body is read without reserving memory. */
const UNRESERVED_BODY_BYTES = 256 * 1024;

export interface BodyReadOptions {
  encoding: string | undefined;
  /** The announced length. */
  length: string | undefined;
  maxBytes: number;
  /** Waits until so many bytes of memory are available. */
  reserve?: (bytes: number) => Promise<void>;
}

/** The maximum number of parts of a body: a server may send any number of parts of one byte. */
const MAX_BODY_CHUNKS = 200_000;
/** Smaller parts are copied together, because each would need some hundred bytes if it were kept alone. */
const COPIED_CHUNK_BYTES = 4 * 1024;
const JOINED_CHUNK_BYTES = 64 * 1024;

/** Collects the parts of a body in little more memory than their bytes need. */
class ChunkCollector {
  private readonly pieces: Buffer[] = [];
  private joined = Buffer.alloc(0);
  private used = 0;
  private count = 0;

  /** Throws BAD_RESPONSE. */
  add(part: Buffer): void {
    this.count += 1;
    if (this.count > MAX_BODY_CHUNKS)
      throw new NodeFailure('BAD_RESPONSE', 'The answer came in too small parts.', false);
    if (part.length > COPIED_CHUNK_BYTES) {
      this.flush();
      this.pieces.push(part);
      return;
    }
    if (this.used + part.length > this.joined.length) {
      this.flush();
      this.joined = Buffer.allocUnsafe(JOINED_CHUNK_BYTES);
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
export async function readResponseBody(source: Readable, options: BodyReadOptions): Promise<Buffer> {
  const { encoding, length, maxBytes, reserve } = options;
  const whole = new ChunkCollector();
  let size = 0;
  // The decompressed size may be far larger than announced.
  const expected = encoding === undefined ? Math.min(Number(length) || maxBytes, maxBytes) : maxBytes;
  try {
    for await (const chunk of decodeBodyChunks(source, encoding, maxBytes)) {
      if (size <= UNRESERVED_BODY_BYTES && size + chunk.length > UNRESERVED_BODY_BYTES) await reserve?.(expected);
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
