import { createHash } from 'node:crypto';
import { getRuntime } from '@/server/platform/runtime';
import type { CallHeaders } from '@/server/platform/messages/client-address';

const REPOST_SCRIPT = 'document.forms[0].submit()';
const REPOST_SCRIPT_HASH = createHash('sha256').update(REPOST_SCRIPT).digest('base64');

const escapeAttribute = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/**
 * Whether a form was posted by a page of another site. The browser then omitted our SameSite=Lax cookies; a page of our
 * own that posts the form again sends them.
 */
export function isPostedByOtherSite(headers: CallHeaders): boolean {
  const site = headers.get('sec-fetch-site');
  if (site) return site === 'cross-site';
  const origin = headers.get('origin');
  return origin !== null && origin !== new URL(getRuntime().env.apiBaseUrl).origin;
}

/** A page that posts these fields to the same address again, marked so that it happens once. */
export function repostPage(fields: Record<string, string>): Response {
  const inputs = Object.entries({ ...fields, again: '1' })
    .map(([name, value]) => `<input type="hidden" name="${escapeAttribute(name)}" value="${escapeAttribute(value)}">`)
    .join('');
  const html = `<!doctype html><title>Signing in</title><form method="post" action="/auth/saml">${inputs}<noscript><button>Continue</button></noscript></form><script>${REPOST_SCRIPT}</script>`;
  return new Response(html, {
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': `default-src 'none'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'; script-src 'sha256-${REPOST_SCRIPT_HASH}'`,
    },
  });
}
