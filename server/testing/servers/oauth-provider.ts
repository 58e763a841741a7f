import { request as ask, type IncomingMessage, type RequestListener } from 'node:http';
import { afterAll, beforeAll } from 'vitest';
import { listenOn, textOf } from '../listen';
import { oidcServer } from './oidc-server';

/** The provider of `oidc-server`, for one test file. */
export interface TestProvider {
  readonly url: string;
  /** Requests to the token endpoint so far. */
  readonly tokenRequests: string[];
  /** Lifetime of new access tokens in seconds. */
  lifetime: number;
  /** Runs before the token endpoint answers. */
  beforeToken: () => Promise<void>;
  /** Simulates a user's browser at an authorization URL: signs in, consents and returns the redirect. */
  consent(address: string): Promise<URLSearchParams>;
}

/** Starts the provider before the tests of a file. `redirectUris`: the registered URIs. */
export function useOAuthProvider(redirectUris: string[]): TestProvider {
  let base = '';
  let close: (() => Promise<void>) | undefined;
  const provider: TestProvider = {
    get url() {
      return base;
    },
    tokenRequests: [],
    lifetime: 3600,
    beforeToken: async () => {},
    consent: (address) => walk(new URL(address), redirectUris),
  };
  beforeAll(async () => {
    let handle: RequestListener = () => {};
    const listening = await listenOn((request, response) => handle(request, response));
    base = listening.url;
    close = listening.close;
    const scopes = ['oauth', 'crm.objects.contacts.read', 'crm.objects.companies.read'];
    handle = oidcServer(base, { redirectUris, scopes, lifetime: () => provider.lifetime }, async () => {
      provider.tokenRequests.push('POST');
      await provider.beforeToken();
    });
  });
  afterAll(() => close?.());
  return provider;
}

/** Follows redirects with cookies until one leads to a registered URI. */
async function walk(start: URL, redirectUris: string[]): Promise<URLSearchParams> {
  const cookies = new Map<string, string>();
  let url = start;
  for (let step = 0; step < 10; step += 1) {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      ask(url, { headers: { cookie } }, resolve).on('error', reject).end();
    });
    for (const line of answer.headers['set-cookie'] ?? []) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=');
      cookies.set(name, value);
    }
    const text = await textOf(answer);
    if (!answer.headers.location) throw new Error(`The provider answered ${answer.statusCode}: ${text.slice(0, 300)}`);
    url = new URL(answer.headers.location, url);
    if (redirectUris.includes(`${url.origin}${url.pathname}`)) return url.searchParams;
  }
  throw new Error('The provider redirects for ever.');
}
