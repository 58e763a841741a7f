import { NodeFailure } from '@/server/errors/node-failure';

/** What the driver and Node.js put into errors. */
interface DriverError {
  message?: string;
  name?: unknown;
  code?: unknown;
  /** Several addresses were tried. */
  errors?: unknown;
}

const MAX_MESSAGE = 2000;

const TLS_CODES = /CERT|^ERR_TLS|^ERR_SSL|^ERR_OSSL|^UNABLE_TO|SELF_SIGNED/;
const TLS_MESSAGES = /SSL routines|before secure TLS connection/;

/** First words of errors of the server that may pass: it loads its data, runs a script, or a cluster elects a node. */
const PASSING = new Set(['LOADING', 'BUSY', 'TRYAGAIN', 'CLUSTERDOWN', 'MASTERDOWN']);
/** A cluster names the node that has the key. */
const ELSEWHERE = new Set(['MOVED', 'ASK']);

const words = (text: string) => {
  const line = text.replaceAll(/[\p{C}\s]+/gu, ' ').trim();
  return line.length > MAX_MESSAGE ? `${line.slice(0, MAX_MESSAGE - 1)}…` : line;
};

/** The answer of the server, if the error is one: its own words. */
function answerIn({ name, message = '' }: DriverError) {
  if (name !== 'ReplyError') return undefined;
  const [first = ''] = message.split(' ', 1);
  return { text: message, first, isPassing: PASSING.has(first) };
}

/**
 * Why a connection could not be opened: EGRESS_DENIED, DNS, TLS or CONNECTION_FAILED. `redact`: removes secrets, before the text is
 * shortened.
 */
export function connectionFailure(error: unknown, host: string, redact: (text: string) => string): NodeFailure {
  if (error instanceof NodeFailure) return error;
  const { message = '', code, errors } = error as DriverError;
  if (Array.isArray(errors) && errors.length > 0) return connectionFailure(errors[0], host, redact);
  const answer = answerIn(error as DriverError);
  const text = words(redact(answer?.text ?? (message || String(code ?? 'the connection failed'))));
  if (answer) return new NodeFailure('CONNECTION_FAILED', `${host}: ${text}`, answer.isPassing);
  if (TLS_CODES.test(String(code)) || TLS_MESSAGES.test(message))
    return new NodeFailure('TLS', `${host}: ${text}`, false);
  const isName = code === 'ENOTFOUND' || code === 'EAI_AGAIN';
  return new NodeFailure(isName ? 'DNS' : 'CONNECTION_FAILED', `${host}: ${text}`);
}

/** Why a command failed: REDIS_ERROR with the words of the server, or CONNECTION_LOST. */
export function commandFailure(error: unknown, redact: (text: string) => string): NodeFailure {
  if (error instanceof NodeFailure) return error;
  const answer = answerIn(error as DriverError);
  if (answer && ELSEWHERE.has(answer.first))
    return new NodeFailure(
      'REDIS_ERROR',
      'Another node of the cluster has the key; clusters are not supported.',
      false,
    );
  if (answer) return new NodeFailure('REDIS_ERROR', words(redact(answer.text)), answer.isPassing);
  const { message = '' } = error as DriverError;
  return new NodeFailure('CONNECTION_LOST', `The connection ended before the reply: ${words(redact(message))}`);
}
