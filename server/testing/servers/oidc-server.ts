import type { RequestListener } from 'node:http';
import Provider from 'oidc-provider';
import { CLIENT } from '../client';
import { textOf } from '../listen';

export interface OidcServerOptions {
  redirectUris: string[];
  /** Supported scopes besides `offline_access`. */
  scopes: string[];
  /** Client authentication method; default: in the form. */
  authentication?: 'client_secret_post' | 'client_secret_basic';
  /** Lifetime of access tokens in seconds. */
  lifetime?: () => number;
  /** True: users consent on a page; otherwise consent is automatic. */
  asks?: boolean;
}

const PAGE = `<!doctype html><html lang="en"><title>Sign in</title><h1>The provider</h1>
<form method="post"><button name="answer" value="yes">Allow</button> <button name="answer" value="no">Refuse</button></form>`;

/**
 * A real OAuth 2.0 provider (oidc-provider) that insists on PKCE and rotates refresh tokens, with an API under `/api`
 * that returns the subject of a valid token and the request. `onToken` runs before the token endpoint responds.
 */
export function oidcServer(issuer: string, options: OidcServerOptions, onToken = async (): Promise<void> => {}) {
  const { redirectUris, scopes, authentication = 'client_secret_post', lifetime = () => 3600, asks = false } = options;
  const oidc = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.clientId,
        client_secret: CLIENT.clientSecret,
        redirect_uris: redirectUris,
        response_types: ['code'],
        grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
        token_endpoint_auth_method: authentication,
      },
    ],
    scopes: ['openid', 'offline_access', ...scopes],
    pkce: { required: () => true },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      introspection: { enabled: true },
    },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/consent/${uid}` },
    issueRefreshToken: () => true,
    rotateRefreshToken: () => true,
    findAccount: (_: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id }) }),
    ttl: {
      AccessToken: lifetime,
      ClientCredentials: lifetime,
      Grant: 86_400,
      RefreshToken: 86_400,
      Session: 600,
      Interaction: 600,
    },
    cookies: { keys: ['a key for the cookies of tests'] },
  });
  const callback = oidc.callback();
  const consent: RequestListener = async (request, response) => {
    const { params } = await oidc.interactionDetails(request, response);
    if (asks && request.method === 'GET')
      return void response.writeHead(200, { 'Content-Type': 'text/html' }).end(PAGE);
    if (asks && new URLSearchParams(await textOf(request)).get('answer') !== 'yes')
      return oidc.interactionFinished(request, response, { error: 'access_denied' });
    const grant = new oidc.Grant({ accountId: 'ada', clientId: params.client_id });
    grant.addOIDCScope(params.scope ?? '');
    const result = { login: { accountId: 'ada' }, consent: { grantId: await grant.save() } };
    return oidc.interactionFinished(request, response, result);
  };
  const api: RequestListener = async (request, response) => {
    const token = await oidc.AccessToken.find(request.headers.authorization?.replace(/^Bearer /, '') ?? '');
    const asked = { request: `${request.method} ${request.url}`, sent: await textOf(request) };
    const body = token ? { account: token.accountId, scope: token.scope, ...asked } : { error: 'invalid_token' };
    response.writeHead(token ? 200 : 401, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  };
  const listener: RequestListener = async (request, response) => {
    if (request.url?.startsWith('/consent/')) return consent(request, response);
    if (request.url?.startsWith('/api')) return api(request, response);
    if (request.url === '/token') await onToken();
    return callback(request, response);
  };
  return listener;
}
