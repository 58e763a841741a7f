import { z } from 'zod';
import { CaCertificates, secretText } from './credential-fields';
import { DatabaseTlsMode, ServerHost, serverPort } from './server-address';
import { boundedText } from '../text';

const databaseConfig = (usualPort: number) =>
  z.strictObject({
    host: ServerHost,
    port: serverPort(usualPort),
    database: boundedText(1, 128).meta({ title: 'Database' }),
    username: boundedText(1, 128).meta({ title: 'User name' }),
    password: secretText('Password'),
    tls: DatabaseTlsMode,
    ca: CaCertificates,
  });

export const PostgresConfig = databaseConfig(5432);
/** MySQL or MariaDB. */
export const MysqlConfig = databaseConfig(3306);
export type DatabaseConfig = z.output<typeof PostgresConfig>;
