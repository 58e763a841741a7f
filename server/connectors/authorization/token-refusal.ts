import { redactor } from '@/server/redaction/redactor';
import type { TokenAnswer } from './token-answer';

/** Why a provider gave no tokens, in its own words. */
export interface Refusal {
  /** A short code such as `access_denied`. */
  code: string | undefined;
  /** A sentence for people. */
  text: string | undefined;
}

/** The provider refused. Neither `error` nor `reason` contains what was sent. */
export class TokenRefused extends Error {
  constructor(
    /** Its error code, or the status. */
    readonly error: string,
    /** Its code and its sentence. */
    readonly reason = error,
    /** What was granted has expired, or was taken back: only a person can connect again. */
    readonly isOver = false,
  ) {
    super(`The provider refused: ${reason}`);
  }
}

/** What is stored of a refusal, for runs that come later. */
export const storedRefusal = ({ reason, isOver }: TokenRefused): string => JSON.stringify({ reason, isOver });

/** A stored refusal; null: there is none. */
export const readRefusal = (stored: string | null | undefined): Pick<TokenRefused, 'reason' | 'isOver'> | null =>
  stored === null || stored === undefined ? null : (JSON.parse(stored) as Pick<TokenRefused, 'reason' | 'isOver'>);

type Fields = Record<string, unknown>;

const CODE = /^[\w.:-]{1,80}$/;
const MAX_TEXT = 300;

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The first of these fields that is a text. */
const textAt = (fields: Fields, names: readonly string[]): string | undefined =>
  names.map((name) => fields[name]).find((value): value is string => typeof value === 'string' && value.trim() !== '');

const CODES = [
  'error',
  'status',
  'type',
  '.tag',
  'category',
  'error_code',
  'errorCode',
  'errcode',
  'code',
  'reason',
  'title',
];
const TEXTS = [
  'error_description', 'errorDescription', 'error_message', 'errorMessage', 'message', 'description', 'detail',
  'error_summary', 'errorSummary', 'errmsg', 'msg', 'reason', 'title', 'error',
]; // prettier-ignore

function refusalAt(fields: Fields): Refusal {
  const codes = CODES.map((name) => fields[name]).map((value) => (typeof value === 'number' ? String(value) : value));
  const code = codes.find((value): value is string => typeof value === 'string' && CODE.test(value));
  const text = textAt(fields, TEXTS);
  return { code, text: text === code ? undefined : text };
}

/** Whether an answer says no, whatever its status is. `error: null` and `error: ""` say nothing. */
export function saysNo(answer: TokenAnswer): boolean {
  if (!answer) return false;
  const { error, ok, success } = answer;
  return (typeof error === 'string' && error !== '') || isObject(error) || ok === false || success === false;
}

/** The reason in an answer: of RFC 6749, or as Google, Facebook, Slack and others nest it. */
export function refusalIn(answer: TokenAnswer): Refusal {
  if (!answer) return { code: undefined, text: undefined };
  const { error, errors } = answer;
  const [first] = Array.isArray(errors) ? (errors as unknown[]) : [];
  const inner = isObject(error) ? error : isObject(first) ? first : undefined;
  const own = refusalAt(answer);
  if (!inner) return { ...own, text: own.text ?? (typeof first === 'string' ? first : undefined) };
  const nested = refusalAt(inner);
  return { code: nested.code ?? own.code, text: nested.text ?? own.text };
}

/** Codes by which providers say that a refresh token is used up. */
const OVER =
  /^(invalid_grant|bad_refresh_token|invalid_refresh_token|refresh_token_expired|expired_token|token_expired|token_revoked)$/i;

/** Shorter words are in many texts by chance. */
const SHORT = 4;

/** A sentence without what was sent: whole, in any encoding, or in large parts. */
function shownSentence(text: string, secrets: readonly string[]): string {
  const isPart = (word: string) =>
    secrets.some((secret) => secret.includes(word) && (word.length >= 3 * SHORT || word.length * 2 >= secret.length));
  const shown = redactor(secrets)
    .text(text)
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replaceAll(/[^\s"'`<>()[\]{},;=&]+/g, (word) => (word.length >= SHORT && isPart(word) ? '••••••' : word))
    .trim();
  return shown.length > MAX_TEXT ? `${shown.slice(0, MAX_TEXT)}…` : shown;
}

/** The refusal of an answer. `secrets`: what was sent, which providers may repeat in their words. `isRenewal`: a refresh token was sent. */
export function tokenRefusal(
  answer: TokenAnswer,
  status: number,
  { secrets, isRenewal }: { secrets: readonly string[]; isRenewal: boolean },
): TokenRefused {
  const { code, text } = refusalIn(answer);
  const isSent = (word: string) => secrets.some((secret) => secret.includes(word) || word.includes(secret));
  const error = code !== undefined && !isSent(code) ? code : `HTTP ${status}`;
  const sentence = shownSentence(text ?? '', secrets);
  const reason = sentence === '' ? error : `${error}: ${sentence}`;
  return new TokenRefused(error, reason, isRenewal && OVER.test(error));
}
