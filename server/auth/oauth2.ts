import { request } from '../outbound';
import { groupsIn, textIn, type Asserted } from './asserted';
import type { Provider } from './sso-provider';
import { SsoRefusal } from './sso-refusal';

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 1024 * 1024;

async function get(url: string, accessToken: string): Promise<unknown> {
  const answer = await request({
    url,
    headers: { authorization: `Bearer ${accessToken}`, accept: 'application/json' },
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
    followRedirects: false,
  });
  if (answer.status !== 200)
    throw new SsoRefusal('invalid', `The provider answered ${answer.status} when asked who it is.`);
  return JSON.parse(answer.body.toString('utf8'));
}

/** The person behind an access token of a provider that speaks OAuth 2.0 without OpenID Connect. */
export async function userAt(userInfoUrl: string, accessToken: string, { config }: Provider): Promise<Asserted> {
  const user = await get(userInfoUrl, accessToken);
  if (typeof user !== 'object' || user === null || Array.isArray(user)) {
    throw new SsoRefusal('invalid', 'The provider did not say who it is.');
  }
  const claims = user as Record<string, unknown>;
  const id = claims['sub'] ?? claims['id'];
  const subject = typeof id === 'number' ? String(id) : textIn(id);
  if (subject === null) throw new SsoRefusal('invalid', 'The provider did not say who it is.', claims);
  const mail = config.preset === 'github' ? await githubAddress(userInfoUrl, accessToken) : addressIn(claims);
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

/** GitHub's profile may show any address; what it has verified is in a list of its own. */
async function githubAddress(userInfoUrl: string, accessToken: string) {
  const list = await get(`${userInfoUrl}/emails`, accessToken);
  const addresses = Array.isArray(list) ? (list as { email?: unknown; primary?: unknown; verified?: unknown }[]) : [];
  const primary = addresses.find((one) => one?.primary === true);
  return { email: textIn(primary?.email), isEmailVerified: primary?.verified === true };
}
