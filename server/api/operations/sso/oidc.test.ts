import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AuditEntryResponse } from '@/contract/audit';
import type { LoginTokens } from '@/contract/access/session';
import type { SsoProviderResponse } from '@/contract/access/sso';
import { systemRoleId } from '@/server/platform/db/system-role-id';
import { prismaClient } from '@/server/platform/db/client';
import { getRuntime } from '@/server/platform/runtime';
import { Browser } from '@/server/testing/browser';
import { useDatabase } from '@/server/testing/database';
import { buildUser, buildWorkspace, call, join, PASSWORD, type TestUser } from '@/server/testing/factories';
import { startOidcIdp, type OidcIdp } from '@/server/testing/servers/oidc-idp';
import { corpAddress, createProvider, oidcFields, signInThrough, tokensOf, whoIs } from '@/server/testing/servers/sso';

useDatabase();

let owner: TestUser;
let idp: OidcIdp;
let oidc: SsoProviderResponse;

beforeAll(async () => {
  owner = await buildUser();
  idp = await startOidcIdp(`${getRuntime().env.apiBaseUrl}/auth/oauth2_callback`);
  oidc = (await createProvider(owner, { ...oidcFields(idp), domains: ['corp.example'] })).body;
});
afterAll(() => idp.close());

test('a new person signs in through OpenID Connect: a member with the default role, in this workspace only', async () => {
  const email = corpAddress();
  const { answer } = await signInThrough(idp, oidc.id, {
    email: email.toUpperCase(),
    email_verified: true,
    name: 'New Person',
  });
  const { accessToken, refreshToken } = tokensOf(answer);
  expect(await whoIs(accessToken)).toMatchObject({
    user: { email, name: 'New Person', mfaEnabled: false },
    workspaces: [{ id: owner.workspaceId, role: 'viewer' }],
  });
  expect((await call('GET', '/api/workflows', { token: accessToken })).status).toBe(200);
  expect((await call('POST', '/api/workflows', { token: accessToken, body: { name: 'x' } })).status).toBe(403);
  const renewed = await call<LoginTokens>('POST', '/api/auth/refresh', { body: { refreshToken } });
  expect((await call('GET', '/api/workflows', { token: renewed.body.accessToken })).status).toBe(200);
});

test('a session of a workspace’s provider reaches neither the person’s other workspaces nor the account', async () => {
  const person = await buildUser();
  const email = `mine${person.email}`.replace('example.com', 'corp.example');
  await prismaClient().user.update({ where: { id: person.id }, data: { email } });
  const { answer } = await signInThrough(idp, oidc.id, { email, email_verified: true });
  const { accessToken: token } = tokensOf(answer);
  const who = await whoIs(token);
  expect(who.user.id).toBe(person.id);
  expect(who.workspaces.map(({ id }) => id)).toEqual([owner.workspaceId]);
  expect((await call('GET', '/api/workflows', { token, workspace: person.workspaceId })).status).toBe(404);
  expect((await call('POST', '/auth/mfa', { token, body: {} })).status).toBe(403);
  expect((await call('POST', '/api/workspaces', { token, body: { name: 'x' } })).status).toBe(403);
});

test.each([
  ['unverified', { email: 'a@corp.example', email_verified: false }],
  ['unverified', { email: 'a@corp.example' }],
  ['of another domain', { email: 'a@elsewhere.example', email_verified: true }],
  ['of a look-alike domain', { email: 'a@evil.corp.example.evil.example', email_verified: true }],
  ['missing', { email_verified: true }],
])('an address that is %s is refused', async (_, claims) => {
  expect((await signInThrough(idp, oidc.id, claims)).answer.status).toBe(403);
});

test('an answer works once, in the browser that began, and only with its state', async () => {
  const browser = new Browser();
  const { back, answer } = await signInThrough(
    idp,
    oidc.id,
    { email: corpAddress(), email_verified: true },
    { browser },
  );
  expect(answer.status).toBe(200);
  expect((await browser.go('GET', back)).status).toBe(401);
  const begun = await browser.go('GET', `/auth/oauth2?provider=${oidc.id}&response=token`);
  const stolen = await idp.signIn(begun.location, idp.account({ email: corpAddress(), email_verified: true }));
  expect((await new Browser().go('GET', stolen)).status).toBe(401);
  const forged = new URL(stolen);
  forged.searchParams.set('state', 'x'.repeat(43));
  expect((await browser.go('GET', forged.href)).status).toBe(401);
  expect((await browser.go('GET', stolen)).status).toBe(200);
});

test('an attempt expires after ten minutes', async () => {
  const browser = new Browser();
  const begun = await browser.go('GET', `/auth/oauth2?provider=${oidc.id}&response=token`);
  const back = await idp.signIn(begun.location, idp.account({ email: corpAddress(), email_verified: true }));
  await prismaClient().ssoAttempt.updateMany({ data: { expiresAt: new Date() } });
  expect((await browser.go('GET', back)).status).toBe(401);
});

test('a code of another attempt is refused, because verifier and nonce differ', async () => {
  const [attacker, victim] = [new Browser(), new Browser()];
  const begun = await attacker.go('GET', `/auth/oauth2?provider=${oidc.id}&response=token`);
  const back = new URL(await idp.signIn(begun.location, idp.account({ email: corpAddress(), email_verified: true })));
  const own = new URL((await victim.go('GET', `/auth/oauth2?provider=${oidc.id}&response=token`)).location);
  back.searchParams.set('state', own.searchParams.get('state') ?? '');
  expect((await victim.go('GET', back.href)).status).toBe(401);
});

test('a browser gets a session cookie and is redirected; a failure is shown on the sign-in page', async () => {
  const browser = new Browser();
  const { answer } = await signInThrough(
    idp,
    oidc.id,
    { email: corpAddress(), email_verified: true },
    { browser, query: { returnTo: '/executions?status=failed' } },
  );
  expect(answer).toMatchObject({ status: 302, location: '/executions?status=failed' });
  const cookie = answer.headers.getSetCookie().find((line) => line.startsWith('weft.session='));
  expect(cookie).toMatch(/HttpOnly; SameSite=Lax/);
  expect((await browser.go('GET', '/api/auth/me')).status).toBe(200);
  const page = await new Browser().go('GET', '/auth/oauth2_callback?state=none&code=x', {
    headers: { accept: 'text/html' },
  });
  expect(page).toMatchObject({ status: 302, location: '/login?sso=expired' });
});

test.each([
  '//evil.example',
  'https://evil.example/',
  '/\\evil.example',
  '/\t/evil.example',
  'javascript:alert(1)',
  'x',
])('returnTo %s is refused', async (returnTo) => {
  const query = new URLSearchParams({ provider: oidc.id, returnTo });
  expect((await new Browser().go('GET', `/auth/oauth2?${query}`)).status).toBe(400);
});

test('a user with more permissions than the provider’s editor cannot sign in through it', async () => {
  const workspaceId = await buildWorkspace();
  const boss = await buildUser({ workspaceId });
  const admin = await buildUser({ workspaceId, role: 'admin' });
  expect((await createProvider(admin, { ...oidcFields(idp), defaultRole: 'owner' })).status).toBe(403);
  const { body: mine } = await createProvider(admin, oidcFields(idp));
  const browser = new Browser();
  const begun = await browser.go('GET', `/auth/oauth2?provider=${mine.id}&response=token`);
  const back = await idp.signIn(begun.location, idp.account({ email: boss.email, email_verified: true }));
  expect((await browser.go('GET', back)).status).toBe(403);
});

test('groups assign and withdraw roles', async () => {
  const groupRoles = [{ group: 'builders', role: 'editor' }];
  expect(
    (await call('PUT', `/api/sso-providers/${oidc.id}`, { token: owner.token, body: { groupRoles } })).status,
  ).toBe(200);
  const email = corpAddress();
  const subject = { email, email_verified: true, groups: ['builders'] };
  const first = tokensOf((await signInThrough(idp, oidc.id, subject)).answer);
  expect((await whoIs(first.accessToken)).workspaces[0]?.role).toBe('editor');
  const later = tokensOf((await signInThrough(idp, oidc.id, { ...subject, groups: [] })).answer);
  expect((await whoIs(later.accessToken)).workspaces[0]?.role).toBe('viewer');
});

test('groups never withdraw the last owner’s role; the audit log reports it', async () => {
  const boss = await buildUser();
  const groupRoles = [
    { group: 'bosses', role: 'owner' },
    { group: 'builders', role: 'editor' },
  ];
  const { body: mapped } = await createProvider(boss, { ...oidcFields(idp), groupRoles });
  const come = async (groups: string[]) => {
    const claims = { email: boss.email, email_verified: true, groups };
    return (await whoIs(tokensOf((await signInThrough(idp, mapped.id, claims)).answer).accessToken)).workspaces[0]
      ?.role;
  };
  const refusals = async () =>
    (await call<{ data: AuditEntryResponse[] }>('GET', '/auth/audit?action=auth.mapRoles', { token: boss.token })).body
      .data;
  expect(await come(['bosses', 'builders'])).toBe('owner');
  expect(await refusals()).toEqual([]);
  expect(await come([])).toBe('owner');
  expect(await refusals()).toMatchObject([{ result: 'denied', category: 'authorization', actor: { id: boss.id } }]);
  const rolesOf = () =>
    prismaClient().roleAssignment.findMany({ where: { workspaceId: boss.workspaceId, userId: boss.id } });
  expect((await rolesOf()).map(({ roleId }) => roleId)).toEqual([systemRoleId('owner')]);
  // A person who did not accept does not count as an owner; one who accepted does.
  const other = await buildUser({ workspaceId: boss.workspaceId });
  const accepted = (acceptedAt: Date | null) =>
    prismaClient().member.updateMany({ where: { userId: other.id }, data: { acceptedAt } });
  await accepted(null);
  expect(await come([])).toBe('owner');
  await accepted(new Date());
  expect(await come([])).toBe('none');
});

test('disabling a provider ends its sessions and refuses new sign-ins', async () => {
  const { body: extra } = await createProvider(owner, oidcFields(idp));
  const browser = new Browser();
  const begun = await browser.go('GET', `/auth/oauth2?provider=${extra.id}&response=token`);
  const back = await idp.signIn(begun.location, idp.account({ email: corpAddress(), email_verified: true }));
  const { accessToken } = tokensOf(await browser.go('GET', back));
  await call('PUT', `/api/sso-providers/${extra.id}`, { token: owner.token, body: { enabled: false } });
  expect((await call('GET', '/api/auth/me', { token: accessToken })).status).toBe(401);
  expect((await browser.go('GET', `/auth/oauth2?provider=${extra.id}`)).status).toBe(404);
});

test('if single sign-on is required, passwords open the other workspaces only, except for owners', async () => {
  const workspaceId = await buildWorkspace();
  const boss = await buildUser({ workspaceId });
  const member = await buildUser({ workspaceId, role: 'editor' });
  await prismaClient().workspace.update({ where: { id: workspaceId }, data: { settings: { ssoRequired: true } } });
  const login = (user: TestUser) =>
    call<LoginTokens>('POST', '/api/auth/login', { body: { email: user.email, password: PASSWORD } });
  expect((await call('GET', '/api/workflows', { token: member.token })).status).toBe(403);
  expect((await login(member)).status).toBe(403);
  const elsewhere = await buildWorkspace();
  await join(member.id, elsewhere, 'editor');
  const { body } = await login(member);
  expect((await call('GET', '/api/workflows', { token: body.accessToken })).status).toBe(200);
  expect((await call('GET', '/api/workflows', { token: body.accessToken, workspace: workspaceId })).status).toBe(403);
  expect((await call('GET', '/api/workflows', { token: (await login(boss)).body.accessToken })).status).toBe(200);
});

test('the secret of a provider is sealed and never returned, and an update keeps it', async () => {
  const row = await prismaClient().ssoProvider.findUniqueOrThrow({ where: { id: oidc.id } });
  expect(JSON.stringify(row)).not.toContain(idp.clientSecret);
  const answer = await call<SsoProviderResponse>('GET', `/api/sso-providers/${oidc.id}`, { token: owner.token });
  expect(JSON.stringify(answer.body)).not.toContain(idp.clientSecret);
  expect(answer.body).toMatchObject({ hasClientSecret: true, lastSignIn: { isOk: expect.any(Boolean) } });
  await call('PUT', `/api/sso-providers/${oidc.id}`, { token: owner.token, body: { name: 'Renamed' } });
  expect((await signInThrough(idp, oidc.id, { email: corpAddress(), email_verified: true })).answer.status).toBe(200);
});

test('the sign-in page shows the providers of an address', async () => {
  const answer = await call<{ providers: { id: string }[] }>('GET', '/auth/sso?email=anybody@corp.example');
  expect(answer.body.providers.map(({ id }) => id)).toEqual([oidc.id]);
  expect((await call('GET', '/auth/sso?email=anybody@elsewhere.example')).body).toEqual({ providers: [] });
});

test('the test shows administrators the provider’s assertion, without a sign-in', async () => {
  const claims = { email: 'stranger@elsewhere.example', email_verified: true };
  const browser = new Browser();
  const start = `/auth/oauth2?provider=${oidc.id}&response=test`;
  expect((await browser.go('GET', start)).status).toBe(403);
  const begun = await browser.go('GET', start, { headers: { authorization: `Bearer ${owner.token}` } });
  const answer = await browser.go('GET', await idp.signIn(begun.location, idp.account(claims)));
  expect(answer.json).toMatchObject({ isOk: false, claims });
  expect(await prismaClient().user.findFirst({ where: { email: claims.email } })).toBeNull();
});
