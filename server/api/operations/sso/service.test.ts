import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LoginTokens } from '@/contract/access/session';
import { prismaClient } from '@/server/platform/db/client';
import type { ServiceEnv } from '@/server/platform/env/env';
import { getRuntime } from '@/server/platform/runtime';
import { Browser } from '@/server/testing/browser';
import { useDatabase } from '@/server/testing/database';
import { buildUser, call, PASSWORD } from '@/server/testing/factories';
import { startOidcIdp, type OidcIdp } from '@/server/testing/servers/oidc-idp';
import { SamlIdp } from '@/server/testing/servers/saml-idp';
import {
  beginSaml,
  corpAddress,
  createProvider,
  oidcFields,
  postSaml,
  signInThrough,
  tokensOf,
  whoIs,
  withEnv,
} from '@/server/testing/servers/sso';
import { totp } from '@/server/testing/totp';

useDatabase();

let idp: OidcIdp;
let saml: SamlIdp;

beforeAll(async () => {
  await buildUser();
  idp = await startOidcIdp(`${getRuntime().env.apiBaseUrl}/auth/oauth2_callback`);
  saml = await SamlIdp.start();
});
afterAll(() => idp.close());

/** With both providers that an operator can register. */
function withProviders<T>(deploymentEnv: ServiceEnv['deploymentEnv'], work: () => Promise<T>): Promise<T> {
  const { issuer, clientId, clientSecret } = idp;
  const { entityId, ssoUrl, sloUrl, keys } = saml;
  const sso = {
    providers: { company: { issuer, clientId, clientSecret } },
    saml: { entityId, ssoUrl, sloUrl, certificate: keys.certificate },
  };
  return withEnv({ deploymentEnv, sso }, work);
}

const through = {
  'OpenID Connect': async (email: string) =>
    tokensOf((await signInThrough(idp, 'company', { email, email_verified: true })).answer),
  SAML: async (email: string) => {
    const browser = new Browser();
    const request = await beginSaml(browser, saml, 'saml');
    return tokensOf(await postSaml(browser, request, await saml.response(request, email)));
  },
};

test.each(Object.entries(through))('a new person over %s becomes viewer of the first workspace', async (_, signIn) => {
  const { accessToken } = await withProviders('selfhosted', () => signIn(corpAddress()));
  const first = await prismaClient().workspace.findFirstOrThrow({ orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] });
  expect((await whoIs(accessToken)).workspaces).toMatchObject([{ id: first.id, role: 'viewer' }]);
});

test.each(Object.entries(through))('in saas mode a new person over %s owns a workspace', async (_, signIn) => {
  const { accessToken } = await withProviders('saas', () => signIn(corpAddress()));
  expect((await whoIs(accessToken)).workspaces).toMatchObject([{ role: 'owner' }]);
});

test.each(Object.entries(through))('an existing person keeps their account over %s', async (_, signIn) => {
  const person = await buildUser();
  const { accessToken } = await withProviders('selfhosted', () => signIn(person.email));
  expect(await whoIs(accessToken)).toMatchObject({
    user: { id: person.id },
    workspaces: [{ id: person.workspaceId, role: 'owner' }],
  });
});

test('both are offered to all users on the sign-in page; the metadata are public', async () => {
  await withProviders('selfhosted', async () => {
    const { json } = await new Browser().go('GET', '/auth/sso');
    expect(json).toMatchObject({ providers: [{ id: 'company' }, { id: 'saml', type: 'saml' }] });
    const metadata = await new Browser().go('GET', '/auth/saml/metadata?provider=saml');
    expect([metadata.status, metadata.text]).toEqual([200, expect.stringContaining('EntityDescriptor')]);
  });
});

describe('with open sign-up', () => {
  const signUp = async (email: string) =>
    (await call<LoginTokens>('POST', '/api/auth/signup', { body: { name: 'Ada', email, password: PASSWORD } })).body;
  const saas = <T>(work: () => Promise<T>) => withEnv({ multiTenant: true }, () => withProviders('saas', work));
  const come = (email: string, authorization?: string) =>
    signInThrough(idp, 'company', { email, email_verified: true }, { headers: authorization ? { authorization } : {} });

  test('an attacker cannot pre-register an account: an address must be proven before it links', async () => {
    await saas(async () => {
      const email = corpAddress();
      const squatter = await signUp(email);
      expect((await come(email)).answer.status).toBe(403);
      const other = await signUp(corpAddress());
      expect((await come(email, `Bearer ${other.accessToken}`)).answer.status).toBe(403);
      const { answer } = await come(email, `Bearer ${squatter.accessToken}`);
      const [before, after] = [await whoIs(squatter.accessToken), await whoIs(tokensOf(answer).accessToken)];
      expect(after.user.id).toBe(before.user.id);
      expect((await come(email)).answer.status).toBe(200);
    });
  });

  test('a workspace’s provider does not link an unproven address either, and its person is not locked out', async () => {
    await saas(async () => {
      const email = corpAddress();
      const squatter = await whoIs((await signUp(email)).accessToken);
      const owner = await buildUser();
      const { id } = (await createProvider(owner, oidcFields(idp))).body;
      const { answer } = await signInThrough(idp, id, { email, email_verified: true });
      const person = await whoIs(tokensOf(answer).accessToken);
      expect(person).toMatchObject({ user: { email }, workspaces: [{ id: owner.workspaceId }] });
      expect(person.user.id).not.toBe(squatter.user.id);
    });
  });

  test('a member who signed up is asked to sign in first, because another account would not help', async () => {
    await saas(async () => {
      const email = corpAddress();
      const { accessToken: token } = await signUp(email);
      const { body } = await createProvider({ ...(await buildUser()), token }, oidcFields(idp));
      expect((await signInThrough(idp, body.id, { email, email_verified: true })).answer.status).toBe(403);
      const headers = { authorization: `Bearer ${token}` };
      const { answer } = await signInThrough(idp, body.id, { email, email_verified: true }, { headers });
      expect((await whoIs(tokensOf(answer).accessToken)).user.id).toBe((await whoIs(token)).user.id);
    });
  });

  test('an invitation proves nothing, because its sender has the link as well', async () => {
    await saas(async () => {
      const [owner, email] = [await buildUser(), corpAddress()];
      const invited = await call<{ inviteUrl: string }>('POST', `/api/workspaces/${owner.workspaceId}/members`, {
        token: owner.token,
        body: { email, role: 'viewer' },
      });
      const token = new URL(invited.body.inviteUrl).searchParams.get('token');
      const accepted = await call('POST', '/api/auth/accept-invite', {
        body: { token, name: 'x', password: PASSWORD },
      });
      expect([accepted.status, (await come(email)).answer.status]).toEqual([200, 403]);
    });
  });

  test('settings that a workspace’s provider made for a person do not bind them', async () => {
    await saas(async () => {
      const [owner, email] = [await buildUser(), corpAddress()];
      const { id } = (await createProvider(owner, oidcFields(idp))).body;
      const { accessToken: token } = tokensOf((await signInThrough(idp, id, { email, email_verified: true })).answer);
      const { body } = await call<{ secret: string }>('POST', '/auth/mfa', { token, body: {} });
      expect((await call('PUT', '/auth/mfa', { token, body: { code: totp(body.secret) } })).status).toBe(200);
      const own = tokensOf((await come(email)).answer);
      expect((await call('GET', '/api/workflows', { token: own.accessToken })).status).toBe(200);
    });
  });
});
