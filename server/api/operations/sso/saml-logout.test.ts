import { deflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { Browser } from '@/server/testing/browser';
import { useDatabase } from '@/server/testing/database';
import type { Refused } from '@/server/testing/factories';
import { SamlIdp } from '@/server/testing/servers/saml-idp';
import { beginSaml, corpAddress, postSaml, useSamlCompany } from '@/server/testing/servers/sso';

useDatabase();

const company = useSamlCompany();

test('a logout here redirects to the provider’s; the provider’s own request ends the login, if it is signed', async () => {
  const browser = new Browser();
  const email = corpAddress();
  const request = await beginSaml(browser, company.saml, company.provider.id, '');
  await postSaml(browser, request, await company.saml.response(request, email));
  expect((await browser.go('GET', '/api/auth/me')).status).toBe(200);
  const out = await browser.go('GET', '/auth/saml/logout', { headers: { 'sec-fetch-site': 'same-origin' } });
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

describe('a logout request of the provider by redirect', () => {
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
  ])('ends the login and returns, with any spelling of escapes: %s', async (_, escape) => {
    const email = corpAddress();
    const [browser, other] = [await signedIn(email), await signedIn(corpAddress())];
    const answer = await ask(company.saml.logoutQuery(email, destination(), escape));
    expect(answer.location.startsWith(`${company.saml.sloUrl}?SAMLResponse=`)).toBe(true);
    expect(new URL(answer.location).searchParams.get('RelayState')).toBe('their state');
    expect([await isIn(browser), await isIn(other)]).toEqual([false, true]);
  });

  test('ends nothing when it is repeated later', async () => {
    const email = corpAddress();
    const browser = await signedIn(email);
    const old = company.saml.logoutQuery(email, destination(), encodeURIComponent, 'sha256', 20 * 60_000);
    expect((await ask(old)).status).toBe(401);
    expect(await isIn(browser)).toBe(true);
    expect((await ask(company.saml.logoutQuery(email, destination()))).status).toBe(302);
    expect(await isIn(browser)).toBe(false);
  });

  test('ends nothing if it is unsigned, signed by another key or weakly, for another address, changed, or a bomb', async () => {
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

describe('a message that takes long to read', () => {
  // A parser that recovers from each error needs quadratic time.
  const XML = '<'.repeat(160_000);
  const path = () => `/auth/saml/logout?provider=${company.provider.id}`;
  const messageOf = ({ json }: { json: unknown }) => (json as Refused).error.message;

  test('is not unpacked unless the provider signed it', async () => {
    const { sloUrl = '' } = company.provider.setup;
    const [signature = ''] = /&SigAlg.*/.exec(company.saml.logoutQuery(corpAddress(), sloUrl ?? '')) ?? [];
    const message = encodeURIComponent(deflateRawSync(XML).toString('base64'));
    const answer = await new Browser().go('GET', `${path()}&SAMLRequest=${message}${signature}`);
    expect([answer.status, messageOf(answer)]).toEqual([401, expect.stringContaining('Invalid query signature')]);
  });

  test('from a provider is refused, in every binding', async () => {
    const browser = new Browser();
    const request = await beginSaml(browser, company.saml, company.provider.id);
    const form = { SAMLRequest: Buffer.from(XML).toString('base64') };
    for (const answer of [
      await browser.go('GET', `${path()}&${company.saml.signedQuery(XML)}`),
      await browser.go('POST', path(), { form }),
      await postSaml(browser, request, XML),
    ]) {
      expect([answer.status, messageOf(answer)]).toEqual([401, expect.stringContaining('is not XML')]);
    }
  });

  test('is read elsewhere, and given up', async () => {
    const browser = new Browser();
    const request = await beginSaml(browser, company.saml, company.provider.id);
    const nested = '<a xmlns:q="x">'.repeat(24_000) + '</a>'.repeat(24_000);
    const answer = await postSaml(browser, request, nested);
    expect([answer.status, messageOf(answer)]).toEqual([401, expect.stringContaining('takes too long to read')]);
  });

  test('names the algorithm of its signature exactly', async () => {
    const query = company.saml.logoutQuery(corpAddress(), company.provider.setup.sloUrl ?? '');
    const algorithm = encodeURIComponent(`${'#'.repeat(2000)}\nsha256`);
    const answer = await new Browser().go('GET', `${path()}&${query.replace(/SigAlg=[^&]*/, `SigAlg=${algorithm}`)}`);
    expect(messageOf(answer)).toContain('too weak');
  });
});

describe('a link to the logout', () => {
  const signedIn = async () => {
    const browser = new Browser();
    const request = await beginSaml(browser, company.saml, company.provider.id, '');
    await postSaml(browser, request, await company.saml.response(request, corpAddress()));
    return browser;
  };
  const isIn = async (browser: Browser) => (await browser.go('GET', '/api/auth/me')).status === 200;
  const PATH = '/auth/saml/logout';

  test.each([
    ['of another site', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }],
    ['of another subdomain', { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'navigate' }],
    ['in a mail', { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' }],
    ['in a browser that does not tell', {}],
  ])('%s asks first and ends nothing', async (_, headers) => {
    const browser = await signedIn();
    const asked = await browser.go('GET', PATH, { headers });
    expect(asked.status).toBe(200);
    expect(asked.text).toContain('<form method="post" action="/auth/saml/logout">');
    expect(asked.headers.get('content-security-policy')).toContain(
      `form-action 'self' ${new URL(company.saml.sloUrl).origin};`,
    );
    expect(await isIn(browser)).toBe(true);
    const out = await browser.go('POST', PATH, { form: {}, headers: { 'sec-fetch-site': 'same-origin' } });
    expect(out.location.startsWith(`${company.saml.sloUrl}?SAMLRequest=`)).toBe(true);
    expect(await isIn(browser)).toBe(false);
  });

  test.each(['cross-site', 'same-site'])('a foreign form (%s) ends nothing either', async (site) => {
    const browser = await signedIn();
    const headers = { 'sec-fetch-site': site, 'sec-fetch-mode': 'navigate' };
    expect((await browser.go('POST', PATH, { form: {}, headers })).status).toBe(400);
    expect(await isIn(browser)).toBe(true);
  });
});

test('messages with a document type are refused, in both bindings and directions', async () => {
  const browser = new Browser();
  const email = corpAddress();
  const request = await beginSaml(browser, company.saml, company.provider.id, '');
  await postSaml(browser, request, await company.saml.response(request, email));
  const path = `/auth/saml/logout?provider=${company.provider.id}`;
  const xml = company.saml.logoutRequest(email, company.provider.setup.sloUrl ?? '');
  const typed = `<!DOCTYPE r [<!ENTITY who "x">]>${xml}`;
  const plain = Buffer.from(typed).toString('base64');
  const packed = encodeURIComponent(deflateRawSync(typed).toString('base64'));
  for (const answer of [
    await new Browser().go('POST', path, { form: { SAMLRequest: plain } }),
    await new Browser().go('POST', path, { form: { SAMLResponse: plain } }),
    await new Browser().go('GET', `${path}&SAMLResponse=${packed}`),
  ]) {
    expect(answer.status).toBe(401);
    expect(answer.json).toMatchObject({
      error: { code: 'UNAUTHORIZED', message: expect.stringContaining('DTD') as string },
    });
  }
  expect((await browser.go('GET', '/api/auth/me')).status).toBe(200);
});
