import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { bodyOf } from './body';

const KIB = 1024;
const MAX = 1024 * KIB;

/** Reads bytes in chunks; returns their number, and the memory that was requested. */
async function read(bytes: Buffer, announced: { encoding?: string; length?: string } = {}) {
  const asked: number[] = [];
  const pieces = Array.from({ length: Math.ceil(bytes.length / 10_000) }, (_, at) =>
    bytes.subarray(at * 10_000, (at + 1) * 10_000),
  );
  const options = { encoding: undefined, length: undefined, maxBytes: MAX, ...announced };
  const body = await bodyOf(Readable.from(pieces), { ...options, reserve: async (size) => void asked.push(size) });
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

  it('that is too large, nested or broken is refused', async () => {
    await expect(read(Buffer.alloc(MAX + 1))).rejects.toThrow('larger than');
    await expect(read(Buffer.alloc(10), { encoding: 'gzip, br' })).rejects.toThrow('not supported');
    await expect(read(Buffer.from('no gzip'), { encoding: 'gzip' })).rejects.toThrow();
    expect(await read(Buffer.alloc(0), { encoding: 'gzip' })).toEqual({ length: 0, asked: [] });
  });

  it('in parts of any size is whole', async () => {
    const parts = [1, 5000, 3, 4096, 70_000, 2].flatMap((size, at) => [Buffer.alloc(size, at), Buffer.alloc(0)]);
    const body = await bodyOf(Readable.from(parts), { encoding: undefined, length: undefined, maxBytes: MAX });
    expect(body.equals(Buffer.concat(parts))).toBe(true);
  });

  it('in parts of a byte takes little more memory than its bytes, and ends at some number of them', async () => {
    function* bytes(count: number) {
      for (let at = 0; at < count; at += 1) yield Buffer.alloc(1000).subarray(0, 1);
    }
    const options = { encoding: undefined, length: undefined, maxBytes: MAX };
    expect(await bodyOf(Readable.from(bytes(150_000)), options)).toHaveLength(150_000);
    await expect(bodyOf(Readable.from(bytes(250_000)), options)).rejects.toThrow('too small parts');
  });
});
