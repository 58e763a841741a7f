import type { CallHeaders } from '@/server/platform/messages/client-address';

/** The methods and headers that pages of other origins may use, and the headers that they may read. */
const PREFLIGHT_HEADERS = {
  'Access-Control-Allow-Methods': 'GET, POST, PUT, PATCH, DELETE',
  'Access-Control-Allow-Headers':
    'Authorization, Content-Type, Idempotency-Key, If-Match, Prefer, X-API-Key, X-Service-Delivery, X-Service-Signature, X-Workspace-Id',
  'Access-Control-Max-Age': '600',
};
const EXPOSED_HEADERS =
  'ETag, Idempotency-Replayed, Location, Preference-Applied, Retry-After, X-RateLimit-Limit, X-RateLimit-Burst, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id';

/**
 * CORS headers for a page of `origin`: none, unless the operator allows that origin (CORS_ORIGINS). Cookies are never
 * allowed: such pages use a token.
 */
export function apiCorsHeaders(origin: string | null | undefined, allowed: readonly string[]): Record<string, string> {
  if (allowed.length === 0) return {};
  const isAny = allowed.includes('*');
  const vary: Record<string, string> = isAny ? {} : { Vary: 'Origin' };
  if (!origin || !(isAny || allowed.includes(origin))) return vary;
  return {
    ...vary,
    'Access-Control-Allow-Origin': isAny ? '*' : origin,
    'Access-Control-Expose-Headers': EXPOSED_HEADERS,
  };
}

/** The answer to a preflight request; null for origins that are not allowed, and for other requests. */
export function preflightResponse(headers: CallHeaders, allowed: readonly string[]): Response | null {
  const responseHeaders = apiCorsHeaders(headers.get('origin'), allowed);
  if (!headers.has('access-control-request-method') || !responseHeaders['Access-Control-Allow-Origin']) return null;
  return new Response(null, { status: 204, headers: { ...responseHeaders, ...PREFLIGHT_HEADERS } });
}
