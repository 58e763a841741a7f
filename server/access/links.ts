import { LargeJson } from '@/server/expressions/large-json';
import type { Caller } from './caller';
import { isAllowed } from './permissions';

/*
 * Links that carry rights: whoever has one decides an approval as its recipient, continues a run, joins a workspace or confirms an address. They
 * pass through what others may read: mails that a development installation keeps, inputs and outputs of runs, logs.
 */

/** What stands in place of a link's token. */
export const HIDDEN_LINK = '[hidden]';

/** A token is found wherever it stands, also without its address: it begins with a text of its own, and then has these parts. */
interface Token {
  begin: string;
  /** A second part of so many characters follows after a dot: a signature. */
  signature?: number;
  /** `begin` belongs to the address and stays. */
  keepsBegin?: true;
}

const encoded = (text: string): string => {
  // Characters of base64 that do not depend on what follows.
  const whole = Math.floor((text.length * 8) / 6);
  return Buffer.from(text).toString('base64url').slice(0, whole);
};

const SIGNATURE = 43;
const TOKENS: Token[] = [
  { begin: encoded('{"executionId":"exec_'), signature: SIGNATURE },
  { begin: encoded('exec_'), signature: SIGNATURE },
  { begin: 'winv_' },
  { begin: '/verify-email?token=', keepsBegin: true },
  { begin: '/setup?token=', keepsBegin: true },
];

const isTokenCharacter = /[\w-]*/y;
const isTokenOrDot = /[\w.-]*/y;

/** The end of the characters that `pattern` matches from `at`. */
function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  pattern.test(text);
  return pattern.lastIndex;
}

/** The end of the token that begins at `at`, and whether it is one. Each character is read once. */
function tokenAt(text: string, at: number, { begin, signature, keepsBegin }: Token): { end: number; isToken: boolean } {
  const from = keepsBegin ? at + begin.length : at;
  if (signature === undefined) {
    const end = endOf(keepsBegin ? isTokenOrDot : isTokenCharacter, text, from);
    return { end, isToken: end > at + begin.length };
  }
  const dot = endOf(isTokenCharacter, text, from);
  if (text[dot] !== '.') return { end: dot, isToken: false };
  const end = endOf(isTokenCharacter, text, dot + 1);
  return { end, isToken: end - dot > signature };
}

function hideTokens(text: string, token: Token): string {
  const { begin, keepsBegin } = token;
  let shown = '';
  let from = 0;
  for (let at = text.indexOf(begin); at !== -1; at = text.indexOf(begin, at)) {
    const { end, isToken } = tokenAt(text, at, token);
    if (isToken) {
      shown += `${text.slice(from, keepsBegin ? at + begin.length : at)}${HIDDEN_LINK}`;
      from = end;
    }
    at = Math.max(end, at + begin.length);
  }
  return from === 0 ? text : shown + text.slice(from);
}

/** A text without the tokens of links. Takes time in proportion to its length. */
export const hideLinksIn = (text: string): string => TOKENS.reduce(hideTokens, text);

/** A value without the tokens of links: itself if it has none. */
export function hideLinks<Value>(value: Value): Value {
  return hidden(value) as Value;
}

function hidden(value: unknown): unknown {
  if (typeof value === 'string') return hideLinksIn(value);
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof LargeJson) {
    const text = hideLinksIn(value.text);
    return text === value.text ? value : new LargeJson(text, value.facts);
  }
  if (Array.isArray(value)) return value.map(hidden);
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [hideLinksIn(name), hidden(one)]));
}

/** Admins and owners decide approvals of others. */
export const isAdministrator = ({ roles }: Pick<Caller, 'roles'>): boolean =>
  roles.includes('owner') || roles.includes('admin');

/** Whether a caller is shown links that are for others. A key needs the scope for what a link permits. */
export const seesLinks = (caller: Pick<Caller, 'roles' | 'permissions'>): boolean =>
  isAdministrator(caller) && isAllowed(caller.permissions, 'execution', 'resume');

/** A value as a caller may see it. */
export const shownTo = <Value>(caller: Pick<Caller, 'roles' | 'permissions'>, value: Value): Value =>
  seesLinks(caller) ? value : hideLinks(value);
