import { expect, test } from 'vitest';
import type { AuditEntryResponse } from '@/contract/audit';
import type { SsoProviderResponse } from '@/contract/access/sso';
import { generateSamlKeyPair } from '@/server/people/sso/certificate';
import { Browser } from '@/server/testing/browser';
import { useDatabase } from '@/server/testing/database';
import { call, type Refused } from '@/server/testing/factories';
import type { Lie } from '@/server/testing/servers/saml-idp';
import { beginSaml, corpAddress, postSaml, tokensOf, useSamlCompany, whoIs } from '@/server/testing/servers/sso';

useDatabase();

const company = useSamlCompany();

test.each(['both', 'assertion', 'response'] as const)(
  'a SAML answer signed on %s signs a new person in',
  async (sign) => {
    const email = corpAddress();
    const { accessToken } = tokensOf(await company.signIn(email, { sign }));
    expect(await whoIs(accessToken)).toMatchObject({ user: { email }, workspaces: [{ role: 'viewer' }] });
  },
);

test.each(['assertion', 'response', 'both'] as const)(
  'an encrypted assertion is decrypted, with a signature on %s',
  async (sign) => {
    const email = corpAddress();
    const encryptFor = company.provider.setup.certificate;
    const { accessToken } = tokensOf(await company.signIn(email, { sign, encryptFor }));
    expect((await whoIs(accessToken)).user.email).toBe(email);
  },
);

test('an encrypted assertion needs a signature, and our key', async () => {
  const unsigned = await company.signIn(corpAddress(), {
    sign: 'none',
    encryptFor: company.provider.setup.certificate,
  });
  const elses = await company.signIn(corpAddress(), { encryptFor: (await generateSamlKeyPair()).certificate });
  expect([unsigned.status, elses.status]).toEqual([401, 401]);
});

test('our SAML requests are signed, and the metadata contain our addresses and certificate', async () => {
  const begun = await new Browser().go('GET', `/auth/saml?provider=${company.provider.id}`);
  expect(new URL(begun.location).searchParams.get('SigAlg')).toContain('rsa-sha256');
  const { status, text } = await new Browser().go('GET', `/auth/saml/metadata?provider=${company.provider.id}`);
  expect(status).toBe(200);
  expect(text).toContain(`entityID="${company.provider.setup.entityId}"`);
  expect(text).toContain(company.provider.setup.acsUrl);
  expect(text).toContain('X509Certificate');
});

const elsewhere = 'https://elsewhere.example/acs';
test.each<[string, Lie, string]>([
  ['unsigned', { sign: 'none' }, 'Invalid signature'],
  ['for another audience', { audience: elsewhere }, 'audience mismatch'],
  ['for another recipient', { recipient: elsewhere }, 'not made for this sign-in'],
  ['sent to another destination', { destination: elsewhere }, 'sent elsewhere'],
  ['in answer to another request', { inResponseTo: '_another' }, 'InResponseTo is not valid'],
  ['in answer to none', { inResponseTo: '' }, 'InResponseTo is missing'],
  ['of another issuer', { issuer: 'https://other.example' }, 'another issuer'],
  ['expired', { notOnOrAfter: -120_000 }, 'No valid subject confirmation'],
  ['not yet valid', { notBefore: 120_000 }, 'not yet valid'],
  ['a failure', { status: 'Requester' }, 'reports a failure'],
])('a SAML answer that is %s is refused', async (_, lie, reason) => {
  const answer = await company.signIn(corpAddress(), lie);
  expect(answer.status).toBe(401);
  expect((answer.json as Refused).error.message).toContain(reason);
});

test('a SAML answer signed by a foreign key is refused', async () => {
  expect((await company.signIn(corpAddress(), { keys: await generateSamlKeyPair() })).status).toBe(401);
});

test('a clock difference of half a minute is accepted', async () => {
  expect((await company.signIn(corpAddress(), { notBefore: 30_000 })).status).toBe(200);
  expect((await company.signIn(corpAddress(), { notOnOrAfter: -30_000 })).status).toBe(200);
});

test('an assertion works once, even in answer to a new request with a new response', async () => {
  const browser = new Browser();
  const request = await beginSaml(browser, company.saml, company.provider.id);
  const xml = await company.saml.response(request, corpAddress(), { assertionId: '_the_same' });
  expect((await postSaml(browser, request, xml)).status).toBe(200);
  expect((await postSaml(browser, request, xml)).status).toBe(401);
  expect((await company.signIn(corpAddress(), { assertionId: '_the_same' })).status).toBe(401);
});

test('a SAML answer for another browser is refused, and one posted by a foreign page is posted again with its cookie', async () => {
  const browser = new Browser();
  const request = await beginSaml(browser, company.saml, company.provider.id);
  const xml = await company.saml.response(request, corpAddress());
  expect((await postSaml(new Browser(), request, xml)).status).toBe(401);
  const bounced = await postSaml(new Browser(), request, xml, { 'sec-fetch-site': 'cross-site' });
  expect(bounced.status).toBe(200);
  expect(bounced.text).toContain('name="again" value="1"');
  expect(bounced.headers.get('content-security-policy')).toContain("script-src 'sha256-");
  expect((await postSaml(browser, request, xml, { 'sec-fetch-site': 'same-origin' })).status).toBe(200);
});

test('a refused sign-in is shown to the administrators, with its reason', async () => {
  await company.signIn(corpAddress(), { audience: elsewhere });
  const log = await call<{ data: AuditEntryResponse[] }>('GET', '/auth/audit?action=auth.sso&result=denied&limit=1', {
    token: company.owner.token,
  });
  expect(log.body.data[0]?.metadata['reason']).toContain('audience');
  const shown = await call<SsoProviderResponse>('GET', `/api/sso-providers/${company.provider.id}`, {
    token: company.owner.token,
  });
  expect(shown.body.lastSignIn).toMatchObject({ isOk: false, reason: expect.stringContaining('audience') });
});
