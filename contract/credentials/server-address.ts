import { z } from 'zod';
import { destination } from './credential-marks';
import { text } from '../text';

/** The address of a server. */
export const Host = text(1, 253)
  .regex(/^[a-z0-9._:-]+$/i, { error: 'must be a host name or an IP address' })
  .meta({ title: 'Host', ...destination('address') });

export const port = (usual: number) =>
  z
    .number()
    .int()
    .min(1)
    .max(65_535)
    .default(usual)
    .meta({ title: 'Port', ...destination('address') });

/** How the connection to a database is encrypted. */
export const DatabaseTls = z
  .enum(['verify', 'require', 'off'])
  .default('verify')
  .meta({
    title: 'TLS',
    description: 'verify: encrypted, and the certificate is checked. require: encrypted only. off: not encrypted.',
    ...destination('address'),
  });
