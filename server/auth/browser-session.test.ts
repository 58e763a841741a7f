import { encode } from 'next-auth/jwt';
import { describe, expect, it } from 'vitest';
import { useDatabase } from '../testing/database';
import { browserSession, cookieSecret, SESSION_COOKIE } from './browser-session';

useDatabase();

const cookie = async (secret = cookieSecret(), maxAge = 60) =>
  `theme=dark; ${SESSION_COOKIE}=${await encode({ token: { sessionId: 'ses_1' }, secret, maxAge })}`;
const session = async (headers: Record<string, string>) => browserSession(new Headers(headers));

describe('the cookie of a browser', () => {
  it('names the session that it was given for', async () => {
    expect(await session({ cookie: await cookie() })).toBe('ses_1');
  });

  it.each([
    ['no cookie', async () => ''],
    ['a made-up one', async () => `${SESSION_COOKIE}=abc.def.ghi`],
    ['one made under another key', async () => cookie('another key of some length')],
    ['one that is over', async () => cookie(cookieSecret(), -60)],
  ])('names nobody: %s', async (_, make) => {
    expect(await session({ cookie: await make() })).toBeNull();
  });

  it.each([
    [{ 'sec-fetch-site': 'same-origin' }, 'ses_1'],
    [{ 'sec-fetch-site': 'none' }, 'ses_1'],
    [{ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }, 'ses_1'],
    [{ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' }, null],
    [{ 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors' }, null],
    [{ host: 'weft.example', origin: 'http://weft.example' }, 'ses_1'],
    [{ host: 'weft.example', origin: 'http://evil.example' }, null],
    [{ host: 'weft.example', origin: 'null' }, null],
  ])('is believed according to the page that sent it: %j', async (headers, expected) => {
    expect(await session({ ...headers, cookie: await cookie() })).toBe(expected);
  });
});
