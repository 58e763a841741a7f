import { deflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { Browser } from '../testing/browser';
import { useDatabase } from '../testing/database';
import { SamlIdp } from '../testing/saml-idp';
import { beginSaml, corpAddress, postSaml, useSamlCompany } from '../testing/sso';

useDatabase();

const company = useSamlCompany();

test('logging out at our place leads to the provider’s; the provider’s own request ends the login, if it is signed', async () => {
  const browser = new Browser();
  const email = corpAddress();
  const request = await beginSaml(browser, company.saml, company.provider.id, '');
  await postSaml(browser, request, await company.saml.response(request, email));
  expect((await browser.go('GET', '/api/auth/me')).status).toBe(200);
  const out = await browser.go('GET', '/auth/saml/logout');
  expect(out.location.startsWith(`${company.saml.sloUrl}?SAMLRequest=`)).toBe(true);
  expect((await browser.go('GET', '/api/auth/me')).status).toBe(401);

  const again = await beginSaml(browser, company.saml, company.provider.id, '');
  await postSaml(browser, again, await company.saml.response(again, email));
  const path = `/auth/saml/logout?provider=${company.provider.id}`;
  const ask = (isSigned: boolean) => {
    const xml = company.saml.logoutRequest(email, company.provider.setup.sloUrl ?? '', isSigned);
    return new Browser().go('POST', path, { form: { SAMLRequest: Buffer.from(xml).toString('base64') } });
  };
  expect((await ask(false)).status).toBe(401);
  expect((await browser.go('GET', '/api/auth/me')).status).toBe(200);
  expect((await ask(true)).location.startsWith(`${company.saml.sloUrl}?SAMLResponse=`)).toBe(true);
  expect((await browser.go('GET', '/api/auth/me')).status).toBe(401);
});

describe('a logout that the provider asks for by redirect', () => {
  const signedIn = async (email: string) => {
    const browser = new Browser();
    const request = await beginSaml(browser, company.saml, company.provider.id, '');
    await postSaml(browser, request, await company.saml.response(request, email));
    return browser;
  };
  const isIn = async (browser: Browser) => (await browser.go('GET', '/api/auth/me')).status === 200;
  const ask = (query: string) => new Browser().go('GET', `/auth/saml/logout?provider=${company.provider.id}&${query}`);
  const destination = () => company.provider.setup.sloUrl ?? '';
  const lowerCase = (text: string) => encodeURIComponent(text).replace(/%../g, (escape) => escape.toLowerCase());

  test.each<[string, (text: string) => string]>([
    ['upper case', encodeURIComponent],
    ['lower case', lowerCase],
  ])('ends the login and goes back, whatever its escapes: %s', async (_, escape) => {
    const email = corpAddress();
    const [browser, other] = [await signedIn(email), await signedIn(corpAddress())];
    const answer = await ask(company.saml.logoutQuery(email, destination(), escape));
    expect(answer.location.startsWith(`${company.saml.sloUrl}?SAMLResponse=`)).toBe(true);
    expect(new URL(answer.location).searchParams.get('RelayState')).toBe('their state');
    expect([await isIn(browser), await isIn(other)]).toEqual([false, true]);
  });

  test('ends nothing when it is not signed, by somebody else, weakly, for another place, changed, or a bomb', async () => {
    const email = corpAddress();
    const browser = await signedIn(email);
    const good = company.saml.logoutQuery(email, destination());
    const changed = (await SamlIdp.start()).logoutQuery(email, destination());
    const bomb = encodeURIComponent(deflateRawSync(Buffer.alloc(10_000_000)).toString('base64'));
    for (const query of [
      good.replace(/&Signature=.*/, ''),
      good.replace(/&SigAlg=[^&]*/, ''),
      changed,
      company.saml.logoutQuery(email, destination(), encodeURIComponent, 'sha1'),
      company.saml.logoutQuery(email, 'https://elsewhere.example/slo'),
      good.replace('their%20state', 'my%20state'),
      good.replace(/SAMLRequest=[^&]*/, `SAMLRequest=${bomb}`),
      good.replace(/SAMLRequest=[^&]*/, 'SAMLRequest=%21'),
      `${good}&SAMLRequest=x`,
    ]) {
      const { status } = await ask(query);
      expect([400, 401], query.slice(0, 80)).toContain(status);
    }
    expect(await isIn(browser)).toBe(true);
  });
});
