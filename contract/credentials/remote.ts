import { z } from 'zod';
import { CaCertificates, destination, secret } from './credential-marks';
import { Host, port } from './server-address';
import { text } from '../text';

/** One line: a command of FTP ends with the line. */
const Username = text(1, 1000)
  .regex(/^[^\r\n\0]*$/, { error: 'must be one line' })
  .meta({ title: 'User name' });

/** A server that is reached by SSH: for commands, and for files by SFTP. */
export const SshConfig = z
  .strictObject({
    host: Host,
    port: port(22),
    username: Username,
    password: secret('Password').optional(),
    privateKey: secret('Private key').optional().meta({
      description: 'In place of the password, or beside it: with its lines BEGIN and END, as ssh-keygen writes it.',
      'x-editor': 'multiline',
    }),
    passphrase: secret('Passphrase').optional().meta({ description: 'If the private key is encrypted.' }),
    hostKey: text(1, 100)
      .regex(/^SHA256:[A-Za-z0-9+/]{43}=?$/, { error: 'must be SHA256: and 43 characters, as ssh-keygen -l shows it' })
      .optional()
      .meta({
        title: 'Fingerprint of the server',
        description: 'Other servers are refused. Empty: any server is accepted; the test shows its fingerprint.',
        examples: ['SHA256:uNiVztksCsDhcc0u9e8BrrJXVGDD0dTFpsc3yXPzLxs'],
        ...destination('pin'),
      }),
  })
  .refine(({ password, privateKey }) => password !== undefined || privateKey !== undefined, {
    path: ['password'],
    error: 'is required, or a private key',
  });
export type SshConfig = z.output<typeof SshConfig>;

/** How the connection to an FTP server is encrypted. */
export const FTP_TLS = ['none', 'explicit', 'implicit'] as const;

/** A server that is reached by FTP or FTPS. */
export const FtpConfig = z.strictObject({
  host: Host,
  port: port(21).meta({ description: 'Usually 21; with implicit TLS 990.' }),
  username: Username,
  password: secret('Password').regex(/^[^\r\n\0]*$/, { error: 'must be one line' }),
  tls: z
    .enum(FTP_TLS)
    .default('explicit')
    .meta({
      title: 'Encryption',
      'x-labels': { explicit: 'Explicit TLS', implicit: 'Implicit TLS', none: 'None' },
      description:
        'Explicit: required before the login. Implicit: from the first byte. None: password and files are sent in plain text.',
      ...destination('address'),
    }),
  ca: CaCertificates,
});
export type FtpConfig = z.output<typeof FtpConfig>;
