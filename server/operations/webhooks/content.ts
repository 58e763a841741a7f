import { checkContentType, parseJson } from '@/server/api/json';
import type { CallHeaders } from '@/server/client-address';
import { invalid, Problem } from '@/server/errors/problem';

/** More fields than any form has; parsing a body of tiny fields would take long. */
const MAX_FIELDS = 10_000;

/** Parsing blocks the service for its duration, so what is parsed has the limit of any other body. Text is only decoded. */
const MAX_PARSED = 1024 * 1024;

const FILES = 'Files and other binary bodies are not accepted yet. Send JSON, form fields or text.';
const unsupported = (message: string) => new Problem('VALIDATION_ERROR', message, [], { status: 415 });

/**
 * The value of a body by its content type: JSON as it is, a form as an object, text and XML as a string, an empty body null. Throws 415 for
 * anything else. A promise only for multipart forms.
 */
export function parseContent(rawBody: Uint8Array, headers: CallHeaders): unknown {
  if (rawBody.length === 0) return null;
  const type = (headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const isText = /^text\/|^application\/xml$|\+xml$/.test(type);
  if (!isText && rawBody.length > MAX_PARSED) throw invalid([], 'JSON and forms may have at most 1 MiB.');
  if (/^application\/([\w.+-]+\+)?json$/.test(type)) {
    checkContentType(headers);
    return parseJson(rawBody);
  }
  if (type === 'application/x-www-form-urlencoded') return parseForm(rawBody);
  if (type === 'multipart/form-data') return parseMultipart(rawBody, headers.get('content-type') ?? '');
  if (isText) return parseText(rawBody, headers);
  throw unsupported(type === '' ? 'The body has no Content-Type.' : FILES);
}

function countOf(bytes: Uint8Array, separator: string): number {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let count = 1;
  for (let at = body.indexOf(separator); at !== -1 && count <= MAX_FIELDS; at = body.indexOf(separator, at + 1))
    count++;
  return count;
}

function requireFew(bytes: Uint8Array, separator: string): void {
  if (countOf(bytes, separator) > MAX_FIELDS) throw invalid([], `The form has more than ${MAX_FIELDS} fields.`);
}

/** Names and values as an object; a repeated name has the list of its values. */
export function objectOf<Value>(pairs: Iterable<readonly [string, Value]>): Record<string, Value | Value[]> {
  const lists = new Map<string, Value[]>();
  for (const [name, value] of pairs) {
    const list = lists.get(name);
    if (list) list.push(value);
    else lists.set(name, [value]);
  }
  return Object.fromEntries([...lists].map(([name, list]) => [name, list.length === 1 ? (list[0] as Value) : list]));
}

function parseForm(rawBody: Uint8Array): unknown {
  requireFew(rawBody, '&');
  return objectOf(new URLSearchParams(decode(rawBody, 'utf-8')));
}

async function parseMultipart(rawBody: Uint8Array, contentType: string): Promise<unknown> {
  requireFew(rawBody, '\r\n--');
  let form: FormData;
  try {
    form = await new Response(new Uint8Array(rawBody), { headers: { 'content-type': contentType } }).formData();
  } catch {
    throw invalid([], 'The body is not a valid multipart form.');
  }
  return objectOf(
    [...form].map(([name, value]) => {
      if (typeof value === 'string') return [name, value] as const;
      // What browsers send for a file field that was left empty.
      if (value.size === 0 && value.name === '') return [name, null] as const;
      throw unsupported(FILES);
    }),
  );
}

function parseText(rawBody: Uint8Array, headers: CallHeaders): string {
  const [, charset = 'utf-8'] = /;\s*charset="?([\w.:-]+)/i.exec(headers.get('content-type') ?? '') ?? [];
  return decode(rawBody, charset);
}

function decode(bytes: Uint8Array, charset: string): string {
  let decoder: TextDecoder;
  try {
    decoder = new TextDecoder(charset, { fatal: true });
  } catch {
    throw unsupported(`The character set ${charset} is not known.`);
  }
  try {
    return decoder.decode(bytes);
  } catch {
    throw invalid([], `The body is not valid ${charset}.`);
  }
}
