import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AuditEntry } from '@/contract/audit';
import type { LoginTokens, Me } from '@/contract/session';
import type { SsoProvider } from '@/contract/sso';
import { dispatch } from '../api/rest';
import { PEER_HEADER } from '../api/address';
import { newKeyPair } from '../auth/certificate';
import { prisma } from '../db/client';
import { runtime, setRuntime } from '../runtime';
import { startOidcIdp, type OidcIdp } from '../testing/oidc-idp';
import { SamlIdp, type Lie, type SamlRequest } from '../testing/saml-idp';
import { useDatabase } from '../testing/database';
import { buildUser, buildWorkspace, call, join, PASSWORD, type Refused, type TestUser } from '../testing/factories';

useDatabase();

/** A browser: keeps cookies, follows nothing. */
class Browser {
  readonly cookies = new Map<string, string>();

  async go(
    method: string,
    url: string,
    { form, headers = {} }: { form?: Record<string, string>; headers?: Record<string, string> } = {},
  ) {
    const target = new URL(url, runtime().env.apiBaseUrl);
    const all = new Headers({ [PEER_HEADER]: '192.0.2.7', ...headers });
    all.set('cookie', [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '));
    if (form) all.set('content-type', 'application/x-www-form-urlencoded');
    const body = form && new URLSearchParams(form).toString();
    const answer = await dispatch(new Request(target, { method, headers: all, body }));
    for (const line of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split(/=(.*)/s);
      if (value) this.cookies.set(name, value);
      else this.cookies.delete(name);
    }
    const text = await answer.text();
    const json = answer.headers.get('content-type')?.includes('json') ? (JSON.parse(text) as unknown) : undefined;
    return {
      status: answer.status,
      location: answer.headers.get('location') ?? '',
      headers: answer.headers,
      text,
      json,
    };
  }
}

let owner: TestUser;
let idp: OidcIdp;
let saml: SamlIdp;
let oidc: SsoProvider;
let samlProvider: SsoProvider;

const make = async (body: object, user = owner) => {
  const answer = await call<SsoProvider & Refused>('POST', '/api/sso-providers', { token: user.token, body });
  return answer;
};
const samlFields = (of: SamlIdp) => ({
  type: 'saml',
  name: 'Directory',
  entityId: of.entityId,
  ssoUrl: of.ssoUrl,
  sloUrl: of.sloUrl,
  certificate: of.keys.certificate,
});

beforeAll(async () => {
  owner = await buildUser();
  idp = await startOidcIdp(`${runtime().env.apiBaseUrl}/auth/oauth2_callback`);
  saml = await SamlIdp.start();
  const { issuer, clientId, clientSecret } = idp;
  oidc = (await make({ type: 'oidc', name: 'Company', issuer, clientId, clientSecret, domains: ['corp.example'] }))
    .body;
  samlProvider = (await make({ ...samlFields(saml), domains: ['corp.example'] })).body;
});
afterAll(() => idp.close());

let count = 0;
const address = () => `person${(count += 1)}@corp.example`;

async function withOidc(
  claims: object,
  browser = new Browser(),
  query: Record<string, string> = { response: 'token' },
) {
  const begun = await browser.go('GET', `/auth/oauth2?${new URLSearchParams({ provider: oidc.id, ...query })}`);
  expect(begun.status).toBe(302);
  const back = await idp.signIn(begun.location, idp.account({ ...claims }));
  return { back, answer: await browser.go('GET', back) };
}

const tokensOf = (answer: { status: number; json: unknown }) => {
  expect(answer.status, JSON.stringify(answer.json)).toBe(200);
  return answer.json as LoginTokens;
};
const me = async (token: string) => (await call<Me>('GET', '/api/auth/me', { token })).body;

test('a newcomer signs in through OpenID Connect: a member with the default role, in this workspace alone', async () => {
  const email = address();
  const { answer } = await withOidc({ email: email.toUpperCase(), email_verified: true, name: 'New Person' });
  const { accessToken, refreshToken } = tokensOf(answer);
  expect(await me(accessToken)).toMatchObject({
    user: { email, name: 'New Person', mfaEnabled: false },
    workspaces: [{ id: owner.workspaceId, role: 'viewer' }],
  });
  expect((await call('GET', '/api/workflows', { token: accessToken })).status).toBe(200);
  expect((await call('POST', '/api/workflows', { token: accessToken, body: { name: 'x' } })).status).toBe(403);
  const renewed = await call<LoginTokens>('POST', '/api/auth/refresh', { body: { refreshToken } });
  expect((await call('GET', '/api/workflows', { token: renewed.body.accessToken })).status).toBe(200);
});

test('a session from a workspace’s provider reaches neither the person’s other workspaces nor the account', async () => {
  const person = await buildUser();
  const email = `mine${person.email}`.replace('example.com', 'corp.example');
  await prisma().user.update({ where: { id: person.id }, data: { email } });
  const { answer } = await withOidc({ email, email_verified: true });
  const { accessToken: token } = tokensOf(answer);
  const who = await me(token);
  expect(who.user.id).toBe(person.id);
  expect(who.workspaces.map(({ id }) => id)).toEqual([owner.workspaceId]);
  expect((await call('GET', '/api/workflows', { token, workspace: person.workspaceId })).status).toBe(404);
  expect((await call('POST', '/auth/mfa', { token, body: {} })).status).toBe(403);
  expect((await call('POST', '/api/workspaces', { token, body: { name: 'x' } })).status).toBe(403);
});

test.each([
  ['unverified', { email: 'a@corp.example', email_verified: false }],
  ['unverified', { email: 'a@corp.example' }],
  ['of another domain', { email: 'a@elsewhere.example', email_verified: true }],
  ['of a look-alike domain', { email: 'a@evil.corp.example.evil.example', email_verified: true }],
  ['missing', { email_verified: true }],
])('an address that is %s is refused', async (_, claims) => {
  expect((await withOidc(claims)).answer.status).toBe(403);
});

test('an answer works once, in the browser that began, and not with another state', async () => {
  const browser = new Browser();
  const { back, answer } = await withOidc({ email: address(), email_verified: true }, browser);
  expect(answer.status).toBe(200);
  expect((await browser.go('GET', back)).status).toBe(401);
  const begun = await browser.go('GET', `/auth/oauth2?provider=${oidc.id}&response=token`);
  const stolen = await idp.signIn(begun.location, idp.account({ email: address(), email_verified: true }));
  expect((await new Browser().go('GET', stolen)).status).toBe(401);
  const forged = new URL(stolen);
  forged.searchParams.set('state', 'x'.repeat(43));
  expect((await browser.go('GET', forged.href)).status).toBe(401);
  expect((await browser.go('GET', stolen)).status).toBe(200);
});

test('an attempt ends after ten minutes', async () => {
  const browser = new Browser();
  const begun = await browser.go('GET', `/auth/oauth2?provider=${oidc.id}&response=token`);
  const back = await idp.signIn(begun.location, idp.account({ email: address(), email_verified: true }));
  await prisma().ssoAttempt.updateMany({ data: { expiresAt: new Date() } });
  expect((await browser.go('GET', back)).status).toBe(401);
});

test('a code that was meant for another attempt is refused: its verifier and nonce are elsewhere', async () => {
  const [attacker, victim] = [new Browser(), new Browser()];
  const begun = await attacker.go('GET', `/auth/oauth2?provider=${oidc.id}&response=token`);
  const back = new URL(await idp.signIn(begun.location, idp.account({ email: address(), email_verified: true })));
  const own = new URL((await victim.go('GET', `/auth/oauth2?provider=${oidc.id}&response=token`)).location);
  back.searchParams.set('state', own.searchParams.get('state') ?? '');
  expect((await victim.go('GET', back.href)).status).toBe(401);
});

test('a browser gets a session cookie and goes where it wanted; a page is told why not', async () => {
  const browser = new Browser();
  const { answer } = await withOidc({ email: address(), email_verified: true }, browser, {
    returnTo: '/executions?status=failed',
  });
  expect(answer).toMatchObject({ status: 302, location: '/executions?status=failed' });
  const cookie = answer.headers.getSetCookie().find((line) => line.startsWith('weft.session='));
  expect(cookie).toMatch(/HttpOnly; SameSite=Lax/);
  expect((await browser.go('GET', '/api/auth/me')).status).toBe(200);
  const page = await new Browser().go('GET', '/auth/oauth2_callback?state=none&code=x', {
    headers: { accept: 'text/html' },
  });
  expect(page).toMatchObject({ status: 302, location: '/login?sso=expired' });
});

test.each([
  '//evil.example',
  'https://evil.example/',
  '/\\evil.example',
  '/\t/evil.example',
  'javascript:alert(1)',
  'x',
])('returnTo %s is refused', async (returnTo) => {
  const query = new URLSearchParams({ provider: oidc.id, returnTo });
  expect((await new Browser().go('GET', `/auth/oauth2?${query}`)).status).toBe(400);
});

test('nobody comes in through a provider who may do more than whoever set it up', async () => {
  const workspaceId = await buildWorkspace();
  const boss = await buildUser({ workspaceId });
  const admin = await buildUser({ workspaceId, role: 'admin' });
  const { issuer, clientId, clientSecret } = idp;
  const fields = { type: 'oidc', name: 'mine', issuer, clientId, clientSecret };
  expect((await make({ ...fields, defaultRole: 'owner' }, admin)).status).toBe(403);
  const { body: mine } = await make(fields, admin);
  const browser = new Browser();
  const begun = await browser.go('GET', `/auth/oauth2?provider=${mine.id}&response=token`);
  const back = await idp.signIn(begun.location, idp.account({ email: boss.email, email_verified: true }));
  expect((await browser.go('GET', back)).status).toBe(403);
});

test('groups give and take roles', async () => {
  const groupRoles = [{ group: 'builders', role: 'editor' }];
  expect(
    (await call('PUT', `/api/sso-providers/${oidc.id}`, { token: owner.token, body: { groupRoles } })).status,
  ).toBe(200);
  const email = address();
  const subject = { email, email_verified: true, groups: ['builders'] };
  const first = tokensOf((await withOidc(subject)).answer);
  expect((await me(first.accessToken)).workspaces[0]?.role).toBe('editor');
  const later = tokensOf((await withOidc({ ...subject, groups: [] })).answer);
  expect((await me(later.accessToken)).workspaces[0]?.role).toBe('viewer');
});

test('turning a provider off ends what came through it, and no more sign-ins begin', async () => {
  const { issuer, clientId, clientSecret } = idp;
  const { body: extra } = await make({ type: 'oidc', name: 'Extra', issuer, clientId, clientSecret });
  const browser = new Browser();
  const begun = await browser.go('GET', `/auth/oauth2?provider=${extra.id}&response=token`);
  const back = await idp.signIn(begun.location, idp.account({ email: address(), email_verified: true }));
  const { accessToken } = tokensOf(await browser.go('GET', back));
  await call('PUT', `/api/sso-providers/${extra.id}`, { token: owner.token, body: { enabled: false } });
  expect((await call('GET', '/api/auth/me', { token: accessToken })).status).toBe(401);
  expect((await browser.go('GET', `/auth/oauth2?provider=${extra.id}`)).status).toBe(404);
});

test('where single sign-on is required, passwords open the other workspaces only, but owners are let in', async () => {
  const workspaceId = await buildWorkspace();
  const boss = await buildUser({ workspaceId });
  const member = await buildUser({ workspaceId, role: 'editor' });
  await prisma().workspace.update({ where: { id: workspaceId }, data: { settings: { ssoRequired: true } } });
  const login = (user: TestUser) =>
    call<LoginTokens>('POST', '/api/auth/login', { body: { email: user.email, password: PASSWORD } });
  expect((await call('GET', '/api/workflows', { token: member.token })).status).toBe(403);
  expect((await login(member)).status).toBe(403);
  const elsewhere = await buildWorkspace();
  await join(member.id, elsewhere, 'editor');
  const { body } = await login(member);
  expect((await call('GET', '/api/workflows', { token: body.accessToken })).status).toBe(200);
  expect((await call('GET', '/api/workflows', { token: body.accessToken, workspace: workspaceId })).status).toBe(403);
  expect((await call('GET', '/api/workflows', { token: (await login(boss)).body.accessToken })).status).toBe(200);
});

test('the secret of a provider is sealed and never shown, and an update keeps it', async () => {
  const row = await prisma().ssoProvider.findUniqueOrThrow({ where: { id: oidc.id } });
  expect(JSON.stringify(row)).not.toContain(idp.clientSecret);
  const answer = await call<SsoProvider>('GET', `/api/sso-providers/${oidc.id}`, { token: owner.token });
  expect(JSON.stringify(answer.body)).not.toContain(idp.clientSecret);
  expect(answer.body).toMatchObject({ hasClientSecret: true, lastSignIn: { isOk: expect.any(Boolean) } });
  await call('PUT', `/api/sso-providers/${oidc.id}`, { token: owner.token, body: { name: 'Renamed' } });
  expect((await withOidc({ email: address(), email_verified: true })).answer.status).toBe(200);
});

test('the sign-in page learns which providers an address may use', async () => {
  const answer = await call<{ providers: { id: string }[] }>('GET', '/auth/sso?email=anybody@corp.example');
  expect(answer.body.providers.map(({ id }) => id)).toEqual(expect.arrayContaining([oidc.id, samlProvider.id]));
  expect((await call('GET', '/auth/sso?email=anybody@elsewhere.example')).body).toEqual({ providers: [] });
});

test('the test button shows administrators what a provider says, and signs nobody in', async () => {
  const claims = { email: 'stranger@elsewhere.example', email_verified: true };
  const browser = new Browser();
  const start = `/auth/oauth2?provider=${oidc.id}&response=test`;
  expect((await browser.go('GET', start)).status).toBe(403);
  const begun = await browser.go('GET', start, { headers: { authorization: `Bearer ${owner.token}` } });
  const answer = await browser.go('GET', await idp.signIn(begun.location, idp.account(claims)));
  expect(answer.json).toMatchObject({ isOk: false, claims });
  expect(await prisma().user.findUnique({ where: { email: claims.email } })).toBeNull();
});

// SAML

const beginSaml = async (
  browser: Browser,
  query = '&response=token',
  provider = samlProvider,
): Promise<SamlRequest> => {
  const begun = await browser.go('GET', `/auth/saml?provider=${provider.id}${query}`);
  expect(begun.status).toBe(302);
  return saml.read(begun.location);
};
const post = (browser: Browser, request: SamlRequest, xml: string, headers: Record<string, string> = {}) =>
  browser.go('POST', '/auth/saml', {
    form: { SAMLResponse: Buffer.from(xml).toString('base64'), RelayState: request.relayState },
    headers,
  });
async function withSaml(email: string, lie: Lie = {}) {
  const browser = new Browser();
  const request = await beginSaml(browser);
  return post(browser, request, saml.response(request, email, lie));
}

test.each(['both', 'assertion', 'response'] as const)(
  'a SAML answer signed on %s signs a newcomer in',
  async (sign) => {
    const email = address();
    const { accessToken } = tokensOf(await withSaml(email, { sign }));
    expect(await me(accessToken)).toMatchObject({ user: { email }, workspaces: [{ role: 'viewer' }] });
  },
);

test('our SAML requests are signed, and metadata name our addresses and certificate', async () => {
  const begun = await new Browser().go('GET', `/auth/saml?provider=${samlProvider.id}`);
  expect(new URL(begun.location).searchParams.get('SigAlg')).toContain('rsa-sha256');
  const { status, text } = await new Browser().go('GET', `/auth/saml/metadata?provider=${samlProvider.id}`);
  expect(status).toBe(200);
  expect(text).toContain(`entityID="${samlProvider.setup.entityId}"`);
  expect(text).toContain(samlProvider.setup.acsUrl);
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
  const answer = await withSaml(address(), lie);
  expect(answer.status).toBe(401);
  expect((answer.json as Refused).error.message).toContain(reason);
});

test('a SAML answer under a foreign key is refused', async () => {
  expect((await withSaml(address(), { keys: await newKeyPair() })).status).toBe(401);
});

test('a clock that is half a minute off is forgiven', async () => {
  expect((await withSaml(address(), { notBefore: 30_000 })).status).toBe(200);
  expect((await withSaml(address(), { notOnOrAfter: -30_000 })).status).toBe(200);
});

test('an assertion works once, even in answer to a fresh request with its own response', async () => {
  const browser = new Browser();
  const request = await beginSaml(browser);
  const xml = saml.response(request, address(), { assertionId: '_the_same' });
  expect((await post(browser, request, xml)).status).toBe(200);
  expect((await post(browser, request, xml)).status).toBe(401);
  expect((await withSaml(address(), { assertionId: '_the_same' })).status).toBe(401);
});

test('signature wrapping: a second assertion beside, around or in place of the signed one is not believed', async () => {
  const forge = async (wrap: (honest: string, evil: string) => string) => {
    const browser = new Browser();
    const request = await beginSaml(browser);
    const honest = saml.response(request, address(), { sign: 'assertion' });
    const evil = saml.response(request, 'boss@corp.example', { sign: 'none' });
    const answer = await post(browser, request, wrap(honest, evil));
    if (answer.status === 200)
      expect((await me((answer.json as LoginTokens).accessToken)).user.email).not.toBe('boss@corp.example');
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
  const answer = await withSaml('', { nameId, attributes: {} });
  expect(answer.status).toBe(403);
  expect(await prisma().user.findUnique({ where: { email: 'boss@corp.example' } })).toBeNull();
});

test('a SAML answer to another browser is refused, and one posted by a foreign page comes round again with its cookie', async () => {
  const browser = new Browser();
  const request = await beginSaml(browser);
  const xml = saml.response(request, address());
  expect((await post(new Browser(), request, xml)).status).toBe(401);
  const bounced = await post(new Browser(), request, xml, { 'sec-fetch-site': 'cross-site' });
  expect(bounced.status).toBe(200);
  expect(bounced.text).toContain('name="again" value="1"');
  expect(bounced.headers.get('content-security-policy')).toContain("script-src 'sha256-");
  expect((await post(browser, request, xml, { 'sec-fetch-site': 'same-origin' })).status).toBe(200);
});

test('what is no SAML answer is refused without harm', async () => {
  const browser = new Browser();
  for (const SAMLResponse of [
    '',
    '!!!',
    Buffer.from('<a/>').toString('base64'),
    Buffer.from('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>').toString('base64'),
  ]) {
    const request = await beginSaml(browser);
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

test('a refused sign-in is told to the administrators, with its reason', async () => {
  await withSaml(address(), { audience: elsewhere });
  const log = await call<{ data: AuditEntry[] }>('GET', '/auth/audit?action=auth.sso&result=denied&limit=1', {
    token: owner.token,
  });
  expect(log.body.data[0]?.metadata['reason']).toContain('audience');
  const shown = await call<SsoProvider>('GET', `/api/sso-providers/${samlProvider.id}`, { token: owner.token });
  expect(shown.body.lastSignIn).toMatchObject({ isOk: false, reason: expect.stringContaining('audience') });
});

test('logging out at our place leads to the provider’s; the provider’s own request ends the login, if it is signed', async () => {
  const browser = new Browser();
  const email = address();
  const request = await beginSaml(browser, '');
  await post(browser, request, saml.response(request, email));
  expect((await browser.go('GET', '/api/auth/me')).status).toBe(200);
  const out = await browser.go('GET', '/auth/saml/logout');
  expect(out.location.startsWith(`${saml.sloUrl}?SAMLRequest=`)).toBe(true);
  expect((await browser.go('GET', '/api/auth/me')).status).toBe(401);

  const again = await beginSaml(browser, '');
  await post(browser, again, saml.response(again, email));
  const path = `/auth/saml/logout?provider=${samlProvider.id}`;
  const ask = (isSigned: boolean) => {
    const xml = saml.logoutRequest(email, samlProvider.setup.sloUrl ?? '', isSigned);
    return new Browser().go('POST', path, { form: { SAMLRequest: Buffer.from(xml).toString('base64') } });
  };
  expect((await ask(false)).status).toBe(401);
  expect((await browser.go('GET', '/api/auth/me')).status).toBe(200);
  expect((await ask(true)).location.startsWith(`${saml.sloUrl}?SAMLResponse=`)).toBe(true);
  expect((await browser.go('GET', '/api/auth/me')).status).toBe(401);
});

test.each<[object, string]>([
  [{ type: 'ldap' }, 'type'],
  [{ type: 'oidc', name: 'x', clientId: 'a', clientSecret: 'b' }, 'issuer'],
  [{ type: 'oidc', name: 'x', clientId: 'a', clientSecret: 'b', issuer: 'ftp://x.example' }, 'issuer'],
  [{ type: 'oauth2', name: 'x', clientId: 'a', clientSecret: 'b' }, 'tokenUrl'],
  [{ type: 'oauth2', name: 'x', clientId: 'a', preset: 'github' }, 'clientSecret'],
  [{ type: 'saml', name: 'x', entityId: 'a', ssoUrl: 'https://x.example', certificate: 'nonsense' }, 'certificate'],
  [
    { type: 'saml', name: 'x', entityId: 'a', ssoUrl: 'https://x.example', certificate: 'x', domains: ['@'] },
    'domains[0]',
  ],
  [
    { type: 'oidc', name: 'x', clientId: 'a', clientSecret: 'b', preset: 'google', defaultRole: 'nobody' },
    'defaultRole',
  ],
])('%o is refused for %s', async (body, field) => {
  const answer = await make(body);
  expect(answer.status).toBe(400);
  expect(answer.body.error.details.map((one) => one.field)).toContain(field);
});

test('providers of another workspace don’t exist here', async () => {
  const stranger = await buildUser();
  for (const [method, body] of [['GET'], ['PUT', { name: 'x' }], ['DELETE']] as const) {
    expect((await call(method, `/api/sso-providers/${oidc.id}`, { token: stranger.token, body })).status).toBe(404);
  }
});

test('a newcomer through a service-wide provider enters the first workspace as viewer', async () => {
  const before = runtime();
  const { issuer, clientId, clientSecret } = idp;
  const sso = { providers: { company: { issuer, clientId, clientSecret } }, saml: null };
  setRuntime({ ...before, env: { ...before.env, sso } });
  try {
    const browser = new Browser();
    const begun = await browser.go('GET', '/auth/oauth2?provider=company&response=token');
    const back = await idp.signIn(begun.location, idp.account({ email: address(), email_verified: true }));
    const { accessToken } = tokensOf(await browser.go('GET', back));
    const first = await prisma().workspace.findFirstOrThrow({ orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] });
    expect((await me(accessToken)).workspaces).toMatchObject([{ id: first.id, role: 'viewer' }]);
  } finally {
    setRuntime(before);
  }
});
