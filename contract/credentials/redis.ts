import { z } from 'zod';
import { CaCertificates, secretText } from './credential-fields';
import { DatabaseTlsMode, ServerHost, serverPort } from './server-address';
import { boundedText } from '../text';

/** A server of Redis, or one with its protocol, such as Valkey. */
export const RedisServerConfig = z.strictObject({
  host: ServerHost.meta({ examples: ['redis.example.com'] }),
  port: serverPort(6379),
  username: boundedText(1, 1000).optional().meta({ title: 'User name', description: 'Empty: the default user.' }),
  password: secretText('Password').optional(),
  database: z.number().int().min(0).max(10_000).default(0).meta({ title: 'Database', description: 'Its number.' }),
  tls: DatabaseTlsMode,
  ca: CaCertificates,
});
export type RedisServerConfig = z.output<typeof RedisServerConfig>;
