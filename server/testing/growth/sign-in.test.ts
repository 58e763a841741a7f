import { deflateRawSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { Browser } from '../browser';
import { useDatabase } from '@/server/testing/database';
import { beginSaml, useSamlCompany } from '../servers/sso';
import { findAllGrowth, type HostileInput } from './growth';
import { inputOf, type Make, type Target } from './operation-inputs';
import { prepareRequest, useListener } from './requests';
import { FORMS, HEADERS, JSONS, LONG_RUN, LONG_RUNS, MAX_HEAD, XMLS } from './texts';
import { BYTES_PER_MIB } from '@/contract/units';

useDatabase({ rateLimitTier: 'unlimited', trustProxy: 1 });
const listener = useListener();
const company = useSamlCompany();

const MINUTES = 10 * 60_000;
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' };

const cookieOf = ({ cookies }: Browser) => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');

/** A form with one field whose value is base64 may have this many bytes in it. */
const MOST_IN_BASE64 = Math.floor((BYTES_PER_MIB * 3) / 4) - 4096;

test.each(Object.entries(XMLS))('a SAML response with %s', { timeout: MINUTES }, async (name, xml) => {
  const { saml, provider } = company;
  const input: HostileInput = {
    name,
    largest: MOST_IN_BASE64,
    async prepare(size) {
      // Each answer needs a sign-in that has begun.
      const browser = new Browser();
      const { relayState } = await beginSaml(browser, saml, provider.id);
      const fields = { SAMLResponse: Buffer.from(xml(size)).toString('base64'), RelayState: relayState };
      return prepareRequest(listener, {
        method: 'POST',
        target: '/auth/saml',
        headers: { ...FORM_TYPE, cookie: cookieOf(browser) },
        body: Object.entries(fields)
          .map(([field, value]) => `${field}=${encodeURIComponent(value)}`)
          .join('&'),
      });
    },
  };
  expect(await findAllGrowth([input])).toEqual([]);
});

const packed = (xml: string) => encodeURIComponent(deflateRawSync(xml).toString('base64'));

/** The largest size of a text that fits into an address, packed. */
function mostPacked(make: (size: number) => string): number {
  let size = BYTES_PER_MIB;
  while (packed(make(size)).length > MAX_HEAD - 1024) size = Math.floor(size / 2);
  return size;
}

test.each(Object.entries(XMLS))('a SAML logout with %s', { timeout: MINUTES }, async (_, xml) => {
  const address = `/auth/saml/logout?provider=${company.provider.id}`;
  const target: Target = { listener, address, headers: {} };
  const inputs = ['SAMLRequest', 'SAMLResponse'].flatMap((field) => {
    const query = (size: number) => ({ target: `${address}&${field}=${packed(xml(size))}&SigAlg=a&Signature=a` });
    const form = (size: number) => ({
      headers: FORM_TYPE,
      body: `${field}=${encodeURIComponent(Buffer.from(xml(size)).toString('base64'))}`,
    });
    return [
      inputOf(target, 'GET', [`query ${field}`, mostPacked(xml), query]),
      inputOf(target, 'POST', [`form ${field}`, MOST_IN_BASE64, form]),
    ];
  });
  expect(await findAllGrowth(inputs)).toEqual([]);
});

let csrf: { cookie: string; token: string };
beforeAll(async () => {
  const browser = new Browser();
  const { json } = await browser.go('GET', '/api/auth/csrf');
  csrf = { cookie: cookieOf(browser), token: (json as { csrfToken: string }).csrfToken };
});

/** The addresses of next-auth. */
const READS = ['providers', 'csrf', 'session', 'signin', 'signout', 'error'];
const CHANGES = ['callback/credentials', 'signout', '_log'];

test.each(CHANGES)('a form for next-auth: %s', { timeout: MINUTES }, async (action) => {
  const target: Target = { listener, address: `/api/auth/${action}`, headers: { cookie: csrf.cookie } };
  const inputs: [string, number, Make][] = [
    ...Object.entries(FORMS).map(([name, make]): [string, number, Make] => [
      `form: ${name}`,
      BYTES_PER_MIB - 1024,
      (size) => ({ headers: FORM_TYPE, body: `csrfToken=${csrf.token}&${make(size)}` }),
    ]),
    ...Object.entries({ 'many fields': JSONS['many fields']!, 'one long text': JSONS['one long text']! }).map(
      ([name, make]): [string, number, Make] => [
        `json: ${name}`,
        BYTES_PER_MIB,
        (size) => ({ headers: { 'content-type': 'application/json' }, body: make(size) }),
      ],
    ),
    ...['email', 'password', 'callbackUrl', 'csrfToken'].flatMap((field) =>
      Object.entries(LONG_RUNS).map(([name, make]): [string, number, Make] => [
        `${name} at ${field}`,
        LONG_RUN,
        (size) => ({ headers: FORM_TYPE, body: `csrfToken=${csrf.token}&${field}=${encodeURIComponent(make(size))}` }),
      ]),
    ),
  ];
  expect(await findAllGrowth(inputs.map((input) => inputOf(target, 'POST', input)))).toEqual([]);
});

test.each(READS)('a query and headers for next-auth: %s', { timeout: MINUTES }, async (action) => {
  const address = `/api/auth/${action}`;
  const target: Target = { listener, address, headers: {} };
  const inputs: [string, number, Make][] = [
    ...Object.entries(FORMS).map(([name, make]): [string, number, Make] => [
      `query: ${name}`,
      MAX_HEAD,
      (size) => ({ target: `${address}?${make(size)}` }),
    ]),
    ...Object.entries(LONG_RUNS).map(([name, make]): [string, number, Make] => [
      `${name} at callbackUrl`,
      MAX_HEAD / 3,
      (size) => ({ target: `${address}?callbackUrl=${encodeURIComponent(make(size))}` }),
    ]),
    ...Object.entries(HEADERS).map(([name, make]): [string, number, Make] => [
      `header ${name}`,
      MAX_HEAD - 1024,
      (size) => ({ headers: { [name]: make(size) } }),
    ]),
  ];
  expect(await findAllGrowth(inputs.map((input) => inputOf(target, 'GET', input)))).toEqual([]);
});
