import { z } from 'zod';
import { CaCertificates, destination, secret } from './credential-marks';
import { text } from '../text';

/** A server of Redis, or one with its protocol, such as Valkey. */
export const RedisConfig = z.strictObject({
  host: text(1, 253)
    .regex(/^[a-z0-9._:-]+$/i, { error: 'must be a host name or an IP address' })
    .meta({ title: 'Host', examples: ['redis.example.com'], ...destination('address') }),
  port: z
    .number()
    .int()
    .min(1)
    .max(65_535)
    .default(6379)
    .meta({ title: 'Port', ...destination('address') }),
  username: text(1, 1000).optional().meta({ title: 'User name', description: 'Empty: the default user.' }),
  password: secret('Password').optional(),
  database: z.number().int().min(0).max(10_000).default(0).meta({ title: 'Database', description: 'Its number.' }),
  tls: z
    .enum(['verify', 'require', 'off'])
    .default('verify')
    .meta({
      title: 'TLS',
      description: 'verify: encrypted, and the certificate is checked. require: encrypted only. off: not encrypted.',
      ...destination('address'),
    }),
  ca: CaCertificates,
});
export type RedisConfig = z.output<typeof RedisConfig>;
