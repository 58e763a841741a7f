import { createHash } from 'node:crypto';
import { runtime } from '@/server/runtime';
import type { CallHeaders } from '@/server/client-address';

const SCRIPT = 'document.forms[0].submit()';
const SCRIPT_HASH = createHash('sha256').update(SCRIPT).digest('base64');

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/**
 * Whether a form was posted by a page of another site. The browser then omitted our SameSite=Lax cookies; a page of our own that posts the
 * form again sends them.
 */
export function isFromElsewhere(headers: CallHeaders): boolean {
  const site = headers.get('sec-fetch-site');
  if (site) return site === 'cross-site';
  const origin = headers.get('origin');
  return origin !== null && origin !== new URL(runtime().env.apiBaseUrl).origin;
}

/** A page that posts these fields to the same address again, marked so that it happens once. */
export function bounce(fields: Record<string, string>): Response {
  const inputs = Object.entries({ ...fields, again: '1' })
    .map(([name, value]) => `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}">`)
    .join('');
  const html = `<!doctype html><title>Signing in</title><form method="post" action="/auth/saml">${inputs}<noscript><button>Continue</button></noscript></form><script>${SCRIPT}</script>`;
  return new Response(html, {
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': `default-src 'none'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'; script-src 'sha256-${SCRIPT_HASH}'`,
    },
  });
}
