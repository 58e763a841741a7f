import { z } from 'zod';
import { CaCertificates, destinationMark, secretText } from './credential-fields';
import { ServerHost, serverPort } from './server-address';
import { boundedText } from '../text';

/** A user name must be one line, because a line break ends an FTP command. */
const SingleLineUsername = boundedText(1, 1000)
  .regex(/^[^\r\n\0]*$/, { error: 'must be one line' })
  .meta({ title: 'User name' });

/** A server that is reached by SSH: for commands, and for files by SFTP. */
export const SshServerConfig = z
  .strictObject({
    host: ServerHost,
    port: serverPort(22),
    username: SingleLineUsername,
    password: secretText('Password').optional(),
    privateKey: secretText('Private key').optional().meta({
      description: 'In place of the password, or beside it: with its lines BEGIN and END, as ssh-keygen writes it.',
      'x-editor': 'multiline',
    }),
    passphrase: secretText('Passphrase').optional().meta({ description: 'If the private key is encrypted.' }),
    hostKey: boundedText(1, 100)
      .regex(/^SHA256:[A-Za-z0-9+/]{43}=?$/, { error: 'must be SHA256: and 43 characters, as ssh-keygen -l shows it' })
      .optional()
      .meta({
        title: 'Fingerprint of the server',
        description: 'Other servers are refused. Empty: any server is accepted; the test shows its fingerprint.',
        examples: ['SHA256:uNiVztksCsDhcc0u9e8BrrJXVGDD0dTFpsc3yXPzLxs'],
        ...destinationMark('pin'),
      }),
  })
  .refine(({ password, privateKey }) => password !== undefined || privateKey !== undefined, {
    path: ['password'],
    error: 'is required, or a private key',
  });
export type SshServerConfig = z.output<typeof SshServerConfig>;

/** How the connection to an FTP server is encrypted. */
export const FTP_TLS_MODES = ['none', 'explicit', 'implicit'] as const;

/** A server that is reached by FTP or FTPS. */
export const FtpServerConfig = z.strictObject({
  host: ServerHost,
  port: serverPort(21).meta({ description: 'Usually 21; with implicit TLS 990.' }),
  username: SingleLineUsername,
  password: secretText('Password').regex(/^[^\r\n\0]*$/, { error: 'must be one line' }),
  tls: z
    .enum(FTP_TLS_MODES)
    .default('explicit')
    .meta({
      title: 'Encryption',
      'x-labels': { explicit: 'Explicit TLS', implicit: 'Implicit TLS', none: 'None' },
      description:
        'Explicit: required before the login. Implicit: from the first byte. None: password and files are sent in plain text.',
      ...destinationMark('address'),
    }),
  ca: CaCertificates,
});
export type FtpServerConfig = z.output<typeof FtpServerConfig>;
