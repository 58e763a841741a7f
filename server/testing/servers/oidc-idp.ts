import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

/** A real OpenID Connect provider on loopback, whose users consent automatically. */
export interface OidcIdp {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Creates an account; returns its subject. */
  account(claims: Record<string, unknown>): string;
  /** Simulates the browser: from the authorization URL to the redirect URL. */
  signIn(authorizationUrl: string, subject: string): Promise<string>;
  close(): Promise<void>;
}

export async function startOidcIdp(redirectUri: string): Promise<OidcIdp> {
  const accounts = new Map<string, Record<string, unknown>>();
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const clientId = 'weft-test';
  const clientSecret = 'a secret between weft and its test provider';
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [redirectUri],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    cookies: { keys: ['a key of the test provider'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_: unknown, sub: string) => {
      const claims = accounts.get(sub);
      return claims && { accountId: sub, claims: async () => ({ sub, ...claims }) };
    },
  });
  const handle = provider.callback();
  server.on('request', (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return void handle(request, response);
    const consent = async () => {
      const { params } = await provider.interactionDetails(request, response);
      // Without a hint the last account that was created signs in.
      const accountId = String(params.login_hint ?? [...accounts.keys()].at(-1));
      const grant = new provider.Grant({ accountId, clientId });
      grant.addOIDCScope(String(params.scope));
      const result = { login: { accountId }, consent: { grantId: await grant.save() } };
      await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
    };
    consent().catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  return {
    issuer,
    clientId,
    clientSecret,
    account(claims) {
      const sub = `person-${accounts.size + 1}`;
      accounts.set(sub, claims);
      return sub;
    },
    async signIn(authorizationUrl, subject) {
      const cookies = new Map<string, string>();
      let at = new URL(authorizationUrl);
      at.searchParams.set('login_hint', subject);
      while (at.origin === issuer) {
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
        const answer = await fetch(at, { redirect: 'manual', headers: { cookie } });
        for (const line of answer.headers.getSetCookie()) {
          const [name = '', value = ''] = (line.split(';')[0] ?? '').split(/=(.*)/s);
          cookies.set(name, value);
        }
        const location = answer.headers.get('location');
        if (!location) throw new Error(`The provider answered ${answer.status}: ${await answer.text()}`);
        at = new URL(location, at);
      }
      return at.href;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
