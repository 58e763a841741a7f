import type { CustomFetchOptions } from 'openid-client';
import { request } from '../outbound';

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 1024 * 1024;

/** `fetch` for openid-client, over the one way out to the network. Redirects are not followed. */
export async function outboundFetch(url: string, options: CustomFetchOptions): Promise<Response> {
  const { method, headers, body, signal } = options;
  const answer = await request({
    url,
    method,
    headers: Object.fromEntries(new Headers(headers)),
    body: textOf(body),
    signal: signal ?? undefined,
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
    followRedirects: false,
  });
  const { 'content-encoding': _, ...rest } = answer.headers;
  const isEmpty = answer.status === 204 || answer.status === 304;
  return new Response(isEmpty ? null : new Uint8Array(answer.body), { status: answer.status, headers: rest });
}

/**
 * The same for providers whose word is their userinfo endpoint's: nothing says by which key and in whose name an ID token
 * that they send along would have to be signed, so nobody reads it.
 */
export async function fetchWithoutIdToken(url: string, options: CustomFetchOptions): Promise<Response> {
  const answer = await outboundFetch(url, options);
  const text = await answer.text();
  const { status, headers } = answer;
  return new Response(text ? withoutIdToken(text) : null, { status, headers });
}

function withoutIdToken(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), (name, value: unknown) => (name === 'id_token' ? undefined : value));
  } catch {
    // No JSON: whoever asked will say so.
    return text;
  }
}

function textOf(body: CustomFetchOptions['body']): string | Uint8Array | undefined {
  if (body === null || body === undefined) return undefined;
  if (typeof body === 'string' || body instanceof Uint8Array) return body;
  if (body instanceof URLSearchParams) return body.toString();
  throw new TypeError('openid-client sent a body of an unknown kind');
}
