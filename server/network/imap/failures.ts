import { NodeFailure } from '@/server/platform/errors/node-failure';

/** The fields that the library and Node.js put into errors. */
interface ImapError {
  message?: string;
  code?: unknown;
  authenticationFailed?: unknown;
  tlsFailed?: unknown;
  mailboxMissing?: unknown;
  /** The server's answer to a command: NO, BAD. */
  responseStatus?: unknown;
  responseText?: unknown;
}

const MAX_IMAP_MESSAGE_LENGTH = 500;

const IMAP_TLS_CODES = /CERT|^ERR_TLS|^ERR_SSL|^ERR_OSSL|^UNABLE_TO|SELF_SIGNED|^UPGRADE_TIMEOUT$|TLS$/;
const IMAP_TIMEOUT_CODES = new Set(['CONNECT_TIMEOUT', 'GREETING_TIMEOUT', 'ETIMEOUT', 'ETIMEDOUT', 'LockTimeout']);
/** The server sent more than is accepted, or what is no IMAP. */
const BROKEN_RESPONSE_CODES =
  /TooLarge$|^TooMany|^ParserError|^MAX_IMAP_NESTING|^InvalidResponse$|^UnexpectedTag$|^MissingTag$/;

const singleLineMessage = (text: unknown) =>
  String(text)
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_IMAP_MESSAGE_LENGTH);

/** The error as a failure that people understand. `isConnected`: the login had succeeded. */
export function toImapFailure(error: unknown, host: string, isConnected: boolean): NodeFailure {
  if (error instanceof NodeFailure) return error;
  const { message = '', code, authenticationFailed, tlsFailed, responseStatus, responseText } = error as ImapError;
  const text = singleLineMessage(responseText ?? message);
  if (authenticationFailed === true) {
    const said = responseText ? ` It said: ${text}` : '';
    return new NodeFailure('MAIL_LOGIN', `${host} refused the user name or the password.${said}`, false);
  }
  if (/wrong version number/.test(message))
    return new NodeFailure(
      'TLS',
      `${host} does not begin with TLS at this port: choose STARTTLS, or another port.`,
      false,
    );
  if (tlsFailed === true || IMAP_TLS_CODES.test(String(code))) return new NodeFailure('TLS', `${host}: ${text}`, false);
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return new NodeFailure('DNS', `${host}: ${text}`);
  if (IMAP_TIMEOUT_CODES.has(String(code))) return new NodeFailure('TIMEOUT', `${host} did not answer in time.`);
  if (BROKEN_RESPONSE_CODES.test(String(code)))
    return new NodeFailure('BAD_RESPONSE', `${host} sent an answer that can not be read: ${text}`, false);
  if (responseStatus === 'NO' || responseStatus === 'BAD')
    return new NodeFailure('MAIL_REFUSED', `${host} refused: ${text}`, false);
  return isConnected
    ? new NodeFailure('CONNECTION_LOST', `The connection to ${host} ended before the answer: ${text}`)
    : new NodeFailure('CONNECTION_FAILED', `${host}: ${text || String(code)}`);
}

/** The mailbox does not exist, or may not be opened. */
export const mailboxNotFoundFailure = (path: string, reason = 'does not exist'): NodeFailure =>
  new NodeFailure('MAILBOX_NOT_FOUND', `The mailbox "${path}" ${reason}.`, false);

export const mailRefusedFailure = (action: string): NodeFailure =>
  new NodeFailure('MAIL_REFUSED', `The mail server refused ${action}.`, false);
