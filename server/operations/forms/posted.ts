import type { Call } from '@/server/api/operation';
import { invalid } from '@/server/errors/problem';
import { parseContent } from '@/server/operations/webhooks/content';

/** The texts of a posted form by name: what browsers send, with or without file fields. */
export async function readPosted({ rawBody, headers }: Call): Promise<(name: string) => string[]> {
  const type = (headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase();
  if (type !== 'application/x-www-form-urlencoded' && type !== 'multipart/form-data') {
    throw invalid([], 'The request is not a form.');
  }
  const content = ((await parseContent(rawBody, headers)) ?? {}) as Record<string, unknown>;
  return (name) => [Object.hasOwn(content, name) ? content[name] : []].flat().filter((one) => typeof one === 'string');
}
