import { beforeAll, expect } from 'vitest';
import type { LoginTokens, CurrentUser } from '@/contract/access/session';
import type { SsoProviderResponse } from '@/contract/access/sso';
import { getRuntime, setRuntime } from '@/server/platform/runtime';
import type { ServiceEnv } from '@/server/platform/env/env';
import { Browser } from '../browser';
import { buildUser, call, type Answer, type Refused, type TestUser } from '../factories';
import type { OidcIdp } from './oidc-idp';
import { SamlIdp, type Lie, type SamlRequest } from './saml-idp';

let count = 0;
/** A unique email address of the company. */
export const corpAddress = (): string => `person${(count += 1)}@corp.example`;

/** Configures a provider in the user's workspace. */
export const createProvider = (user: TestUser, body: object): Promise<Answer<SsoProviderResponse & Refused>> =>
  call('POST', '/api/sso-providers', { token: user.token, body });

export const oidcFields = ({ issuer, clientId, clientSecret }: OidcIdp) => ({
  type: 'oidc',
  name: 'Company',
  issuer,
  clientId,
  clientSecret,
});

export const samlFields = (of: SamlIdp) => ({
  type: 'saml',
  name: 'Directory',
  entityId: of.entityId,
  ssoUrl: of.ssoUrl,
  sloUrl: of.sloUrl,
  certificate: of.keys.certificate,
});

type Ended = Awaited<ReturnType<Browser['go']>>;

interface Way {
  browser?: Browser;
  query?: Record<string, string>;
  /** The parameters of the redirect back. */
  headers?: Record<string, string>;
}

/** Signs in through the provider as a user with these claims. */
export async function signInThrough(
  idp: OidcIdp,
  providerId: string,
  claims: object,
  { browser = new Browser(), query = { response: 'token' }, headers = {} }: Way = {},
): Promise<{ back: string; answer: Ended }> {
  const begun = await browser.go('GET', `/auth/oauth2?${new URLSearchParams({ provider: providerId, ...query })}`);
  expect(begun.status, begun.text).toBe(302);
  const back = await idp.signIn(begun.location, idp.account({ ...claims }));
  return { back, answer: await browser.go('GET', back, { headers }) };
}

export function tokensOf(answer: Ended): LoginTokens {
  expect(answer.status, JSON.stringify(answer.json)).toBe(200);
  return answer.json as LoginTokens;
}

export const whoIs = async (token: string): Promise<CurrentUser> =>
  (await call<CurrentUser>('GET', '/api/auth/me', { token })).body;

/** The AuthnRequest to a SAML provider, from the redirect. */
export async function beginSaml(
  browser: Browser,
  idp: SamlIdp,
  providerId: string,
  query = '&response=token',
): Promise<SamlRequest> {
  const begun = await browser.go('GET', `/auth/saml?provider=${providerId}${query}`);
  expect(begun.status, begun.text).toBe(302);
  return idp.read(begun.location);
}

export const postSaml = (browser: Browser, { relayState }: SamlRequest, xml: string, headers = {}): Promise<Ended> =>
  browser.go('POST', '/auth/saml', {
    form: { SAMLResponse: Buffer.from(xml).toString('base64'), RelayState: relayState },
    headers,
  });

/** A workspace with a SAML provider. */
export interface SamlCompany {
  owner: TestUser;
  saml: SamlIdp;
  provider: SsoProviderResponse;
  /** The result of a sign-in with the provider's response. */
  signIn(email: string, lie?: Lie): Promise<Ended>;
}

/** Created before the tests of a file. */
export function useSamlCompany(): SamlCompany {
  const company = {} as SamlCompany;
  beforeAll(async () => {
    const [owner, saml] = await Promise.all([buildUser(), SamlIdp.start()]);
    const { body: provider } = await createProvider(owner, { ...samlFields(saml), domains: ['corp.example'] });
    const signIn: SamlCompany['signIn'] = async (email, lie = {}) => {
      const browser = new Browser();
      const request = await beginSaml(browser, saml, provider.id);
      return postSaml(browser, request, await saml.response(request, email, lie));
    };
    Object.assign(company, { owner, saml, provider, signIn });
  });
  return company;
}

/** Runs `work` with other configuration variables. */
export async function withEnv<T>(changes: Partial<ServiceEnv>, work: () => Promise<T>): Promise<T> {
  const before = getRuntime();
  setRuntime({ ...before, env: { ...before.env, ...changes } });
  return work().finally(() => setRuntime(before));
}

/** Sets the TXT records of DNS by domain; other domains have none. */
export function publish(records: Record<string, string[]>): void {
  const resolveTxt = (domain: string): Promise<string[][]> => {
    const found = records[domain];
    if (found) return Promise.resolve(found.map((record) => [record]));
    return Promise.reject(Object.assign(new Error('no record'), { code: 'ENOTFOUND' }));
  };
  setRuntime({ ...getRuntime(), resolveTxt });
}

/** Adds the DNS records that verify the provider's domains. */
export async function proveDomains(
  { token }: TestUser,
  { id, domainVerification }: SsoProviderResponse,
): Promise<void> {
  publish(Object.fromEntries(domainVerification.map(({ domain, record }) => [domain, [record]])));
  for (const { domain } of domainVerification) {
    const { body } = await call('POST', `/api/sso-providers/${id}/domains/${domain}/verify`, { token });
    expect(body).toMatchObject({ domain, isVerified: true, problem: null });
  }
}
