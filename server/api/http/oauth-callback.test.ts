import { createHash } from 'node:crypto';
import vm from 'node:vm';
import { expect, it, vi } from 'vitest';
import { oauthCallbackPage } from './oauth-callback';

const html = await oauthCallbackPage().text();
const [, script = ''] = /<script>([\s\S]*?)<\/script>/.exec(html) ?? [];

/** Runs the page's script like a browser at this address. */
function visit(search: string, hasOpener = true) {
  const postMessage = vi.fn();
  const close = vi.fn();
  const shown = { textContent: '' };
  const location = { search, pathname: '/oauth/callback', origin: 'https://flows.example.com' };
  const window = { opener: hasOpener ? { postMessage } : null, close };
  const history = { replaceState: vi.fn() };
  vm.runInNewContext(script, { window, location, history, URLSearchParams, document: { querySelector: () => shown } });
  return { postMessage, close, shown };
}

it('sends code and state to the opener, on its own origin only, and closes', () => {
  const { postMessage, close } = visit('?code=abc&state=xyz');
  expect(postMessage.mock.calls).toEqual([
    [{ type: 'oauth_callback', code: 'abc', state: 'xyz' }, 'https://flows.example.com'],
  ]);
  expect(close).toHaveBeenCalled();
});

it('sends a refusal as well', () => {
  const { postMessage } = visit('?error=access_denied&state=xyz');
  expect(postMessage.mock.calls[0]?.[0]).toMatchObject({
    type: 'oauth_callback',
    error: 'access_denied',
    state: 'xyz',
  });
});

it('only shows a message if the service’s own page did not open it', () => {
  const { postMessage, close, shown } = visit('?code=abc&state=xyz', false);
  expect(postMessage).not.toHaveBeenCalled();
  expect(close).not.toHaveBeenCalled();
  expect(shown.textContent).toContain('not opened by the app');
});

it('runs no script but its own, and may not be framed', () => {
  const policy = oauthCallbackPage().headers.get('content-security-policy') ?? '';
  const digest = createHash('sha256').update(script).digest('base64');
  expect(policy).toContain(`script-src 'sha256-${digest}'`);
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
});
