import { z } from 'zod';
import { isLarge } from '@/server/expressions/large-json';
import { NodeFailure } from '@/server/errors/node-failure';
import { asField, encode } from '@/server/outbound/content';
import type { FileAccess } from '@/server/outbound/files';
import type { StreamedBody } from '@/server/outbound/outbound';
import { multipart, streamed, type FormPart } from '@/server/outbound/pieces';

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

/** The body to send, and its default Content-Type. */
interface Content {
  body?: string | StreamedBody;
  headers: Record<string, string>;
}

/** A form with files. */
async function multipartBody(body: unknown, files: FileAccess): Promise<Content> {
  const parsed = Parts.safeParse(body);
  if (!parsed.success)
    throw wrong(`must be a list of {name, value} and {name, file, filename?}: ${parsed.error.issues[0]?.message}`);
  const parts: FormPart[] = [];
  for (const part of parsed.data) {
    parts.push('file' in part ? { ...part, file: await files.find(part.file) } : part);
  }
  const content = multipart(parts);
  return { body: content.body, headers: { 'content-type': content.type } };
}

const plain = (body: unknown): unknown => (isLarge(body) ? (JSON.parse(body.text) as unknown) : body);

/** The body of a request. `type`: its Content-Type, if the author set one. Throws NodeFailure CONFIG or FILE_NOT_FOUND. */
export async function requestBody(
  body: unknown,
  as: BodyType,
  type: string | undefined,
  files: FileAccess,
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
      return { body: streamed([file]), headers: { 'content-type': file.contentType } };
    }
  }
}
