import { NodeFailure } from '@/server/platform/errors/node-failure';

/** The server refused a command, a document, or the storage of what it has written. */
export class MongoServerError extends Error {
  readonly code: number;

  constructor(answer: Readonly<Record<string, unknown>>) {
    super(String(answer['errmsg'] ?? 'the server gives no reason'));
    this.code = Number(answer['code'] ?? 0);
  }
}

/** The fields that Node.js puts into errors. */
interface NetworkError {
  message?: string;
  code?: unknown;
  /** Several addresses were tried. */
  errors?: unknown;
}

const MAX_MONGO_MESSAGE_LENGTH = 2000;
const MONGO_TLS_CODES = /CERT|^ERR_TLS|^ERR_SSL|^ERR_OSSL|^UNABLE_TO|SELF_SIGNED/;
const MONGO_TLS_MESSAGES = /SSL routines|before secure TLS connection/;

/**
 * Codes of errors that may pass: unreachable, network timeout, shutdown, primary stepped down, interrupted, write
 * conflict, not the primary.
 */
const TRANSIENT_MONGO_CODES = new Set([6, 7, 89, 91, 112, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436]);
/** The member does not take writes any more: another one does. */
const OTHER_PRIMARY_CODES = new Set([91, 189, 10107, 11600, 11602, 13435, 13436]);
/** The command ran longer than the time that it was given. */
const TIMEOUT_MONGO_CODE = 50;

const shortMongoMessage = (text: string) => {
  const line = text.replaceAll(/[\p{C}\s]+/gu, ' ').trim();
  return line.length > MAX_MONGO_MESSAGE_LENGTH ? `${line.slice(0, MAX_MONGO_MESSAGE_LENGTH - 1)}…` : line;
};

/** Whether the next use has to look for the primary again. */
export const isOtherPrimaryError = (error: unknown): boolean =>
  error instanceof MongoServerError && OTHER_PRIMARY_CODES.has(error.code);

/**
 * Why a connection could not be opened: EGRESS_DENIED, DNS, TLS or CONNECTION_FAILED. `redact`: removes secrets, before
 * the text is shortened.
 */
export function mongoConnectionFailure(error: unknown, host: string, redact: (text: string) => string): NodeFailure {
  if (error instanceof NodeFailure) return error;
  if (error instanceof MongoServerError) {
    const isPassing = TRANSIENT_MONGO_CODES.has(error.code);
    return new NodeFailure('CONNECTION_FAILED', `${host}: ${shortMongoMessage(redact(error.message))}`, isPassing);
  }
  const { message = '', code, errors } = error as NetworkError;
  if (Array.isArray(errors) && errors.length > 0) return mongoConnectionFailure(errors[0], host, redact);
  const text = shortMongoMessage(redact(message || String(code ?? 'the connection failed')));
  if (MONGO_TLS_CODES.test(String(code)) || MONGO_TLS_MESSAGES.test(message))
    return new NodeFailure('TLS', `${host}: ${text}`, false);
  const isName = code === 'ENOTFOUND' || code === 'EAI_AGAIN';
  return new NodeFailure(isName ? 'DNS' : 'CONNECTION_FAILED', `${host}: ${text}`);
}

/** Why a command failed: MONGODB_ERROR with the words of the server, TIMEOUT, or CONNECTION_LOST. */
export function mongoCommandFailure(error: unknown, redact: (text: string) => string): NodeFailure {
  if (error instanceof NodeFailure) return error;
  const text = shortMongoMessage(redact((error as NetworkError).message ?? ''));
  if (!(error instanceof MongoServerError))
    return new NodeFailure('CONNECTION_LOST', `The connection ended before the reply: ${text}`);
  return error.code === TIMEOUT_MONGO_CODE
    ? new NodeFailure('TIMEOUT', text)
    : new NodeFailure('MONGODB_ERROR', `${text} (${error.code})`, TRANSIENT_MONGO_CODES.has(error.code));
}
