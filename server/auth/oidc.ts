import * as client from 'openid-client';
import { Problem } from '../api/problem';
import { NodeFailure } from '../nodes/node';
import { runtime } from '../runtime';
import { groupsIn, textIn, type Asserted } from './asserted';
import { fetchWithoutIdToken, outboundFetch } from './sso-http';
import { userAt } from './oauth2';
import { ssoAddresses, type Provider } from './sso-provider';
import type { Attempt } from './sso-attempt';
import { SsoRefusal } from './sso-refusal';

const TIMEOUT_SECONDS = 10;
const CLOCK_TOLERANCE_SECONDS = 60;

/** Where the presets are that are at the same place for everybody. */
const ISSUERS: Record<string, string> = { google: 'https://accounts.google.com', gitlab: 'https://gitlab.com' };

const GITHUB = {
  authorizationUrl: 'https://github.com/login/oauth/authorize',
  tokenUrl: 'https://github.com/login/oauth/access_token',
  userInfoUrl: 'https://api.github.com/user',
};

/** A provider that describes itself (OpenID Connect), or one whose addresses are given (plain OAuth 2.0). */
type Place = { issuer: string } | { authorizationUrl: string; tokenUrl: string; userInfoUrl: string };

function placeOf({ config }: Provider): Place {
  const { preset = '' } = config;
  const given = preset === 'github' ? { ...GITHUB, ...defined(config) } : config;
  const { authorizationUrl, tokenUrl, userInfoUrl } = given;
  if (authorizationUrl && tokenUrl && userInfoUrl) return { authorizationUrl, tokenUrl, userInfoUrl };
  const issuer = config.issuer ?? ISSUERS[preset];
  if (!issuer) throw new SsoRefusal('unreachable', 'The provider has no address.');
  return { issuer };
}

const defined = ({ authorizationUrl, tokenUrl, userInfoUrl }: Provider['config']) =>
  Object.fromEntries(
    Object.entries({ authorizationUrl, tokenUrl, userInfoUrl }).filter(([, value]) => value !== undefined),
  );

/** http is for machines that only development may call. */
const insecure = () => (runtime().env.egressAllowPrivate ? [client.allowInsecureRequests] : []);

async function configurationOf({ config, secrets }: Provider, place: Place): Promise<client.Configuration> {
  const { clientId = '' } = config;
  const { clientSecret = '' } = secrets;
  const server = 'issuer' in place ? await discovered(place.issuer, clientId) : metadataOf(place);
  const auth = server.token_endpoint_auth_methods_supported?.includes('client_secret_post') ?? !('issuer' in place);
  const found = new client.Configuration(
    server,
    clientId,
    { [client.clockTolerance]: CLOCK_TOLERANCE_SECONDS },
    auth ? client.ClientSecretPost(clientSecret) : client.ClientSecretBasic(clientSecret),
  );
  found.timeout = TIMEOUT_SECONDS;
  found[client.customFetch] = 'issuer' in place ? outboundFetch : fetchWithoutIdToken;
  insecure().forEach((allow) => allow(found));
  if ('issuer' in place) client.enableNonRepudiationChecks(found);
  return found;
}

async function discovered(issuer: string, clientId: string): Promise<client.ServerMetadata> {
  const options = { [client.customFetch]: outboundFetch, timeout: TIMEOUT_SECONDS, execute: insecure() };
  return (await client.discovery(new URL(issuer), clientId, undefined, client.None(), options)).serverMetadata();
}

const metadataOf = (place: { authorizationUrl: string; tokenUrl: string }): client.ServerMetadata => ({
  issuer: new URL(place.authorizationUrl).origin,
  authorization_endpoint: place.authorizationUrl,
  token_endpoint: place.tokenUrl,
});

function scopesOf({ config }: Provider, place: Place): string {
  if (config.scopes) return config.scopes.join(' ');
  if ('issuer' in place) return 'openid email profile';
  return config.preset === 'github' ? 'read:user user:email' : 'openid email profile';
}

/** Where the browser goes to sign in. */
export async function authorizationUrl(provider: Provider, attempt: Attempt): Promise<string> {
  return guarded(async () => {
    const place = placeOf(provider);
    const configuration = await configurationOf(provider, place);
    const url = client.buildAuthorizationUrl(configuration, {
      redirect_uri: ssoAddresses(provider.id).redirectUri,
      scope: scopesOf(provider, place),
      state: attempt.id,
      code_challenge: await client.calculatePKCECodeChallenge(attempt.verifier),
      code_challenge_method: 'S256',
      ...('issuer' in place ? { nonce: attempt.nonce } : {}),
    });
    return url.href;
  });
}

/**
 * What the provider says of the person who came back with this query. Checked: state, code and verifier; for OpenID
 * Connect also signature, issuer, audience, nonce and times of the ID token. Throws SsoRefusal.
 */
export async function assertedBy(provider: Provider, attempt: Attempt, query: URLSearchParams): Promise<Asserted> {
  return guarded(async () => {
    const place = placeOf(provider);
    const configuration = await configurationOf(provider, place);
    const back = new URL(ssoAddresses(provider.id).redirectUri);
    back.search = query.toString();
    const isOidc = 'issuer' in place;
    const tokens = await client.authorizationCodeGrant(configuration, back, {
      pkceCodeVerifier: attempt.verifier,
      expectedState: attempt.id,
      ...(isOidc ? { expectedNonce: attempt.nonce, idTokenExpected: true } : {}),
    });
    if (!isOidc) return userAt(place.userInfoUrl, tokens.access_token, provider);
    const claims = tokens.claims();
    if (!claims) throw new SsoRefusal('invalid', 'The provider sent no ID token.');
    return fromClaims(provider, await completed(configuration, claims, tokens.access_token));
  });
}

/** The ID token's claims, and those of the userinfo endpoint where the token leaves the address out. */
async function completed(configuration: client.Configuration, claims: client.IDToken, accessToken: string) {
  if (claims.email !== undefined || !configuration.serverMetadata().userinfo_endpoint) return claims;
  return { ...(await client.fetchUserInfo(configuration, accessToken, claims.sub)), ...claims };
}

function fromClaims({ config }: Provider, claims: Record<string, unknown>): Asserted {
  // Microsoft says in a claim of its own that the domain's owner vouches for the address.
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

/** Whatever goes wrong between us and the provider is a refusal with a reason, not a fault of ours. */
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
