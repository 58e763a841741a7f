import { expect, test } from 'vitest';
import { prismaClient } from '@/server/platform/db/client';
import { Browser } from '@/server/testing/browser';
import { useDatabase } from '@/server/testing/database';
import { call, type Refused } from '@/server/testing/factories';
import { assertionOf, SamlIdp } from '@/server/testing/servers/saml-idp';
import {
  beginSaml,
  corpAddress,
  createProvider,
  postSaml,
  samlFields,
  tokensOf,
  useSamlCompany,
  whoIs,
} from '@/server/testing/servers/sso';

useDatabase();

const company = useSamlCompany();

const BOSS = 'boss@corp.example';

interface Parts {
  /** A valid answer with one signature: on the assertion, or on the whole. */
  honest: string;
  /** Its assertion with and without the signature. */
  assertion: string;
  bare: string;
  signature: string;
  /** An unsigned answer, and its assertion. */
  evil: string;
  forged: string;
}

const withSignature = (forged: string, signature: string) =>
  forged.replace('</saml:Issuer>', `</saml:Issuer>${signature}`);
const inSignature = (signature: string, what: string) => signature.replace('</ds:Signature>', `${what}</ds:Signature>`);

/** The eight known ways to wrap a signature (XSW1 to XSW8), and two more. */
const WRAPS: Record<string, (parts: Parts) => string> = {
  'the honest answer inside its own signature on a forged one': ({ honest, signature, evil }) =>
    withSignature(evil, inSignature(signature, honest.replace(signature, ''))),
  'the honest answer before its signature in a forged one': ({ honest, signature, evil }) =>
    withSignature(evil, honest.replace(signature, '') + signature),
  'a forged assertion before the honest one': ({ honest, assertion, forged }) =>
    honest.replace(assertion, forged + assertion),
  'the honest assertion inside a forged one': ({ honest, assertion, forged }) =>
    honest.replace(assertion, forged.replace('</saml:Assertion>', `${assertion}</saml:Assertion>`)),
  'a forged assertion with the signature of the honest one behind it': ({
    honest,
    assertion,
    bare,
    forged,
    signature,
  }) => honest.replace(assertion, withSignature(forged, signature) + bare),
  'the honest assertion inside its signature on a forged one': ({ honest, assertion, bare, forged, signature }) =>
    honest.replace(assertion, withSignature(forged, inSignature(signature, bare))),
  'a forged assertion of the same id among the extensions': ({ honest, assertion, forged }) => {
    const [id = ''] = /ID="[^"]*"/.exec(assertion) ?? [];
    const twin = forged.replace(/ID="[^"]*"/, id);
    return honest.replace('<samlp:Status>', `<samlp:Extensions>${twin}</samlp:Extensions><samlp:Status>`);
  },
  'the honest assertion as an object of the signature on a forged one': ({
    honest,
    assertion,
    bare,
    forged,
    signature,
  }) => honest.replace(assertion, withSignature(forged, inSignature(signature, `<ds:Object>${bare}</ds:Object>`))),
  'a forged assertion after the honest one': ({ honest, assertion, forged }) =>
    honest.replace(assertion, assertion + forged),
  'the honest assertion as advice in a forged one': ({ honest, assertion, forged }) =>
    honest.replace(
      assertion,
      forged.replace('<saml:Subject>', `<saml:Advice>${assertion}</saml:Advice><saml:Subject>`),
    ),
};

test.each(
  Object.entries(WRAPS).flatMap(([what, wrap]) => [
    [what, 'assertion', wrap] as const,
    [what, 'response', wrap] as const,
  ]),
)('wrapping: %s is refused, or accepted only for what the signature on the %s covers', async (_, sign, wrap) => {
  const browser = new Browser();
  const request = await beginSaml(browser, company.saml, company.provider.id);
  const honest = await company.saml.response(request, corpAddress(), { sign });
  const evil = await company.saml.response(request, BOSS, { sign: 'none' });
  const [signature = ''] = /<ds:Signature[\s\S]*?<\/ds:Signature>/.exec(honest) ?? [];
  const [assertion, forged] = [assertionOf(honest), assertionOf(evil)];
  const parts = { honest, assertion, bare: assertion.replace(signature, ''), signature, evil, forged };
  const answer = await postSaml(browser, request, wrap(parts));
  // The signed part may be accepted; the forged identity is not in it.
  if (answer.status === 200) expect((await whoIs(tokensOf(answer).accessToken)).user.email).not.toBe(BOSS);
  else expect(answer.status).toBe(401);
  expect(await prismaClient().user.findFirst({ where: { email: BOSS } })).toBeNull();
});

test('SHA-1 signatures are refused, on every part', async () => {
  for (const sign of ['assertion', 'response', 'both'] as const) {
    const answer = await company.signIn(corpAddress(), { sign, sha1: true });
    expect([answer.status, (answer.json as Refused).error.message]).toEqual([401, expect.stringContaining('too weak')]);
  }
});

test('entities in an answer are neither fetched nor expanded', async () => {
  const browser = new Browser();
  const request = await beginSaml(browser, company.saml, company.provider.id);
  const honest = await company.saml.response(request, corpAddress());
  const laughs = [...'bcdefgh'].map((name, at) => `<!ENTITY ${name} "${`&${'abcdefg'[at]};`.repeat(50)}">`).join('');
  for (const subset of [
    '<!ENTITY a SYSTEM "file:///etc/passwd">',
    '<!ENTITY a SYSTEM "http://127.0.0.1:1/x">',
    `<!ENTITY a "ha">${laughs}`,
    '<!ENTITY % a SYSTEM "http://127.0.0.1:1/x"> %a;',
  ]) {
    const xml = `<!DOCTYPE samlp:Response [${subset}]>${honest.replace('</saml:NameID>', '&a;&h;</saml:NameID>')}`;
    expect((await postSaml(browser, await beginSaml(browser, company.saml, company.provider.id), xml)).status).toBe(
      401,
    );
  }
});

test('an assertion for one provider is refused by another', async () => {
  const other = await SamlIdp.start();
  const { body: theirs } = await createProvider(company.owner, samlFields(other));
  const browser = new Browser();
  const request = await beginSaml(browser, other, theirs.id);
  // Signed by a trusted key of another provider; with either issuer.
  for (const issuer of [company.saml.entityId, other.entityId]) {
    const fresh = { ...request, ...(await beginSaml(browser, other, theirs.id)) };
    expect((await postSaml(browser, fresh, await company.saml.response(fresh, corpAddress(), { issuer }))).status).toBe(
      401,
    );
  }
});

test('a change of one byte in the signed part is detected', async () => {
  const browser = new Browser();
  const request = await beginSaml(browser, company.saml, company.provider.id);
  const email = corpAddress();
  const xml = (await company.saml.response(request, email)).replaceAll(email, BOSS);
  expect((await postSaml(browser, request, xml)).status).toBe(401);
});

test('a comment in a name does not truncate it', async () => {
  const nameId = `${BOSS}<!-- -->.evil.example`;
  const answer = await company.signIn('', { nameId, attributes: {} });
  expect(answer.status).toBe(403);
  expect(await prismaClient().user.findFirst({ where: { email: BOSS } })).toBeNull();
});

test('invalid SAML answers are refused without side effects', async () => {
  const browser = new Browser();
  for (const SAMLResponse of [
    '',
    '!!!',
    Buffer.from('<a/>').toString('base64'),
    Buffer.from('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>').toString('base64'),
  ]) {
    const request = await beginSaml(browser, company.saml, company.provider.id);
    const { status } = await browser.go('POST', '/auth/saml', {
      form: { SAMLResponse, RelayState: request.relayState },
    });
    expect([400, 401]).toContain(status);
  }
  expect((await browser.go('POST', '/auth/saml', { form: { SAMLResponse: 'x', RelayState: 'a\u0000b' } })).status).toBe(
    401,
  );
  const json = await call('POST', '/auth/saml', { body: { SAMLResponse: 'x' } });
  expect(json.status).toBe(400);
});

test.each([
  ['a document type', '<!DOCTYPE Response>'],
  ['one with an entity', '<!DOCTYPE Response [<!ENTITY who "boss@corp.example">]>'],
  ['one of elsewhere', '<!DOCTYPE Response SYSTEM "http://127.0.0.1:1/x.dtd">'],
  ['one after a comment', '<?xml version="1.0"?><!-- x --><!doctype Response>'],
])('a valid answer with %s is refused', async (_, prolog) => {
  const browser = new Browser();
  const request = await beginSaml(browser, company.saml, company.provider.id);
  const answer = await postSaml(browser, request, prolog + (await company.saml.response(request, corpAddress())));
  expect(answer.status).toBe(401);
  expect(answer.json).toMatchObject({
    error: { code: 'UNAUTHORIZED', message: expect.stringContaining('DTD') as string },
  });
});
