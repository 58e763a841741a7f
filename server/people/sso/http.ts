import type { CustomFetch, CustomFetchOptions } from 'openid-client';
import { sendOutboundRequest } from '@/server/network/outbound/outbound';

const OIDC_TIMEOUT_MS = 10_000;
/**
 * The maximum size of metadata, keys or tokens. The library parses them on the main thread, thousands of names in some
 * milliseconds.
 */
const MAX_OIDC_RESPONSE_BYTES = 48 * 1024;

/**
 * `fetch` for openid-client through `outbound`, in the share of the provider's workspace (null: the service's).
 * Redirects are not followed.
 */
export const createProviderFetch =
  (workspaceId: string | null): CustomFetch =>
  (url, options) =>
    fetchThroughOutbound(workspaceId ?? '', url, options);

async function fetchThroughOutbound(workspaceId: string, url: string, options: CustomFetchOptions): Promise<Response> {
  const { method, headers: sent, body, signal } = options;
  const answer = await sendOutboundRequest({
    workspaceId,
    url,
    method,
    headers: Object.fromEntries(new Headers(sent)),
    body: oidcRequestBody(body),
    signal: signal ?? undefined,
    timeoutMs: OIDC_TIMEOUT_MS,
    maxBytes: MAX_OIDC_RESPONSE_BYTES,
    followRedirects: false,
  });
  const headers = new Headers(Object.entries(answer.headers).map(([name, value]) => [name, [value].flat().join(', ')]));
  headers.delete('content-encoding');
  const isEmpty = answer.status === 204 || answer.status === 304;
  return new Response(isEmpty ? null : new Uint8Array(answer.body), { status: answer.status, headers });
}

/**
 * The same for providers that are trusted by their userinfo endpoint: their ID token, if they send one, is ignored,
 * because its key and issuer are unknown.
 */
export const createFetchWithoutIdToken =
  (workspaceId: string | null): CustomFetch =>
  async (url, options) => {
    const answer = await fetchThroughOutbound(workspaceId ?? '', url, options);
    const text = await answer.text();
    const { status, headers } = answer;
    return new Response(text ? removeIdToken(text) : null, { status, headers });
  };

function removeIdToken(text: string): string {
  try {
    const { id_token: _, ...others } = JSON.parse(text) as Record<string, unknown>;
    return JSON.stringify(others);
  } catch {
    // The body is not JSON, which the caller reports.
    return text;
  }
}

function oidcRequestBody(body: CustomFetchOptions['body']): string | Uint8Array | undefined {
  if (body === null || body === undefined) return undefined;
  if (typeof body === 'string' || body instanceof Uint8Array) return body;
  if (body instanceof URLSearchParams) return body.toString();
  throw new TypeError('openid-client sent a body of an unknown kind');
}
