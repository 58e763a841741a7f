import type { CustomFetch, CustomFetchOptions } from 'openid-client';
import { request } from '@/server/outbound/outbound';

const TIMEOUT_MS = 10_000;
/** Of metadata, keys or tokens: the library parses them on the main thread, with thousands of names in some milliseconds. */
const MAX_BYTES = 48 * 1024;

/**
 * `fetch` for openid-client through `outbound`, in the share of the provider's workspace (null: the service's). Redirects are not followed.
 */
export const fetchFor =
  (workspaceId: string | null): CustomFetch =>
  (url, options) =>
    outboundFetch(workspaceId ?? '', url, options);

async function outboundFetch(workspaceId: string, url: string, options: CustomFetchOptions): Promise<Response> {
  const { method, headers: sent, body, signal } = options;
  const answer = await request({
    workspaceId,
    url,
    method,
    headers: Object.fromEntries(new Headers(sent)),
    body: textOf(body),
    signal: signal ?? undefined,
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
    followRedirects: false,
  });
  const headers = new Headers(Object.entries(answer.headers).map(([name, value]) => [name, [value].flat().join(', ')]));
  headers.delete('content-encoding');
  const isEmpty = answer.status === 204 || answer.status === 304;
  return new Response(isEmpty ? null : new Uint8Array(answer.body), { status: answer.status, headers });
}

/**
 * The same for providers that are trusted by their userinfo endpoint: their ID token, if they send one, is ignored, because its key and
 * issuer are unknown.
 */
export const fetchWithoutIdToken =
  (workspaceId: string | null): CustomFetch =>
  async (url, options) => {
    const answer = await outboundFetch(workspaceId ?? '', url, options);
    const text = await answer.text();
    const { status, headers } = answer;
    return new Response(text ? withoutIdToken(text) : null, { status, headers });
  };

function withoutIdToken(text: string): string {
  try {
    const { id_token: _, ...others } = JSON.parse(text) as Record<string, unknown>;
    return JSON.stringify(others);
  } catch {
    // Not JSON: the caller reports it.
    return text;
  }
}

function textOf(body: CustomFetchOptions['body']): string | Uint8Array | undefined {
  if (body === null || body === undefined) return undefined;
  if (typeof body === 'string' || body instanceof Uint8Array) return body;
  if (body instanceof URLSearchParams) return body.toString();
  throw new TypeError('openid-client sent a body of an unknown kind');
}
