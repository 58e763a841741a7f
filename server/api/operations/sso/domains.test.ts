import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SsoChoicesResponse, VerifySsoDomainResponse, SsoProviderResponse } from '@/contract/access/sso';
import type { z } from 'zod';
import { prismaClient } from '@/server/platform/db/client';
import { getRuntime } from '@/server/platform/runtime';
import { Browser } from '@/server/testing/browser';
import { useDatabase } from '@/server/testing/database';
import { buildUser, call, unique, type TestUser } from '@/server/testing/factories';
import { startOidcIdp, type OidcIdp } from '@/server/testing/servers/oidc-idp';
import {
  createProvider,
  oidcFields,
  proveDomains,
  publish,
  tokensOf,
  whoIs,
  withEnv,
} from '@/server/testing/servers/sso';

useDatabase({ multiTenant: true });

let idp: OidcIdp;
beforeAll(async () => {
  await buildUser();
  idp = await startOidcIdp(`${getRuntime().env.apiBaseUrl}/auth/oauth2_callback`);
});
afterAll(() => idp.close());

const saas = <T>(work: () => Promise<T>): Promise<T> => withEnv({ deploymentEnv: 'saas' }, work);
const newDomain = () => `${unique('company')}.example`;

const choicesFor = async (domain: string) =>
  (await call<z.infer<typeof SsoChoicesResponse>>('GET', `/auth/sso?email=somebody@${domain}`)).body.providers;
const create = async (by: TestUser, domains: string[]) =>
  (await createProvider(by, { ...oidcFields(idp), domains })).body;
const verify = ({ token }: TestUser, { id }: SsoProviderResponse, domain: string) =>
  call<z.infer<typeof VerifySsoDomainResponse>>('POST', `/api/sso-providers/${id}/domains/${domain}/verify`, { token });
const shownTo = async ({ token }: TestUser, { id }: SsoProviderResponse) =>
  (await call<SsoProviderResponse>('GET', `/api/sso-providers/${id}`, { token })).body;
const update = ({ token }: TestUser, { id }: SsoProviderResponse, body: object) =>
  call<SsoProviderResponse>('PUT', `/api/sso-providers/${id}`, { token, body });
const signIn = (provider: SsoProviderResponse, email: string) =>
  signInAs(provider, idp.account({ email, email_verified: true }));

/** An account that the provider already has. */
async function signInAs({ id }: SsoProviderResponse, account: string, { response = 'token', headers = {} } = {}) {
  const browser = new Browser();
  const begun = await browser.go('GET', `/auth/oauth2?provider=${id}&response=${response}`, { headers });
  expect(begun.status, begun.text).toBe(302);
  return browser.go('GET', await idp.signIn(begun.location, account));
}

describe('with open sign-up', () => {
  test('a claimed domain redirects no user, and admits no new users, until it is verified by DNS', () =>
    saas(async () => {
      const [owner, domain] = [await buildUser(), newDomain()];
      publish({});
      const provider = await create(owner, [domain]);
      expect(provider.domainVerification).toMatchObject([{ domain, isVerified: false, verifiedAt: null }]);
      const record = provider.domainVerification[0]!.record;
      expect(record).toMatch(/^weft-verify=[0-9a-f]{40}$/);
      expect(await choicesFor(domain)).toEqual([]);
      expect((await signIn(provider, `new@${domain}`)).status).toBe(403);
      expect(await prismaClient().member.count({ where: { workspaceId: owner.workspaceId } })).toBe(1);

      const missing = await verify(owner, provider, domain);
      expect([missing.status, missing.body]).toEqual([
        200,
        expect.objectContaining({ isVerified: false, problem: `There is no TXT record at ${domain} yet.` }),
      ]);
      publish({ [domain]: ['v=spf1 -all', `${record}x`] });
      expect((await verify(owner, provider, domain)).body).toMatchObject({
        isVerified: false,
        problem: `The TXT records of ${domain} do not include ${record} yet.`,
      });

      publish({ [domain]: ['v=spf1 -all', record] });
      expect((await verify(owner, provider, domain)).body).toMatchObject({ isVerified: true, problem: null });
      expect(await choicesFor(domain)).toMatchObject([{ id: provider.id }]);
      expect((await signIn(provider, `new@${domain}`)).status).toBe(200);
      expect((await shownTo(owner, provider)).domainVerification).toMatchObject([{ isVerified: true }]);
    }));

  test('a TXT record in several strings is joined; a silent DNS server is reported separately', () =>
    saas(async () => {
      const [owner, domain] = [await buildUser(), newDomain()];
      const provider = await create(owner, [domain]);
      const { record } = provider.domainVerification[0]!;
      const resolving = (resolveTxt: () => Promise<string[][]>) => Object.assign(getRuntime(), { resolveTxt });
      resolving(() => Promise.reject(Object.assign(new Error(), { code: 'ETIMEOUT' })));
      const { body } = await verify(owner, provider, domain);
      expect(body.problem).toBe(`The DNS servers of ${domain} did not answer (ETIMEOUT). Try again later.`);
      resolving(() => Promise.resolve([['other'], [record.slice(0, 20), record.slice(20)]]));
      expect((await verify(owner, provider, domain)).body.isVerified).toBe(true);
    }));

  test('the record of one workspace proves nothing for another; both may publish theirs', () =>
    saas(async () => {
      const [one, other, domain] = [await buildUser(), await buildUser(), newDomain()];
      const [theirs, mine] = [await create(one, [domain]), await create(other, [domain])];
      await proveDomains(one, theirs);
      expect((await verify(other, mine, domain)).body.isVerified).toBe(false);
      expect((await choicesFor(domain)).map(({ id }) => id)).toEqual([theirs.id]);
      const records = [theirs, mine].map(({ domainVerification }) => domainVerification[0]!.record);
      publish({ [domain]: records });
      expect((await verify(other, mine, domain)).body.isVerified).toBe(true);
      expect((await choicesFor(domain)).map(({ id }) => id)).toEqual([theirs.id, mine.id]);
    }));

  test('unproven claims never displace the proven one', () =>
    saas(async () => {
      const [squatter, owner, domain] = [await buildUser(), await buildUser(), newDomain()];
      publish({});
      for (let index = 0; index < 21; index++) await create(squatter, [domain]);
      const real = await create(owner, [domain]);
      await proveDomains(owner, real);
      expect((await choicesFor(domain)).map(({ id }) => id)).toEqual([real.id]);
    }));

  test('an owner’s confirmation is no proof, not even one from another mode', async () => {
    const [owner, domain] = [await buildUser(), newDomain()];
    const provider = await create(owner, [domain]);
    expect(provider.domainVerification).toMatchObject([{ isVerified: true }]);
    await saas(async () => {
      publish({});
      expect((await shownTo(owner, provider)).domainVerification).toMatchObject([{ isVerified: false }]);
      expect(await choicesFor(domain)).toEqual([]);
      await update(owner, provider, { domains: [domain] });
      expect((await verify(owner, provider, domain)).body.isVerified).toBe(false);
      await proveDomains(owner, provider);
      expect(await choicesFor(domain)).toMatchObject([{ id: provider.id }]);
    });
    expect(await choicesFor(domain)).toMatchObject([{ id: provider.id }]);
  });

  test('a proof lasts until its domain is removed, and covers no other one', () =>
    saas(async () => {
      const [owner, domain, later] = [await buildUser(), newDomain(), newDomain()];
      const provider = await create(owner, [domain]);
      await proveDomains(owner, provider);
      publish({});
      await update(owner, provider, { name: 'Renamed' });
      expect((await choicesFor(domain)).map(({ id }) => id)).toEqual([provider.id]);
      expect((await update(owner, provider, { domains: [domain, later] })).body.domainVerification).toMatchObject([
        { domain, isVerified: true },
        { domain: later, isVerified: false },
      ]);
      expect(await choicesFor(`sub.${domain}`)).toEqual([]);
      await update(owner, provider, { domains: [later] });
      await update(owner, provider, { domains: [domain, later] });
      expect(await choicesFor(domain)).toEqual([]);
      expect((await verify(owner, provider, 'unlisted.example')).status).toBe(404);
    }));

  test('existing people can still sign in, and members are recognised', () =>
    saas(async () => {
      const [owner, domain] = [await buildUser(), newDomain()];
      const provider = await create(owner, [domain]);
      await proveDomains(owner, provider);
      const account = idp.account({ email: `known@${domain}`, email_verified: true });
      const first = await whoIs(tokensOf(await signInAs(provider, account)).accessToken);
      const member = await buildUser({ workspaceId: owner.workspaceId, role: 'editor' });
      await prismaClient().user.update({ where: { id: member.id }, data: { email: `member@${domain}` } });
      await prismaClient().domainProof.deleteMany({ where: { providerId: provider.id } });
      const again = await whoIs(tokensOf(await signInAs(provider, account)).accessToken);
      expect(again.user.id).toBe(first.user.id);
      const known = await whoIs(tokensOf(await signIn(provider, `member@${domain}`)).accessToken);
      expect(known).toMatchObject({ user: { id: member.id }, workspaces: [{ role: 'editor' }] });
    }));

  test('the administrator’s test reports an unproven domain', () =>
    saas(async () => {
      const [owner, domain] = [await buildUser(), newDomain()];
      publish({});
      const provider = await create(owner, [domain]);
      const headers = { authorization: `Bearer ${owner.token}` };
      const account = idp.account({ email: `somebody@${domain}`, email_verified: true });
      const { json } = await signInAs(provider, account, { response: 'test', headers });
      expect(json).toMatchObject({
        isOk: false,
        reason: expect.stringContaining(`The domain ${domain} is not verified`),
      });
    }));
});

describe('with one company as operator', () => {
  test('an owner’s entry is confirmed; an administrator’s waits for an owner, or for DNS', async () => {
    const [owner, domain, later] = [await buildUser(), newDomain(), newDomain()];
    const admin = await buildUser({ workspaceId: owner.workspaceId, role: 'admin' });
    publish({});
    const provider = await create(admin, [domain, later]);
    expect(provider.domainVerification.map(({ isVerified }) => isVerified)).toEqual([false, false]);
    expect(await choicesFor(domain)).toEqual([]);
    expect((await verify(admin, provider, domain)).body.isVerified).toBe(false);
    expect((await verify(owner, provider, domain)).body).toMatchObject({ isVerified: true, problem: null });
    expect(await choicesFor(domain)).toMatchObject([{ id: provider.id }]);
    publish({ [later]: [provider.domainVerification[1]!.record] });
    expect((await verify(admin, provider, later)).body.isVerified).toBe(true);
  });

  test('an owner who saves the list confirms it; another change confirms nothing', async () => {
    const [owner, domain] = [await buildUser(), newDomain()];
    const admin = await buildUser({ workspaceId: owner.workspaceId, role: 'admin' });
    const provider = await create(admin, [domain]);
    expect((await update(owner, provider, { name: 'x' })).body.domainVerification).toMatchObject([
      { isVerified: false },
    ]);
    expect((await update(owner, provider, { domains: [domain] })).body.domainVerification).toMatchObject([
      { isVerified: true },
    ]);
  });
});

test('callers who may not change the provider cannot verify domains', async () => {
  const [owner, domain] = [await buildUser(), newDomain()];
  const editor = await buildUser({ workspaceId: owner.workspaceId, role: 'editor' });
  const provider = await create(owner, [domain]);
  expect((await verify(editor, provider, domain)).status).toBe(403);
});

test('the sign-in page shows the target of each choice', async () => {
  const [owner, domain] = [await buildUser(), newDomain()];
  const common = { domains: [domain], clientId: 'a', clientSecret: 'b', name: 'x' };
  const addresses = { authorizationUrl: 'https://login.one.example/a', tokenUrl: 'https://b.example/t' };
  const userInfoUrl = 'https://c.example/u';
  await createProvider(owner, { ...common, type: 'oauth2', ...addresses, userInfoUrl });
  await createProvider(owner, { ...common, type: 'oauth2', preset: 'github' });
  await createProvider(owner, { ...common, type: 'oidc', issuer: 'https://id.two.example:8443/realm' });
  await createProvider(owner, { ...common, type: 'oidc', preset: 'google' });
  expect((await choicesFor(domain)).map(({ host }) => host)).toEqual([
    'login.one.example',
    'github.com',
    'id.two.example:8443',
    'accounts.google.com',
  ]);
});
