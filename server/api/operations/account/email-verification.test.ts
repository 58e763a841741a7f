import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { LoginTokens, CurrentUser } from '@/contract/access/session';
import { prismaClient } from '@/server/platform/db/client';
import type { ServiceEnv } from '@/server/platform/env/env';
import { takeDailyCount } from '@/server/platform/quotas/daily';
import { getRuntime, setRuntime } from '@/server/platform/runtime';
import { buildUser, call, unique, type Refused } from '@/server/testing/factories';
import { useDatabase } from '@/server/testing/database';
import { until } from '@/server/testing/runs';

useDatabase();

let original: ServiceEnv;
const changeEnv = (changes: Partial<ServiceEnv>) =>
  setRuntime({ ...getRuntime(), env: { ...getRuntime().env, ...changes } });
beforeEach(() => {
  original = getRuntime().env;
  changeEnv({ multiTenant: true });
});
afterEach(() => changeEnv(original));

let last = 0;
const somewhere = () => `198.51.100.${(last += 1)}`;

async function signUp(from = somewhere()) {
  const email = `${unique('ada')}@example.com`;
  const body = { name: 'https://evil.example', email, password: 'an entirely new phrase' };
  const answer = await call<LoginTokens>('POST', '/api/auth/signup', { body, from });
  expect(answer.status).toBe(201);
  return { email, token: answer.body.accessToken };
}

const mailsTo = (email: string) => prismaClient().outboxMail.findMany({ where: { to: { has: email } } });
const linkTo = (email: string) =>
  until(async () => /verify-email\?token=(\S+)/.exec((await mailsTo(email)).at(-1)?.text ?? '')?.[1], 'the link');
const verify = (token: string, link: string) =>
  call<Refused>('POST', '/api/auth/verify-email', { token, body: { token: link } });
const resend = (token: string, from = somewhere()) =>
  call<Refused>('POST', '/api/auth/verify-email/resend', { token, from });
const isVerified = async (token: string) =>
  (await call<CurrentUser>('GET', '/api/auth/me', { token })).body.user.isEmailVerified;
const provenAt = async (email: string) =>
  (await prismaClient().user.findFirstOrThrow({ where: { email } })).emailProvenAt;

describe('signing up', () => {
  test('mails a link that confirms the address, without any text of the person', async () => {
    const { email, token } = await signUp();
    expect(await isVerified(token)).toBe(false);
    const link = await linkTo(email);
    const [mail] = await mailsTo(email);
    expect(mail?.subject).toBe('Confirm your email address');
    expect(mail?.text).not.toContain('evil.example');
    expect(await provenAt(email)).toBeNull();
    expect((await verify(token, link)).status).toBe(204);
    expect(await isVerified(token)).toBe(true);
    const first = await provenAt(email);
    expect(first).not.toBeNull();
    expect((await verify(token, link)).status).toBe(204);
    expect(await provenAt(email)).toEqual(first);
    expect(await prismaClient().auditEntry.count({ where: { action: 'auth.verifyEmail', result: 'success' } })).toBe(2);
  });

  test('does so for invited people as well, because the sender of the invitation has its link', async () => {
    const owner = await buildUser();
    const email = `${unique('guest')}@example.com`;
    const path = `/api/workspaces/${owner.workspaceId}/members`;
    const invited = await call<{ inviteUrl: string }>('POST', path, {
      token: owner.token,
      body: { email, role: 'viewer' },
    });
    const given = new URL(invited.body.inviteUrl).searchParams.get('token');
    const body = { token: given, name: 'Guest', password: 'an entirely new phrase' };
    const { accessToken } = (await call<LoginTokens>('POST', '/api/auth/accept-invite', { body })).body;
    expect(await isVerified(accessToken)).toBe(false);
    expect((await verify(accessToken, await linkTo(email))).status).toBe(204);
    expect(await isVerified(accessToken)).toBe(true);
  });

  test('has a daily limit of mailed links per network', async () => {
    const from = somewhere();
    await takeDailyCount(prismaClient(), `verification:${from}`, 99, null);
    const [one, other] = [await signUp(from), await signUp(from)];
    await linkTo(one.email);
    expect((await resend(other.token, from)).status).toBe(429);
    expect((await resend(other.token)).status).toBe(204);
    expect(await mailsTo(other.email)).toHaveLength(1);
  });
});

describe('a link', () => {
  test('confirms only its own person, and only when signed in', async () => {
    const [ada, eve] = [await signUp(), await signUp()];
    const link = await linkTo(ada.email);
    const refused = await verify(eve.token, link);
    expect([refused.status, refused.body.error.details[0]?.field]).toEqual([400, 'token']);
    expect((await call('POST', '/api/auth/verify-email', { body: { token: link } })).status).toBe(401);
    for (const { email } of [ada, eve]) expect(await provenAt(email)).toBeNull();
  });

  test('is invalid after a change of the address, or if it is forged', async () => {
    const { email, token } = await signUp();
    const link = await linkTo(email);
    const changed = `${unique('changed')}@example.com`;
    await prismaClient().user.updateMany({ where: { email }, data: { email: changed } });
    const [header, , signature] = link.split('.');
    const payload = Buffer.from(JSON.stringify({ email: changed })).toString('base64url');
    for (const bad of [link, token, `${header}.${payload}.${signature}`, 'x', '😀']) {
      expect((await verify(token, bad)).status).toBe(400);
    }
    expect(await provenAt(changed)).toBeNull();
  });

  test('is not an access token', async () => {
    const { email } = await signUp();
    expect((await call('GET', '/api/auth/me', { token: await linkTo(email) })).status).toBe(401);
  });
});

describe('requesting the link again', () => {
  test('works five times a day, and not after the address is confirmed', async () => {
    const { email, token } = await signUp();
    const link = await linkTo(email);
    const answers = [];
    for (let n = 0; n < 5; n += 1) answers.push((await resend(token)).status);
    expect(answers).toEqual([204, 204, 204, 204, 429]);
    expect(await mailsTo(email)).toHaveLength(5);
    await verify(token, link);
    expect((await resend(token)).status).toBe(409);
  });

  test('is not for API keys', async () => {
    const { token } = await signUp();
    const body = { name: 'k', scopes: ['*'] };
    const { key } = (await call<{ key: string }>('POST', '/auth/api_keys', { token, body })).body;
    expect((await resend(key)).status).toBe(403);
  });
});

test('with invitations only, nothing has to be confirmed', async () => {
  changeEnv(original);
  const user = await buildUser();
  await prismaClient().user.update({ where: { id: user.id }, data: { emailProvenAt: null } });
  expect(await isVerified(user.token)).toBe(true);
  expect((await resend(user.token)).status).toBe(409);
});

test('an older account continues to work, but its address counts as not proven', async () => {
  const user = await buildUser();
  await prismaClient().user.update({ where: { id: user.id }, data: { emailProvenAt: null, isMailTrusted: true } });
  expect(await isVerified(user.token)).toBe(true);
  expect((await resend(user.token)).status).toBe(204);
});
