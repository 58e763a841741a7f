import { beforeAll, expect, test } from 'vitest';
import type { SsoProvider } from '@/contract/sso';
import { Browser } from '../testing/browser';
import { useDatabase } from '../testing/database';
import { buildUser, type TestUser } from '../testing/factories';
import { SamlIdp } from '../testing/saml-idp';
import { beginSaml, corpAddress, createProvider, postSaml, samlFields } from '../testing/sso';

useDatabase();

let owner: TestUser;
let saml: SamlIdp;
let provider: SsoProvider;

beforeAll(async () => {
  owner = await buildUser();
  saml = await SamlIdp.start();
  provider = (await createProvider(owner, { ...samlFields(saml), domains: ['corp.example'] })).body;
});

test('logging out at our place leads to the provider’s; the provider’s own request ends the login, if it is signed', async () => {
  const browser = new Browser();
  const email = corpAddress();
  const request = await beginSaml(browser, saml, provider.id, '');
  await postSaml(browser, request, saml.response(request, email));
  expect((await browser.go('GET', '/api/auth/me')).status).toBe(200);
  const out = await browser.go('GET', '/auth/saml/logout');
  expect(out.location.startsWith(`${saml.sloUrl}?SAMLRequest=`)).toBe(true);
  expect((await browser.go('GET', '/api/auth/me')).status).toBe(401);

  const again = await beginSaml(browser, saml, provider.id, '');
  await postSaml(browser, again, saml.response(again, email));
  const path = `/auth/saml/logout?provider=${provider.id}`;
  const ask = (isSigned: boolean) => {
    const xml = saml.logoutRequest(email, provider.setup.sloUrl ?? '', isSigned);
    return new Browser().go('POST', path, { form: { SAMLRequest: Buffer.from(xml).toString('base64') } });
  };
  expect((await ask(false)).status).toBe(401);
  expect((await browser.go('GET', '/api/auth/me')).status).toBe(200);
  expect((await ask(true)).location.startsWith(`${saml.sloUrl}?SAMLResponse=`)).toBe(true);
  expect((await browser.go('GET', '/api/auth/me')).status).toBe(401);
});
