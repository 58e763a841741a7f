import { z } from 'zod';
import { isLargeJson } from '@/server/evaluation/expressions/large-json';
import { createConfigFailure } from '@/server/platform/errors/node-failure';
import { formFieldText, encodeRequestBody } from '@/server/network/outbound/content';
import type { WorkspaceFileAccess } from '@/server/network/outbound/files';
import type { StreamedBody } from '@/server/network/outbound/outbound';
import { encodeMultipart, streamPieces, type MultipartField } from '@/server/network/outbound/body-pieces';

/** How a body is sent. */
export const HttpBodyType = z.enum(['auto', 'json', 'form', 'text', 'multipart', 'file']);
export type HttpBodyType = z.infer<typeof HttpBodyType>;

const FORM_CONTENT_TYPE = 'application/x-www-form-urlencoded';

const formPartSchema = z.union(
  [
    z.strictObject({ name: z.string().min(1), value: z.unknown() }),
    z.strictObject({ name: z.string().min(1), file: z.unknown(), filename: z.string().min(1).optional() }),
  ],
  { error: 'must have name, and value or file' },
);
const formPartsSchema = z.array(formPartSchema).max(1000);

const bodyFailure = (problem: string) => createConfigFailure('body', problem);

/** The body to send, and its default Content-Type. */
interface HttpBodyContent {
  body?: string | StreamedBody;
  headers: Record<string, string>;
}

/** A form with files. */
async function buildMultipartBody(body: unknown, files: WorkspaceFileAccess): Promise<HttpBodyContent> {
  const parsed = formPartsSchema.safeParse(body);
  if (!parsed.success)
    throw bodyFailure(
      `must be a list of {name, value} and {name, file, filename?}: ${parsed.error.issues[0]?.message}`,
    );
  const parts: MultipartField[] = [];
  for (const part of parsed.data) {
    parts.push('file' in part ? { ...part, file: await files.find(part.file) } : part);
  }
  const content = encodeMultipart(parts);
  return { body: content.body, headers: { 'content-type': content.type } };
}

const parseLargeValue = (body: unknown): unknown => (isLargeJson(body) ? (JSON.parse(body.text) as unknown) : body);

/**
 * The body of a request. `type`: its Content-Type, if the author set one. Throws NodeFailure CONFIG or FILE_NOT_FOUND.
 */
export async function buildRequestBody(
  body: unknown,
  as: HttpBodyType,
  type: string | undefined,
  files: WorkspaceFileAccess,
): Promise<HttpBodyContent> {
  if (as === 'auto') return encodeRequestBody(body, type);
  if (body === undefined || body === null) return { headers: {} };
  switch (as) {
    case 'json':
      return {
        body: isLargeJson(body) ? body.text : JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      };
    case 'form': {
      const fields = parseLargeValue(body);
      if (typeof fields !== 'object' || Array.isArray(fields))
        throw bodyFailure('must be an object, for it is sent as a form');
      return { ...encodeRequestBody(fields, FORM_CONTENT_TYPE), headers: { 'content-type': FORM_CONTENT_TYPE } };
    }
    case 'text':
      return { body: formFieldText(parseLargeValue(body)), headers: { 'content-type': 'text/plain; charset=utf-8' } };
    case 'multipart':
      return buildMultipartBody(parseLargeValue(body), files);
    case 'file': {
      const file = await files.find(body);
      return { body: streamPieces([file]), headers: { 'content-type': file.contentType } };
    }
  }
}
