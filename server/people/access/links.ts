import { LargeJsonText } from '@/server/evaluation/expressions/large-json';
import type { WorkspaceCaller } from './caller';
import { isAllowedOnEveryObject } from './permissions';

/*
 * Links that carry rights: whoever has one decides an approval as its recipient, continues a run, joins a workspace or confirms an address. They
 * pass through what others may read: mails that a development installation keeps, inputs and outputs of runs, logs.
 */

/** What stands in place of a link's token. */
export const HIDDEN_LINK_TOKEN = '[hidden]';

/**
 * A token is found wherever it stands, also without its address: it begins with a text of its own, and then has these
 * parts.
 */
interface LinkTokenPattern {
  begin: string;
  /** A second part of so many characters follows after a dot: a signature. */
  signature?: number;
  /** `begin` belongs to the address and stays. */
  keepsBegin?: true;
}

const base64Prefix = (text: string): string => {
  // Characters of base64 that do not depend on what follows.
  const whole = Math.floor((text.length * 8) / 6);
  return Buffer.from(text).toString('base64url').slice(0, whole);
};

const SIGNATURE_LENGTH = 43;
const LINK_TOKEN_PATTERNS: LinkTokenPattern[] = [
  { begin: base64Prefix('{"executionId":"exec_'), signature: SIGNATURE_LENGTH },
  { begin: base64Prefix('exec_'), signature: SIGNATURE_LENGTH },
  { begin: 'winv_' },
  { begin: '/verify-email?token=', keepsBegin: true },
  { begin: '/setup?token=', keepsBegin: true },
];

const TOKEN_CHARACTERS = /[\w-]*/y;
const TOKEN_OR_DOT_CHARACTERS = /[\w.-]*/y;

/** The end of the characters that `pattern` matches from `at`. */
function matchEnd(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  pattern.test(text);
  return pattern.lastIndex;
}

/** The end of the token that begins at `at`, and whether it is one. Each character is read once. */
function readLinkToken(
  text: string,
  at: number,
  { begin, signature, keepsBegin }: LinkTokenPattern,
): { end: number; isToken: boolean } {
  const from = keepsBegin ? at + begin.length : at;
  if (signature === undefined) {
    const end = matchEnd(keepsBegin ? TOKEN_OR_DOT_CHARACTERS : TOKEN_CHARACTERS, text, from);
    return { end, isToken: end > at + begin.length };
  }
  const dot = matchEnd(TOKEN_CHARACTERS, text, from);
  if (text[dot] !== '.') return { end: dot, isToken: false };
  const end = matchEnd(TOKEN_CHARACTERS, text, dot + 1);
  return { end, isToken: end - dot > signature };
}

function hideTokensOfPattern(text: string, token: LinkTokenPattern): string {
  const { begin, keepsBegin } = token;
  let shown = '';
  let from = 0;
  for (let at = text.indexOf(begin); at !== -1; at = text.indexOf(begin, at)) {
    const { end, isToken } = readLinkToken(text, at, token);
    if (isToken) {
      shown += `${text.slice(from, keepsBegin ? at + begin.length : at)}${HIDDEN_LINK_TOKEN}`;
      from = end;
    }
    at = Math.max(end, at + begin.length);
  }
  return from === 0 ? text : shown + text.slice(from);
}

/** A text without the tokens of links. Takes time in proportion to its length. */
export const hideLinksInText = (text: string): string => LINK_TOKEN_PATTERNS.reduce(hideTokensOfPattern, text);

/** A value without the tokens of links: itself if it has none. */
export function hideLinksInValue<Value>(value: Value): Value {
  return withoutLinkTokens(value) as Value;
}

function withoutLinkTokens(value: unknown): unknown {
  if (typeof value === 'string') return hideLinksInText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof LargeJsonText) {
    const text = hideLinksInText(value.text);
    return text === value.text ? value : new LargeJsonText(text, value.facts);
  }
  if (Array.isArray(value)) return value.map(withoutLinkTokens);
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [hideLinksInText(name), withoutLinkTokens(one)]),
  );
}

/** Admins and owners decide approvals of others. */
export const isWorkspaceAdministrator = ({ roles }: Pick<WorkspaceCaller, 'roles'>): boolean =>
  roles.includes('owner') || roles.includes('admin');

/** Whether a caller is shown links that are for others. A key needs the scope for what a link permits. */
export const maySeeLinks = (caller: Pick<WorkspaceCaller, 'roles' | 'permissions'>): boolean =>
  isWorkspaceAdministrator(caller) && isAllowedOnEveryObject(caller.permissions, 'execution', 'resume');

/** A value as a caller may see it. */
export const visibleValue = <Value>(caller: Pick<WorkspaceCaller, 'roles' | 'permissions'>, value: Value): Value =>
  maySeeLinks(caller) ? value : hideLinksInValue(value);
