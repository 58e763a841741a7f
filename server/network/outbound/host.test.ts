import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { expect, onTestFinished, test, vi } from 'vitest';
import { buildCertificate } from '@/server/testing/certificates';
import { useDatabase } from '@/server/testing/database';
import { closeOutboundConnections } from './connections';
import { sendOutboundRequest } from './outbound';

useDatabase({ egressAllowPrivate: true });

test('the header Host changes neither the address that is connected to nor, for a name, what TLS asks for', async () => {
  const { key, cert } = await buildCertificate();
  const names: unknown[] = [];
  const server = createServer({ key, cert }, (message, response) => response.end(message.headers.host));
  server.on('secureConnection', (socket: TLSSocket) => names.push((socket as { servername?: string }).servername));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await closeOutboundConnections();
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const hostAt = async (name: string) =>
    (
      await sendOutboundRequest({
        workspaceId: 'ws_host',
        url: `https://${name}:${port}/`,
        headers: { Host: 'app.example.com' },
      })
    ).body.toString();
  expect(await hostAt('localhost')).toBe('app.example.com');
  expect(await hostAt('127.0.0.1')).toBe('app.example.com');
  expect(names).toEqual(['localhost', 'app.example.com']);
});
