import type { CallHeaders } from './call-headers';

/** What pages of other origins may ask with, and read. */
const PREFLIGHT = {
  'Access-Control-Allow-Methods': 'GET, POST, PUT, DELETE',
  'Access-Control-Allow-Headers':
    'Authorization, Content-Type, Idempotency-Key, If-Match, X-API-Key, X-Service-Delivery, X-Service-Signature, X-Workspace-Id',
  'Access-Control-Max-Age': '600',
};
const EXPOSED =
  'ETag, Idempotency-Replayed, Location, Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id';

/**
 * What an answer says to a page of `origin`: nothing, unless the operator named that origin (CORS_ORIGINS). Cookies stay
 * out of it in any case: such pages call with a token of their own.
 */
export function corsHeaders(origin: string | null | undefined, allowed: readonly string[]): Record<string, string> {
  if (allowed.length === 0) return {};
  const isAny = allowed.includes('*');
  const vary: Record<string, string> = isAny ? {} : { Vary: 'Origin' };
  if (!origin || !(isAny || allowed.includes(origin))) return vary;
  return { ...vary, 'Access-Control-Allow-Origin': isAny ? '*' : origin, 'Access-Control-Expose-Headers': EXPOSED };
}

/** The answer to a browser that asks before it calls; null where it asks in vain, or doesn't ask. */
export function preflightAnswer(headers: CallHeaders, allowed: readonly string[]): Response | null {
  const granted = corsHeaders(headers.get('origin'), allowed);
  if (!headers.has('access-control-request-method') || !granted['Access-Control-Allow-Origin']) return null;
  return new Response(null, { status: 204, headers: { ...granted, ...PREFLIGHT } });
}
