import { SignJWT, UnsecuredJWT, decodeJwt } from 'jose';
import { expect, test, vi } from 'vitest';
import { useDatabase } from '@/server/testing/database';
import { getRuntime } from '@/server/platform/runtime';
import { ACCESS_TOKEN_SECONDS, issueAccessToken, readAccessToken } from './tokens';

useDatabase();

const OF = { userId: 'usr_a', sessionId: 'ses_b', workspaceId: 'ws_c' };
const key = () => Buffer.from(getRuntime().env.jwtSecret);
const claims = () => {
  const iat = Math.floor(Date.now() / 1000);
  return {
    sub: 'usr_a',
    ws: 'ws_c',
    jti: 'ses_b.x',
    iat,
    exp: iat + ACCESS_TOKEN_SECONDS,
    iss: 'weft',
    aud: 'weft-api',
  };
};
const signed = (payload: Record<string, unknown>, header = {}) =>
  new SignJWT(payload).setProtectedHeader({ alg: 'HS256', ...header }).sign(key());

test('a token carries its session and person for exactly one day', async () => {
  const token = await issueAccessToken(OF);
  expect(await readAccessToken(token)).toMatchObject(OF);
  const payload = decodeJwt(token);
  expect(Object.keys(payload).toSorted()).toEqual(['aud', 'exp', 'iat', 'iss', 'jti', 'sub', 'ws']);
  expect(payload.exp! - payload.iat!).toBe(86_400);
});

test('two tokens of the same second differ', async () => {
  expect(await issueAccessToken(OF)).not.toBe(await issueAccessToken(OF));
});

test('a hand-made equivalent of a valid token is accepted, so the refusals below have their own reasons', async () => {
  expect(await readAccessToken(await signed(claims()))).toMatchObject(OF);
});

test.each<[string, () => Promise<string> | string]>([
  ['alg none', () => new UnsecuredJWT(claims()).encode()],
  ['another key', () => new SignJWT(claims()).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from('x'.repeat(32)))],
  ['another algorithm', () => new SignJWT(claims()).setProtectedHeader({ alg: 'HS512' }).sign(Buffer.alloc(64, key()))],
  ['expired', () => signed({ ...claims(), iat: 1, exp: 1 + ACCESS_TOKEN_SECONDS })],
  ['a longer life', () => signed({ ...claims(), exp: claims().exp + 1 })],
  ['no expiry', () => signed({ ...claims(), exp: undefined })],
  ['issued tomorrow', () => signed({ ...claims(), iat: claims().iat + 86_400, exp: claims().exp + 86_400 })],
  ['another issuer', () => signed({ ...claims(), iss: 'somebody' })],
  ['another audience', () => signed({ ...claims(), aud: 'somebody' })],
  ['no session', () => signed({ ...claims(), jti: undefined })],
  ['claims we never make', () => signed({ ...claims(), role: 'owner' })],
  ['a critical header', () => signed(claims(), { crit: ['x'], x: 1 })],
  ['no token at all', () => 'a.b.c'],
  ['nothing', () => ''],
])('%s is refused', async (_, make) => {
  expect(
    await readAccessToken(
      await Promise.resolve()
        .then(make)
        .catch(() => 'unmakeable'),
    ),
  ).toBeNull();
});

test('a token has one spelling: another last character or padding makes the signature invalid', async () => {
  const token = await issueAccessToken(OF);
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const spellings = [...alphabet].map((last) => token.slice(0, -1) + last).filter((spelt) => spelt !== token);
  for (const spelt of [...spellings, `${token}=`, `${token}.`, ` ${token}`, token.replace('.', '=.')]) {
    expect(await readAccessToken(spelt), spelt).toBeNull();
  }
  expect(await readAccessToken(token)).toMatchObject(OF);
});

test('a token that was read before expires after a day, and is refused under another key', async () => {
  const token = await issueAccessToken(OF);
  expect(await readAccessToken(token)).toMatchObject(OF);
  const { env } = getRuntime();
  const { jwtSecret } = env;
  env.jwtSecret = 'another secret that signs the access tokens of tests';
  expect(await readAccessToken(token)).toBeNull();
  env.jwtSecret = jwtSecret;
  vi.useFakeTimers({ now: Date.now() + ACCESS_TOKEN_SECONDS * 1000, toFake: ['Date'] });
  const read = await readAccessToken(token);
  vi.useRealTimers();
  expect(read).toBeNull();
});
