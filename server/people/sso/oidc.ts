import * as client from 'openid-client';
import { ApiProblem } from '@/server/platform/errors/problem';
import { getRuntime } from '@/server/platform/runtime';
import { claimGroups, claimText, type AssertedPerson } from './external-identity';
import { requireEndpoints, type ProviderEndpoints } from './endpoints';
import { createProviderFetch, createFetchWithoutIdToken } from './http';
import { fetchOauthPerson } from './oauth2';
import { serviceSsoUrls, type IdentityProvider } from './provider';
import type { SsoAttempt } from './attempts';
import { SsoRefusal } from './refusal';
import { NodeFailure } from '@/server/platform/errors/node-failure';

const DISCOVERY_TIMEOUT_SECONDS = 10;
const TOKEN_CLOCK_TOLERANCE_SECONDS = 60;

/** http is allowed for development machines only. */
const insecureRequestOptions = () => (getRuntime().env.egressAllowPrivate ? [client.allowInsecureRequests] : []);

async function loadClientConfiguration(
  { config, secrets, workspaceId }: IdentityProvider,
  endpoints: ProviderEndpoints,
): Promise<client.Configuration> {
  const { clientId = '' } = config;
  const { clientSecret = '' } = secrets;
  const server =
    'issuer' in endpoints
      ? await discoverMetadata(endpoints.issuer, clientId, createProviderFetch(workspaceId))
      : configuredMetadata(endpoints);
  const auth = server.token_endpoint_auth_methods_supported?.includes('client_secret_post') ?? !('issuer' in endpoints);
  const found = new client.Configuration(
    server,
    clientId,
    { [client.clockTolerance]: TOKEN_CLOCK_TOLERANCE_SECONDS },
    auth ? client.ClientSecretPost(clientSecret) : client.ClientSecretBasic(clientSecret),
  );
  found.timeout = DISCOVERY_TIMEOUT_SECONDS;
  found[client.customFetch] =
    'issuer' in endpoints ? createProviderFetch(workspaceId) : createFetchWithoutIdToken(workspaceId);
  insecureRequestOptions().forEach((allow) => allow(found));
  if ('issuer' in endpoints) client.enableNonRepudiationChecks(found);
  return found;
}

async function discoverMetadata(
  issuer: string,
  clientId: string,
  fetch: client.CustomFetch,
): Promise<client.ServerMetadata> {
  const options = {
    [client.customFetch]: fetch,
    timeout: DISCOVERY_TIMEOUT_SECONDS,
    execute: insecureRequestOptions(),
  };
  return (await client.discovery(new URL(issuer), clientId, undefined, client.None(), options)).serverMetadata();
}

const configuredMetadata = (endpoints: { authorizationUrl: string; tokenUrl: string }): client.ServerMetadata => ({
  issuer: new URL(endpoints.authorizationUrl).origin,
  authorization_endpoint: endpoints.authorizationUrl,
  token_endpoint: endpoints.tokenUrl,
});

function requestedScopes({ config }: IdentityProvider, endpoints: ProviderEndpoints): string {
  if (config.scopes) return config.scopes.join(' ');
  if ('issuer' in endpoints) return 'openid email profile';
  return config.preset === 'github' ? 'read:user user:email' : 'openid email profile';
}

/** The redirect address of the browser. */
export async function buildSsoRedirectUrl(provider: IdentityProvider, attempt: SsoAttempt): Promise<string> {
  return refuseProviderErrors(async () => {
    const endpoints = requireEndpoints(provider);
    const configuration = await loadClientConfiguration(provider, endpoints);
    const url = client.buildAuthorizationUrl(configuration, {
      redirect_uri: serviceSsoUrls(provider.id).redirectUri,
      scope: requestedScopes(provider, endpoints),
      state: attempt.id,
      code_challenge: await client.calculatePKCECodeChallenge(attempt.verifier),
      code_challenge_method: 'S256',
      ...('issuer' in endpoints ? { nonce: attempt.nonce } : {}),
    });
    return url.href;
  });
}

/**
 * The identity of the person who returned with this query. Verifies state, code and verifier; for OpenID Connect also
 * signature, issuer, audience, nonce and times of the ID token. Throws SsoRefusal.
 */
export async function verifyOauthCallback(
  provider: IdentityProvider,
  attempt: SsoAttempt,
  query: URLSearchParams,
): Promise<AssertedPerson> {
  return refuseProviderErrors(async () => {
    const endpoints = requireEndpoints(provider);
    const configuration = await loadClientConfiguration(provider, endpoints);
    const back = new URL(serviceSsoUrls(provider.id).redirectUri);
    back.search = query.toString();
    const isOidc = 'issuer' in endpoints;
    const tokens = await client.authorizationCodeGrant(configuration, back, {
      pkceCodeVerifier: attempt.verifier,
      expectedState: attempt.id,
      ...(isOidc ? { expectedNonce: attempt.nonce, idTokenExpected: true } : {}),
    });
    if (!isOidc) return fetchOauthPerson(endpoints.userInfoUrl, tokens.access_token, provider);
    const claims = tokens.claims();
    if (!claims) throw new SsoRefusal('invalid', 'The provider sent no ID token.');
    return personFromClaims(provider, await completeClaims(configuration, claims, tokens.access_token));
  });
}

/** The ID token's claims, plus those of the userinfo endpoint if the token has no address. */
async function completeClaims(configuration: client.Configuration, claims: client.IDToken, accessToken: string) {
  if (claims.email !== undefined || !configuration.serverMetadata().userinfo_endpoint) return claims;
  return { ...(await client.fetchUserInfo(configuration, accessToken, claims.sub)), ...claims };
}

function personFromClaims({ config }: IdentityProvider, claims: Record<string, unknown>): AssertedPerson {
  // Microsoft states in a separate claim that the domain's owner verified the address.
  const isVerified = claims['email_verified'] === true || claims['email_verified'] === 'true';
  const isOwnedDomain = config.preset === 'microsoft' && [true, 'true', 1, '1'].includes(claims['xms_edov'] as boolean);
  return {
    subject: String(claims['sub']),
    email: claimText(claims['email']),
    isEmailVerified: isVerified || isOwnedDomain,
    name: claimText(claims['name']) ?? claimText(claims['preferred_username']),
    groups: claimGroups(claims[config.groupsClaim]),
    claims,
  };
}

/** Every error with the provider is a refusal with a reason, not an internal error. */
async function refuseProviderErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ApiProblem) throw error;
    if (error instanceof client.AuthorizationResponseError) {
      throw new SsoRefusal('declined', `The provider answered: ${error.error_description ?? error.error}`, {}, error);
    }
    const cause = findFailureCause(error);
    if (cause) throw new SsoRefusal('unreachable', `The provider can't be reached: ${cause.message}`, {}, error);
    const { message } = error instanceof Error ? error : new Error(String(error));
    throw new SsoRefusal('invalid', `The provider's answer is not valid: ${message}`, {}, error);
  }
}

function findFailureCause(error: unknown): NodeFailure | null {
  if (error instanceof NodeFailure) return error;
  return error instanceof Error && error.cause !== undefined ? findFailureCause(error.cause) : null;
}
