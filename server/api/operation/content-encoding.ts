import { Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream';
import zlib from 'node:zlib';
import type { CallHeaders } from '@/server/platform/messages/client-address';
import { invalidRequestProblem, ApiProblem } from '@/server/platform/errors/problem';

type BodyParts = AsyncIterable<Uint8Array>;

/** Decompresses the parts of a body. Throws a Problem: 400 for what is not in the encoding, 413 beyond `max` bytes. */
export type DecompressBody = (source: BodyParts, max: number) => BodyParts;

const ZLIB_CHUNK_OPTIONS = { chunkSize: 64 * 1024 };

/** Node.js has it from 22.15 on. The window is that which RFC 8878 recommends to accept. */
const createZstdDecoder = (zlib as { createZstdDecompress?: (options: object) => Transform }).createZstdDecompress;
const ZSTD_WINDOW_PARAMS = { [(zlib.constants as Record<string, number>)['ZSTD_d_windowLogMax'] ?? 0]: 23 };

/** Chooses the decoder by the first bytes, because some senders of deflate leave out the header of zlib. */
const createInflateDecoder = (first: Uint8Array): Transform => {
  const [low = 0, high = 0] = first;
  const isZlib = (low & 0x0f) === 8 && (low * 256 + high) % 31 === 0;
  return isZlib ? zlib.createInflate(ZLIB_CHUNK_OPTIONS) : zlib.createInflateRaw(ZLIB_CHUNK_OPTIONS);
};

const REQUEST_DECODERS: Record<string, (first: Uint8Array) => Transform> = {
  gzip: () => zlib.createGunzip(ZLIB_CHUNK_OPTIONS),
  deflate: createInflateDecoder,
  br: () => zlib.createBrotliDecompress(ZLIB_CHUNK_OPTIONS),
  ...(createZstdDecoder
    ? { zstd: () => createZstdDecoder({ ...ZLIB_CHUNK_OPTIONS, params: ZSTD_WINDOW_PARAMS }) }
    : {}),
};

/** No sender nests more encodings than this. */
const MAX_BODY_ENCODINGS = 4;

const decompressedTooLarge = (max: number) =>
  new ApiProblem('VALIDATION_ERROR', `The body is larger than ${max} bytes when it is decompressed.`, [], {
    status: 413,
  });

function unknownEncodingProblem(message: string): ApiProblem {
  const headers = { 'Accept-Encoding': Object.keys(REQUEST_DECODERS).join(', ') };
  return new ApiProblem('VALIDATION_ERROR', message, [], { status: 415, headers });
}

/** The encodings of a body in the order in which they were applied. Throws 415. */
function parseContentEncodings(header: string): string[] {
  const names = header
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity')
    .map((name) => (name === 'x-gzip' ? 'gzip' : name));
  const other = names.find((name) => !Object.hasOwn(REQUEST_DECODERS, name));
  const known = Object.keys(REQUEST_DECODERS).join(', ');
  if (other !== undefined)
    throw unknownEncodingProblem(`The content encoding ${other.slice(0, 40)} is not known. Use ${known}, or none.`);
  if (names.length > MAX_BODY_ENCODINGS)
    throw unknownEncodingProblem(`The body has more than ${MAX_BODY_ENCODINGS} content encodings.`);
  return names;
}

/** Every stage counts, because one that expands much may precede one that yields nothing. */
async function* limitBodyBytes(source: BodyParts, max: number): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of source) {
    size += chunk.length;
    if (size > max) throw decompressedTooLarge(max);
    yield chunk;
  }
}

/** The first two bytes or more, and the rest; undefined: nothing comes. */
async function readFirstBytes(
  source: BodyParts,
): Promise<{ first: Uint8Array; rest: AsyncIterator<Uint8Array> } | undefined> {
  const rest = source[Symbol.asyncIterator]();
  let first: Uint8Array = Buffer.alloc(0);
  while (first.length < 2) {
    const next = await rest.next();
    if (next.done) break;
    first = first.length === 0 ? next.value : Buffer.concat([first, next.value]);
  }
  return first.length === 0 ? undefined : { first, rest };
}

async function* rejoinFirstBytes(first: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield first;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

/**
 * zlib works on threads of its own, and only as far as its output is taken: what follows the limit is never
 * decompressed.
 */
async function* decompressBody(source: BodyParts, name: string): AsyncGenerator<Uint8Array> {
  const begun = await readFirstBytes(source);
  const decoder = begun && REQUEST_DECODERS[name]?.(begun.first);
  if (!decoder) return;
  pipeline(Readable.from(rejoinFirstBytes(begun.first, begun.rest), { objectMode: false }), decoder, () => undefined);
  try {
    for await (const chunk of decoder as AsyncIterable<Buffer>) yield chunk;
  } catch (error) {
    throw error instanceof ApiProblem ? error : invalidRequestProblem([], `The body is not valid ${name}.`);
  } finally {
    decoder.destroy();
  }
}

/** What decompresses the body of a request; undefined: it was sent as it is. Throws 415 for an unknown encoding. */
export function findBodyDecoder(headers: CallHeaders): DecompressBody | undefined {
  const header = headers.get('content-encoding');
  const encodings = header === null ? [] : parseContentEncodings(header);
  if (encodings.length === 0) return undefined;
  return (source, max) =>
    encodings.reduceRight<BodyParts>(
      (parts, name) => limitBodyBytes(decompressBody(parts, name), max),
      limitBodyBytes(source, max),
    );
}

/** All parts in one piece. */
export async function collectBodyParts(source: BodyParts): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of source) chunks.push(chunk);
  return Buffer.concat(chunks);
}
