import { pipeline, type Duplex } from 'node:stream';
import zlib from 'node:zlib';
import { NodeFailure } from '@/server/platform/errors/node-failure';

type ByteChunks = AsyncIterable<Buffer>;
/** Makes the decoder of a body that begins with these bytes, at least two if it has them. */
type DecoderFactory = (start: Buffer) => Duplex;

/** The first bytes of the format zlib (RFC 1950). */
const isZlibHeader = (start: Buffer) =>
  start.length > 1 && (start.readUInt8(0) & 0x0f) === 8 && start.readUInt16BE(0) % 31 === 0;

const createGunzipDecoder: DecoderFactory = () => zlib.createGunzip();
/** Newer versions of Node.js have it. */
const { createZstdDecompress } = zlib as { createZstdDecompress?: () => Duplex };

const CONTENT_DECODERS: Readonly<Record<string, DecoderFactory>> = {
  gzip: createGunzipDecoder,
  'x-gzip': createGunzipDecoder,
  // `deflate` means the format zlib; some servers send the bare one, which browsers read, too.
  deflate: (start) => (isZlibHeader(start) ? zlib.createInflate() : zlib.createInflateRaw()),
  br: () => zlib.createBrotliDecompress(),
  ...(createZstdDecompress && { zstd: () => createZstdDecompress() }),
};

/** Names that mean no encoding. */
const IDENTITY_ENCODINGS = new Set(['', 'identity', 'none']);
/** The maximum number of encodings: each costs memory, and no server needs more. */
const MAX_STACKED_ENCODINGS = 5;

/** The decoders of a body, in the order in which they are applied. Throws NodeFailure BAD_RESPONSE. */
function selectDecoders(encoding: string): DecoderFactory[] {
  const names = encoding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => !IDENTITY_ENCODINGS.has(name));
  if (names.length > MAX_STACKED_ENCODINGS) {
    throw new NodeFailure('BAD_RESPONSE', `The answer has more than ${MAX_STACKED_ENCODINGS} encodings.`, false);
  }
  return names.toReversed().map((name) => {
    const decoder = Object.hasOwn(CONTENT_DECODERS, name) ? CONTENT_DECODERS[name] : undefined;
    if (decoder) return decoder;
    const known = Object.keys(CONTENT_DECODERS).join(', ');
    const message = `The answer has the encoding "${name.slice(0, 40)}", which is not supported; supported are ${known}.`;
    throw new NodeFailure('BAD_RESPONSE', message, false);
  });
}

const responseTooLargeFailure = (maxBytes: number) =>
  new NodeFailure('TOO_LARGE', `The answer is larger than ${maxBytes} bytes.`, false);

/** The number of bytes by which an encoding may enlarge data that cannot be compressed. */
const MAX_ENCODING_OVERHEAD = 64 * 1024;

async function* limitBytes(parts: ByteChunks, maxBytes: number, allowance: number): ByteChunks {
  let size = 0;
  for await (const part of parts) {
    size += part.length;
    if (size > maxBytes + allowance) throw responseTooLargeFailure(maxBytes);
    yield part;
  }
}

async function* prependChunk(start: Buffer, rest: AsyncIterator<Buffer>): ByteChunks {
  try {
    yield start;
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

/** An empty body is empty with any encoding. */
async function* decodeChunks(parts: ByteChunks, makeDecoder: DecoderFactory): ByteChunks {
  const rest = parts[Symbol.asyncIterator]();
  let start: Buffer = Buffer.alloc(0);
  while (start.length < 2) {
    const next = await rest.next();
    if (next.done === true) break;
    start = Buffer.concat([start, next.value]);
  }
  if (start.length === 0) return;
  // An error of the source destroys the decoder, whose reader gets it.
  yield* pipeline(prependChunk(start, rest), makeDecoder(start), () => undefined) as ByteChunks;
}

/**
 * The parts of a body without its encodings. Throws TOO_LARGE when they exceed `maxBytes`, also between two encodings:
 * many bytes may decompress to none. Throws BAD_RESPONSE.
 */
export async function* decodeBodyChunks(
  source: ByteChunks,
  encoding: string | undefined,
  maxBytes: number,
): ByteChunks {
  const decoders = selectDecoders(encoding ?? '');
  let parts = source;
  for (const decoder of decoders) parts = decodeChunks(limitBytes(parts, maxBytes, MAX_ENCODING_OVERHEAD), decoder);
  yield* limitBytes(parts, maxBytes, 0);
}
