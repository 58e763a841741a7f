import { createHash } from 'node:crypto';

/**
 * The page that a provider redirects the popup to. The same bytes for all callers: it contains nothing of the address.
 * Its script reads the address, posts it to the window that opened it, on this origin only, and closes.
 */
const CALLBACK_SCRIPT = `
const query = new URLSearchParams(location.search);
const say = (text) => { document.querySelector('p').textContent = text; };
const read = (name) => query.get(name) ?? undefined;
history.replaceState(null, '', location.pathname);
if (!window.opener) {
  say('This window was not opened by the app. Close it and connect again from there.');
} else {
  const error = read('error');
  const answer = error === undefined ? { code: read('code') } : { error, error_description: read('error_description') };
  window.opener.postMessage({ type: 'oauth_callback', ...answer, state: read('state') }, location.origin);
  say(error === undefined ? 'Connected. You can close this window.' : 'Not connected. You can close this window.');
  window.close();
}
`;

const CALLBACK_STYLE = `
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; display: grid; place-items: center; min-height: 90vh; margin: 0; }
p { max-width: 26rem; padding: 1rem; text-align: center; }
`;

const contentHashSource = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const CALLBACK_PAGE = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Connecting</title><style>${CALLBACK_STYLE}</style></head>
<body><p role="status">One moment…</p><script>${CALLBACK_SCRIPT}</script></body>
</html>
`;

const CALLBACK_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-store',
  'Content-Security-Policy': `default-src 'none'; script-src ${contentHashSource(CALLBACK_SCRIPT)}; style-src ${contentHashSource(CALLBACK_STYLE)}; frame-ancestors 'none'; base-uri 'none'`,
  // The opener must stay reachable.
  'Cross-Origin-Opener-Policy': 'unsafe-none',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
};

export const oauthCallbackPage = (): Response => new Response(CALLBACK_PAGE, { headers: CALLBACK_HEADERS });
