import { z } from 'zod';
import { CaCertificates, destination, secret } from './credential-marks';
import { text } from '../text';

/** How the connection to a mail server is encrypted. */
export const MAIL_SECURITY = ['tls', 'starttls', 'none'] as const;

/** A mailbox on a mail server, as IMAP reads it. */
export const ImapConfig = z.strictObject({
  host: text(1, 253)
    .regex(/^[a-z0-9._:-]+$/i, { error: 'must be a host name or an IP address' })
    .meta({ title: 'Host', examples: ['imap.example.com'], ...destination('address') }),
  port: z
    .number()
    .int()
    .min(1)
    .max(65_535)
    .default(993)
    .meta({
      title: 'Port',
      description: 'Usually 993; with STARTTLS or without encryption 143.',
      ...destination('address'),
    }),
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
