import { NodeFailure } from '@/server/platform/errors/node-failure';

/** The fields that drivers put into errors. `code`: an SQLSTATE, a name of MySQL, or a code of Node.js. */
interface SqlDriverError {
  message?: string;
  code?: unknown;
  detail?: unknown;
  severity?: unknown;
  sqlState?: unknown;
  sqlMessage?: unknown;
  errno?: unknown;
  fatal?: unknown;
  errors?: unknown;
}

const MAX_SQL_MESSAGE_LENGTH = 2000;

/**
 * SQLSTATE of PostgreSQL: serialization failure, deadlock, lock not available, insufficient resources, server shut
 * down.
 */
const TRANSIENT_SQLSTATES = /^(?:40001|40P01|55P03|53|57P0)/;
/** Numbers of MySQL: lock wait, deadlock, too many connections, shutdown. */
const TRANSIENT_MYSQL_ERRORS = [1205, 1213, 1040, 1203, 1226, 1053, 1290];
/** The statement ran longer than the server permits. */
const TIMEOUT_SQLSTATE = '57014';
const TIMEOUT_MYSQL_ERRORS = [3024, 1969, 1317];

const SQL_TLS_CODES = /CERT|^ERR_TLS|^ERR_SSL|^ERR_OSSL|^UNABLE_TO|SELF_SIGNED|^HANDSHAKE_(?:NO_SSL|SSL)/;
const SQL_TLS_MESSAGES = /does not support SSL|establishing an SSL|SSL routines/;

const shortSqlMessage = (text: string) =>
  text.length > MAX_SQL_MESSAGE_LENGTH ? `${text.slice(0, MAX_SQL_MESSAGE_LENGTH - 1)}…` : text;

/** The answer of the server, if it is one: its own words and code. */
function findServerError(error: SqlDriverError) {
  if (typeof error.sqlMessage === 'string') {
    const number = Number(error.errno);
    const isPassing = TRANSIENT_MYSQL_ERRORS.includes(number);
    const isTimeout = TIMEOUT_MYSQL_ERRORS.includes(number);
    return { text: error.sqlMessage, code: [error.code, number].filter(Boolean).join(', '), isPassing, isTimeout };
  }
  if (typeof error.severity !== 'string') return undefined;
  const state = String(error.code);
  const detail = typeof error.detail === 'string' && error.detail !== '' ? ` ${error.detail}` : '';
  const isTimeout = state === TIMEOUT_SQLSTATE;
  return {
    text: `${error.message}${detail}`,
    code: `SQLSTATE ${state}`,
    isPassing: TRANSIENT_SQLSTATES.test(state),
    isTimeout,
  };
}

/**
 * Why a connection could not be opened: EGRESS_DENIED, DNS, TLS or CONNECTION_FAILED. `redact`: removes secrets, before
 * the text is shortened.
 */
export function sqlConnectionFailure(error: unknown, host: string, redact: (text: string) => string): NodeFailure {
  if (error instanceof NodeFailure) return error;
  const { message = '', code, errors } = error as SqlDriverError;
  // Several addresses were tried.
  if (Array.isArray(errors) && errors.length > 0) return sqlConnectionFailure(errors[0], host, redact);
  const answer = findServerError(error as SqlDriverError);
  const text = shortSqlMessage(
    redact(answer ? `${answer.text} (${answer.code})` : message || String(code ?? 'the connection failed')),
  );
  if (answer) return new NodeFailure('CONNECTION_FAILED', `${host}: ${text}`, answer.isPassing);
  if (SQL_TLS_CODES.test(String(code)) || SQL_TLS_MESSAGES.test(message))
    return new NodeFailure('TLS', `${host}: ${text}`, false);
  const isName = code === 'ENOTFOUND' || code === 'EAI_AGAIN';
  return new NodeFailure(isName ? 'DNS' : 'CONNECTION_FAILED', `${host}: ${text}`);
}

/** Why a statement failed: SQL_ERROR with the words of the server, TIMEOUT, or CONNECTION_LOST. */
export function sqlStatementFailure(error: unknown, redact: (text: string) => string): NodeFailure {
  if (error instanceof NodeFailure) return error;
  const answer = findServerError(error as SqlDriverError);
  if (answer) {
    const text = `${shortSqlMessage(redact(answer.text))} (${answer.code})`;
    return answer.isTimeout ? new NodeFailure('TIMEOUT', text) : new NodeFailure('SQL_ERROR', text, answer.isPassing);
  }
  const { message = '' } = error as SqlDriverError;
  return new NodeFailure(
    'CONNECTION_LOST',
    `The connection ended before the answer: ${shortSqlMessage(redact(message))}`,
  );
}
