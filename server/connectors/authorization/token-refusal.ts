import { createRedactor } from '@/server/evaluation/redaction/redactor';
import type { TokenResponse } from './token-response';

/** The reason that a provider gives for refusing tokens. */
export interface RefusalReason {
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
    /** The grant has expired or was revoked, so only a person can connect again. */
    readonly isOver = false,
  ) {
    super(`The provider refused: ${reason}`);
  }
}

/** The part of a refusal that is stored, so that later runs can report it. */
export const serializeRefusal = ({ reason, isOver }: TokenRefused): string => JSON.stringify({ reason, isOver });

/** A stored refusal; null: there is none. */
export const parseStoredRefusal = (stored: string | null | undefined): Pick<TokenRefused, 'reason' | 'isOver'> | null =>
  stored === null || stored === undefined ? null : (JSON.parse(stored) as Pick<TokenRefused, 'reason' | 'isOver'>);

type ResponseFields = Record<string, unknown>;

const ERROR_CODE_PATTERN = /^[\w.:-]{1,80}$/;
const MAX_REFUSAL_TEXT = 300;

const isFieldObject = (value: unknown): value is ResponseFields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The first of these fields that is a text. */
const firstTextField = (fields: ResponseFields, names: readonly string[]): string | undefined =>
  names.map((name) => fields[name]).find((value): value is string => typeof value === 'string' && value.trim() !== '');

const ERROR_CODE_FIELDS = [
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
const ERROR_TEXT_FIELDS = [
  'error_description', 'errorDescription', 'error_message', 'errorMessage', 'message', 'description', 'detail',
  'error_summary', 'errorSummary', 'errmsg', 'msg', 'reason', 'title', 'error',
]; // prettier-ignore

function readRefusalFields(fields: ResponseFields): RefusalReason {
  const codes = ERROR_CODE_FIELDS.map((name) => fields[name]).map((value) =>
    typeof value === 'number' ? String(value) : value,
  );
  const code = codes.find((value): value is string => typeof value === 'string' && ERROR_CODE_PATTERN.test(value));
  const text = firstTextField(fields, ERROR_TEXT_FIELDS);
  return { code, text: text === code ? undefined : text };
}

/** Whether a response refuses, whatever its status is. `error: null` and `error: ""` mean nothing. */
export function isTokenRefusal(answer: TokenResponse): boolean {
  if (!answer) return false;
  const { error, ok, success } = answer;
  return (typeof error === 'string' && error !== '') || isFieldObject(error) || ok === false || success === false;
}

/** The reason in an answer: of RFC 6749, or as Google, Facebook, Slack and others nest it. */
export function extractRefusal(answer: TokenResponse): RefusalReason {
  if (!answer) return { code: undefined, text: undefined };
  const { error, errors } = answer;
  const [first] = Array.isArray(errors) ? (errors as unknown[]) : [];
  const inner = isFieldObject(error) ? error : isFieldObject(first) ? first : undefined;
  const own = readRefusalFields(answer);
  if (!inner) return { ...own, text: own.text ?? (typeof first === 'string' ? first : undefined) };
  const nested = readRefusalFields(inner);
  return { code: nested.code ?? own.code, text: nested.text ?? own.text };
}

/** Error codes that mean that a refresh token is expired, revoked or used up. */
const EXPIRED_GRANT_CODES =
  /^(invalid_grant|bad_refresh_token|invalid_refresh_token|refresh_token_expired|expired_token|token_expired|token_revoked)$/i;

/** Shorter words occur in many texts by chance, so they are not masked. */
const MIN_SECRET_WORD = 4;

/** Masks the secrets that were sent in a provider's sentence: whole ones, in any encoding, and large parts of them. */
function maskSentSecrets(text: string, secrets: readonly string[]): string {
  const isPart = (word: string) =>
    secrets.some(
      (secret) => secret.includes(word) && (word.length >= 3 * MIN_SECRET_WORD || word.length * 2 >= secret.length),
    );
  const shown = createRedactor(secrets)
    .text(text)
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replaceAll(/[^\s"'`<>()[\]{},;=&]+/g, (word) => (word.length >= MIN_SECRET_WORD && isPart(word) ? '••••••' : word))
    .trim();
  return shown.length > MAX_REFUSAL_TEXT ? `${shown.slice(0, MAX_REFUSAL_TEXT)}…` : shown;
}

/**
 * Makes the error of a refusing response. Providers may repeat the `secrets` that were sent. `isRenewal`: a refresh
 * token was sent.
 */
export function toTokenRefused(
  answer: TokenResponse,
  status: number,
  { secrets, isRenewal }: { secrets: readonly string[]; isRenewal: boolean },
): TokenRefused {
  const { code, text } = extractRefusal(answer);
  const isSent = (word: string) => secrets.some((secret) => secret.includes(word) || word.includes(secret));
  const error = code !== undefined && !isSent(code) ? code : `HTTP ${status}`;
  const sentence = maskSentSecrets(text ?? '', secrets);
  const reason = sentence === '' ? error : `${error}: ${sentence}`;
  return new TokenRefused(error, reason, isRenewal && EXPIRED_GRANT_CODES.test(error));
}
