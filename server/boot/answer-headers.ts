import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Env } from '../env';

const SECURE = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
};
const SECURE_BEHIND_TLS = { ...SECURE, 'Strict-Transport-Security': 'max-age=31536000' };

/** What every answer says. One to a program is no page, whatever stands in it. */
export const secureHeaders = ({ apiBaseUrl }: Env): Record<string, string> =>
  apiBaseUrl.startsWith('https:') ? SECURE_BEHIND_TLS : SECURE;

/**
 * Tells the browser how little a page of ours may do. Scripts run only with the nonce of this very answer, which Next
 * finds in the policy and the layout in `x-nonce`; what a client sent under these names is overwritten.
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

/** Inline styles are allowed: the components of the web app set them. Hot reload compiles in the browser. */
const policyOf = (nonce: string, { isProduction }: Env): string =>
  [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}'${isProduction ? '' : " 'unsafe-eval'"}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "worker-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
