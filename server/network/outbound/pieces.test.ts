import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import type { OpenableFile } from './files';
import { base64FilePiece, encodeMultipart, streamPieces } from './body-pieces';

const stored = (content: Buffer, chunk = 1000): OpenableFile => ({
  $file: 'file_1',
  name: 'a "b".bin',
  contentType: 'application/octet-stream',
  size: content.length,
  sha256: '',
  open: async () => {
    const chunks = Array.from({ length: Math.ceil(content.length / chunk) }, (_, index) =>
      content.subarray(index * chunk, (index + 1) * chunk),
    );
    return Readable.from(chunks);
  },
});

it.each([0, 1, 2, 3, 56, 57, 58, 113, 114, 115, 1000, 4321])(
  'a file of %i bytes is sent in base64 with the announced length, whatever the sizes of its chunks',
  async (size) => {
    const content = Buffer.from(Array.from({ length: size }, (_, index) => index % 251));
    for (const chunk of [1, 7, 57, 64, 5000]) {
      const body = streamPieces([Buffer.from('<'), base64FilePiece(stored(content, chunk)), Buffer.from('>')]);
      const sent = (await buffer(body.open())).toString('latin1');
      expect(sent.length).toBe(body.length);
      const lines = sent.slice(1, -1).split('\r\n');
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(76);
      expect(Buffer.from(lines.join(''), 'base64')).toEqual(content);
    }
  },
);

it('a form with files is read by another program as it was written', async () => {
  const file = stored(Buffer.from('content'));
  const { body, type } = encodeMultipart([
    { name: 'text', value: 'ü "quoted"' },
    { name: 'nothing', value: undefined },
    { name: 'object', value: { a: 1 } },
    { name: 'file', file },
  ]);
  const sent = await buffer(body.open());
  expect(sent.length).toBe(body.length);
  const form = await new Response(new Uint8Array(sent), { headers: { 'content-type': type } }).formData();
  expect([...form.keys()]).toEqual(['text', 'object', 'file']);
  expect(form.get('text')).toBe('ü "quoted"');
  expect(form.get('object')).toBe('{"a":1}');
  const received = form.get('file') as File;
  expect([received.name, received.type, await received.text()]).toEqual([
    'a "b".bin',
    'application/octet-stream',
    'content',
  ]);
});
