import type { HostileServer } from './hostile-server';
import { ftpServers } from './servers/ftp';
import { httpServers } from './servers/http';
import { identityServers } from './servers/identity';
import { imapServers } from './servers/imap';
import { mcpServers } from './servers/mcp';
import { modelServers } from './servers/models';
import { mongodbServers } from './servers/mongodb';
import { redisServers } from './servers/redis';
import { s3Servers } from './servers/s3';
import { smtpServers } from './servers/smtp';
import { sqlServers } from './servers/sql';
import { sshServers } from './servers/ssh';

/** Servers that answer each client of the service with hostile data, by client and what they send. */
export const hostileServers: Readonly<Record<string, HostileServer>> = {
  ...smtpServers,
  ...imapServers,
  ...mcpServers,
  ...modelServers,
  ...httpServers,
  ...sqlServers,
  ...redisServers,
  ...mongodbServers,
  ...sshServers,
  ...ftpServers,
  ...identityServers,
  ...s3Servers,
};
