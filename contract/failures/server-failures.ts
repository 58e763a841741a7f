import type { FailureRecord } from './failure-record';

/** What fails at databases, servers of users and mail servers. */
export const SERVER_FAILURES = {
  CONNECTION_FAILED: {
    title: 'The server can’t be reached',
    advice: 'Check host, port, user name and password of the credential.',
  },
  CONNECTION_LOST: {
    title: 'The connection to the server ended',
    advice: 'Check what it has done, then run again. Set retries if it happens often.',
  },
  LOGIN_REFUSED: {
    title: 'The server refused the login',
    advice: 'Check user name, password and private key of the credential.',
  },
  HOST_KEY: {
    title: 'It is another server than expected',
    advice:
      'If the server was set up anew, enter its new fingerprint in the credential. Otherwise find out who answers.',
  },
  PRIVATE_KEY: {
    title: 'The private key can’t be read',
    advice: 'Enter the key in the credential again, with its first and last line, and its passphrase.',
  },
  COMMAND_REFUSED: {
    title: 'The server runs no commands',
    advice: 'The account may be for file transfers only. Ask the operator of the server.',
  },
  EXIT_CODE: {
    title: 'The command failed',
    advice: 'The end of its error output is in the message. “Fail on error” off passes on every exit code.',
    parameters: { exitCode: 'number?', signal: 'text?', reason: 'text?' },
    sentence: 'The command[ ended with exit code {exitCode}][ was ended by {signal}][: {reason}]',
  },
  PATH_NOT_FOUND: {
    title: 'The server has no such file or folder',
    advice: 'Check the path. Upper and lower case count on most servers.',
  },
  PATH_DENIED: {
    title: 'The account may not do this',
    advice: 'Check the permissions of the file and its folder on the server.',
  },
  TRANSFER_REFUSED: {
    title: 'The server refused the operation',
    advice: 'Its reason is in the message. The path may exist already, be in use, or its folder may be missing.',
  },
  SQL_ERROR: { title: 'The database refused the statement', advice: 'Check the statement and its parameters.' },
  TOO_MANY_ROWS: { title: 'The query has too many rows', advice: 'Add a condition or a limit to the query.' },
  REDIS_ERROR: { title: 'Redis refused the command', advice: 'Check the type of the key and the values.' },
  MONGODB_ERROR: {
    title: 'MongoDB refused the command',
    advice: 'Check the query and the values; the user may lack a right.',
  },
  MAIL_NOT_CONFIGURED: { title: 'No email server is set up', advice: 'Choose a credential for an email server.' },
  MAIL_INVALID: { title: 'The email is not valid', advice: 'Check recipients, subject and attachments.' },
  MAIL_QUOTA: {
    title: 'The daily limit of emails is reached',
    advice: 'Wait until the next day (UTC), or choose a credential for your own email server.',
  },
  MAIL_UNVERIFIED: {
    title: 'No owner has confirmed their email address',
    advice: 'An owner of the workspace confirms the address by the link that was sent to it.',
  },
  MAIL_LOGIN: {
    title: 'The mail server refused the user name or the password',
    advice: 'Check the credential. Many providers need a password for apps, and IMAP switched on.',
  },
  MAIL_UNREADABLE: {
    title: 'The message can’t be read',
    advice: 'The message is not valid. Open it in a mail program.',
  },
  MAILBOX_NOT_FOUND: {
    title: 'The mailbox was not found',
    advice: 'Check the name of the folder. Folders in folders are written with the separator of the server.',
  },
  MAIL_REFUSED: { title: 'The email server refused the email', advice: 'Check recipients, sender and credential.' },
  MAIL_UNREACHABLE: { title: 'The email server can’t be reached', advice: 'Check host and port of the email server.' },
} as const satisfies Record<string, FailureRecord>;
