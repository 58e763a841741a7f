import { NodeFailure } from '@/server/errors/node-failure';

/** What drivers put into errors. `code`: an SQLSTATE, a name of MySQL, or a code of Node.js. */
interface DriverError {
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

const MAX_MESSAGE = 2000;

/** SQLSTATE of PostgreSQL: serialization failure, deadlock, lock not available, insufficient resources, server shut down. */
const PASSING_STATES = /^(?:40001|40P01|55P03|53|57P0)/;
/** Numbers of MySQL: lock wait, deadlock, too many connections, shutdown. */
const PASSING_NUMBERS = [1205, 1213, 1040, 1203, 1226, 1053, 1290];
/** The statement ran longer than the server permits. */
const TIMEOUT_STATE = '57014';
const TIMEOUT_NUMBERS = [3024, 1969, 1317];

const TLS_CODES = /CERT|^ERR_TLS|^ERR_SSL|^ERR_OSSL|^UNABLE_TO|SELF_SIGNED|^HANDSHAKE_(?:NO_SSL|SSL)/;
const TLS_MESSAGES = /does not support SSL|establishing an SSL|SSL routines/;

const short = (text: string) => (text.length > MAX_MESSAGE ? `${text.slice(0, MAX_MESSAGE - 1)}…` : text);

/** The answer of the server, if it is one: its own words and code. */
function answerIn(error: DriverError) {
  if (typeof error.sqlMessage === 'string') {
    const number = Number(error.errno);
    const isPassing = PASSING_NUMBERS.includes(number);
    const isTimeout = TIMEOUT_NUMBERS.includes(number);
    return { text: error.sqlMessage, code: [error.code, number].filter(Boolean).join(', '), isPassing, isTimeout };
  }
  if (typeof error.severity !== 'string') return undefined;
  const state = String(error.code);
  const detail = typeof error.detail === 'string' && error.detail !== '' ? ` ${error.detail}` : '';
  const isTimeout = state === TIMEOUT_STATE;
  return {
    text: `${error.message}${detail}`,
    code: `SQLSTATE ${state}`,
    isPassing: PASSING_STATES.test(state),
    isTimeout,
  };
}

/**
 * Why a connection could not be opened: EGRESS_DENIED, DNS, TLS or CONNECTION_FAILED. `redact`: removes secrets, before the text is
 * shortened.
 */
export function connectionFailure(error: unknown, host: string, redact: (text: string) => string): NodeFailure {
  if (error instanceof NodeFailure) return error;
  const { message = '', code, errors } = error as DriverError;
  // Several addresses were tried.
  if (Array.isArray(errors) && errors.length > 0) return connectionFailure(errors[0], host, redact);
  const answer = answerIn(error as DriverError);
  const text = short(
    redact(answer ? `${answer.text} (${answer.code})` : message || String(code ?? 'the connection failed')),
  );
  if (answer) return new NodeFailure('CONNECTION_FAILED', `${host}: ${text}`, answer.isPassing);
  if (TLS_CODES.test(String(code)) || TLS_MESSAGES.test(message))
    return new NodeFailure('TLS', `${host}: ${text}`, false);
  const isName = code === 'ENOTFOUND' || code === 'EAI_AGAIN';
  return new NodeFailure(isName ? 'DNS' : 'CONNECTION_FAILED', `${host}: ${text}`);
}

/** Why a statement failed: SQL_ERROR with the words of the server, TIMEOUT, or CONNECTION_LOST. */
export function statementFailure(error: unknown, redact: (text: string) => string): NodeFailure {
  if (error instanceof NodeFailure) return error;
  const answer = answerIn(error as DriverError);
  if (answer) {
    const text = `${short(redact(answer.text))} (${answer.code})`;
    return answer.isTimeout ? new NodeFailure('TIMEOUT', text) : new NodeFailure('SQL_ERROR', text, answer.isPassing);
  }
  const { message = '' } = error as DriverError;
  return new NodeFailure('CONNECTION_LOST', `The connection ended before the answer: ${short(redact(message))}`);
}
