// @vitest-environment happy-dom
import { describe, expect, it, vi } from 'vitest';
import { createOauthState, createCodeVerifier } from './attempt';
import { waitForOauthCode, openOauthPopup } from './popup';

const popup = () => {
  const fake = { closed: false, close: vi.fn<() => void>() };
  return fake as typeof fake & Window;
};
const answer = (data: object, origin = location.origin) =>
  window.dispatchEvent(new MessageEvent('message', { origin, data: { type: 'oauth_callback', ...data } }));

describe('an attempt', () => {
  it('has a code verifier of 128 unreserved characters and a UUID as state, new each time', () => {
    expect(createCodeVerifier()).toMatch(/^[A-Za-z0-9\-._~]{128}$/);
    expect(createOauthState()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(createOauthState()).not.toBe(createOauthState());
  });
});

describe('the popup of a provider', () => {
  it('returns the code, and is closed', async () => {
    const opened = popup();
    const code = waitForOauthCode(opened, 'mine');
    answer({ code: 'c-1', state: 'mine' });
    await expect(code).resolves.toBe('c-1');
    expect(opened.close).toHaveBeenCalled();
  });

  it('ignores messages of other origins', async () => {
    const code = waitForOauthCode(popup(), 'mine');
    answer({ code: 'forged', state: 'mine' }, 'https://elsewhere.example');
    answer({ code: 'c-2', state: 'mine' });
    await expect(code).resolves.toBe('c-2');
  });

  it('fails with a state that this page did not send', async () => {
    const code = waitForOauthCode(popup(), 'mine');
    answer({ code: 'c-3', state: 'theirs' });
    await expect(code).rejects.toThrow('Invalid state parameter');
  });

  it('reports why the provider refused', async () => {
    const code = waitForOauthCode(popup(), 'mine');
    answer({ error: 'access_denied', error_description: 'You pressed Cancel', state: 'mine' });
    await expect(code).rejects.toThrow('You pressed Cancel');
  });

  it('fails when it is closed, but accepts an answer sent just before', async () => {
    vi.useFakeTimers();
    const closed = waitForOauthCode(Object.assign(popup(), { closed: true }), 'mine').catch(
      (error: Error) => error.message,
    );
    await vi.advanceTimersByTimeAsync(5000);
    expect(await closed).toContain('closed before');
    const late = waitForOauthCode(Object.assign(popup(), { closed: true }), 'mine');
    await vi.advanceTimersByTimeAsync(400);
    answer({ code: 'c-4', state: 'mine' });
    await expect(late).resolves.toBe('c-4');
    vi.useRealTimers();
  });

  it('fails when the browser blocks it', () => {
    vi.stubGlobal('open', () => null);
    expect(openOauthPopup).toThrow('blocked');
  });
});
