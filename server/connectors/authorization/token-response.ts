import { parseExactIntegers } from '@/contract/exact-json';

/** The body of a token endpoint's response; undefined: it is neither JSON nor a form, such as a page. */
export type TokenResponse = Record<string, unknown> | undefined;

/** The tokens that a provider has granted. */
export interface GrantedTokens {
  accessToken: string;
  /** Undefined: the previous one, if any, stays valid. */
  refreshToken: string | undefined;
  /** Seconds; undefined: unknown. */
  expiresIn: number | undefined;
  /** The whole response; some providers include an account's address. */
  answer: Record<string, unknown>;
}

const isResponseObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const FORM_ENCODED_PATTERN = /^(?:[\w.%+-]+=[^&<>{}]*(?:&|$))+$/;

/** Reads a response as JSON or as a form, whatever its content type says: those of token endpoints are not reliable. */
export function parseTokenResponse(body: Uint8Array): TokenResponse {
  const text = Buffer.from(body)
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trim();
  try {
    const value = parseExactIntegers(text);
    return isResponseObject(value) ? value : undefined;
  } catch {
    return FORM_ENCODED_PATTERN.test(text) ? Object.fromEntries(new URLSearchParams(text)) : undefined;
  }
}

/** Tokens go into headers: characters that could begin another header are refused. */
const ACCESS_TOKEN_PATTERN = /^[\x20-\x7e]{1,20000}$/;
const MAX_LIFETIME_SECONDS = 10 * 365 * 86_400;
/** Larger numbers are points in time: seconds since 1970. */
const MIN_EPOCH_SECONDS = 1_000_000_000;
/** The same in milliseconds. */
const MIN_EPOCH_MS = MIN_EPOCH_SECONDS * 1000;

/**
 * Converts a lifetime or a point in time to seconds from now; undefined: none is given. Some providers write 0 for
 * tokens that never expire.
 */
function lifetimeSeconds(value: unknown): number | undefined {
  const isText = typeof value === 'string' && value.trim() !== '';
  const number = typeof value === 'number' ? value : isText ? Number(value) : Number.NaN;
  if (Number.isFinite(number)) {
    const time = number >= MIN_EPOCH_MS ? number : number * 1000;
    const seconds = number < MIN_EPOCH_SECONDS ? number : (time - Date.now()) / 1000;
    return seconds > 0 ? Math.min(seconds, MAX_LIFETIME_SECONDS) : undefined;
  }
  const time = isText ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) || time <= Date.now() ? undefined : (time - Date.now()) / 1000;
}

/** Fields that contain a lifetime, with that of the standard first. */
const LIFETIME_FIELDS = ['expires_in', 'expires', 'expires_at', 'expires_on'];

/** Objects that contain the token when it is not at the top: Slack puts a user's token beside that of a bot. */
const NESTED_TOKEN_FIELDS = ['authed_user', 'data'];

/**
 * The tokens of a response; undefined: it has none that can be used. Only the access token decides: wrong or missing
 * other fields never lead to a refusal.
 */
export function extractTokens(answer: TokenResponse): GrantedTokens | undefined {
  const places = answer ? [answer, ...NESTED_TOKEN_FIELDS.map((name) => answer[name]).filter(isResponseObject)] : [];
  const place = places.find(({ access_token: token }) => typeof token === 'string' && ACCESS_TOKEN_PATTERN.test(token));
  if (!answer || !place) return undefined;
  const { access_token: accessToken, refresh_token: refreshToken } = place;
  const hasRefreshToken = typeof refreshToken === 'string' && refreshToken !== '';
  return {
    accessToken: String(accessToken),
    refreshToken: hasRefreshToken ? refreshToken : undefined,
    expiresIn: LIFETIME_FIELDS.map((name) => lifetimeSeconds(place[name])).find((seconds) => seconds !== undefined),
    answer,
  };
}
