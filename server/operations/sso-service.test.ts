import { afterAll, beforeAll, expect, test } from 'vitest';
import { prisma } from '../db/client';
import type { Env } from '../env';
import { runtime } from '../runtime';
import { Browser } from '../testing/browser';
import { useDatabase } from '../testing/database';
import { buildUser } from '../testing/factories';
import { startOidcIdp, type OidcIdp } from '../testing/oidc-idp';
import { SamlIdp } from '../testing/saml-idp';
import { beginSaml, corpAddress, postSaml, signInThrough, tokensOf, whoIs, withEnv } from '../testing/sso';

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
