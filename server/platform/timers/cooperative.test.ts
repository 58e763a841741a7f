import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeUtf8InTurns } from './cooperative';

test('a text that is decoded in turns is the whole text', async () => {
  for (const text of ['', 'a', '腻😀ü'.repeat(30_000), `x${'😀'.repeat(20_000)}`])
    expect(await decodeUtf8InTurns(Buffer.from(text))).toBe(text);
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary' }), fc.integer({ min: 32_700, max: 32_800 }), async (text, before) => {
      const bytes = Buffer.from('x'.repeat(before) + text);
      expect(await decodeUtf8InTurns(bytes)).toBe(bytes.toString());
    }),
  );
  // What is no UTF-8 is replaced as usual.
  const broken = Buffer.alloc(100_000, 0xe8);
  expect(await decodeUtf8InTurns(broken)).toBe(broken.toString());
});
