import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { generate } from 'selfsigned';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { getRuntime, setRuntime } from '@/server/platform/runtime';
import { closeOutboundConnections } from './connections';
import { sendOutboundRequest, type OutboundRequest } from './outbound';

// A server with a certificate that it signed itself, for another name than that of the calls.

let url: string;

beforeEach(async () => {
  const env = { egressAllowPrivate: true, egressAllow: [], noProxy: [], egressAllowUnverified: true };
  setRuntime({ env } as unknown as Parameters<typeof setRuntime>[0]);
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'nas.example.com' }], { keyType: 'ec' });
  const server = createServer({ cert, key }, (request, response) =>
    request.url === '/away' ? response.writeHead(302, { location: '/there' }).end() : response.end(request.url),
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
});
afterEach(async () => {
  await closeOutboundConnections();
  setRuntime(undefined);
});

const ask = async (more: Partial<OutboundRequest> = {}) =>
  sendOutboundRequest({ workspaceId: 'ws_a', url, ...more }).then(
    ({ body }) => String(body),
    (error: { code?: string }) => error.code,
  );

test('a call that accepts any certificate reaches a server with a self-signed one, also by a redirect', async () => {
  expect(await ask({ acceptsAnyCertificate: true })).toBe('/');
  expect(await ask({ acceptsAnyCertificate: true, url: `${url}/away` })).toBe('/there');
});

test('no other call uses its connections: before and after it, the certificate is verified', async () => {
  expect(await ask()).toBe('TLS');
  expect(await ask({ acceptsAnyCertificate: true })).toBe('/');
  expect(await ask()).toBe('TLS');
  expect(await ask({ acceptsAnyCertificate: false })).toBe('TLS');
});

test('it leads to no address that may not be called, and the operator can forbid it', async () => {
  getRuntime().env.egressAllowPrivate = false;
  expect(await ask({ acceptsAnyCertificate: true })).toBe('EGRESS_DENIED');
  getRuntime().env.egressAllowPrivate = true;
  getRuntime().env.egressAllowUnverified = false;
  expect(await ask({ acceptsAnyCertificate: true })).toBe('TLS');
});
