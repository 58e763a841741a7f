import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LoginTokens } from '@/contract/session';
import { prisma } from '../db/client';
import type { Env } from '../env';
import { runtime } from '../runtime';
import { Browser } from '../testing/browser';
import { useDatabase } from '../testing/database';
import { buildUser, call, PASSWORD } from '../testing/factories';
import { startOidcIdp, type OidcIdp } from '../testing/oidc-idp';
import { SamlIdp } from '../testing/saml-idp';
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
} from '../testing/sso';
import { totp } from '../testing/totp';

useDatabase();

let idp: OidcIdp;
let saml: SamlIdp;

beforeAll(async () => {
  await buildUser();
  idp = await startOidcIdp(`${runtime().env.apiBaseUrl}/auth/oauth2_callback`);
  saml = await SamlIdp.start();
});
afterAll(() => idp.close());

/** With both of the providers that an operator may register. */
function withProviders<T>(deploymentEnv: Env['deploymentEnv'], work: () => Promise<T>): Promise<T> {
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

test.each(Object.entries(through))('a newcomer over %s enters the first workspace as viewer', async (_, signIn) => {
  const { accessToken } = await withProviders('selfhosted', () => signIn(corpAddress()));
  const first = await prisma().workspace.findFirstOrThrow({ orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] });
  expect((await whoIs(accessToken)).workspaces).toMatchObject([{ id: first.id, role: 'viewer' }]);
});

test.each(Object.entries(through))('in saas a newcomer over %s owns a workspace', async (_, signIn) => {
  const { accessToken } = await withProviders('saas', () => signIn(corpAddress()));
  expect((await whoIs(accessToken)).workspaces).toMatchObject([{ role: 'owner' }]);
});

test.each(Object.entries(through))(
  'somebody who is known is themselves over %s, with all they have',
  async (_, signIn) => {
    const person = await buildUser();
    const { accessToken } = await withProviders('selfhosted', () => signIn(person.email));
    expect(await whoIs(accessToken)).toMatchObject({
      user: { id: person.id },
      workspaces: [{ id: person.workspaceId, role: 'owner' }],
    });
  },
);

test('both are offered to everybody on the sign-in page; its metadata are public', async () => {
  await withProviders('selfhosted', async () => {
    const { json } = await new Browser().go('GET', '/auth/sso');
    expect(json).toMatchObject({ providers: [{ id: 'company' }, { id: 'saml', type: 'saml' }] });
    const metadata = await new Browser().go('GET', '/auth/saml/metadata?provider=saml');
    expect([metadata.status, metadata.text]).toEqual([200, expect.stringContaining('EntityDescriptor')]);
  });
});

describe('where anybody may sign up', () => {
  const signUp = async (email: string) =>
    (await call<LoginTokens>('POST', '/api/auth/signup', { body: { name: 'Ada', email, password: PASSWORD } })).body;
  const saas = <T>(work: () => Promise<T>) => withEnv({ multiTenant: true }, () => withProviders('saas', work));
  const come = (email: string, authorization?: string) =>
    signInThrough(idp, 'company', { email, email_verified: true }, { headers: authorization ? { authorization } : {} });

  test('nobody finds somebody else waiting in their account: an address has to be shown before it links', async () => {
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

  test('a workspace’s provider doesn’t link an address that was only claimed, either', async () => {
    await saas(async () => {
      const email = corpAddress();
      await signUp(email);
      const owner = await buildUser();
      const { id } = (await createProvider(owner, oidcFields(idp))).body;
      const { answer } = await signInThrough(idp, id, { email, email_verified: true });
      expect(answer.status).toBe(403);
      expect(await prisma().member.count({ where: { workspaceId: owner.workspaceId } })).toBe(1);
    });
  });

  test('an invitation proves nothing there, for its sender has the link as well', async () => {
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

  test('what a workspace’s provider set up for somebody doesn’t bind them', async () => {
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
