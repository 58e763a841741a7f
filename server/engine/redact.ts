const MASK = '••••••';
/** Shorter values are no secrets worth the name, and masking them would eat ordinary data. */
const SHORTEST = 4;
/** Fewer characters of base64 would be found in ordinary data. */
const SHORTEST_INSIDE = 8;

const html = (value: string) =>
  value
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');

/** The ways in which a secret may be spelt in an answer: raw, URL, form, base64, base64url, JSON- and HTML-escaped. */
function spellings(secret: string): string[] {
  const value = secret.toWellFormed();
  const url = encodeURIComponent(value);
  const base64 = Buffer.from(value, 'utf8').toString('base64');
  const json = JSON.stringify(value).slice(1, -1);
  return [
    secret,
    url,
    url.replaceAll('%20', '+'),
    url.replace(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase()),
    base64,
    base64.replace(/=+$/, ''),
    base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, ''),
    encodeURIComponent(base64),
    json,
    JSON.stringify(json).slice(1, -1),
    html(value),
    html(value).replaceAll('&#39;', '&#x27;'),
    ...insideBase64(value),
  ];
}

/**
 * What base64 makes of a secret somewhere inside a longer text: three spellings, by where its first byte falls; the
 * characters at both ends that its neighbours have a share in are left out.
 */
function insideBase64(secret: string): string[] {
  const bytes = Buffer.from(secret, 'utf8');
  return [0, 1, 2]
    .map((shift) => {
      const whole = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64');
      return whole.slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + bytes.length) * 8) / 6));
    })
    .filter((spelling) => spelling.length >= SHORTEST_INSIDE)
    .flatMap((spelling) => [spelling, spelling.replaceAll('+', '-').replaceAll('/', '_')]);
}

const escape = (value: string) => value.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Masks every secret it was made with, in texts and anywhere inside JSON values, keys included. */
export interface Redactor {
  text(value: string): string;
  /** The same object when there was nothing to mask. */
  value<T>(value: T): T;
}

const nothing: Redactor = { text: (value) => value, value: (value) => value };

/** The one place where secrets are taken out of what a run stores, logs or sends on. */
export function redactor(secrets: Iterable<string>): Redactor {
  const all = new Set([...secrets].filter((secret) => secret.length >= SHORTEST).flatMap(spellings));
  if (all.size === 0) return nothing;
  // Longest first: a spelling that contains another is masked whole.
  const pattern = new RegExp([...all].toSorted((a, b) => b.length - a.length).map(escape).join('|'), 'g');
  const text = (value: string) => value.replace(pattern, MASK);

  const walk = (value: unknown): unknown => {
    if (typeof value === 'string') return text(value);
    if (typeof value === 'number') return all.has(String(value)) ? MASK : value;
    if (Array.isArray(value)) return value.map(walk);
    if (value !== null && typeof value === 'object') {
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [text(key), walk(inner)]));
    }
    return value;
  };
  return { text, value: <T>(value: T) => walk(value) as T };
}
