import { requestTokens } from '@/server/connectors/authorization/token-endpoint';
import { fetchOauthPerson } from '@/server/people/sso/oauth2';
import { verifyOauthCallback, buildSsoRedirectUrl } from '@/server/people/sso/oidc';
import type { IdentityProvider } from '@/server/people/sso/provider';
import { listenOn } from '../../listen';
import { repeated, type HostileServer } from '../hostile-server';

const ATTEMPT = {
  id: 'a'.repeat(43),
  providerId: 'sso_growth',
  returnTo: '/',
  response: 'session' as const,
  verifier: 'v'.repeat(43),
  nonce: 'n'.repeat(43),
  requestId: 'r',
};

const providerAt = (config: Partial<IdentityProvider['config']>): IdentityProvider => ({
  id: ATTEMPT.providerId,
  workspaceId: null,
  type: 'oidc',
  name: 'Growth',
  enabled: true,
  domains: [],
  defaultRole: 'role',
  config: { clientId: 'client', isMfaTrusted: false, groupsClaim: 'groups', groupRoles: [], authority: [], ...config },
  secrets: { clientSecret: 'secret' },
});

interface Answers {
  metadata?: (size: number) => string;
  keys?: (size: number) => string;
  tokens?: (size: number, issuer: string) => string;
  user?: (size: number) => string;
}

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** An ID token whose signature is wrong. */
function idToken(issuer: string): string {
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss: issuer, aud: 'client', sub: 'ada', exp: now + 600, iat: now, nonce: ATTEMPT.nonce };
  return `${encoded({ alg: 'RS256', kid: 'k' })}.${encoded(claims)}.${Buffer.alloc(256, 1).toString('base64url')}`;
}

/** An identity provider by which somebody signs in. */
const identity = (largest: number, use: (url: string) => Promise<unknown>, answers: Answers): HostileServer => ({
  largest,
  async start(size) {
    const made: Record<string, string> = {};
    const { url, close } = await listenOn((request, response) => {
      request.resume();
      response.writeHead(200, { 'content-type': 'application/json' }).end(made[request.url ?? '']);
    });
    const places = {
      authorization_endpoint: `${url}/sign-in`,
      token_endpoint: `${url}/token`,
      jwks_uri: `${url}/keys`,
    };
    const metadata = JSON.stringify({ issuer: url, ...places, response_types_supported: ['code'] });
    made['/.well-known/openid-configuration'] = metadata.slice(0, -1) + (answers.metadata?.(size) ?? '') + '}';
    made['/keys'] = answers.keys?.(size) ?? '{"keys":[]}';
    const tokens = { access_token: 'a', token_type: 'bearer', id_token: idToken(url) };
    made['/token'] = answers.tokens?.(size, url) ?? JSON.stringify(tokens);
    made['/user'] = answers.user?.(size) ?? '{"sub":"ada"}';
    return { url, call: () => use(url), close };
  },
});

const discover = (issuer: string) => buildSsoRedirectUrl(providerAt({ issuer }), ATTEMPT);
const signIn = (issuer: string) =>
  verifyOauthCallback(providerAt({ issuer }), ATTEMPT, new URLSearchParams({ code: 'c', state: ATTEMPT.id }));
const signInByOAuth = (url: string) =>
  verifyOauthCallback(
    providerAt({ authorizationUrl: `${url}/sign-in`, tokenUrl: `${url}/token`, userInfoUrl: `${url}/user` }),
    ATTEMPT,
    new URLSearchParams({ code: 'c', state: ATTEMPT.id }),
  );
const readUser = (url: string) => fetchOauthPerson(`${url}/user`, 'token', providerAt({}));
const getTokens = (url: string) =>
  requestTokens(
    { workspaceId: 'ws_growth', tokenUrl: `${url}/token`, clientId: 'c', clientSecret: 's', authentication: 'form' },
    { grant_type: 'refresh_token' },
  );

/** Bytes that the library is given, and that a person may have. */
const [MOST, MOST_OF_PERSON] = [46 * 1024, 125 * 1024];
const names = (size: number) => Array.from({ length: size / 12 }, (_, at) => `"n${at}":1`).join();
const key = '{"kty":"RSA","kid":"x","n":"AQAB","e":"AQAB"}';
const keysLike = (one: string) => (size: number) => `{"keys":[${repeated(`${one},`, size)}${one}]}`;

export const identityServers: Record<string, HostileServer> = {
  'oidc: metadata with many names': identity(MOST, discover, { metadata: (size) => `,${names(size)}` }),
  'oidc: metadata with long lists': identity(MOST, discover, {
    metadata: (size) => `,"token_endpoint_auth_methods_supported":[${repeated('"x",', size)}"x"]`,
  }),
  'oidc: many keys': identity(MOST, signIn, { keys: keysLike(key) }),
  'oidc: many keys that could be the one': identity(MOST, signIn, { keys: keysLike(key.replace('"x"', '"k"')) }),
  'oidc: keys that are none': identity(MOST, signIn, { keys: keysLike('1') }),
  'oauth: tokens with many names': identity(MOST, getTokens, {
    tokens: (size) => `{"access_token":"a",${names(size)}}`,
  }),
  'oauth: tokens that are lists': identity(MOST, getTokens, { tokens: (size) => `[${repeated('1,', size)}1]` }),
  'oauth: sign-in with many names': identity(MOST, signInByOAuth, {
    tokens: (size) => `{"access_token":"a","token_type":"bearer",${names(size)}}`,
  }),
  'oauth: a person with many groups': identity(MOST_OF_PERSON, readUser, {
    user: (size) => `{"sub":"ada","groups":[${repeated('"g",', size)}"g"]}`,
  }),
  'oauth: a person with many names': identity(MOST_OF_PERSON, readUser, {
    user: (size) => `{"sub":"ada",${names(size)}}`,
  }),
};
