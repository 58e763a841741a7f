import { encode } from 'next-auth/jwt';
import { describe, expect, it } from 'vitest';
import { useDatabase } from '@/server/testing/database';
import { readBrowserSessionId, sessionCookieSecret, SESSION_COOKIE_NAME } from './browser-session';

useDatabase();

const cookie = async (secret = sessionCookieSecret(), maxAge = 60) =>
  `theme=dark; ${SESSION_COOKIE_NAME}=${await encode({ token: { sessionId: 'ses_1' }, secret, maxAge })}`;
const session = async (headers: Record<string, string>, method = 'POST') =>
  readBrowserSessionId(new Headers(headers), method);

describe('the session cookie of a browser', () => {
  it('names the session that it was issued for', async () => {
    expect(await session({ cookie: await cookie() })).toBe('ses_1');
  });

  it.each([
    ['no cookie', async () => ''],
    ['a made-up one', async () => `${SESSION_COOKIE_NAME}=abc.def.ghi`],
    ['one made under another key', async () => cookie('another key of some length')],
    ['one that is over', async () => cookie(sessionCookieSecret(), -60)],
  ])('names no session: %s', async (_, make) => {
    expect(await session({ cookie: await make() })).toBeNull();
  });

  it.each([
    [{ 'sec-fetch-site': 'same-origin' }, 'ses_1'],
    [{ 'sec-fetch-site': 'none' }, 'ses_1'],
    [{ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' }, null],
    [{ 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors' }, null],
    [{ host: 'weft.example', origin: 'http://weft.example' }, 'ses_1'],
    [{ host: 'weft.example', origin: 'http://evil.example' }, null],
    [{ host: 'weft.example', origin: 'null' }, null],
  ])('is accepted or refused by the page that sent it: %j', async (headers, expected) => {
    expect(await session({ ...headers, cookie: await cookie() })).toBe(expected);
  });

  it.each(['cross-site', 'same-site'])(
    'is accepted for a followed link and refused for a posted form: %s',
    async (site) => {
      const headers = { 'sec-fetch-site': site, 'sec-fetch-mode': 'navigate', cookie: await cookie() };
      const reads = ['GET', 'HEAD'].map((method) => session(headers, method));
      expect(await Promise.all(reads)).toEqual(['ses_1', 'ses_1']);
      const writes = ['POST', 'PUT', 'PATCH', 'DELETE'].map((method) => session(headers, method));
      expect(await Promise.all(writes)).toEqual([null, null, null, null]);
    },
  );
});
