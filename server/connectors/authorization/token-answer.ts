import { parseExactIntegers } from '@/contract/exact-json';

/** An answer of a token endpoint; undefined: it is neither JSON nor a form, such as a page. */
export type TokenAnswer = Record<string, unknown> | undefined;

/** A provider's grant. */
export interface Tokens {
  accessToken: string;
  /** Undefined: the previous one, if any, stays valid. */
  refreshToken: string | undefined;
  /** Seconds; undefined: unknown. */
  expiresIn: number | undefined;
  /** The whole answer; some providers include an account's address. */
  answer: Record<string, unknown>;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const FORM = /^(?:[\w.%+-]+=[^&<>{}]*(?:&|$))+$/;

/** Reads an answer by what it is: the content types of token endpoints are not reliable, and some answer with a form. */
export function readTokenAnswer(body: Uint8Array): TokenAnswer {
  const text = Buffer.from(body)
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trim();
  try {
    const value = parseExactIntegers(text);
    return isObject(value) ? value : undefined;
  } catch {
    return FORM.test(text) ? Object.fromEntries(new URLSearchParams(text)) : undefined;
  }
}

/** Tokens go into headers: characters that could begin another header are refused. */
const TOKEN = /^[\x20-\x7e]{1,20000}$/;
const LONGEST_LIFETIME = 10 * 365 * 86_400;
/** Larger numbers are points in time: seconds since 1970. */
const FIRST_TIME = 1_000_000_000;
/** The same in milliseconds. */
const FIRST_TIME_MS = FIRST_TIME * 1000;

/** Seconds from now of a lifetime or of a point in time; undefined: none is said. Some providers write 0 for tokens that never expire. */
function secondsOf(value: unknown): number | undefined {
  const isText = typeof value === 'string' && value.trim() !== '';
  const number = typeof value === 'number' ? value : isText ? Number(value) : Number.NaN;
  if (Number.isFinite(number)) {
    const time = number >= FIRST_TIME_MS ? number : number * 1000;
    const seconds = number < FIRST_TIME ? number : (time - Date.now()) / 1000;
    return seconds > 0 ? Math.min(seconds, LONGEST_LIFETIME) : undefined;
  }
  const time = isText ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) || time <= Date.now() ? undefined : (time - Date.now()) / 1000;
}

/** Names of a lifetime, the standard's first. */
const LIFETIMES = ['expires_in', 'expires', 'expires_at', 'expires_on'];

/** Where a token is, if not at the top: Slack puts that of a user beside that of a bot. */
const INNER = ['authed_user', 'data'];

/**
 * The tokens of an answer; undefined: it has none that can be used. Only the access token matters: what other fields say, or that they are
 * missing, never refuses one.
 */
export function tokensIn(answer: TokenAnswer): Tokens | undefined {
  const places = answer ? [answer, ...INNER.map((name) => answer[name]).filter(isObject)] : [];
  const place = places.find(({ access_token: token }) => typeof token === 'string' && TOKEN.test(token));
  if (!answer || !place) return undefined;
  const { access_token: accessToken, refresh_token: refreshToken } = place;
  const hasRefreshToken = typeof refreshToken === 'string' && refreshToken !== '';
  return {
    accessToken: String(accessToken),
    refreshToken: hasRefreshToken ? refreshToken : undefined,
    expiresIn: LIFETIMES.map((name) => secondsOf(place[name])).find((seconds) => seconds !== undefined),
    answer,
  };
}
