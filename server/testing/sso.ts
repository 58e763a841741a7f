import { beforeAll, expect } from 'vitest';
import type { LoginTokens, Me } from '@/contract/session';
import type { SsoProvider } from '@/contract/sso';
import { runtime, setRuntime } from '../runtime';
import type { Env } from '../env';
import { Browser } from './browser';
import { buildUser, call, type Answer, type Refused, type TestUser } from './factories';
import type { OidcIdp } from './oidc-idp';
import { SamlIdp, type Lie, type SamlRequest } from './saml-idp';

let count = 0;
/** An address of the company, different at each call. */
export const corpAddress = (): string => `person${(count += 1)}@corp.example`;

/** Sets a provider up in the person's workspace. */
export const createProvider = (user: TestUser, body: object): Promise<Answer<SsoProvider & Refused>> =>
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
  /** What the browser brings along at its return. */
  headers?: Record<string, string>;
}

/** From our address over the provider's back to ours, as somebody of whom the provider says `claims`. */
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

export const whoIs = async (token: string): Promise<Me> => (await call<Me>('GET', '/api/auth/me', { token })).body;

/** Our request to a SAML provider, as the browser carries it. */
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

/** A workspace whose people come from a SAML provider. */
export interface SamlCompany {
  owner: TestUser;
  saml: SamlIdp;
  provider: SsoProvider;
  /** What comes of somebody's sign-in with what the provider says of them. */
  signIn(email: string, lie?: Lie): Promise<Ended>;
}

/** For the tests of a file: there before the first of them. */
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

/** Runs `work` in a service that is configured otherwise. */
export async function withEnv<T>(changes: Partial<Env>, work: () => Promise<T>): Promise<T> {
  const before = runtime();
  setRuntime({ ...before, env: { ...before.env, ...changes } });
  return work().finally(() => setRuntime(before));
}
