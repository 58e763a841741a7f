import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { z } from 'zod';
import { isLarge } from '@/server/expressions/large-json';
import { NodeFailure } from '@/server/errors/node-failure';
import { asField, encode } from '@/server/outbound/content';
import type { StreamedBody } from '@/server/outbound/outbound';
import type { NodeFile, NodeFiles } from '../node';

/** How a body is sent. */
export const BodyType = z.enum(['auto', 'json', 'form', 'text', 'multipart', 'file']);
export type BodyType = z.infer<typeof BodyType>;

const FORM = 'application/x-www-form-urlencoded';

const Part = z.union(
  [
    z.strictObject({ name: z.string().min(1), value: z.unknown() }),
    z.strictObject({ name: z.string().min(1), file: z.unknown(), filename: z.string().min(1).optional() }),
  ],
  { error: 'must have name, and value or file' },
);
const Parts = z.array(Part).max(1000);

const wrong = (message: string) => new NodeFailure('CONFIG', `config.body: ${message}`, false);

/** The content as a stream that begins when it is read. */
const streamOf = (content: () => AsyncIterable<Uint8Array>) => Readable.from(content(), { objectMode: false });

const fileBody = (file: NodeFile): StreamedBody => ({
  length: file.size,
  open: () =>
    streamOf(async function* () {
      yield* (await file.open()) as AsyncIterable<Uint8Array>;
    }),
});

/** A name inside a header of a part, as browsers write it (HTML standard, multipart/form-data). */
const quoted = (name: string) =>
  `"${name.replace(/["\r\n]/g, (char) => `%${char.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`)}"`;

/** The body to send, and its default Content-Type. */
interface Content {
  body?: string | StreamedBody;
  headers: Record<string, string>;
}

/** A form with files. Its length is known, because the files' lengths are. */
async function multipartBody(body: unknown, files: NodeFiles): Promise<Content> {
  const parsed = Parts.safeParse(body);
  if (!parsed.success)
    throw wrong(`must be a list of {name, value} and {name, file, filename?}: ${parsed.error.issues[0]?.message}`);
  const boundary = `----weft${randomBytes(18).toString('hex')}`;
  const parts: { head: Buffer; content: Buffer | NodeFile }[] = [];
  for (const part of parsed.data) {
    const name = `Content-Disposition: form-data; name=${quoted(part.name)}`;
    const start = `--${boundary}\r\n${name}`;
    if ('file' in part) {
      const file = await files.find(part.file);
      const facts = `; filename=${quoted(part.filename ?? file.name)}\r\nContent-Type: ${file.contentType}`;
      parts.push({ head: Buffer.from(`${start}${facts}\r\n\r\n`), content: file });
    } else if (part.value !== null && part.value !== undefined) {
      parts.push({ head: Buffer.from(`${start}\r\n\r\n`), content: Buffer.from(asField(part.value)) });
    }
  }
  const end = Buffer.from(`--${boundary}--\r\n`);
  const sizeOf = (content: Buffer | NodeFile) => (Buffer.isBuffer(content) ? content.length : content.size);
  const length = parts.reduce((sum, { head, content }) => sum + head.length + sizeOf(content) + 2, end.length);
  async function* content() {
    for (const { head, content: inner } of parts) {
      yield head;
      if (Buffer.isBuffer(inner)) yield inner;
      else yield* (await inner.open()) as AsyncIterable<Buffer>;
      yield Buffer.from('\r\n');
    }
    yield end;
  }
  return {
    body: { length, open: () => streamOf(content) },
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  };
}

const plain = (body: unknown): unknown => (isLarge(body) ? (JSON.parse(body.text) as unknown) : body);

/** The body of a request. `type`: its Content-Type, if the author set one. Throws NodeFailure CONFIG or FILE_NOT_FOUND. */
export async function requestBody(
  body: unknown,
  as: BodyType,
  type: string | undefined,
  files: NodeFiles,
): Promise<Content> {
  if (as === 'auto') return encode(body, type);
  if (body === undefined || body === null) return { headers: {} };
  switch (as) {
    case 'json':
      return {
        body: isLarge(body) ? body.text : JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      };
    case 'form': {
      const fields = plain(body);
      if (typeof fields !== 'object' || Array.isArray(fields))
        throw wrong('must be an object, for it is sent as a form');
      return { ...encode(fields, FORM), headers: { 'content-type': FORM } };
    }
    case 'text':
      return { body: asField(plain(body)), headers: { 'content-type': 'text/plain; charset=utf-8' } };
    case 'multipart':
      return multipartBody(plain(body), files);
    case 'file': {
      const file = await files.find(body);
      return { body: fileBody(file), headers: { 'content-type': file.contentType } };
    }
  }
}
