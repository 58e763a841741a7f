import { sendOutboundRequest } from '@/server/network/outbound/outbound';
import { claimGroups, claimText, type AssertedPerson } from './external-identity';
import type { IdentityProvider } from './provider';
import { SsoRefusal } from './refusal';

const USER_INFO_TIMEOUT_MS = 10_000;
const MAX_USER_INFO_BYTES = 128 * 1024;

async function fetchProviderJson(workspaceId: string | null, url: string, accessToken: string): Promise<unknown> {
  const answer = await sendOutboundRequest({
    workspaceId: workspaceId ?? '',
    url,
    headers: { authorization: `Bearer ${accessToken}`, accept: 'application/json' },
    timeoutMs: USER_INFO_TIMEOUT_MS,
    maxBytes: MAX_USER_INFO_BYTES,
    followRedirects: false,
  });
  if (answer.status !== 200)
    throw new SsoRefusal('invalid', `The provider answered ${answer.status} to the request for the person’s identity.`);
  return JSON.parse(answer.body.toString('utf8'));
}

/** The identity behind an access token of a provider with OAuth 2.0 but without OpenID Connect. */
export async function fetchOauthPerson(
  userInfoUrl: string,
  accessToken: string,
  provider: IdentityProvider,
): Promise<AssertedPerson> {
  const { config, workspaceId } = provider;
  const user = await fetchProviderJson(workspaceId, userInfoUrl, accessToken);
  if (typeof user !== 'object' || user === null || Array.isArray(user)) {
    throw new SsoRefusal('invalid', 'The provider returned no identity.');
  }
  const claims = user as Record<string, unknown>;
  const id = claims['sub'] ?? claims['id'];
  const subject = typeof id === 'number' ? String(id) : claimText(id);
  if (subject === null) throw new SsoRefusal('invalid', 'The provider returned no identity.', claims);
  const mail =
    config.preset === 'github' ? await fetchGithubEmail(workspaceId, userInfoUrl, accessToken) : emailClaims(claims);
  return {
    subject,
    ...mail,
    name: claimText(claims['name']) ?? claimText(claims['login']),
    groups: claimGroups(claims[config.groupsClaim]),
    claims: { ...claims, ...mail },
  };
}

const emailClaims = (claims: Record<string, unknown>) => ({
  email: claimText(claims['email']),
  isEmailVerified: claims['email_verified'] === true || claims['verified_email'] === true,
});

/** GitHub's profile may show any address; the verified ones are in a separate list. */
async function fetchGithubEmail(workspaceId: string | null, userInfoUrl: string, accessToken: string) {
  const list = await fetchProviderJson(workspaceId, `${userInfoUrl}/emails`, accessToken);
  const addresses = Array.isArray(list) ? (list as { email?: unknown; primary?: unknown; verified?: unknown }[]) : [];
  const primary = addresses.find((one) => one?.primary === true);
  return { email: claimText(primary?.email), isEmailVerified: primary?.verified === true };
}
