import type { HostileServer } from './hostile-server';
import { httpServers } from './servers/http';
import { imapServers } from './servers/imap';
import { mcpServers } from './servers/mcp';
import { modelServers } from './servers/models';
import { smtpServers } from './servers/smtp';

/** Servers that answer each client of the service with hostile data, by client and what they send. */
export const hostileServers: Readonly<Record<string, HostileServer>> = {
  ...smtpServers,
  ...imapServers,
  ...mcpServers,
  ...modelServers,
  ...httpServers,
};
