import { request } from '@/server/outbound/outbound';
import { groupsIn, textIn, type Asserted } from './external-identity';
import type { Provider } from './provider';
import { SsoRefusal } from './refusal';

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 128 * 1024;

async function get(workspaceId: string | null, url: string, accessToken: string): Promise<unknown> {
  const answer = await request({
    workspaceId: workspaceId ?? '',
    url,
    headers: { authorization: `Bearer ${accessToken}`, accept: 'application/json' },
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
    followRedirects: false,
  });
  if (answer.status !== 200)
    throw new SsoRefusal('invalid', `The provider answered ${answer.status} to the request for the person’s identity.`);
  return JSON.parse(answer.body.toString('utf8'));
}

/** The identity behind an access token of a provider with OAuth 2.0 but without OpenID Connect. */
export async function userAt(userInfoUrl: string, accessToken: string, provider: Provider): Promise<Asserted> {
  const { config, workspaceId } = provider;
  const user = await get(workspaceId, userInfoUrl, accessToken);
  if (typeof user !== 'object' || user === null || Array.isArray(user)) {
    throw new SsoRefusal('invalid', 'The provider returned no identity.');
  }
  const claims = user as Record<string, unknown>;
  const id = claims['sub'] ?? claims['id'];
  const subject = typeof id === 'number' ? String(id) : textIn(id);
  if (subject === null) throw new SsoRefusal('invalid', 'The provider returned no identity.', claims);
  const mail =
    config.preset === 'github' ? await githubAddress(workspaceId, userInfoUrl, accessToken) : addressIn(claims);
  return {
    subject,
    ...mail,
    name: textIn(claims['name']) ?? textIn(claims['login']),
    groups: groupsIn(claims[config.groupsClaim]),
    claims: { ...claims, ...mail },
  };
}

const addressIn = (claims: Record<string, unknown>) => ({
  email: textIn(claims['email']),
  isEmailVerified: claims['email_verified'] === true || claims['verified_email'] === true,
});

/** GitHub's profile may show any address; the verified ones are in a separate list. */
async function githubAddress(workspaceId: string | null, userInfoUrl: string, accessToken: string) {
  const list = await get(workspaceId, `${userInfoUrl}/emails`, accessToken);
  const addresses = Array.isArray(list) ? (list as { email?: unknown; primary?: unknown; verified?: unknown }[]) : [];
  const primary = addresses.find((one) => one?.primary === true);
  return { email: textIn(primary?.email), isEmailVerified: primary?.verified === true };
}
