import { beforeAll, expect, test } from 'vitest';
import type { LoginTokens } from '@/contract/session';
import type { SsoProvider } from '@/contract/sso';
import { prisma } from '../db/client';
import { Browser } from '../testing/browser';
import { useDatabase } from '../testing/database';
import { buildUser, call, type TestUser } from '../testing/factories';
import { SamlIdp, type Lie } from '../testing/saml-idp';
import { beginSaml, corpAddress, createProvider, postSaml, samlFields, whoIs } from '../testing/sso';

useDatabase();

let owner: TestUser;
let saml: SamlIdp;
let provider: SsoProvider;

beforeAll(async () => {
  owner = await buildUser();
  saml = await SamlIdp.start();
  provider = (await createProvider(owner, { ...samlFields(saml), domains: ['corp.example'] })).body;
});

async function answerWith(email: string, lie: Lie = {}) {
  const browser = new Browser();
  const request = await beginSaml(browser, saml, provider.id);
  return postSaml(browser, request, saml.response(request, email, lie));
}

test('signature wrapping: a second assertion beside, around or in place of the signed one is not believed', async () => {
  const forge = async (wrap: (honest: string, evil: string) => string) => {
    const browser = new Browser();
    const request = await beginSaml(browser, saml, provider.id);
    const honest = saml.response(request, corpAddress(), { sign: 'assertion' });
    const evil = saml.response(request, 'boss@corp.example', { sign: 'none' });
    const answer = await postSaml(browser, request, wrap(honest, evil));
    if (answer.status === 200)
      expect((await whoIs((answer.json as LoginTokens).accessToken)).user.email).not.toBe('boss@corp.example');
    return answer.status;
  };
  const assertionOf = (xml: string) => /<saml:Assertion[\s\S]*<\/saml:Assertion>/.exec(xml)?.[0] ?? '';
  expect(await forge((honest, evil) => honest.replace('<saml:Assertion', `${assertionOf(evil)}<saml:Assertion`))).toBe(
    401,
  );
  expect(
    await forge((honest, evil) => honest.replace('</samlp:Response>', `${assertionOf(evil)}</samlp:Response>`)),
  ).toBe(401);
  expect(
    await forge((honest, evil) =>
      evil.replace('<samlp:Status>', `<samlp:Extensions>${assertionOf(honest)}</samlp:Extensions><samlp:Status>`),
    ),
  ).toBe(401);
  expect(
    await forge((honest, evil) =>
      evil.replace('<saml:Subject>', `<saml:Advice>${assertionOf(honest)}</saml:Advice><saml:Subject>`),
    ),
  ).toBe(401);
});

test('a comment in a name does not cut it short', async () => {
  const nameId = 'boss@corp.example<!-- -->.evil.example';
  const answer = await answerWith('', { nameId, attributes: {} });
  expect(answer.status).toBe(403);
  expect(await prisma().user.findUnique({ where: { email: 'boss@corp.example' } })).toBeNull();
});

test('what is no SAML answer is refused without harm', async () => {
  const browser = new Browser();
  for (const SAMLResponse of [
    '',
    '!!!',
    Buffer.from('<a/>').toString('base64'),
    Buffer.from('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>').toString('base64'),
  ]) {
    const request = await beginSaml(browser, saml, provider.id);
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
