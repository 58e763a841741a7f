import type { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { NodeFailure } from './nodes/node';

const decoders: Record<string, () => Transform> = {
  gzip: () => createGunzip(),
  'x-gzip': () => createGunzip(),
  deflate: () => createInflate(),
  br: () => createBrotliDecompress(),
};

/** One pass of decompression is what servers do; nested ones are bombs. */
function decoderOf(encoding = ''): (() => Transform) | undefined {
  const names = encoding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim());
  const [first, second] = names.filter((name) => name !== '' && name !== 'identity');
  if (first === undefined) return undefined;
  const decoder = decoders[first];
  if (second === undefined && decoder) return decoder;
  throw new NodeFailure('BAD_RESPONSE', `The answer is encoded as "${encoding}", which is not understood.`, false);
}

/** Up to here a body is read without asking for memory. */
const SMALL = 256 * 1024;

export interface BodyOptions {
  encoding: string | undefined;
  /** As the sender announced it. */
  length: string | undefined;
  maxBytes: number;
  /** Waits until there is memory for so many bytes. */
  reserve?: (bytes: number) => Promise<void>;
}

/** Reads a body to its end, decompressed; stops reading at `maxBytes` of what comes out. */
export async function bodyOf(source: Readable, options: BodyOptions): Promise<Buffer> {
  const { encoding, length, maxBytes, reserve } = options;
  const chunks: Buffer[] = [];
  let received = 0;
  let size = 0;
  async function* counted(stream: AsyncIterable<Buffer>) {
    for await (const chunk of stream) {
      received += chunk.length;
      yield chunk;
    }
  }
  // What comes out of a decoder may be far more than what was announced.
  const expected = encoding === undefined ? Math.min(Number(length) || maxBytes, maxBytes) : maxBytes;
  async function collect(stream: AsyncIterable<Buffer>) {
    for await (const chunk of stream) {
      if (size <= SMALL && size + chunk.length > SMALL) await reserve?.(expected);
      size += chunk.length;
      if (size > maxBytes) throw new NodeFailure('TOO_LARGE', `The answer is larger than ${maxBytes} bytes.`, false);
      chunks.push(chunk);
    }
  }
  try {
    const decoder = decoderOf(encoding);
    const stream = counted(source);
    await (decoder ? pipeline(stream, decoder(), collect) : collect(stream));
  } catch (error) {
    // A late error of a stream that nobody reads any more would end the process.
    source.on('error', () => undefined).destroy();
    // An empty body is empty, however it says it is encoded; zlib calls it cut off.
    const isEmpty = received === 0 && (error as { code?: unknown }).code === 'Z_BUF_ERROR';
    if (!isEmpty) throw error;
  }
  return Buffer.concat(chunks);
}
