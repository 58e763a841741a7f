import * as client from 'openid-client';
import { Problem } from '@/server/errors/problem';
import { runtime } from '@/server/runtime';
import { groupsIn, textIn, type Asserted } from './external-identity';
import { placeOf, type Place } from './endpoints';
import { fetchFor, fetchWithoutIdToken } from './http';
import { userAt } from './oauth2';
import { ssoAddresses, type Provider } from './provider';
import type { Attempt } from './attempts';
import { SsoRefusal } from './refusal';
import { NodeFailure } from '@/server/errors/node-failure';

const TIMEOUT_SECONDS = 10;
const CLOCK_TOLERANCE_SECONDS = 60;

/** http is allowed for development machines only. */
const insecure = () => (runtime().env.egressAllowPrivate ? [client.allowInsecureRequests] : []);

async function configurationOf(
  { config, secrets, workspaceId }: Provider,
  endpoints: Place,
): Promise<client.Configuration> {
  const { clientId = '' } = config;
  const { clientSecret = '' } = secrets;
  const server =
    'issuer' in endpoints ? await discovered(endpoints.issuer, clientId, fetchFor(workspaceId)) : metadataOf(endpoints);
  const auth = server.token_endpoint_auth_methods_supported?.includes('client_secret_post') ?? !('issuer' in endpoints);
  const found = new client.Configuration(
    server,
    clientId,
    { [client.clockTolerance]: CLOCK_TOLERANCE_SECONDS },
    auth ? client.ClientSecretPost(clientSecret) : client.ClientSecretBasic(clientSecret),
  );
  found.timeout = TIMEOUT_SECONDS;
  found[client.customFetch] = 'issuer' in endpoints ? fetchFor(workspaceId) : fetchWithoutIdToken(workspaceId);
  insecure().forEach((allow) => allow(found));
  if ('issuer' in endpoints) client.enableNonRepudiationChecks(found);
  return found;
}

async function discovered(issuer: string, clientId: string, fetch: client.CustomFetch): Promise<client.ServerMetadata> {
  const options = { [client.customFetch]: fetch, timeout: TIMEOUT_SECONDS, execute: insecure() };
  return (await client.discovery(new URL(issuer), clientId, undefined, client.None(), options)).serverMetadata();
}

const metadataOf = (endpoints: { authorizationUrl: string; tokenUrl: string }): client.ServerMetadata => ({
  issuer: new URL(endpoints.authorizationUrl).origin,
  authorization_endpoint: endpoints.authorizationUrl,
  token_endpoint: endpoints.tokenUrl,
});

function scopesOf({ config }: Provider, endpoints: Place): string {
  if (config.scopes) return config.scopes.join(' ');
  if ('issuer' in endpoints) return 'openid email profile';
  return config.preset === 'github' ? 'read:user user:email' : 'openid email profile';
}

/** The redirect address of the browser. */
export async function authorizationUrl(provider: Provider, attempt: Attempt): Promise<string> {
  return guarded(async () => {
    const endpoints = placeOf(provider);
    const configuration = await configurationOf(provider, endpoints);
    const url = client.buildAuthorizationUrl(configuration, {
      redirect_uri: ssoAddresses(provider.id).redirectUri,
      scope: scopesOf(provider, endpoints),
      state: attempt.id,
      code_challenge: await client.calculatePKCECodeChallenge(attempt.verifier),
      code_challenge_method: 'S256',
      ...('issuer' in endpoints ? { nonce: attempt.nonce } : {}),
    });
    return url.href;
  });
}

/**
 * The identity of the person who returned with this query. Verifies state, code and verifier; for OpenID Connect also signature, issuer,
 * audience, nonce and times of the ID token. Throws SsoRefusal.
 */
export async function assertedBy(provider: Provider, attempt: Attempt, query: URLSearchParams): Promise<Asserted> {
  return guarded(async () => {
    const endpoints = placeOf(provider);
    const configuration = await configurationOf(provider, endpoints);
    const back = new URL(ssoAddresses(provider.id).redirectUri);
    back.search = query.toString();
    const isOidc = 'issuer' in endpoints;
    const tokens = await client.authorizationCodeGrant(configuration, back, {
      pkceCodeVerifier: attempt.verifier,
      expectedState: attempt.id,
      ...(isOidc ? { expectedNonce: attempt.nonce, idTokenExpected: true } : {}),
    });
    if (!isOidc) return userAt(endpoints.userInfoUrl, tokens.access_token, provider);
    const claims = tokens.claims();
    if (!claims) throw new SsoRefusal('invalid', 'The provider sent no ID token.');
    return fromClaims(provider, await completed(configuration, claims, tokens.access_token));
  });
}

/** The ID token's claims, plus those of the userinfo endpoint if the token has no address. */
async function completed(configuration: client.Configuration, claims: client.IDToken, accessToken: string) {
  if (claims.email !== undefined || !configuration.serverMetadata().userinfo_endpoint) return claims;
  return { ...(await client.fetchUserInfo(configuration, accessToken, claims.sub)), ...claims };
}

function fromClaims({ config }: Provider, claims: Record<string, unknown>): Asserted {
  // Microsoft states in a separate claim that the domain's owner verified the address.
  const isVerified = claims['email_verified'] === true || claims['email_verified'] === 'true';
  const isOwnedDomain = config.preset === 'microsoft' && [true, 'true', 1, '1'].includes(claims['xms_edov'] as boolean);
  return {
    subject: String(claims['sub']),
    email: textIn(claims['email']),
    isEmailVerified: isVerified || isOwnedDomain,
    name: textIn(claims['name']) ?? textIn(claims['preferred_username']),
    groups: groupsIn(claims[config.groupsClaim]),
    claims,
  };
}

/** Every error with the provider is a refusal with a reason, not an internal error. */
async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Problem) throw error;
    if (error instanceof client.AuthorizationResponseError) {
      throw new SsoRefusal('declined', `The provider answered: ${error.error_description ?? error.error}`, {}, error);
    }
    const cause = causeOf(error);
    if (cause) throw new SsoRefusal('unreachable', `The provider can't be reached: ${cause.message}`, {}, error);
    const { message } = error instanceof Error ? error : new Error(String(error));
    throw new SsoRefusal('invalid', `The provider's answer is not valid: ${message}`, {}, error);
  }
}

function causeOf(error: unknown): NodeFailure | null {
  if (error instanceof NodeFailure) return error;
  return error instanceof Error && error.cause !== undefined ? causeOf(error.cause) : null;
}
