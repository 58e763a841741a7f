import { z } from 'zod';
import { CaCertificates, destinationMark, secretText } from './credential-fields';
import { MONGODB_PORT, parseMongoAddress } from './mongodb-address';
import { DatabaseTlsMode, ServerHost, serverPort } from './server-address';
import { boundedText } from '../text';

export const MongoDatabaseName = boundedText(1, 63).regex(/^[^/\\. "$*<>:|?\0]+$/, {
  error: 'must be the name of a database, without spaces, dots or one of / \\ " $ * < > : | ?',
});

/** A server of MongoDB, a replica set, or a service with its protocol. */
export const MongoServerConfig = z
  .strictObject({
    connectionString: secretText('Connection string').optional().meta({
      description: 'mongodb:// or mongodb+srv://, as the provider shows it. In place of host, user, password and TLS.',
    }),
    host: ServerHost.optional().meta({
      title: 'Host',
      examples: ['mongodb.example.com'],
      description: 'Without a connection string.',
      ...destinationMark('address'),
    }),
    port: serverPort(MONGODB_PORT),
    database: MongoDatabaseName.optional().meta({
      title: 'Database',
      description: 'Empty: that of the connection string, or each node names one.',
    }),
    username: boundedText(1, 1000).optional().meta({ title: 'User name' }),
    password: secretText('Password').optional(),
    authSource: MongoDatabaseName.optional().meta({
      title: 'Database of the user',
      description: 'Where the user was created.',
      default: 'admin',
    }),
    tls: DatabaseTlsMode,
    ca: CaCertificates,
  })
  .superRefine(({ connectionString, host, username, password }, context) => {
    const refuse = (field: string, message: string) => context.addIssue({ code: 'custom', path: [field], message });
    if (connectionString === undefined && host === undefined)
      return refuse('host', 'is required, or a connection string');
    if (connectionString !== undefined) {
      const address = parseMongoAddress(connectionString);
      if (host !== undefined) refuse('host', 'must be empty beside a connection string');
      if ('problem' in address) refuse('connectionString', address.problem);
    } else if ((username === undefined) !== (password === undefined))
      refuse(username === undefined ? 'username' : 'password', 'is required beside the other');
  });
export type MongoServerConfig = z.output<typeof MongoServerConfig>;
