import { pipeline, type Duplex } from 'node:stream';
import zlib from 'node:zlib';
import { NodeFailure } from '@/server/errors/node-failure';

type Parts = AsyncIterable<Buffer>;
/** Makes the decoder of a body that begins with these bytes, at least two if it has them. */
type MakeDecoder = (start: Buffer) => Duplex;

/** The first bytes of the format zlib (RFC 1950). */
const isZlib = (start: Buffer) =>
  start.length > 1 && (start.readUInt8(0) & 0x0f) === 8 && start.readUInt16BE(0) % 31 === 0;

const gunzip: MakeDecoder = () => zlib.createGunzip();
/** Newer versions of Node.js have it. */
const { createZstdDecompress } = zlib as { createZstdDecompress?: () => Duplex };

const DECODERS: Readonly<Record<string, MakeDecoder>> = {
  gzip: gunzip,
  'x-gzip': gunzip,
  // `deflate` means the format zlib; some servers send the bare one, which browsers read, too.
  deflate: (start) => (isZlib(start) ? zlib.createInflate() : zlib.createInflateRaw()),
  br: () => zlib.createBrotliDecompress(),
  ...(createZstdDecompress && { zstd: () => createZstdDecompress() }),
};

/** Names of what is no encoding. */
const NONE = new Set(['', 'identity', 'none']);
/** Each costs memory, and nobody needs more. */
const MAX_STACKED = 5;

/** The decoders of a body, in the order in which they are applied. Throws NodeFailure BAD_RESPONSE. */
function decodersFor(encoding: string): MakeDecoder[] {
  const names = encoding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => !NONE.has(name));
  if (names.length > MAX_STACKED) {
    throw new NodeFailure('BAD_RESPONSE', `The answer has more than ${MAX_STACKED} encodings.`, false);
  }
  return names.toReversed().map((name) => {
    const decoder = Object.hasOwn(DECODERS, name) ? DECODERS[name] : undefined;
    if (decoder) return decoder;
    const known = Object.keys(DECODERS).join(', ');
    const message = `The answer has the encoding "${name.slice(0, 40)}", which is not supported; supported are ${known}.`;
    throw new NodeFailure('BAD_RESPONSE', message, false);
  });
}

const tooLarge = (maxBytes: number) =>
  new NodeFailure('TOO_LARGE', `The answer is larger than ${maxBytes} bytes.`, false);

/** Bytes by which an encoding may enlarge what cannot be compressed. */
const OVERHEAD = 64 * 1024;

async function* limited(parts: Parts, maxBytes: number, allowance: number): Parts {
  let size = 0;
  for await (const part of parts) {
    size += part.length;
    if (size > maxBytes + allowance) throw tooLarge(maxBytes);
    yield part;
  }
}

async function* from(start: Buffer, rest: AsyncIterator<Buffer>): Parts {
  try {
    yield start;
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

/** An empty body is empty with any encoding. */
async function* decoded(parts: Parts, makeDecoder: MakeDecoder): Parts {
  const rest = parts[Symbol.asyncIterator]();
  let start: Buffer = Buffer.alloc(0);
  while (start.length < 2) {
    const next = await rest.next();
    if (next.done === true) break;
    start = Buffer.concat([start, next.value]);
  }
  if (start.length === 0) return;
  // An error of the source destroys the decoder, whose reader gets it.
  yield* pipeline(from(start, rest), makeDecoder(start), () => undefined) as Parts;
}

/**
 * The parts of a body without its encodings. Throws TOO_LARGE when they exceed `maxBytes`, also between two encodings: many bytes may decompress
 * to none. Throws BAD_RESPONSE.
 */
export async function* decodedParts(source: Parts, encoding: string | undefined, maxBytes: number): Parts {
  const decoders = decodersFor(encoding ?? '');
  let parts = source;
  for (const decoder of decoders) parts = decoded(limited(parts, maxBytes, OVERHEAD), decoder);
  yield* limited(parts, maxBytes, 0);
}
