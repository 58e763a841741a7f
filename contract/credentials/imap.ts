import { z } from 'zod';
import { CaCertificates, destinationMark, secretText } from './credential-fields';
import { ServerHost, serverPort } from './server-address';
import { boundedText } from '../text';

/** How the connection to a mail server is encrypted. */
export const MAIL_ENCRYPTION_MODES = ['tls', 'starttls', 'none'] as const;

/** A mailbox on a mail server, as IMAP reads it. */
export const ImapServerConfig = z.strictObject({
  host: ServerHost.meta({ examples: ['imap.example.com'] }),
  port: serverPort(993).meta({ description: 'Usually 993; with STARTTLS or without encryption 143.' }),
  security: z
    .enum(MAIL_ENCRYPTION_MODES)
    .default('tls')
    .meta({
      title: 'Encryption',
      'x-labels': { tls: 'TLS', starttls: 'STARTTLS', none: 'None' },
      description:
        'TLS: from the first byte. STARTTLS: required before the login. None: the password is sent in plain text.',
      ...destinationMark('address'),
    }),
  username: boundedText(1, 1000).meta({ title: 'User name', description: 'Often the whole address.' }),
  password: secretText('Password').meta({ description: 'Providers with two-factor login need an app password.' }),
  ca: CaCertificates,
});
export type ImapServerConfig = z.output<typeof ImapServerConfig>;
