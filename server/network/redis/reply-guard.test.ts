import fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { RedisReplyGuard } from './reply-guard';

type Value = string | number | null | Value[];

/** A reply as a server sends it. */
function written(value: Value): string {
  if (value === null) return '$-1\r\n';
  if (typeof value === 'number') return `:${value}\r\n`;
  if (typeof value === 'string') return `$${Buffer.byteLength(value)}\r\n${value}\r\n`;
  return `*${value.length}\r\n${value.map(written).join('')}`;
}

const replies = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', maxDepth: 10 },
    fc.string({ unit: 'binary' }),
    fc.integer(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 6 }),
  ),
})).value;

const connection = () => ({ pause: () => undefined, resume: () => undefined, close: vi.fn<(error: Error) => void>() });

it('lets every reply through, in pieces of any size, and nothing after it', () => {
  fc.assert(
    fc.property(replies, fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1 }), (value, sizes) => {
      const bytes = Buffer.from(written(value));
      const own = connection();
      const guard = new RedisReplyGuard(own);
      guard.await();
      const passed: Buffer[] = [];
      const parse = (chunk: Buffer) => void passed.push(chunk);
      for (let at = 0, index = 0; at < bytes.length; index += 1) {
        const size = sizes[index % sizes.length] ?? 1;
        guard.receive(bytes.subarray(at, at + size), parse);
        at += size;
      }
      expect(guard.failure).toBeUndefined();
      expect(Buffer.concat(passed).equals(bytes)).toBe(true);
      guard.receive(Buffer.from('+'), parse);
      expect(guard.failure).toMatchObject({ code: 'BAD_RESPONSE' });
      expect(own.close).toHaveBeenCalledTimes(1);
      expect(Buffer.concat(passed).equals(bytes)).toBe(true);
    }),
  );
});
