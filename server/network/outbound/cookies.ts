import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';

interface ReceivedCookie {
  name: string;
  value: string;
  domain: string;
  /** True: the cookie is for this host only, not for the hosts below it. */
  isHostOnly: boolean;
  path: string;
  isSecure: boolean;
  /** Milliseconds since 1970; in the past: the server has removed it. */
  expiresAt: number;
}

const MAX_KEPT_COOKIES = 100;
const MAX_COOKIE_LENGTH = 4096;

/** Encodes a text that was read as UTF-8 for a header, which is sent in latin1. */
const utf8AsLatin1 = (text: string) => Buffer.from(text).toString('latin1');

const isHostBelowDomain = (host: string, domain: string) => isIP(host) === 0 && host.endsWith(`.${domain}`);

/** Domains under which strangers have hosts: `uk`, and those such as `co.uk`. */
const isSharedSuffix = (domain: string) =>
  !domain.includes('.') ||
  /^(?:ac|co|com|edu|go|gob|gov|gouv|gv|ltd|me|mil|ne|net|nhs|nom|or|org|plc|sch)\.[a-z]{2}$/.test(domain);

function cookieExpiry(attributes: ReadonlyMap<string, string>): number {
  const maxAge = attributes.get('max-age');
  if (maxAge !== undefined && /^-?\d+$/.test(maxAge))
    return Number(maxAge) > 0 ? Date.now() + Number(maxAge) * 1000 : 0;
  const expires = Date.parse(attributes.get('expires') ?? '');
  return Number.isNaN(expires) ? Infinity : expires;
}

/**
 * Reads a Set-Cookie header for the host and path of a request (RFC 6265, section 5). Undefined: the cookie is refused.
 */
function parseSetCookie(line: string, url: URL): ReceivedCookie | undefined {
  const [pair = '', ...rest] = line.split(';');
  const split = pair.indexOf('=');
  const [name, value] = [pair.slice(0, Math.max(split, 0)).trim(), pair.slice(split + 1).trim()];
  if (name === '' || pair.length > MAX_COOKIE_LENGTH || /[\u0000-\u001f\u007f]/.test(pair)) return undefined;
  const attributes = new Map(
    rest.map((part) => {
      const [attribute = '', ...content] = part.split('=');
      return [attribute.trim().toLowerCase(), content.join('=').trim()];
    }),
  );
  const host = url.hostname;
  const isSecure = attributes.has('secure');
  const named = domainToASCII((attributes.get('domain') ?? '').replace(/^\./, ''));
  const isHostOnly = named === '' || (named === host && (isIP(host) !== 0 || isSharedSuffix(host)));
  const domain = isHostOnly ? host : named;
  const isForeign = domain !== host && (!isHostBelowDomain(host, domain) || isSharedSuffix(domain));
  const given = attributes.get('path') ?? '';
  const path = given.startsWith('/') ? given : url.pathname.slice(0, Math.max(1, url.pathname.lastIndexOf('/')));
  const isRestricted =
    (/^__secure-/i.test(name) && !isSecure) ||
    (/^__host-/i.test(name) && (!isSecure || attributes.get('domain') !== undefined || given !== '/'));
  if (isForeign || isRestricted || (isSecure && url.protocol !== 'https:')) return undefined;
  return { name, value, domain, isHostOnly, path, isSecure, expiresAt: cookieExpiry(attributes) };
}

const cookiePathMatches = (path: string, { path: of }: ReceivedCookie) =>
  path === of || (path.startsWith(of) && (of.endsWith('/') || path[of.length] === '/'));

const isCookieForUrl = (url: URL, cookie: ReceivedCookie) =>
  (url.hostname === cookie.domain || (!cookie.isHostOnly && isHostBelowDomain(url.hostname, cookie.domain))) &&
  (url.protocol === 'https:' || !cookie.isSecure) &&
  cookiePathMatches(url.pathname, cookie);

/** The cookies that servers set while one request follows redirects. They end with it: no other request gets them. */
export class RedirectCookies {
  private readonly cookies = new Map<string, ReceivedCookie>();

  /** Keeps the cookies of a response from an address. */
  keep(url: URL, lines: readonly string[] = []): void {
    for (const line of lines) {
      const cookie = parseSetCookie(line, url);
      if (!cookie) continue;
      const key = `${cookie.domain} ${cookie.path} ${cookie.name}`;
      if (this.cookies.size < MAX_KEPT_COOKIES || this.cookies.has(key)) this.cookies.set(key, cookie);
    }
  }

  /**
   * The Cookie header of a request: those for its address, and what its author has written, unless a server has set
   * that cookie since.
   */
  headerFor(url: URL, written: string | undefined): string | undefined {
    if (this.cookies.size === 0) return written;
    const found = [...this.cookies.values()].filter((cookie) => isCookieForUrl(url, cookie));
    const names = new Set(found.map(({ name }) => name));
    const own = (written ?? '').split(';').map((pair) => pair.trim());
    const kept = own.filter((pair) => pair !== '' && !names.has(pair.split('=', 1)[0] ?? ''));
    const current = found
      .filter(({ expiresAt }) => expiresAt > Date.now())
      .toSorted((one, other) => other.path.length - one.path.length);
    const pairs = [...kept, ...current.map(({ name, value }) => utf8AsLatin1(`${name}=${value}`))];
    return pairs.length === 0 ? undefined : pairs.join('; ');
  }
}
