import { jsonOf } from '@/server/expressions/large-json';
import type { Reply } from '@/server/pipeline/steps/answer';

/** The serialized body; undefined: none. */
export const textOf = ({ body, text }: Reply): string | undefined =>
  text ?? (body === undefined ? undefined : jsonOf(body));

export const headersOf = ({ headers, body }: Reply): Record<string, string> =>
  body === undefined ? headers : { 'Content-Type': 'application/json; charset=utf-8', ...headers };

export function responseOf(reply: Reply): Response {
  const { status, headers, raw } = reply;
  return raw ? withHeaders(raw, headers) : new Response(textOf(reply) || null, { status, headers: headersOf(reply) });
}

function withHeaders(raw: Response, headers: Record<string, string>): Response {
  const merged = new Headers(raw.headers);
  for (const [name, value] of Object.entries(headers)) merged.set(name, value);
  return new Response(raw.body, { status: raw.status, headers: merged });
}
