import { Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream';
import zlib from 'node:zlib';
import type { CallHeaders } from '@/server/client-address';
import { invalid, Problem } from '@/server/errors/problem';

type Parts = AsyncIterable<Uint8Array>;

/** Decompresses the parts of a body. Throws a Problem: 400 for what is not in the encoding, 413 beyond `max` bytes. */
export type BodyDecoder = (source: Parts, max: number) => Parts;

const CHUNK = { chunkSize: 64 * 1024 };

/** Node.js has it from 22.15 on. The window is that which RFC 8878 recommends to accept. */
const zstd = (zlib as { createZstdDecompress?: (options: object) => Transform }).createZstdDecompress;
const ZSTD_WINDOW = { [(zlib.constants as Record<string, number>)['ZSTD_d_windowLogMax'] ?? 0]: 23 };

/** By the first bytes: what is called deflate comes with the header of zlib or, from some senders, without. */
const inflate = (first: Uint8Array): Transform => {
  const [low = 0, high = 0] = first;
  const isZlib = (low & 0x0f) === 8 && (low * 256 + high) % 31 === 0;
  return isZlib ? zlib.createInflate(CHUNK) : zlib.createInflateRaw(CHUNK);
};

const DECODERS: Record<string, (first: Uint8Array) => Transform> = {
  gzip: () => zlib.createGunzip(CHUNK),
  deflate: inflate,
  br: () => zlib.createBrotliDecompress(CHUNK),
  ...(zstd ? { zstd: () => zstd({ ...CHUNK, params: ZSTD_WINDOW }) } : {}),
};

/** More encodings around each other than any sender has. */
const MOST_ENCODINGS = 4;

const tooLarge = (max: number) =>
  new Problem('VALIDATION_ERROR', `The body is larger than ${max} bytes when it is decompressed.`, [], { status: 413 });

function unknown(message: string): Problem {
  const headers = { 'Accept-Encoding': Object.keys(DECODERS).join(', ') };
  return new Problem('VALIDATION_ERROR', message, [], { status: 415, headers });
}

/** The encodings of a body in the order in which they were applied. Throws 415. */
function encodingsIn(header: string): string[] {
  const names = header
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity')
    .map((name) => (name === 'x-gzip' ? 'gzip' : name));
  const other = names.find((name) => !Object.hasOwn(DECODERS, name));
  const known = Object.keys(DECODERS).join(', ');
  if (other !== undefined)
    throw unknown(`The content encoding ${other.slice(0, 40)} is not known. Use ${known}, or none.`);
  if (names.length > MOST_ENCODINGS) throw unknown(`The body has more than ${MOST_ENCODINGS} content encodings.`);
  return names;
}

/** Every stage counts, because one that expands much may precede one that yields nothing. */
async function* limited(source: Parts, max: number): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of source) {
    size += chunk.length;
    if (size > max) throw tooLarge(max);
    yield chunk;
  }
}

/** The first two bytes or more, and the rest; undefined: nothing comes. */
async function begin(source: Parts): Promise<{ first: Uint8Array; rest: AsyncIterator<Uint8Array> } | undefined> {
  const rest = source[Symbol.asyncIterator]();
  let first: Uint8Array = Buffer.alloc(0);
  while (first.length < 2) {
    const next = await rest.next();
    if (next.done) break;
    first = first.length === 0 ? next.value : Buffer.concat([first, next.value]);
  }
  return first.length === 0 ? undefined : { first, rest };
}

async function* joined(first: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield first;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

/** zlib works on threads of its own, and only as far as its output is taken: what follows the limit is never decompressed. */
async function* decompressed(source: Parts, name: string): AsyncGenerator<Uint8Array> {
  const begun = await begin(source);
  const decoder = begun && DECODERS[name]?.(begun.first);
  if (!decoder) return;
  pipeline(Readable.from(joined(begun.first, begun.rest), { objectMode: false }), decoder, () => undefined);
  try {
    for await (const chunk of decoder as AsyncIterable<Buffer>) yield chunk;
  } catch (error) {
    throw error instanceof Problem ? error : invalid([], `The body is not valid ${name}.`);
  } finally {
    decoder.destroy();
  }
}

/** What decompresses the body of a request; undefined: it was sent as it is. Throws 415 for an unknown encoding. */
export function bodyDecoder(headers: CallHeaders): BodyDecoder | undefined {
  const header = headers.get('content-encoding');
  const encodings = header === null ? [] : encodingsIn(header);
  if (encodings.length === 0) return undefined;
  return (source, max) =>
    encodings.reduceRight<Parts>((parts, name) => limited(decompressed(parts, name), max), limited(source, max));
}

/** All parts in one piece. */
export async function collectParts(source: Parts): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of source) chunks.push(chunk);
  return Buffer.concat(chunks);
}
