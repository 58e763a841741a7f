import { NodeFailure } from '@/server/platform/errors/node-failure';

/** The fields that the libraries and Node.js put into errors. */
interface RemoteDriverError {
  message?: string;
  /** A name of Node.js, a reply of FTP, or a status of SFTP. */
  code?: unknown;
  /** Set by ssh2: the level at which the error happened. */
  level?: unknown;
  /** Several addresses were tried. */
  errors?: unknown;
}

/** The connection from which an error has come. */
export interface RemoteErrorOrigin {
  host: string;
  /** Whether the login had succeeded. */
  isConnected: boolean;
  redact(text: string): string;
}

const MAX_REMOTE_MESSAGE_LENGTH = 500;
const REMOTE_TLS_CODES = /CERT|^ERR_TLS|^ERR_SSL|^ERR_OSSL|^UNABLE_TO|SELF_SIGNED/;
const NO_TLS_PATTERN = /wrong version number|packet length too long|before secure TLS connection/;
const REMOTE_TIMEOUT_PATTERN = /ETIMEDOUT|^Timed out|^Timeout|Keepalive timeout/;
/** What the libraries say about servers that do not speak their protocol. */
const BROKEN_PROTOCOL_PATTERN =
  /handshake|Invalid (?:header|packet|identification)|Bad packet|Malformed|Unexpected packet|exceeds? max|exceeded|Expected |Can't parse|Maximum bytes|Max greeting|Header line|Invalid time value|only supports MLSD|Unexpected FTP response/i;

/** Messages of FTP that the connection for content could not be opened. */
const NO_DATA_CONNECTION_PATTERN = /data connection|transfer strategies/;

/** Words of a server on one line, without secrets. */
export const redactedLine = (text: unknown, redact: (text: string) => string): string =>
  redact(String(text))
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_REMOTE_MESSAGE_LENGTH);

/** An error that is no answer to a request about files. */
export function remoteConnectionFailure(error: unknown, { host, isConnected, redact }: RemoteErrorOrigin): NodeFailure {
  if (error instanceof NodeFailure) return error;
  const { message = '', code, level, errors } = error as RemoteDriverError;
  if (Array.isArray(errors) && errors.length > 0)
    return remoteConnectionFailure(errors[0], { host, isConnected, redact });
  const text = redactedLine(message || String(code ?? 'the connection failed'), redact);
  if (level === 'client-authentication') return loginRefusedFailure(host);
  if (NO_TLS_PATTERN.test(message))
    return new NodeFailure(
      'TLS',
      `${host} does not begin with TLS at this port: choose another kind of encryption.`,
      false,
    );
  if (REMOTE_TLS_CODES.test(String(code))) return new NodeFailure('TLS', `${host}: ${text}`, false);
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return new NodeFailure('DNS', `${host}: ${text}`);
  if (level === 'client-timeout' || REMOTE_TIMEOUT_PATTERN.test(message) || REMOTE_TIMEOUT_PATTERN.test(String(code)))
    return new NodeFailure('TIMEOUT', `${host} did not answer in time.`);
  if (
    typeof code !== 'string' &&
    (level === 'handshake' || BROKEN_PROTOCOL_PATTERN.test(message)) &&
    !/Connection lost/.test(message)
  )
    return new NodeFailure('BAD_RESPONSE', `${host} sent an answer that can not be read: ${text}`, false);
  return isConnected && !NO_DATA_CONNECTION_PATTERN.test(message)
    ? new NodeFailure('CONNECTION_LOST', `The connection to ${host} ended before the answer: ${text}`)
    : new NodeFailure('CONNECTION_FAILED', `${host}: ${text}`);
}

export function loginRefusedFailure(host: string, said = ''): NodeFailure {
  const more = said && ` It said: ${said}`;
  return new NodeFailure('LOGIN_REFUSED', `${host} refused the user name, the password or the key.${more}`, false);
}

export const pathNotFoundFailure = (path: string): NodeFailure =>
  new NodeFailure('PATH_NOT_FOUND', `"${path}" does not exist on the server.`, false);

export const pathDeniedFailure = (path: string): NodeFailure =>
  new NodeFailure('PATH_DENIED', `The server does not permit this for "${path}".`, false);

/** `isPassing`: the server says that it may succeed later. */
export const transferRefusedFailure = (path: string, said: string, isPassing = false): NodeFailure =>
  new NodeFailure('TRANSFER_REFUSED', `The server refused "${path}": ${said}`, isPassing);

export const folderTooLargeFailure = (most: string): NodeFailure =>
  new NodeFailure('TOO_LARGE', `The folder has more than ${most}.`, false);
