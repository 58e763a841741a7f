/** What fails at databases and servers. */
export const CONNECTION_ERROR_ADVICE: Record<string, { title: string; advice: string }> = {
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
};
