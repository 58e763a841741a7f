import { Readable } from 'node:stream';
import zlib, { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readResponseBody } from './body';

const KIB = 1024;
const MAX = 1024 * KIB;

/** Reads bytes in chunks; returns their number, and the memory that was requested. */
async function read(bytes: Buffer, announced: { encoding?: string; length?: string } = {}) {
  const asked: number[] = [];
  const pieces = Array.from({ length: Math.ceil(bytes.length / 10_000) }, (_, at) =>
    bytes.subarray(at * 10_000, (at + 1) * 10_000),
  );
  const options = { encoding: undefined, length: undefined, maxBytes: MAX, ...announced };
  const body = await readResponseBody(Readable.from(pieces), {
    ...options,
    reserve: async (size) => void asked.push(size),
  });
  return { length: body.length, asked };
}

describe('the body of a response', () => {
  it.each([
    ['a small one asks for no memory', 256 * KIB, {}, []],
    ['a large one asks once, for what was announced', 700 * KIB, { length: String(700 * KIB) }, [700 * KIB]],
    ['for the most that it may be, if nothing was', 700 * KIB, {}, [MAX]],
    ['or too much, or nonsense', 700 * KIB, { length: 'many' }, [MAX]],
  ] as const)('%s', async (_, size, announced, asked) => {
    expect(await read(Buffer.alloc(size, 'x'), announced)).toEqual({ length: size, asked });
  });

  it('that is compressed counts by its decompressed size', async () => {
    const packed = gzipSync(Buffer.alloc(700 * KIB, 'x'));
    const announced = { encoding: 'gzip', length: String(packed.length) };
    expect(await read(packed, announced)).toEqual({ length: 700 * KIB, asked: [MAX] });
    await expect(read(gzipSync(Buffer.alloc(2 * MAX, 'x')), { encoding: 'gzip' })).rejects.toThrow('larger than');
  });

  it('that is too large, broken or of an unknown encoding is refused', async () => {
    await expect(read(Buffer.alloc(MAX + 1))).rejects.toThrow('larger than');
    await expect(read(Buffer.alloc(10), { encoding: 'gzip, compress' })).rejects.toThrow(
      'The answer has the encoding "compress", which is not supported; supported are gzip,',
    );
    await expect(read(Buffer.alloc(10), { encoding: 'br,'.repeat(6) })).rejects.toThrow('more than 5 encodings');
    await expect(read(Buffer.from('no gzip'), { encoding: 'gzip' })).rejects.toThrow();
    expect(await read(Buffer.alloc(0), { encoding: 'gzip' })).toEqual({ length: 0, asked: [] });
  });

  it('in parts of any size is whole', async () => {
    const parts = [1, 5000, 3, 4096, 70_000, 2].flatMap((size, at) => [Buffer.alloc(size, at), Buffer.alloc(0)]);
    const body = await readResponseBody(Readable.from(parts), {
      encoding: undefined,
      length: undefined,
      maxBytes: MAX,
    });
    expect(body.equals(Buffer.concat(parts))).toBe(true);
  });

  it('in parts of a byte takes little more memory than its bytes, and ends at some number of them', async () => {
    function* bytes(count: number) {
      for (let at = 0; at < count; at += 1) yield Buffer.alloc(1000).subarray(0, 1);
    }
    const options = { encoding: undefined, length: undefined, maxBytes: MAX };
    expect(await readResponseBody(Readable.from(bytes(150_000)), options)).toHaveLength(150_000);
    await expect(readResponseBody(Readable.from(bytes(250_000)), options)).rejects.toThrow('too small parts');
  });
});

const TEXT = Buffer.from('text '.repeat(1000));
const { zstdCompressSync } = zlib as { zstdCompressSync?: (bytes: Buffer) => Buffer };
const decode = (bytes: Buffer, encoding: string, size = 1000) =>
  readResponseBody(
    Readable.from(
      Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size)),
    ),
    { encoding, length: undefined, maxBytes: MAX },
  );

describe('encodings', () => {
  const encoded: [string, Buffer][] = [
    ['gzip', gzipSync(TEXT)],
    ['X-GZip', gzipSync(TEXT)],
    ['deflate', deflateSync(TEXT)],
    ['deflate', deflateSync(TEXT, { level: 0 })],
    ['deflate', deflateRawSync(TEXT)],
    ['deflate', deflateRawSync(TEXT, { level: 0 })],
    ['br', brotliCompressSync(TEXT)],
    ['identity', TEXT],
    ['none', TEXT],
    ['', TEXT],
    ['gzip, br', brotliCompressSync(gzipSync(TEXT))],
    ['deflate , identity,gzip', gzipSync(deflateRawSync(TEXT))],
    ...(zstdCompressSync ? [['zstd', zstdCompressSync(TEXT)] as [string, Buffer]] : []),
  ];
  it.each(encoded)('%s', async (encoding, bytes) => {
    for (const size of [1, 7, 100_000]) expect((await decode(bytes, encoding, size)).equals(TEXT)).toBe(true);
    expect(await decode(Buffer.alloc(0), encoding)).toHaveLength(0);
  });

  it('that are cut off are refused', async () => {
    for (const bytes of [gzipSync(TEXT), deflateSync(TEXT), deflateRawSync(TEXT)]) {
      const encoding = bytes[0] === 0x1f ? 'gzip' : 'deflate';
      await expect(decode(bytes.subarray(0, -10), encoding)).rejects.toThrow();
    }
    await expect(decode(Buffer.from([0x78]), 'deflate')).rejects.toThrow();
  });

  it('of which one is too large are refused, although the result is small', async () => {
    // Empty blocks: any number of bytes without content.
    const nothing = Buffer.alloc(2 * MAX, Buffer.from([0, 0, 0, 0xff, 0xff]));
    await expect(decode(nothing, 'deflate', 100_000)).rejects.toThrow('larger than');
    await expect(decode(gzipSync(nothing), 'deflate, gzip')).rejects.toThrow('larger than');
  });
});
