import { expect, test } from 'vitest';
import { SERVER } from '@/scripts/modules.mjs';
import { useDatabase } from '@/server/testing/database';
import { findAllGrowth, type HostileInput } from './growth';
import type { HostileServer } from './hostile-server';
import { hostileServers } from './hostile-servers';

useDatabase({ egressAllowPrivate: true });

const MINUTES = 10 * 60_000;

/**
 * The modules that may open connections, and the clients that they are: the first words of the names of hostile
 * servers.
 */
const CLIENTS: Record<string, string[]> = {
  mail: ['smtp'],
  imap: ['imap'],
  mcp: ['mcp'],
  models: ['model'],
  sql: ['postgres', 'mysql'],
  redis: ['redis'],
  mongodb: ['mongodb'],
  remote: ['ssh', 'sftp', 'ftp'],
  files: ['s3'],
  nodes: ['http'],
  // Calls of operations have the answers of `http_request`; token addresses are asked for tokens.
  connectors: ['http', 'oauth'],
  sso: ['oidc', 'oauth'],
  // Documents of keys.
  webhooks: ['http'],
  // Workflows of a running n8n.
  operations: ['http'],
  alerts: ['http', 'smtp'],
};

const clientOf = (name: string) => name.split(/[,:]/, 1)[0] ?? '';

test('every module that may open connections has hostile servers', () => {
  const modules = Object.entries(SERVER as Record<string, string[]>).flatMap(([name, imports]) =>
    imports.includes('network/outbound') ? [name.slice(name.indexOf('/') + 1)] : [],
  );
  expect(Object.keys(CLIENTS).toSorted()).toEqual(modules.toSorted());
  const known = new Set(Object.keys(hostileServers).map(clientOf));
  expect(
    Object.values(CLIENTS)
      .flat()
      .filter((client) => !known.has(client)),
  ).toEqual([]);
});

const inputOf = (name: string, { largest, start }: HostileServer): HostileInput => ({
  name,
  largest,
  async prepare(size) {
    const server = await start(size);
    // A client that refuses what it gets has answered.
    return () =>
      server
        .call()
        .then(undefined, () => undefined)
        .finally(() => server.close());
  },
});

test.each(Object.entries(hostileServers))('%s', { timeout: MINUTES }, async (name, server) => {
  expect(await findAllGrowth([inputOf(name, server)])).toEqual([]);
});
