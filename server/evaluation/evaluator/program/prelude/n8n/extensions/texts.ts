import type { MethodsByName } from './extension';

declare const helpers: { hash(text: string, algorithm: string): string };
declare const DateTime: {
  fromISO(text: string): { isValid: boolean };
  fromMillis(ms: number): unknown;
  fromSeconds(seconds: number): unknown;
  fromJSDate(date: Date): unknown;
};

const words = (text: string): string[] =>
  text
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
const ADDRESS = /(?:"[^"\s]+"|[\w.+-]+)@[\w-]+(?:\.[\w-]+)+/;
/** An address of which the last part of the host has two letters at least. */
const URL_PATTERN = /^[a-z][a-z\d+.-]*:\/\/(?:[^\s/?#]*[^\s/?#.]{2}|\d+(?:\.\d+){3})(?::\d+)?(?:[/?#]\S*)?$/i;
const DOMAIN = /(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z]{2,}/i;
const toNumber = (text: string): number => {
  const value = Number(text.trim() === '' ? Number.NaN : text);
  if (Number.isNaN(value)) throw new TypeError('The text is not a number');
  return value;
};

/** A moment from a text: ISO 8601, what JavaScript reads, or a number in a unit (`ms`, `s`, `us`, `excel`). */
export function readMoment(text: string, unit?: unknown): unknown {
  const amount = Number(text);
  if (text.trim() !== '' && Number.isFinite(amount) && typeof unit === 'string') {
    if (unit === 's') return DateTime.fromSeconds(amount);
    if (unit === 'us') return DateTime.fromMillis(amount / 1000);
    if (unit === 'excel') return DateTime.fromMillis(Math.round((amount - 25_569) * 86_400_000));
    return DateTime.fromMillis(amount);
  }
  const read = DateTime.fromISO(text);
  if (read.isValid) return read;
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) throw new TypeError('The text is not a date');
  return DateTime.fromJSDate(date);
}

const base64Characters = (text: string): string => Array.from(unescapeBytes(encodeURIComponent(text))).join('');
const unescapeBytes = (text: string): string =>
  text.replaceAll(/%([\dA-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

/** Words that stay small in a title, unless they begin or end it. */
const SMALL_WORDS =
  /^(?:a|an|and|as|at|because|but|by|en|for|if|in|neither|nor|of|off|on|only|or|over|per|so|some|than|that|the|to|up|upon|v|versus|via|vs|when|with|without|yet)$/i;

/** A title: each word begins with a capital letter, but for small ones and those that have their own capitals or dots. */
const writeTitleCase = (text: string): string =>
  text.replaceAll(/[^\s:–—-]+/g, (word: string, at: number) => {
    const end = at + word.length;
    const isInside = at > 0 && end < text.length;
    const isFixed = /.(?:[A-Z]|\..)/.test(word);
    const isScheme = text[end] === ':' && !/^\s/.test(text.slice(end + 1));
    if (isFixed || isScheme || (isInside && SMALL_WORDS.test(word))) return word;
    return word.replace(/[A-Za-z0-9\u00C0-\u00FF]/, (letter) => letter.toUpperCase());
  });

/** An address with a scheme and a whole host, up to the next space. */
const ADDRESS_IN_TEXT =
  /(?:https?|ftp):\/\/(?:localhost|(?:[-\w]+\.)+(?:[a-z]{2,}|xn--[a-z\d]+)|\d{1,3}(?:\.\d{1,3}){3})\S*/i;

export const TEXT_EXTENSIONS: MethodsByName<string> = {
  isEmpty: (text) => text === '',
  isNotEmpty: (text) => text !== '',
  toBoolean: (text) => !['false', 'no', 'off', '0', ''].includes(text.trim().toLowerCase()),
  toNumber: (text) => toNumber(text),
  toInt: (text, radix) => {
    const value = Number.parseInt(
      text.replaceAll(/[^\d.+-]/g, (sign) => (radix === undefined ? '' : sign)),
      Number(radix ?? 10),
    );
    if (Number.isNaN(value)) throw new TypeError('The text is not a number');
    return value;
  },
  toFloat: (text) => {
    const value = Number.parseFloat(text);
    if (Number.isNaN(value)) throw new TypeError('The text is not a number');
    return value;
  },
  toDate: (text) => new Date(text),
  toDateTime: (text, unit) => readMoment(text, unit),
  toTitleCase: (text) => writeTitleCase(text),
  toSentenceCase: (text) =>
    text.toLowerCase().replaceAll(/(^\s*\p{L}|[.!?]\s+\p{L})/gu, (start) => start.toUpperCase()),
  toSnakeCase: (text) =>
    words(text.replaceAll(/[^\p{L}\p{N}\s_-]/gu, ''))
      .join('_')
      .toLowerCase(),
  replaceSpecialChars: (text) => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').replaceAll('ß', 'ss'),
  removeTags: (text) => text.replaceAll(/<[^>]*>/g, ''),
  removeMarkdown: (text) =>
    text
      .replaceAll(/!\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replaceAll(/^(?:#{1,6}|>+|[*+-]|\d+\.)\s+/gm, '')
      .replaceAll(/(\*\*|__|~~|\*|_|`+)(\S(?:[^\n]*?\S)?)\1/g, '$2'),
  extractEmail: (text) => ADDRESS.exec(text)?.[0],
  extractDomain: (text) => {
    if (URL_PATTERN.test(text)) return /:\/\/([^\s/?#:]+)/.exec(text)?.[1];
    const host = /^(?:[^\s@]+@)?([^\s@/:]+)$/.exec(text)?.[1];
    return host !== undefined && new RegExp(`^${DOMAIN.source}$`, 'i').test(host) ? host : undefined;
  },
  extractUrl: (text) => ADDRESS_IN_TEXT.exec(text)?.[0],
  extractUrlPath: (text) => {
    const path = /^[a-z][a-z\d+.-]*:\/\/[^/?#]+([^?#]*)/i.exec(text)?.[1];
    return path === '' ? '/' : path;
  },
  isEmail: (text) => new RegExp(`^${ADDRESS.source}\\.?$`).test(text),
  isDomain: (text) => new RegExp(`^${DOMAIN.source}$`, 'i').test(text),
  isUrl: (text) => URL_PATTERN.test(text),
  isNumeric: (text) => text.trim() !== '' && !/\s/.test(text.trim()) && !Number.isNaN(Number(text)),
  quote: (text, mark = '"') => {
    const sign = typeof mark === 'string' ? mark : '"';
    return `${sign}${text.replaceAll('\\', '\\\\').replaceAll(sign, `\\${sign}`)}${sign}`;
  },
  parseJson: (text) => JSON.parse(text) as unknown,
  urlEncode: (text, isWhole) => (isWhole === true ? encodeURI(text) : encodeURIComponent(text)),
  urlDecode: (text, isWhole) => (isWhole === true ? decodeURI(text) : decodeURIComponent(text)),
  base64Encode: (text) => btoa(base64Characters(text)),
  base64Decode: (text) =>
    decodeURIComponent(
      Array.from(atob(text), (sign) => `%${sign.charCodeAt(0).toString(16).padStart(2, '0')}`).join(''),
    ),
  hash: (text, algorithm = 'md5') => {
    const name = String(algorithm).toLowerCase();
    return name === 'base64' ? btoa(base64Characters(text)) : helpers.hash(text, name);
  },
};
