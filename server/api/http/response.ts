import { serializeJson } from '@/server/evaluation/expressions/large-json';
import type { OperationResponse } from '@/server/api/pipeline/steps/answer';

/** The serialized body; undefined: none. */
export const serializeBody = ({ body, text }: OperationResponse): string | undefined =>
  text ?? (body === undefined ? undefined : serializeJson(body));

export const responseHeadersWithType = ({ headers, body }: OperationResponse): Record<string, string> =>
  body === undefined ? headers : { 'Content-Type': 'application/json; charset=utf-8', ...headers };

export function toWebResponse(reply: OperationResponse): Response {
  const { status, headers, raw } = reply;
  return raw
    ? addResponseHeaders(raw, headers)
    : new Response(serializeBody(reply) || null, { status, headers: responseHeadersWithType(reply) });
}

function addResponseHeaders(raw: Response, headers: Record<string, string>): Response {
  const merged = new Headers(raw.headers);
  for (const [name, value] of Object.entries(headers)) merged.set(name, value);
  return new Response(raw.body, { status: raw.status, headers: merged });
}
