import { z } from 'zod';
import { CaCertificates, destination, secret } from './credential-marks';
import { Host, port } from './server-address';
import { text } from '../text';

/** How the connection to a mail server is encrypted. */
export const MAIL_SECURITY = ['tls', 'starttls', 'none'] as const;

/** A mailbox on a mail server, as IMAP reads it. */
export const ImapConfig = z.strictObject({
  host: Host.meta({ examples: ['imap.example.com'] }),
  port: port(993).meta({ description: 'Usually 993; with STARTTLS or without encryption 143.' }),
  security: z
    .enum(MAIL_SECURITY)
    .default('tls')
    .meta({
      title: 'Encryption',
      'x-labels': { tls: 'TLS', starttls: 'STARTTLS', none: 'None' },
      description:
        'TLS: from the first byte. STARTTLS: required before the login. None: the password is sent in plain text.',
      ...destination('address'),
    }),
  username: text(1, 1000).meta({ title: 'User name', description: 'Often the whole address.' }),
  password: secret('Password').meta({ description: 'Providers with two-factor login need an app password.' }),
  ca: CaCertificates,
});
export type ImapConfig = z.output<typeof ImapConfig>;
