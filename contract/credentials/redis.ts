import { z } from 'zod';
import { CaCertificates, secret } from './credential-marks';
import { DatabaseTls, Host, port } from './server-address';
import { text } from '../text';

/** A server of Redis, or one with its protocol, such as Valkey. */
export const RedisConfig = z.strictObject({
  host: Host.meta({ examples: ['redis.example.com'] }),
  port: port(6379),
  username: text(1, 1000).optional().meta({ title: 'User name', description: 'Empty: the default user.' }),
  password: secret('Password').optional(),
  database: z.number().int().min(0).max(10_000).default(0).meta({ title: 'Database', description: 'Its number.' }),
  tls: DatabaseTls,
  ca: CaCertificates,
});
export type RedisConfig = z.output<typeof RedisConfig>;
