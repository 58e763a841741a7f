import { isInvalid, toDateTime } from '../nodes/field-types';
import { refuseCall, type MethodsByName } from './extension';
import { isMomentUnit, readMomentNumber } from './numbers';

declare const helpers: {
  hash(text: string, algorithm: string): string;
  base64encode(text: string): string;
};
declare function atob(text: string): string;
declare const DateTime: {
  fromFormat(text: string, format: string): unknown;
};

const ADDRESS =
  /(?:[^<>()[\]\\.,;:\s@"]+(?:\.[^<>()[\]\\.,;:\s@"]+)*|".+")@(?<domain>\[\d{1,3}(?:\.\d{1,3}){3}\]|(?:[a-z\d-]+\.)+[a-z]{2,})/i;
const isMailAddress = (text: string): boolean => ADDRESS.test(text) && !text.includes(' ');
/** A host with a domain, the machine itself, or numbers. */
const HOST = String.raw`(?:(?:[-\w]+\.)+(?:[a-z]{2,}|xn--[a-z\d]+)|localhost|\d{1,3}(?:\.\d{1,3}){3})`;
/** What may follow a host: a port, a path, a query, and a mark. */
const AFTER_HOST = String.raw`(?::\d+)?(?:[/?#]\S*)?`;
const DOMAIN_PATTERN = new RegExp(`^${HOST}${AFTER_HOST}$`, 'i');
const URL_START = new RegExp(`^(?:https?|ftp)://${HOST}`, 'i');
/** A text that has a host, also behind a scheme. */
const HOST_PATTERN = new RegExp(`^(?:(?:https?|ftp)://)?(?:mailto:)?(?://)?(?<domain>${HOST})${AFTER_HOST}$`, 'i');
/** Signs and short names of currencies, which may stand around a number. */
const CURRENCY =
  /Lek|[؋$ƒ₼៛¥₡₱£€¢₹﷼₪₩₭₨₮₦₽฿₺₴₫]|B(?:r|Z\$|\/\.|s)|K[Mč]|лв|R(?:\$|D\$|p|M)|k[nr]|Ft|ден|MT|[JCZ]\$|Gs|S\/\.|zł|lei|Дин\.|CHF|(?:NT|TT)\$|[PQLSR]/gu;

function readNumber(text: string, read: (text: string) => number, kind: string): number {
  const value = read(text.replace(CURRENCY, ''));
  return Number.isNaN(value) ? refuseCall(`cannot convert to ${kind}`) : value;
}
const toInt = (text: string, radix?: unknown): number =>
  readNumber(text, (digits) => Number.parseInt(digits, radix as number), 'integer');
const toFloat = (text: string): number =>
  text.includes(',')
    ? refuseCall('cannot convert to float, expected . as decimal separator')
    : readNumber(text, Number.parseFloat, 'float');

/** A date of JavaScript; one without a time begins at midnight. */
function toDate(text: string): Date {
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) refuseCall('cannot convert to date');
  if (!text.includes(':')) date.setHours(0, 0, 0);
  return date;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return refuseCall(text.includes("'") ? "Parsing failed. Check you're using double quotes" : 'Parsing failed');
  }
}

/** The path of an address, as it is written. */
function readUrlPath(text: string): string | undefined {
  const path = /^[a-z][a-z\d+.-]*:\/\/[^/?#]+([^?#]*)/i.exec(text)?.[1];
  return path === '' ? '/' : path;
}

/** The bytes of one character in UTF-8. */
const UTF8_CHARACTER =
  /[\u00C0-\u00DF][\u0080-\u00BF]|[\u00E0-\u00EF][\u0080-\u00BF]{2}|[\u00F0-\u00F7][\u0080-\u00BF]{3}/g;
/** The bits of the first byte that count, by the number of bytes. */
const FIRST_BITS: Readonly<Record<number, number>> = { 2: 31, 3: 15, 4: 7 };

/** Text in Base64. Bytes that are no UTF-8 stay characters. */
function decodeBase64(text: string): string {
  const signs = text
    .replaceAll('-', '+')
    .replaceAll('_', '/')
    .replaceAll(/[^A-Za-z\d+/]/g, '');
  if (signs.length % 4 === 1) throw new TypeError('malformed base64.');
  return atob(signs).replaceAll(UTF8_CHARACTER, (bytes) => {
    let code = bytes.charCodeAt(0) & (FIRST_BITS[bytes.length] ?? 0);
    for (const byte of bytes.slice(1)) code = (code << 6) | (byte.charCodeAt(0) & 63);
    return code > 0x10_ff_ff ? bytes : String.fromCodePoint(code);
  });
}

/** A moment from a text: a date in a form that n8n reads, a number in a unit (`ms`, `s`, `us`, `excel`), or a format. */
export function readMoment(text: string, format?: unknown): unknown {
  if (typeof format === 'string' && format !== '')
    return isMomentUnit(format) ? readMomentNumber(Number(text), format) : DateTime.fromFormat(text, format);
  const read = toDateTime(text);
  return isInvalid(read) ? refuseCall('cannot convert to Luxon DateTime') : read;
}

/** Words that stay small in a title, unless they begin or end it. */
const SMALL_WORDS =
  /^(?:a|an|and|as|at|because|but|by|en|for|if|in|neither|nor|of|off|on|only|or|over|per|so|some|than|that|the|to|up|upon|v|versus|via|vs|when|with|without|yet)$/i;

/** A title: each word begins with a capital letter, but for small ones and those that have their own capitals or dots. */
const writeTitleCase = (given: string): string => {
  // n8n leaves line ends out.
  const text = given.replaceAll(/[\n\r\u2028\u2029]/g, '');
  return text.replaceAll(/[^\s:–—-]+/g, (word: string, at: number) => {
    const end = at + word.length;
    const isInside = at > 0 && end < text.length;
    const isFixed = /.(?:[A-Z]|\..)/.test(word);
    const isScheme = text[end] === ':' && !/\s/.test(text[end + 1] ?? '');
    if (isFixed || isScheme || (isInside && SMALL_WORDS.test(word))) return word;
    return word.replace(/[A-Za-z0-9\u00C0-\u00FF]/, (letter) => letter.toUpperCase());
  });
};

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
  [/^\s{1,2}\[(.*?)\]: (\S+)( ".*?")?\s*$/g, ''],
  // Headings, emphasis of at least two signs, code, empty lines.
  [/^#{1,6}\s*([^#]*)\s*(?:#{1,6})?/gm, '$1'],
  [/([*_]{1,3})(\S.*?\S)\1/g, '$2'],
  [/(`{3,})(.*?)\1/gm, '$2'],
  [/^-{3,}\s*$/g, ''],
  [/`(.+?)`/g, '$1'],
  [/\n{2,}/g, '\n\n'],
];

/** Letters that are no others with a mark. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  Æ: 'AE',
  æ: 'ae',
  Ø: 'O',
  ø: 'o',
  Ł: 'L',
  ł: 'l',
  Đ: 'D',
  đ: 'd',
  Œ: 'OE',
  œ: 'oe',
  ß: 'ss',
  '€': 'EU',
};

/** The algorithms of n8n, with their names here. */
const HASH_ALGORITHMS: Readonly<Record<string, string>> = {
  md5: 'md5',
  sha1: 'sha1',
  sha224: 'sha224',
  sha256: 'sha256',
  sha384: 'sha384',
  sha512: 'sha512',
  sha3: 'sha3-512',
};

function hash(text: string, algorithm: unknown = 'md5'): string {
  const name = String(algorithm).toLowerCase();
  if (name === 'base64') return helpers.base64encode(text);
  const known = Object.hasOwn(HASH_ALGORITHMS, name) ? HASH_ALGORITHMS[name] : undefined;
  const names = Object.keys(HASH_ALGORITHMS).join(',');
  if (known === undefined)
    return refuseCall(`Unknown algorithm ${name}. Available algorithms are: ${names}, and Base64.`);
  return helpers.hash(text, known);
}

export const TEXT_EXTENSIONS: MethodsByName<string> = {
  isEmpty: (text) => text === '',
  isNotEmpty: (text) => text !== '',
  length: (text) => text.length,
  toJsonString: (text) => JSON.stringify(text),
  toBoolean: (text) => !['false', 'no', '0', ''].includes(text.toLowerCase()),
  toNumber: (text) => readNumber(text, Number, 'number'),
  toInt,
  toWholeNumber: toInt,
  toFloat,
  toDecimalNumber: toFloat,
  toDate,
  toDateTime: readMoment,
  toTitleCase: writeTitleCase,
  toSentenceCase: (text) =>
    text.toLowerCase().replaceAll(/(?:^|[!?.])[^\p{L}!?.]*\p{L}/gu, (start) => start.toUpperCase()),
  toSnakeCase: (text) =>
    text
      .toLocaleLowerCase()
      .replaceAll(/[ -]/g, '_')
      .replaceAll(/[!-,./:-@[-^`{-~\u2000-\u206F\u2E00-\u2E7F]/g, ''),
  replaceSpecialChars: (text) =>
    text
      .replaceAll(/[ÆæØøŁłĐđŒœß€]/g, (letter) => PLAIN_LETTERS[letter] ?? letter)
      .normalize('NFKD')
      .replaceAll(/\p{M}/gu, ''),
  removeTags: (text) => text.replaceAll(/<[^>]*>?/g, ''),
  removeMarkdown: (text) => MARKDOWN_STEPS.reduce((rest, [pattern, kept]) => rest.replace(pattern, kept), text),
  extractEmail: (text) => ADDRESS.exec(text)?.[0],
  extractDomain: (text) => (isMailAddress(text) ? ADDRESS : HOST_PATTERN).exec(text)?.groups?.['domain'],
  extractUrl: (text) => ADDRESS_IN_TEXT.exec(text)?.[0],
  extractUrlPath: readUrlPath,
  isEmail: isMailAddress,
  isDomain: (text) => DOMAIN_PATTERN.test(text),
  isUrl: (text) => URL_START.test(text) && !/\s/.test(text),
  isNumeric: (text) => !text.includes(' ') && !Number.isNaN(Number(text)) && !Number.isNaN(Number.parseFloat(text)),
  quote: (text, mark = '"') => {
    const sign = String(mark);
    return `${sign}${text.replaceAll('\\', '\\\\').replaceAll(sign, `\\${sign}`)}${sign}`;
  },
  parseJson,
  urlEncode: (text, isWhole = false) => (isWhole ? encodeURI(text) : encodeURIComponent(text)),
  urlDecode: (text, isWhole = false) => (isWhole ? decodeURI(text) : decodeURIComponent(text)),
  base64Encode: (text) => helpers.base64encode(text),
  base64Decode: decodeBase64,
  hash,
};
