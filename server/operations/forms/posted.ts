import { Readable } from 'node:stream';
import type { Call } from '@/server/api/operation';
import { invalid } from '@/server/errors/problem';
import { readMultipart, type MultipartFile } from '@/server/files/multipart';
import { bodyKindOf, formIn, UnreadableBody } from '@/server/request-body';

/** The texts of a posted form by name: what browsers send, with or without file fields. Files are not read. */
export async function readPosted({ rawBody, headers }: Call): Promise<(name: string) => string[]> {
  const type = headers.get('content-type') ?? '';
  const kind = bodyKindOf(type);
  if (kind === 'multipart') {
    const entries = await readMultipart(Readable.from([rawBody]), type, { onFile: skip });
    return (name) => textsIn(entries.filter(([field]) => field === name).map(([, value]) => value));
  }
  if (kind !== 'form') throw invalid([], 'The request is not a form.');
  const values = fieldsIn(rawBody);
  return (name) => textsIn([Object.hasOwn(values, name) ? values[name] : []].flat());
}

async function skip(_: string, { content }: MultipartFile): Promise<null> {
  for await (const chunk of content) void chunk;
  return null;
}

function fieldsIn(rawBody: Uint8Array): Record<string, unknown> {
  try {
    return formIn(rawBody) as Record<string, unknown>;
  } catch (error) {
    throw error instanceof UnreadableBody ? invalid([], error.message) : error;
  }
}

const textsIn = (values: unknown[]): string[] => values.filter((value) => typeof value === 'string');
