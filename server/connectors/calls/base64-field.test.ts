import { expect, it } from 'vitest';
import { decodeBase64Field } from './base64-field';

async function* inChunks(text: string, size: number) {
  for (let at = 0; at < text.length; at += size) yield Buffer.from(text.slice(at, at + size));
}

async function decoded(text: string, size: number): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of decodeBase64Field(inChunks(text, size), 'data')) parts.push(part);
  return Buffer.concat(parts).toString();
}

it('a file in a field is decoded, whatever the sizes of its chunks', async () => {
  const content = 'A file with ümlauts ~~~ ???';
  for (const encoding of ['base64', 'base64url'] as const) {
    const data = Buffer.from(content).toString(encoding);
    for (let size = 1; size < 40; size += 1) {
      expect(await decoded(`{\n  "size": 12,\n  "data" : "${data}", "more": 1}`, size)).toBe(content);
    }
  }
});

it.each(['{}', '{"data": 7}', '{"data": "AAAA', ' '.repeat(70_000)])('%j has no file', async (text) => {
  await expect(decoded(text.slice(0, 70_000), 1000)).rejects.toMatchObject({ code: 'BAD_RESPONSE' });
});
