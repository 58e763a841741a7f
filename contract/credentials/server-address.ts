import { z } from 'zod';
import { destinationMark } from './credential-fields';
import { boundedText } from '../text';

/** The address of a server. */
export const ServerHost = boundedText(1, 253)
  .regex(/^[a-z0-9._:-]+$/i, { error: 'must be a host name or an IP address' })
  .meta({ title: 'Host', ...destinationMark('address') });

export const serverPort = (usual: number) =>
  z
    .number()
    .int()
    .min(1)
    .max(65_535)
    .default(usual)
    .meta({ title: 'Port', ...destinationMark('address') });

/** How the connection to a database is encrypted. */
export const DatabaseTlsMode = z
  .enum(['verify', 'require', 'off'])
  .default('verify')
  .meta({
    title: 'TLS',
    apiDescription: 'verify: encrypted, and the certificate is checked. require: encrypted only. off: not encrypted.',
    'x-labels': { verify: 'Encrypted, certificate checked', require: 'Encrypted only', off: 'Not encrypted' },
    ...destinationMark('address'),
  });
