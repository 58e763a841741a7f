import { createServer, request as ask, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';
import { afterAll, beforeAll } from 'vitest';

/** Listens on a free port of this machine, and closes it however the test ends. */
export async function listenOn(
  handler: RequestListener,
): Promise<{ url: string; server: Server; close(): Promise<void> }> {
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server, close };
}

export const textOf = async (message: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
};

export const CLIENT = { clientId: 'weft-client', clientSecret: 'canary-client-secret-0123456789' };

/** A real OAuth 2.0 provider (oidc-provider) that insists on PKCE and rotates refresh tokens. */
export interface TestProvider {
  readonly url: string;
  /** Requests to the token endpoint so far, by grant type. */
  readonly tokenRequests: string[];
  /** Seconds that access tokens last from now on. */
  lifetime: number;
  /** Runs before the token endpoint answers. */
  beforeToken: () => Promise<void>;
  /** What a person's browser does with an authorization address: signs in, consents and comes back. */
  consent(address: string): Promise<URLSearchParams>;
}

/** Starts the provider before the tests of a file. `redirectUris`: those that are registered. */
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
    handle = await handlerOf(provider, redirectUris);
  });
  afterAll(() => close?.());
  return provider;
}

async function handlerOf(state: TestProvider, redirectUris: string[]): Promise<RequestListener> {
  const oidc = new Provider(state.url, {
    clients: [
      {
        client_id: CLIENT.clientId,
        client_secret: CLIENT.clientSecret,
        redirect_uris: redirectUris,
        response_types: ['code'],
        grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    scopes: ['openid', 'offline_access', 'oauth', 'crm.objects.contacts.read', 'crm.objects.companies.read'],
    pkce: { required: () => true },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      introspection: { enabled: true },
    },
    interactions: { url: () => '/consent' },
    issueRefreshToken: () => true,
    rotateRefreshToken: () => true,
    findAccount: (_: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id }) }),
    ttl: {
      AccessToken: () => state.lifetime,
      ClientCredentials: () => state.lifetime,
      Grant: 86_400,
      RefreshToken: 86_400,
      Session: 600,
      Interaction: 600,
    },
    cookies: { keys: ['a key for the cookies of tests'] },
  });
  const callback = oidc.callback();
  return async (request, response) => {
    if (request.url?.startsWith('/consent')) {
      const { params } = await oidc.interactionDetails(request, response);
      const grant = new oidc.Grant({ accountId: 'ada', clientId: params.client_id });
      grant.addOIDCScope(params.scope ?? '');
      const result = { login: { accountId: 'ada' }, consent: { grantId: await grant.save() } };
      return oidc.interactionFinished(request, response, result);
    }
    if (request.url === '/token') {
      state.tokenRequests.push(request.method ?? '');
      await state.beforeToken();
    }
    return callback(request, response);
  };
}

/** Follows redirects with cookies until one leads to a registered address. */
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
