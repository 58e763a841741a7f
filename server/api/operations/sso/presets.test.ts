import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { prismaClient } from '@/server/platform/db/client';
import { Browser } from '@/server/testing/browser';
import { useDatabase } from '@/server/testing/database';
import { buildUser, type Refused, type TestUser } from '@/server/testing/factories';
import { startLyingIdp, type LyingIdp, type Story, type TokenLie } from '@/server/testing/servers/lying-idp';
import { corpAddress, createProvider, tokensOf, whoIs } from '@/server/testing/servers/sso';

useDatabase();

let owner: TestUser;
let idp: LyingIdp;

beforeAll(async () => {
  [owner, idp] = [await buildUser(), await startLyingIdp()];
});
afterAll(() => idp.close());

/** A provider with the addresses of the test server. */
async function providerOf(fields: object): Promise<string> {
  const { clientId, clientSecret } = idp;
  const { status, body } = await createProvider(owner, { name: 'Somewhere', clientId, clientSecret, ...fields });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.id;
}
const plain = () => ({
  type: 'oauth2',
  authorizationUrl: `${idp.url}/authorize`,
  tokenUrl: `${idp.url}/token`,
  userInfoUrl: `${idp.url}/user`,
});
const oidc = () => ({ type: 'oidc', issuer: idp.url });

async function signIn(providerId: string, story: Story) {
  const browser = new Browser();
  idp.tell(story);
  const begun = await browser.go('GET', `/auth/oauth2?provider=${providerId}&response=token`);
  expect(begun.status, begun.text).toBe(302);
  return { begun, answer: await browser.go('GET', idp.signIn(begun.location)) };
}

const messageOf = ({ json }: { json: unknown }) => (json as Refused).error.message;

describe('a provider that speaks OAuth 2.0 alone', () => {
  test('is called with PKCE and state, and trusted if it vouches for the address', async () => {
    const id = await providerOf(plain());
    const email = corpAddress();
    const { begun, answer } = await signIn(id, { profile: { id: 7, email, verified_email: true, login: 'ada' } });
    const asked = new URL(begun.location).searchParams;
    expect(asked.get('code_challenge_method')).toBe('S256');
    expect(asked.get('state')).toMatch(/^[\w-]{43}$/);
    expect(await whoIs(tokensOf(answer).accessToken)).toMatchObject({ user: { email, name: 'ada' } });
  });

  test.each<[string, object]>([
    ['who does not vouch for the address', { id: 1, email: 'a@corp.example' }],
    ['who says “verified” in other words', { id: 1, email: 'a@corp.example', email_verified: 'yes' }],
    ['who names no address', { id: 1, email_verified: true }],
    ['who names two at once', { id: 1, email: ['a@corp.example', 'b@corp.example'], email_verified: true }],
  ])('one %s admits nobody', async (_, profile) => {
    const { answer } = await signIn(await providerOf(plain()), { profile: profile as Story['profile'] });
    expect(answer.status).toBe(403);
  });

  test.each<[string, unknown]>([
    ['nobody', { email: 'a@corp.example', email_verified: true }],
    ['somebody without a plain id', { id: { $ne: 1 }, email: 'a@corp.example', email_verified: true }],
    ['a list', [{ id: 1 }]],
    ['a name that can’t be kept', { id: 'a\u0000b', email: 'a@corp.example', email_verified: true }],
  ])('one that names %s is refused', async (_, profile) => {
    const { answer } = await signIn(await providerOf(plain()), { profile: profile as Story['profile'] });
    expect(answer.status).toBe(401);
  });

  test('a person is identified by the id, with any address', async () => {
    const id = await providerOf(plain());
    const [email, later] = [corpAddress(), corpAddress()];
    const first = await signIn(id, { profile: { id: 'x-9', email, email_verified: true } });
    const again = await signIn(id, { profile: { id: 'x-9', email: later, email_verified: true } });
    const [one, other] = await Promise.all([first, again].map(({ answer }) => whoIs(tokensOf(answer).accessToken)));
    expect(other?.user.id).toBe(one?.user.id);
    expect(await prismaClient().user.findFirst({ where: { email: later } })).toBeNull();
  });
});

describe('GitHub', () => {
  const github = () => providerOf({ ...plain(), preset: 'github' });

  test('is queried for verified addresses; the profile’s address is ignored', async () => {
    const email = corpAddress();
    const emails = [
      { email: 'boss@corp.example', primary: false, verified: true },
      { email, primary: true, verified: true },
    ];
    const { begun, answer } = await signIn(await github(), { profile: { id: 5, email: 'boss@corp.example' }, emails });
    expect(new URL(begun.location).searchParams.get('scope')).toBe('read:user user:email');
    expect((await whoIs(tokensOf(answer).accessToken)).user.email).toBe(email);
  });

  test.each<[string, unknown]>([
    ['is not verified', [{ email: 'a@corp.example', primary: true, verified: false }]],
    ['is missing', []],
    ['is no list', { message: 'Requires authentication' }],
  ])('admits nobody whose first address %s', async (_, emails) => {
    const { answer } = await signIn(await github(), { profile: { id: 6, email: 'a@corp.example' }, emails });
    expect(answer.status).toBe(403);
  });

  test('has addresses of its own', async () => {
    const id = await providerOf({ type: 'oauth2', preset: 'github' });
    const begun = await new Browser().go('GET', `/auth/oauth2?provider=${id}`);
    expect(begun.location).toMatch(/^https:\/\/github\.com\/login\/oauth\/authorize\?/);
  });
});

describe.each(['gitlab', 'google', 'okta', 'microsoft'])('%s', (preset) => {
  test('signs in over OpenID Connect', async () => {
    const email = corpAddress();
    const profile = { sub: `${preset}-1`, email, email_verified: true, name: 'Ada' };
    const { begun, answer } = await signIn(await providerOf({ ...oidc(), preset }), { profile });
    expect(new URL(begun.location).searchParams.get('scope')).toBe('openid email profile');
    expect(await whoIs(tokensOf(answer).accessToken)).toMatchObject({ user: { email, name: 'Ada' } });
  });

  test('vouches for an address by its own claims only', async () => {
    const profile = { sub: `${preset}-2`, email: corpAddress(), xms_edov: true };
    const { answer } = await signIn(await providerOf({ ...oidc(), preset }), { profile });
    expect(answer.status).toBe(preset === 'microsoft' ? 200 : 403);
  });
});

test('an address that only userinfo contains is read from there', async () => {
  const email = corpAddress();
  const profile = { sub: 'short', email, email_verified: true };
  const { answer } = await signIn(await providerOf(oidc()), { profile, isShort: true });
  expect((await whoIs(tokensOf(answer).accessToken)).user.email).toBe(email);
});

test.each<[string, TokenLie]>([
  ['is not signed', { algorithm: 'none' }],
  ['is signed with the client’s secret', { algorithm: 'HS256' }],
  ['is signed with another key', { algorithm: 'another key' }],
  ['comes from another issuer', { issuer: 'https://other.example' }],
  ['is for another client', { audience: 'another client' }],
  ['is for another client as well, and does not say for whom it was made', { audience: ['weft-test', 'another'] }],
  ['answers another sign-in', { nonce: 'n' }],
  ['is over', { expiresIn: -120, issuedIn: -400 }],
  ['is missing', { isLeftOut: true }],
])('an ID token that %s is refused', async (_, lie) => {
  const profile = { sub: 'liar', email: corpAddress(), email_verified: true };
  const { answer } = await signIn(await providerOf(oidc()), { profile, lie });
  expect([answer.status, messageOf(answer)]).toEqual([401, expect.stringContaining('not valid')]);
  expect(await prismaClient().user.findFirst({ where: { email: profile.email } })).toBeNull();
});

test('userinfo of another person is refused', async () => {
  const profile = { sub: 'me', email: corpAddress(), email_verified: true };
  const { answer } = await signIn(await providerOf(oidc()), { profile, isShort: true, lie: { otherSubject: 'you' } });
  expect(answer.status).toBe(401);
});

test('a clock difference of half a minute is accepted', async () => {
  const profile = { sub: 'clock', email: corpAddress(), email_verified: true };
  const id = await providerOf(oidc());
  const answers = [{ issuedIn: 30 }, { issuedIn: -330, expiresIn: -30 }].map(
    (lie) => () => signIn(id, { profile, lie }),
  );
  for (const ask of answers) expect((await ask()).answer.status).toBe(200);
});

test('a discovery document of another issuer is refused before any redirect', async () => {
  const id = await providerOf({ type: 'oidc', issuer: idp.url.replace('127.0.0.1', 'localhost') });
  const begun = await new Browser().go('GET', `/auth/oauth2?provider=${id}`);
  expect(begun.status).toBe(401);
});
