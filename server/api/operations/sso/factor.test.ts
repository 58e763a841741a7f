import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { z } from 'zod';
import type { MfaStateResponse } from '@/contract/access/mfa';
import type { LoginTokens } from '@/contract/access/session';
import { prismaClient } from '@/server/platform/db/client';
import { getRuntime } from '@/server/platform/runtime';
import { Browser } from '@/server/testing/browser';
import { useDatabase } from '@/server/testing/database';
import { buildUser, call, PASSWORD, type TestUser } from '@/server/testing/factories';
import { startOidcIdp, type OidcIdp } from '@/server/testing/servers/oidc-idp';
import {
  corpAddress,
  createProvider,
  oidcFields,
  signInThrough,
  tokensOf,
  withEnv,
} from '@/server/testing/servers/sso';
import { settledStep, totp } from '@/server/testing/totp';

useDatabase();

let owner: TestUser;
let idp: OidcIdp;
let providerId: string;

// The middle of a step, so that none ends between computing a code and using it.
beforeAll(() => void vi.useFakeTimers({ toFake: ['Date'], now: Math.floor(Date.now() / 30_000) * 30_000 + 15_000 }));
afterAll(() => void vi.useRealTimers());
beforeAll(async () => {
  owner = await buildUser();
  idp = await startOidcIdp(`${getRuntime().env.apiBaseUrl}/auth/oauth2_callback`);
  providerId = (await createProvider(owner, oidcFields(idp))).body.id;
});
afterAll(() => idp.close());

const signIn = async (email: string, through = providerId) =>
  tokensOf((await signInThrough(idp, through, { email, email_verified: true })).answer).accessToken;
/** As the operator of the whole service registers it. */
const withServiceProvider = <T>(work: () => Promise<T>, deploymentEnv: 'selfhosted' | 'saas' = 'selfhosted') => {
  const { issuer, clientId, clientSecret } = idp;
  return withEnv(
    { deploymentEnv, sso: { providers: { company: { issuer, clientId, clientSecret } }, saml: null } },
    work,
  );
};
const statusOf = async (token: string, workspace?: string) =>
  (await call('GET', '/api/workflows', { token, workspace })).status;
const stateOf = async (token: string) =>
  (await call<z.infer<typeof MfaStateResponse>>('GET', '/auth/mfa', { token })).body;
const setPolicy = (workspaceId: string, settings: object) =>
  prismaClient().workspace.update({ where: { id: workspaceId }, data: { settings } });
const settings = (user: TestUser, body: object) =>
  call('PUT', `/api/sso-providers/${providerId}`, { token: user.token, body });

async function enrol(token: string): Promise<string> {
  const { status, body } = await call<{ secret: string }>('POST', '/auth/mfa', { token, body: {} });
  expect(status, JSON.stringify(body)).toBe(201);
  await settledStep();
  expect((await call('PUT', '/auth/mfa', { token, body: { code: totp(body.secret, -1) } })).status).toBe(200);
  return body.secret;
}

test('a service-wide sign-in does not skip an existing second factor', async () => {
  const person = await buildUser();
  const secret = await enrol(person.token);
  const token = await withServiceProvider(() => signIn(person.email, 'company'));
  expect([await statusOf(token), await stateOf(token)]).toEqual([403, expect.objectContaining({ pending: 'prove' })]);
  expect((await call('POST', '/auth/api_keys', { token, body: { name: 'x', scopes: ['*'] } })).status).toBe(403);
  expect((await call('PUT', '/auth/mfa', { token, body: { code: '000000' } })).status).toBe(401);
  expect(await statusOf(token)).toBe(403);
  expect((await call('PUT', '/auth/mfa', { token, body: { code: totp(secret) } })).status).toBe(200);
  expect([await statusOf(token), await stateOf(token)]).toEqual([200, expect.objectContaining({ pending: null })]);
});

test('a second factor counts for one sign-in only', async () => {
  const person = await buildUser();
  const secret = await enrol(person.token);
  const [one, other] = await withServiceProvider(async () => [
    await signIn(person.email, 'company'),
    await signIn(person.email, 'company'),
  ]);
  expect((await call('PUT', '/auth/mfa', { token: one, body: { code: totp(secret) } })).status).toBe(200);
  expect([await statusOf(one!), await statusOf(other!)]).toEqual([200, 403]);
});

test('in saas mode, an account at the service’s provider is not the workspace’s own sign-in; with one company it is', async () => {
  const boss = await buildUser();
  const member = await buildUser({ workspaceId: boss.workspaceId, role: 'editor' });
  await setPolicy(boss.workspaceId, { ssoRequired: true });
  const reach = (deploymentEnv: 'selfhosted' | 'saas') =>
    withServiceProvider(async () => statusOf(await signIn(member.email, 'company'), boss.workspaceId), deploymentEnv);
  expect([await reach('saas'), await reach('selfhosted')]).toEqual([403, 200]);
});

test('if a second factor is required, the workspace’s provider must be trusted for it, or it is set up here', async () => {
  const { workspaceId } = owner;
  await setPolicy(workspaceId, { mfaPolicy: 'required' });
  const email = corpAddress();
  const token = await signIn(email);
  expect([await statusOf(token), await stateOf(token)]).toEqual([
    403,
    expect.objectContaining({ required: true, pending: 'enrol' }),
  ]);
  await enrol(token);
  expect(await statusOf(token)).toBe(200);
  const again = await signIn(email);
  expect([await statusOf(again), (await stateOf(again)).pending]).toEqual([403, 'prove']);

  await setPolicy(workspaceId, { mfaPolicy: 'off' });
  expect((await settings(owner, { isMfaTrusted: true })).body).toMatchObject({ isMfaTrusted: true });
  await setPolicy(workspaceId, { mfaPolicy: 'required' });
  const trusted = await signIn(corpAddress());
  expect([await statusOf(trusted), await statusOf(again)]).toEqual([200, 200]);

  await setPolicy(workspaceId, { mfaPolicy: 'off' });
  await settings(owner, { isMfaTrusted: false });
  await setPolicy(workspaceId, { mfaPolicy: 'required' });
  expect([await statusOf(trusted), await statusOf(again)]).toEqual([403, 403]);
  await setPolicy(workspaceId, {});
});

test('a workspace’s provider cannot set up a second factor for an account that is used elsewhere', async () => {
  const person = await buildUser();
  await setPolicy(owner.workspaceId, { mfaPolicy: 'required' });
  const token = await signIn(person.email);
  expect((await stateOf(token)).pending).toBe('enrol');
  expect((await call('POST', '/auth/mfa', { token, body: {} })).status).toBe(403);
  const login = await call<LoginTokens>('POST', '/api/auth/login', {
    body: { email: person.email, password: PASSWORD },
  });
  const { body } = await call<{ secret: string }>('POST', '/auth/mfa', { token: login.body.accessToken, body: {} });
  // Begun by the person; the operator of the provider must not be able to finish it.
  expect((await call('PUT', '/auth/mfa', { token, body: { code: totp(body.secret) } })).status).toBe(403);
  await setPolicy(owner.workspaceId, {});
});

test('a removed second factor is required again where the policy says so', async () => {
  const person = await buildUser();
  const secret = await enrol(person.token);
  await setPolicy(person.workspaceId, { mfaPolicy: 'required' });
  expect(await statusOf(person.token)).toBe(200);
  await call('DELETE', '/auth/mfa', { token: person.token, body: { code: totp(secret) } });
  expect([await statusOf(person.token), (await stateOf(person.token)).pending]).toEqual([403, 'enrol']);
});

test('the same rules apply to browsers', async () => {
  const person = await buildUser();
  await enrol(person.token);
  const browser = new Browser();
  await withServiceProvider(() =>
    signInThrough(idp, 'company', { email: person.email, email_verified: true }, { browser, query: {} }),
  );
  expect((await browser.go('GET', '/api/auth/me')).status).toBe(200);
  expect((await browser.go('GET', '/api/workflows')).status).toBe(403);
});
