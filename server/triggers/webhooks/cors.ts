import type { CallingWebhook } from './lookup';
import { webhookVerifier } from './verification';

type CorsSettings = Pick<CallingWebhook, 'cors'>;

/** Request headers that pages may set at every webhook with `cors`. */
const ALWAYS_ALLOWED_HEADERS = ['content-type', 'x-service-delivery'];

const isCorsOriginAllowed = ({ cors }: CorsSettings, origin: string): boolean =>
  cors !== null && (cors.origins.includes('*') || cors.origins.includes(origin));

/**
 * The CORS headers of every answer of a webhook to a page of `origin`; none without `cors`. Cookies are never allowed.
 */
export function webhookCorsHeaders(webhook: CorsSettings, origin: string | null): Record<string, string> {
  const { cors } = webhook;
  if (cors === null) return {};
  const isAny = cors.origins.includes('*');
  const vary: Record<string, string> = isAny ? {} : { Vary: 'Origin' };
  if (origin === null || !isCorsOriginAllowed(webhook, origin)) return vary;
  return { ...vary, 'Access-Control-Allow-Origin': isAny ? '*' : origin, 'Access-Control-Expose-Headers': '*' };
}

/** The headers of the answer to a preflight request. Other origins learn nothing. */
export function webhookPreflightHeaders(webhook: CallingWebhook, origin: string | null): Record<string, string> {
  const headers = webhookCorsHeaders(webhook, origin);
  if (headers['Access-Control-Allow-Origin'] === undefined) return headers;
  const allowed = new Set([
    ...ALWAYS_ALLOWED_HEADERS,
    ...webhookVerifier(webhook).reads,
    ...(webhook.cors?.headers ?? []),
  ]);
  return {
    ...headers,
    'Access-Control-Allow-Methods': webhook.methods.join(', '),
    'Access-Control-Allow-Headers': [...allowed].join(', '),
    'Access-Control-Max-Age': '600',
  };
}
