import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { LoginTokens } from '@/contract/access/session';
import type { SsoProviderResponse } from '@/contract/access/sso';
import type { MemberResponse, PendingWorkspace } from '@/contract/workspace';
import { prismaClient } from '@/server/platform/db/client';
import { getRuntime } from '@/server/platform/runtime';
import { Browser } from '@/server/testing/browser';
import { useDatabase } from '@/server/testing/database';
import { buildUser, call, PASSWORD, unique, type Refused, type TestUser } from '@/server/testing/factories';
import { startOidcIdp, type OidcIdp } from '@/server/testing/servers/oidc-idp';
import {
  createProvider,
  oidcFields,
  proveDomains,
  publish,
  signInThrough,
  tokensOf,
  whoIs,
  withEnv,
} from '@/server/testing/servers/sso';
import { totp } from '@/server/testing/totp';

/* Two tenants of a public service: one runs a sign-in provider that asserts anything, the other just works. */
useDatabase({ multiTenant: true, deploymentEnv: 'saas' });

let idp: OidcIdp;
beforeAll(async () => {
  idp = await startOidcIdp(`${getRuntime().env.apiBaseUrl}/auth/oauth2_callback`);
});
afterAll(() => idp.close());

/** The tenant with the provider. */
let hostile: TestUser;
let provider: SsoProviderResponse;
/** A person with their own account and workspace. */
let victim: TestUser;
let domain: string;

/** The tenant may control the domain, for example as the victim's former employer. */
beforeEach(async () => {
  [hostile, victim, domain] = [await buildUser(), await buildUser(), `${unique('company')}.example`];
  const email = `victim@${domain}`;
  await prismaClient().user.update({ where: { id: victim.id }, data: { email } });
  victim = { ...victim, email };
  provider = (await createProvider(hostile, { ...oidcFields(idp), domains: [domain] })).body;
  await proveDomains(hostile, provider);
});

const assert = async (email: string, { through = provider.id, browser = new Browser() } = {}) =>
  (await signInThrough(idp, through, { email, email_verified: true, name: 'As asserted' }, { browser })).answer;
const asserted = async (email: string) => tokensOf(await assert(email)).accessToken;
const statusOf = async (token: string, path = '/api/workflows', workspace?: string) =>
  (await call('GET', path, { token, workspace })).status;
const login = (email: string, password = PASSWORD, from?: string) =>
  call<LoginTokens & Refused>('POST', '/api/auth/login', { body: { email, password }, from });
const signUp = (email: string, name = 'Real Person') =>
  call<LoginTokens & Refused>('POST', '/api/auth/signup', { body: { name, email, password: PASSWORD } });
const pendingOf = async (token: string) =>
  (await call<{ data: PendingWorkspace[]; total: number }>('GET', '/api/auth/pending-workspaces', { token })).body;
const answer = (token: string, word: 'accept' | 'leave', workspace = hostile.workspaceId) =>
  call<Refused>('POST', `/api/workspaces/${workspace}/${word}`, { token });
const setRules = (settings: object) =>
  call('PUT', `/api/workspaces/${hostile.workspaceId}`, { token: hostile.token, body: { settings } });
const STRICT = { mfaPolicy: 'required', sessionMaxHours: 1, sessionIdleMinutes: 5, passwordMinLength: 64 };
const membersOf = async (by: TestUser) =>
  (await call<{ data: MemberResponse[] }>('GET', `/api/workspaces/${by.workspaceId}/members`, { token: by.token })).body
    .data;

describe('a person whom a workspace’s provider brought in', () => {
  test('is a member in its sessions only; its policy binds neither the account nor its other sessions', async () => {
    const through = await asserted(victim.email);
    expect(await whoIs(through)).toMatchObject({
      user: { id: victim.id },
      workspaces: [{ id: hostile.workspaceId, role: 'viewer' }],
    });
    expect((await setRules({ ...STRICT, ssoRequired: true })).status).toBe(200);
    // In the provider's own sessions the policy applies.
    expect(await statusOf(through)).toBe(403);
    // Older, and longer unused, than the workspace allows.
    const at = new Date(Date.now() - 2 * 3_600_000);
    await prismaClient().session.update({ where: { id: victim.sessionId }, data: { createdAt: at, lastUsedAt: at } });

    const { token } = victim;
    expect(await whoIs(token)).toMatchObject({ workspaces: [{ id: victim.workspaceId, role: 'owner' }] });
    expect([await statusOf(token), await statusOf(token, '/api/workflows', hostile.workspaceId)]).toEqual([200, 404]);
    const listed = await call<{ data: { id: string }[]; total: number }>('GET', '/api/workspaces', { token });
    expect(listed.body).toMatchObject({ data: [{ id: victim.workspaceId }], total: 1 });
    expect((await call('GET', '/auth/mfa', { token })).body).toMatchObject({ required: false, pending: null });
    const { body: signedIn } = await login(victim.email);
    expect(await whoIs(signedIn.accessToken)).toMatchObject({ workspaces: [{ id: victim.workspaceId }] });
    expect(await statusOf(signedIn.accessToken)).toBe(200);
    const body = { currentPassword: PASSWORD, newPassword: 'a shorter phrase of mine' };
    expect((await call('POST', '/api/auth/password', { token: signedIn.accessToken, body })).status).toBe(204);
    const renewed = await call('POST', '/api/auth/refresh', { body: { refreshToken: signedIn.refreshToken } });
    expect(renewed.status).toBe(200);
  });

  test('reveals nothing of their other activity to the workspace, and stays out of its control', async () => {
    await asserted(victim.email);
    await login(victim.email);
    await login(victim.email, 'not the password');
    const { token, workspaceId } = hostile;
    const { body: log } = await call<{ data: { action: string; actor: { id: string } }[] }>(
      'GET',
      '/auth/audit?limit=100',
      { token },
    );
    const ofVictim = log.data.filter(({ actor }) => actor.id === victim.id).map(({ action }) => action);
    expect(ofVictim).toEqual(['auth.sso']);
    const member = `/api/workspaces/${workspaceId}/members/${victim.id}`;
    const sessions = await call<{ data: { method: string }[] }>('GET', `${member}/sessions`, { token });
    expect(sessions.body.data.map(({ method }) => method)).toEqual(['sso']);
    await call('DELETE', `${member}/sessions`, { token });
    expect(await statusOf(victim.token)).toBe(200);
    expect((await call('DELETE', `${member}/mfa`, { token })).status).toBe(403);
    expect((await membersOf(hostile)).find(({ userId }) => userId === victim.id)).toMatchObject({
      status: 'active',
      isAccepted: false,
    });
  });

  test('keeps blocks of their own sign-in when an administrator of the workspace lifts blocks', async () => {
    await asserted(victim.email);
    const from = '198.51.100.20';
    for (let guess = 0; guess < 5; guess++) await login(victim.email, `guess ${guess}`, from);
    const lock = `/api/workspaces/${hostile.workspaceId}/members/${victim.id}/lock`;
    expect((await call('DELETE', lock, { token: hostile.token })).status).toBe(204);
    expect((await login(victim.email, PASSWORD, from)).status).toBe(429);
  });

  test('sees who has added them, and declines; nothing is left', async () => {
    const through = await asserted(victim.email);
    const { name } = await prismaClient().workspace.findUniqueOrThrow({ where: { id: hostile.workspaceId } });
    expect(await pendingOf(victim.token)).toMatchObject({ data: [{ id: hostile.workspaceId, name }], total: 1 });
    expect(await pendingOf(through)).toMatchObject({ data: [], total: 0 });
    expect((await answer(victim.token, 'leave')).status).toBe(204);
    expect((await pendingOf(victim.token)).total).toBe(0);
    expect(await statusOf(through)).toBe(401);
    expect((await membersOf(hostile)).map(({ userId }) => userId)).toEqual([hostile.id]);
    expect((await answer(victim.token, 'leave')).status).toBe(404);
  });

  test('can decline even as the workspace’s owner, and cannot be made its only one', async () => {
    await asserted(victim.email);
    const { token, workspaceId } = hostile;
    const handOver = { userId: victim.id, password: PASSWORD };
    const transferred = await call<Refused>('POST', `/api/workspaces/${workspaceId}/transfer`, {
      token,
      body: handOver,
    });
    expect(transferred).toMatchObject({ status: 400, body: { error: { details: [{ field: 'userId' }] } } });
    const member = `/api/workspaces/${workspaceId}/members/${victim.id}`;
    expect((await call('PUT', member, { token, body: { roles: ['owner'] } })).status).toBe(200);
    expect((await answer(token, 'leave')).status).toBe(409);
    expect((await answer(victim.token, 'leave')).status).toBe(204);
  });

  test('accepts, and is an ordinary member: with the policy, and with the right to leave', async () => {
    await asserted(victim.email);
    const through = await asserted(victim.email);
    expect((await answer(through, 'accept')).status).toBe(403);
    const accepted = await answer(victim.token, 'accept');
    expect(accepted).toMatchObject({ status: 200, body: { userId: victim.id, isAccepted: true, roles: ['viewer'] } });
    expect((await answer(victim.token, 'accept')).status).toBe(404);
    expect(await statusOf(victim.token, '/api/workflows', hostile.workspaceId)).toBe(200);
    expect((await pendingOf(victim.token)).total).toBe(0);
    await setRules({ ...STRICT, ssoRequired: true });
    expect(await statusOf(victim.token)).toBe(403);
    expect((await call('GET', '/auth/mfa', { token: victim.token })).body).toMatchObject({ pending: 'enrol' });
    const leave = `/api/workspaces/${hostile.workspaceId}/leave`;
    const left = await call('POST', leave, { token: victim.token, workspace: hostile.workspaceId });
    expect(left.status).toBe(204);
    expect(await statusOf(victim.token)).toBe(200);
  });

  test('accepts with a direct invitation, too', async () => {
    await asserted(victim.email);
    const { token, workspaceId } = hostile;
    const invited = await call<{ inviteUrl: string }>('POST', `/api/workspaces/${workspaceId}/members`, {
      token,
      body: { email: victim.email, role: 'editor' },
    });
    const invitation = new URL(invited.body.inviteUrl).searchParams.get('token');
    const body = { token: invitation };
    const accepted = await call<MemberResponse>('POST', '/api/auth/accept-invite', { token: victim.token, body });
    expect(accepted.body).toMatchObject({ isAccepted: true, roles: ['editor', 'viewer'] });
    expect((await whoIs(victim.token)).workspaces).toHaveLength(2);
  });

  test('may leave in a session of the provider itself, which ends by that', async () => {
    const through = await asserted(victim.email);
    expect((await answer(through, 'leave', victim.workspaceId)).status).toBe(404);
    expect((await answer(through, 'leave')).status).toBe(204);
    expect([await statusOf(through), await statusOf(victim.token)]).toEqual([401, 200]);
  });
});

describe('a foreign address asserted by a provider', () => {
  test.each(['with a list of domains', 'without'])('%s, it reaches no account of the service', async (list) => {
    const stranger = await buildUser();
    publish({});
    const domains = list === 'without' ? [] : ['example.com'];
    const { body } = await createProvider(hostile, { ...oidcFields(idp), domains });
    const came = await assert(stranger.email, { through: body.id });
    // A list of domains refuses it, because the domain is not proven; without one the account belongs to the workspace
    // alone.
    expect(came.status).toBe(domains.length > 0 ? 403 : 200);
    const brought = await prismaClient().member.findMany({ where: { workspaceId: hostile.workspaceId } });
    expect(brought.map(({ userId }) => userId)).not.toContain(stranger.id);
    expect((await pendingOf(stranger.token)).total).toBe(0);
  });

  test('gets the same response for a known and an unknown address', async () => {
    const { body } = await createProvider(hostile, oidcFields(idp));
    const [proven, claimed, unknown] = [(await buildUser()).email, `claimed@${domain}`, `unknown@${domain}`];
    await signUp(claimed);
    const told = await Promise.all(
      [proven, claimed, unknown].map(async (email) => {
        const came = await assert(email, { through: body.id });
        const { user, workspaces } = await whoIs(tokensOf(came).accessToken);
        return { ...user, id: '', email: '', workspaces: workspaces.map(({ id, role }) => [id, role]) };
      }),
    );
    expect(told[1]).toEqual(told[0]);
    expect(told[2]).toEqual(told[0]);
    expect(told[0]).toMatchObject({ name: 'As asserted', workspaces: [[hostile.workspaceId, 'viewer']] });
  });
});

describe('an account that a workspace’s provider created', () => {
  let email: string;
  let through: string;
  let scopedId: string;
  beforeEach(async () => {
    email = `new@${domain}`;
    through = await asserted(email);
    scopedId = (await whoIs(through)).user.id;
  });

  test('leaves its address free: the person signs up, and neither account reaches the other', async () => {
    const signedUp = await signUp(email);
    expect(signedUp.status).toBe(201);
    const own = await whoIs(signedUp.body.accessToken);
    expect(own).toMatchObject({ user: { email, name: 'Real Person' }, workspaces: [{ role: 'owner' }] });
    expect(own.user.id).not.toBe(scopedId);
    expect((await pendingOf(signedUp.body.accessToken)).total).toBe(0);
    expect(await whoIs(through)).toMatchObject({ user: { id: scopedId }, workspaces: [{ id: hostile.workspaceId }] });
    expect(await whoIs(await asserted(email))).toMatchObject({ user: { name: 'As asserted' } });
    expect(await statusOf(through, '/api/workflows', own.workspaces[0]?.id)).toBe(404);
    expect((await login(email)).status).toBe(200);
    // Now the address is taken.
    expect((await signUp(email)).status).toBe(409);
  });

  test('has a separate second factor, whose codes neither block the other account nor reset its failures', async () => {
    await signUp(email);
    const { body } = await call<{ secret: string }>('POST', '/auth/mfa', { token: through, body: {} });
    const show = (code: string) => call('PUT', '/auth/mfa', { token: through, body: { code } });
    for (let guess = 0; guess < 5; guess++) expect((await show('000000')).status).toBe(401);
    expect((await show('000000')).status).toBe(429);
    expect((await login(email)).status).toBe(200);

    await prismaClient().loginThrottle.deleteMany();
    const from = '198.51.100.21';
    for (let guess = 0; guess < 4; guess++) await login(email, `guess ${guess}`, from);
    expect((await show(totp(body.secret))).status).toBe(200);
    await login(email, 'guess 4', from);
    expect((await login(email, PASSWORD, from)).status).toBe(429);
  });

  test('does not keep the person from accepting an invitation, not even in the provider’s session', async () => {
    const other = await buildUser();
    const { body: invited } = await call<{ inviteUrl: string }>(
      'POST',
      `/api/workspaces/${other.workspaceId}/members`,
      {
        token: other.token,
        body: { email, role: 'editor' },
      },
    );
    const token = new URL(invited.inviteUrl).searchParams.get('token');
    const body = { token, name: 'Real Person', password: PASSWORD };
    const accepted = await call<LoginTokens>('POST', '/api/auth/accept-invite', { token: through, body });
    expect(accepted.status).toBe(200);
    expect(await whoIs(accepted.body.accessToken)).toMatchObject({
      user: { email, name: 'Real Person' },
      workspaces: [{ id: other.workspaceId, role: 'editor' }],
    });
    expect((await whoIs(through)).workspaces).toMatchObject([{ id: hostile.workspaceId }]);
  });

  test('becomes the person’s after a provider of the whole service proves the address; the membership is pending', async () => {
    const { body: factor } = await call<{ secret: string }>('POST', '/auth/mfa', { token: through, body: {} });
    expect((await call('PUT', '/auth/mfa', { token: through, body: { code: totp(factor.secret) } })).status).toBe(200);
    const { issuer, clientId, clientSecret } = idp;
    const sso = { providers: { company: { issuer, clientId, clientSecret } }, saml: null };
    const own = await withEnv({ sso }, async () => tokensOf(await assert(email, { through: 'company' })).accessToken);
    const who = await whoIs(own);
    expect(who).toMatchObject({ user: { id: scopedId, mfaEnabled: false }, workspaces: [{ role: 'owner' }] });
    expect(who.workspaces.map(({ id }) => id)).not.toContain(hostile.workspaceId);
    expect((await pendingOf(own)).data).toMatchObject([{ id: hostile.workspaceId }]);
    await setRules(STRICT);
    expect(await statusOf(own)).toBe(200);
    expect((await whoIs(await asserted(email))).workspaces.map(({ id }) => id)).toEqual([hostile.workspaceId]);
    expect((await signUp(email)).status).toBe(409);
  });

  test('is linked instead if the account’s owner is signed in when they return', async () => {
    const mine = `claimed@${domain}`;
    const { accessToken } = (await signUp(mine)).body;
    const headers = { authorization: `Bearer ${accessToken}` };
    const { answer: came } = await signInThrough(idp, provider.id, { email: mine, email_verified: true }, { headers });
    expect((await whoIs(tokensOf(came).accessToken)).user.id).toBe((await whoIs(accessToken)).user.id);
    expect((await pendingOf(accessToken)).data).toMatchObject([{ id: hostile.workspaceId }]);
  });

  test('is created once, with any number of concurrent first sign-ins and sign-ups', async () => {
    const fresh = `fresh@${domain}`;
    const [first, second, ...signUps] = await Promise.all([
      asserted(fresh),
      asserted(fresh),
      ...[1, 2, 3].map(async () => (await signUp(fresh)).status),
    ]);
    const [one, other] = await Promise.all([whoIs(first), whoIs(second)]);
    expect(other.user.id).toBe(one.user.id);
    expect(signUps.toSorted()).toEqual([201, 409, 409]);
    const accounts = await prismaClient().user.findMany({ where: { email: fresh }, select: { onlyWorkspaceId: true } });
    expect(accounts.map(({ onlyWorkspaceId }) => onlyWorkspaceId)).toEqual(
      expect.arrayContaining([null, hostile.workspaceId]),
    );
    expect(accounts).toHaveLength(2);
  });

  test('is administered by the workspace', async () => {
    const member = `/api/workspaces/${hostile.workspaceId}/members/${scopedId}`;
    expect((await call('DELETE', `${member}/mfa`, { token: hostile.token })).status).toBe(204);
    expect(await statusOf(through)).toBe(401);
  });

  test('is deleted with its workspace', async () => {
    await prismaClient().workspace.delete({ where: { id: hostile.workspaceId } });
    expect(await prismaClient().user.count({ where: { id: scopedId } })).toBe(0);
  });
});

describe('an API key made in a session of the provider', () => {
  test('works while the provider is enabled, and so do keys that it creates', async () => {
    await call('PUT', `/api/sso-providers/${provider.id}`, { token: hostile.token, body: { defaultRole: 'admin' } });
    const through = await asserted(`admin@${domain}`);
    const make = async (token: string) => {
      const body = { name: 'x', scopes: ['*'] };
      return (await call<{ key: string; ssoProviderId: string | null }>('POST', '/auth/api_keys', { token, body }))
        .body;
    };
    const key = await make(through);
    const [second, own] = [await make(key.key), await make(hostile.token)];
    expect([key, second, own].map(({ ssoProviderId }) => ssoProviderId)).toEqual([provider.id, provider.id, null]);
    const works = () => Promise.all([key, second, own].map(({ key: token }) => statusOf(token)));
    expect(await works()).toEqual([200, 200, 200]);
    const turn = (enabled: boolean) =>
      call('PUT', `/api/sso-providers/${provider.id}`, { token: hostile.token, body: { enabled } });
    await turn(false);
    expect(await works()).toEqual([401, 401, 200]);
    await turn(true);
    expect(await works()).toEqual([200, 200, 200]);
    expect((await call('DELETE', `/api/sso-providers/${provider.id}`, { token: hostile.token })).status).toBe(204);
    expect(await works()).toEqual([401, 401, 200]);
  });

  test('ends with the membership', async () => {
    await call('PUT', `/api/sso-providers/${provider.id}`, { token: hostile.token, body: { defaultRole: 'admin' } });
    const through = await asserted(victim.email);
    const { body } = await call<{ key: string }>('POST', '/auth/api_keys', {
      token: through,
      body: { name: 'x', scopes: ['read'] },
    });
    expect(await statusOf(body.key)).toBe(200);
    await answer(victim.token, 'leave');
    expect(await statusOf(body.key)).toBe(401);
  });
});
