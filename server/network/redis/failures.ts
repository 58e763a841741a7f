import { NodeFailure } from '@/server/platform/errors/node-failure';

/** The fields that the driver and Node.js put into errors. */
interface RedisDriverError {
  message?: string;
  name?: unknown;
  code?: unknown;
  /** Several addresses were tried. */
  errors?: unknown;
}

const MAX_REDIS_MESSAGE_LENGTH = 2000;

const REDIS_TLS_CODES = /CERT|^ERR_TLS|^ERR_SSL|^ERR_OSSL|^UNABLE_TO|SELF_SIGNED/;
const REDIS_TLS_MESSAGES = /SSL routines|before secure TLS connection/;

/** First words of errors of the server that may pass: it loads its data, runs a script, or a cluster elects a node. */
const TRANSIENT_REPLY_WORDS = new Set(['LOADING', 'BUSY', 'TRYAGAIN', 'CLUSTERDOWN', 'MASTERDOWN']);
/** A cluster names the node that has the key. */
const CLUSTER_REPLY_WORDS = new Set(['MOVED', 'ASK']);

const shortRedisMessage = (text: string) => {
  const line = text.replaceAll(/[\p{C}\s]+/gu, ' ').trim();
  return line.length > MAX_REDIS_MESSAGE_LENGTH ? `${line.slice(0, MAX_REDIS_MESSAGE_LENGTH - 1)}…` : line;
};

/** The answer of the server, if the error is one: its own words. */
function findErrorReply({ name, message = '' }: RedisDriverError) {
  if (name !== 'ReplyError') return undefined;
  const [first = ''] = message.split(' ', 1);
  return { text: message, first, isPassing: TRANSIENT_REPLY_WORDS.has(first) };
}

/**
 * Why a connection could not be opened: EGRESS_DENIED, DNS, TLS or CONNECTION_FAILED. `redact`: removes secrets, before
 * the text is shortened.
 */
export function redisConnectionFailure(error: unknown, host: string, redact: (text: string) => string): NodeFailure {
  if (error instanceof NodeFailure) return error;
  const { message = '', code, errors } = error as RedisDriverError;
  if (Array.isArray(errors) && errors.length > 0) return redisConnectionFailure(errors[0], host, redact);
  const answer = findErrorReply(error as RedisDriverError);
  const text = shortRedisMessage(redact(answer?.text ?? (message || String(code ?? 'the connection failed'))));
  if (answer) return new NodeFailure('CONNECTION_FAILED', `${host}: ${text}`, answer.isPassing);
  if (REDIS_TLS_CODES.test(String(code)) || REDIS_TLS_MESSAGES.test(message))
    return new NodeFailure('TLS', `${host}: ${text}`, false);
  const isName = code === 'ENOTFOUND' || code === 'EAI_AGAIN';
  return new NodeFailure(isName ? 'DNS' : 'CONNECTION_FAILED', `${host}: ${text}`);
}

/** Why a command failed: REDIS_ERROR with the words of the server, or CONNECTION_LOST. */
export function redisCommandFailure(error: unknown, redact: (text: string) => string): NodeFailure {
  if (error instanceof NodeFailure) return error;
  const answer = findErrorReply(error as RedisDriverError);
  if (answer && CLUSTER_REPLY_WORDS.has(answer.first))
    return new NodeFailure(
      'REDIS_ERROR',
      'Another node of the cluster has the key; clusters are not supported.',
      false,
    );
  if (answer) return new NodeFailure('REDIS_ERROR', shortRedisMessage(redact(answer.text)), answer.isPassing);
  const { message = '' } = error as RedisDriverError;
  return new NodeFailure(
    'CONNECTION_LOST',
    `The connection ended before the reply: ${shortRedisMessage(redact(message))}`,
  );
}
