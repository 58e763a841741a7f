import { isInvalid, toDateTime } from '../nodes/field-types';
import type { MethodsByName } from './extension';

declare const helpers: { hash(text: string, algorithm: string): string };
declare const DateTime: {
  fromMillis(ms: number): unknown;
  fromSeconds(seconds: number): unknown;
  fromFormat(text: string, format: string): unknown;
};

const ADDRESS =
  /(?:[^<>()[\]\\.,;:\s@"]+(?:\.[^<>()[\]\\.,;:\s@"]+)*|".+")@(?<domain>\[\d{1,3}(?:\.\d{1,3}){3}\]|(?:[a-z\d-]+\.)+[a-z]{2,})/i;
const isMailAddress = (text: string): boolean => ADDRESS.test(text) && !text.includes(' ');
/** A host with a domain, the machine itself, or numbers. */
const HOST = String.raw`(?:(?:[-\w]+\.)+(?:[a-z]{2,}|xn--[a-z\d]+)|localhost|\d{1,3}(?:\.\d{1,3}){3})`;
/** What may follow a host: a port, a path, a query, and a mark. */
const AFTER_HOST = String.raw`(?::\d+)?(?:\/[^\s?]*)?(?:\?[^\s#]*)?(?:#\S*)?`;
const DOMAIN_PATTERN = new RegExp(`^${HOST}${AFTER_HOST}$`, 'i');
const URL_PATTERN = new RegExp(`^(?:https?|ftp)://${HOST}(?::\\d+)?(?:[/?#]\\S*)?$`, 'i');
/** A text that has a host, also behind a scheme. */
const HOST_PATTERN = new RegExp(`^(?:(?:https?|ftp)://)?(?:mailto:)?(?://)?(?<domain>${HOST})${AFTER_HOST}$`, 'i');
/** Signs and short names of currencies, which may stand around a number. */
const CURRENCY =
  /\p{Sc}|Lek|B(?:r|Z|s|\/\.)|CHF|F[tp]|Gs|K(?:M|č)|Дин\.|MT|NT|[BLPQRSUZ]|RM|Rp|TT|S\/\.|ден|k[nr]|lei|zł|лв/gu;
const toNumber = (text: string): number => {
  const value = Number(text.replace(CURRENCY, ''));
  if (Number.isNaN(value)) throw new TypeError('The text is not a number');
  return value;
};

const NUMBER_UNITS: Readonly<Record<string, (amount: number) => unknown>> = {
  ms: (amount) => DateTime.fromMillis(amount),
  s: (amount) => DateTime.fromSeconds(amount),
  us: (amount) => DateTime.fromMillis(amount / 1000),
  excel: (amount) => DateTime.fromMillis(Math.round((amount - 25_569) * 86_400_000)),
};

/** A moment from a text: a date in a form that n8n reads, a number in a unit (`ms`, `s`, `us`, `excel`), or a format. */
export function readMoment(text: string, format?: unknown): unknown {
  if (typeof format === 'string' && format !== '') {
    const read = Object.hasOwn(NUMBER_UNITS, format) ? NUMBER_UNITS[format] : undefined;
    return read ? read(Number(text)) : DateTime.fromFormat(text, format);
  }
  const read = toDateTime(text);
  if (isInvalid(read)) throw new TypeError('The text is not a date');
  return read;
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
const ADDRESS_IN_TEXT = new RegExp(String.raw`(?:https?|ftp):\/\/${HOST}\S*`, 'i');

/** What n8n takes out of Markdown, in its order, and what remains of it. */
const MARKDOWN_STEPS: readonly (readonly [pattern: RegExp, kept: string])[] = [
  // Marks of lists, lines under headings, and of code.
  [/^(\s*)(?:[*+-]|\d\.)\s+/gm, '$1'],
  [/\n={2,}/g, '\n'],
  [/~~/g, ''],
  [/`{3}.*\n/g, ''],
  // Tags of HTML, and a text that is a line alone.
  [/<[\w\s|='":(),;/.-]+[>|\\]/g, ''],
  [/^[=-]{2,}\s*$/g, ''],
  // Notes and the places of links, images, links, quotes.
  [/\[\^.+?\](?:: .*?$)?/g, ''],
  [/\s{0,2}\[.*?\]: .*?$/g, ''],
  [/!\[.*?\][[(].*?[\])]/g, ''],
  [/\[(.*?)\][[(].*?[\])]/g, '$1'],
  [/>/g, ''],
  // Headings, emphasis of at least two signs, code, empty lines.
  [/^#{1,6}\s*([^#]*)\s*(?:#{1,6})?/gm, '$1'],
  [/([*_]{1,3})(\S.*?\S)\1/g, '$2'],
  [/(`{3,})(.*?)\1/gm, '$2'],
  [/`(.+?)`/g, '$1'],
  [/\n{2,}/g, '\n\n'],
];

export const TEXT_EXTENSIONS: MethodsByName<string> = {
  isEmpty: (text) => text === '',
  isNotEmpty: (text) => text !== '',
  toBoolean: (text) => !['false', 'no', '0', ''].includes(text.toLowerCase()),
  toNumber: (text) => toNumber(text),
  toInt: (text, radix) => {
    const value = Number.parseInt(text.replace(CURRENCY, ''), Number(radix ?? 10));
    if (Number.isNaN(value)) throw new TypeError('The text is not a number');
    return value;
  },
  toFloat: (text) => {
    const value = text.includes(',') ? Number.NaN : Number.parseFloat(text.replace(CURRENCY, ''));
    if (Number.isNaN(value)) throw new TypeError('The text is not a number');
    return value;
  },
  toDate: (text) => new Date(text),
  toDateTime: (text, unit) => readMoment(text, unit),
  toTitleCase: (text) => writeTitleCase(text),
  toSentenceCase: (text) =>
    text.toLowerCase().replaceAll(/(^\s*\p{L}|[.!?]\s+\p{L})/gu, (start) => start.toUpperCase()),
  toSnakeCase: (text) =>
    text
      .toLocaleLowerCase()
      .replaceAll(/[ -]/g, '_')
      .replaceAll(/[!-,./:-@[-^`{-~\u2000-\u206F\u2E00-\u2E7F]/g, ''),
  replaceSpecialChars: (text) => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').replaceAll('ß', 'ss'),
  removeTags: (text) => text.replaceAll(/<[^>]*>/g, ''),
  removeMarkdown: (text) => MARKDOWN_STEPS.reduce((rest, [pattern, kept]) => rest.replace(pattern, kept), text),
  extractEmail: (text) => ADDRESS.exec(text)?.[0],
  extractDomain: (text) => (isMailAddress(text) ? ADDRESS : HOST_PATTERN).exec(text)?.groups?.['domain'],
  extractUrl: (text) => ADDRESS_IN_TEXT.exec(text)?.[0],
  extractUrlPath: (text) => {
    const path = /^[a-z][a-z\d+.-]*:\/\/[^/?#]+([^?#]*)/i.exec(text)?.[1];
    return path === '' ? '/' : path;
  },
  isEmail: isMailAddress,
  isDomain: (text) => DOMAIN_PATTERN.test(text),
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
