import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Env } from '@/server/env/env';

const SECURE = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
};
const SECURE_BEHIND_TLS = { ...SECURE, 'Strict-Transport-Security': 'max-age=31536000' };

/** The headers of every answer. An answer to a program is never a page. */
export const secureHeaders = ({ apiBaseUrl }: Env): Record<string, string> =>
  apiBaseUrl.startsWith('https:') ? SECURE_BEHIND_TLS : SECURE;

/**
 * The content security policy of pages. Scripts run only with the nonce of the same response, which Next finds in the policy and the layout
 * in `x-nonce`; client headers with these names are overwritten.
 */
export function securePage(request: IncomingMessage, response: ServerResponse, env: Env): void {
  const nonce = randomBytes(18).toString('base64url');
  const policy = policyOf(nonce, env);
  request.headers['x-nonce'] = nonce;
  request.headers['content-security-policy'] = policy;
  response.setHeader('Content-Security-Policy', policy);
  response.setHeader('X-Frame-Options', 'DENY');
  response.setHeader('Referrer-Policy', 'strict-origin-when-cross-origin');
  response.setHeader('Permissions-Policy', 'camera=(), microphone=(), geolocation=()');
}

/** Inline styles are allowed, because the components of the web app set them. Hot reload compiles in the browser. */
const policyOf = (nonce: string, { isProduction }: Env): string =>
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
