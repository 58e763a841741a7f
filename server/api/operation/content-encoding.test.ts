import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import * as zlib from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { ApiProblem } from '@/server/platform/errors/problem';
import { findBodyDecoder, collectBodyParts } from './content-encoding';
import { BYTES_PER_MIB } from '@/contract/units';

const TEXT = 'Grüße '.repeat(1000);
const zstd = (zlib as { zstdCompressSync?: (bytes: Buffer) => Buffer }).zstdCompressSync;

async function* inParts(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const decoderFor = (encoding: string) => findBodyDecoder(new Headers({ 'content-encoding': encoding }));

async function decoded(
  encoding: string,
  bytes: Uint8Array,
  { max = BYTES_PER_MIB, size = 1000 } = {},
): Promise<Buffer> {
  const decoder = decoderFor(encoding);
  return collectBodyParts(decoder ? decoder(inParts(bytes, size), max) : inParts(bytes, size));
}

const plain = Buffer.from(TEXT);
const ENCODED: [string, Buffer][] = [
  ['gzip', gzipSync(plain)],
  ['X-GZip', gzipSync(plain)],
  ['deflate', deflateSync(plain)],
  ['deflate', deflateRawSync(plain)],
  ['br', brotliCompressSync(plain)],
  ['identity', plain],
  ['', plain],
  ['deflate, gzip', gzipSync(deflateSync(plain))],
  ['gzip, identity, br', brotliCompressSync(gzipSync(plain))],
  ...(zstd ? ([['zstd', zstd(plain)]] as [string, Buffer][]) : []),
];

it.each(ENCODED)('%s is read, in parts of any size', async (encoding, bytes) => {
  for (const size of [1, 7, 100_000]) expect((await decoded(encoding, bytes, { size })).toString()).toBe(TEXT);
});

it('a body without bytes has none, whatever its encoding', async () => {
  expect(await decoded('gzip, br', Buffer.alloc(0))).toHaveLength(0);
});

const refusalOf = async (work: () => Promise<unknown>) => {
  const problem = (await work().catch((error: unknown) => error)) as ApiProblem;
  expect(problem).toBeInstanceOf(ApiProblem);
  return [problem.status, problem.message];
};

describe('a body is refused', () => {
  it.each([
    ['compress', /^The content encoding compress is not known\. Use gzip, deflate, br/],
    ['gzip, aes128gcm', /^The content encoding aes128gcm is not known/],
    ['gzip,gzip,gzip,gzip,gzip', /^The body has more than 4 content encodings/],
  ])('with %s', async (encoding, message) => {
    const [status, text] = await refusalOf(async () => decoderFor(encoding));
    expect(status).toBe(415);
    expect(text).toMatch(message);
  });

  it.each<[string, Buffer]>([
    ['gzip', plain],
    ['gzip', gzipSync(plain).subarray(0, 40)],
    ['deflate', Buffer.from([0xff, 0xff, 0xff])],
    ['br', plain],
  ])('that is no %s or ends early', async (encoding, bytes) => {
    expect(await refusalOf(() => decoded(encoding, bytes))).toEqual([400, `The body is not valid ${encoding}.`]);
  });

  it('beyond the limit, of which no more is decompressed', async () => {
    const bomb = gzipSync(Buffer.alloc(200 * BYTES_PER_MIB), { level: 9 });
    let taken = 0;
    async function* counted() {
      for await (const part of inParts(bomb, 16 * 1024)) {
        taken += part.length;
        yield part;
      }
    }
    const decoder = decoderFor('gzip')!;
    const refusal = await refusalOf(() => collectBodyParts(decoder(counted(), BYTES_PER_MIB)));
    expect(refusal).toEqual([413, `The body is larger than ${BYTES_PER_MIB} bytes when it is decompressed.`]);
    expect(taken).toBeLessThan(bomb.length);
  });

  it('also where only a stage between is beyond the limit', async () => {
    const empty = gzipSync(Buffer.alloc(0));
    const nothing = gzipSync(Buffer.concat(Array.from({ length: 100_000 }, () => empty)));
    expect((await refusalOf(() => decoded('gzip, gzip', nothing)))[0]).toBe(413);
  });

  it('as it was sent, if that is beyond the limit', async () => {
    expect((await refusalOf(() => decoded('gzip', gzipSync(plain), { max: 20 })))[0]).toBe(413);
  });
});
