import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ServiceEnv } from '@/server/platform/env/env';

const SECURE_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
};
const SECURE_HEADERS_BEHIND_TLS = { ...SECURE_HEADERS, 'Strict-Transport-Security': 'max-age=31536000' };

/** The headers of every answer. An answer to a program is never a page. */
export const secureResponseHeaders = ({ apiBaseUrl }: ServiceEnv): Record<string, string> =>
  apiBaseUrl.startsWith('https:') ? SECURE_HEADERS_BEHIND_TLS : SECURE_HEADERS;

/**
 * The content security policy of pages. Scripts run only with the nonce of the same response, which Next finds in the
 * policy and the layout in `x-nonce`; client headers with these names are overwritten.
 */
export function setPageSecurityPolicy(request: IncomingMessage, response: ServerResponse, env: ServiceEnv): void {
  const nonce = randomBytes(18).toString('base64url');
  const policy = contentSecurityPolicy(nonce, env);
  request.headers['x-nonce'] = nonce;
  request.headers['content-security-policy'] = policy;
  response.setHeader('Content-Security-Policy', policy);
  response.setHeader('X-Frame-Options', 'DENY');
  response.setHeader('Referrer-Policy', 'strict-origin-when-cross-origin');
  response.setHeader('Permissions-Policy', 'camera=(), microphone=(), geolocation=()');
}

/** Inline styles are allowed, because the components of the web app set them. Hot reload compiles in the browser. */
const contentSecurityPolicy = (nonce: string, { isProduction }: ServiceEnv): string =>
  [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}'${isProduction ? '' : " 'unsafe-eval'"}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "worker-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
