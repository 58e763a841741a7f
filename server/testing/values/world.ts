import { inject } from 'vitest';
import { buildCredential, type TestUser } from '../factories';
import type { MariaDbServer } from '../servers/mariadb';
import type { McpParty } from '../servers/mcp';
import type { Models } from '../servers/models';
import type { MongoParty } from '../servers/mongodb/mongodb';
import type { RedisServer } from '../servers/redis';
import type { MailSink } from '../servers/smtp';

/** What places need. */
export interface World {
  user: TestUser;
  mariaDb: MariaDbServer;
  redis: RedisServer;
  mongo: MongoParty;
  models: Models;
  mcp: McpParty;
  mail: MailSink;
  /** Answers with the body of the request, and its content type. */
  echoUrl: string;
}

/** Credentials of the servers, by what they are for. */
export async function buildWorldCredentials({ user, mariaDb, redis, mongo, models, mcp }: World) {
  const { hostname, port, pathname, username, password } = new URL(inject('postgresUrl'));
  const local = { host: '127.0.0.1', tls: 'off' };
  const own = { host: hostname, port: Number(port), database: pathname.slice(1), username, password, tls: 'off' };
  const shop = { ...local, port: mariaDb.port, database: 'shop', username: 'app', password: mariaDb.password };
  return {
    postgres: await buildCredential(user, 'postgres', own),
    mysql: await buildCredential(user, 'mysql', shop),
    redis: await buildCredential(user, 'redis', { ...local, port: Number(new URL(redis.url).port) }),
    mongodb: await buildCredential(user, 'mongodb', { ...local, port: mongo.port }),
    llm: await buildCredential(user, 'llm', {
      provider: 'openai_compatible',
      apiKey: 'k',
      baseUrl: `${models.url}/v1`,
    }),
    mcp: await buildCredential(user, 'mcp', { url: mcp.url, headers: { Authorization: 'Bearer key' } }),
  };
}
