import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { getRuntime } from '@/server/platform/runtime';
import { buildCertificate } from '@/server/testing/certificates';
import { TEST_KEYS, useOwnDatabase } from '@/server/testing/database';
import { buildUser, buildWorkflow } from '@/server/testing/factories';
import { flow } from '@/server/testing/flow';
import { startWebProcess } from '@/server/testing/processes/service';

useOwnDatabase();

test('a service of the own network with a certificate of the own CA is called by HTTPS, once both are permitted', async () => {
  const { ca, cert, key } = await buildCertificate();
  const folder = mkdtempSync(path.join(tmpdir(), 'weft-ca-'));
  const file = path.join(folder, 'ca.pem');
  writeFileSync(file, ca);
  const server = createServer({ cert, key }, (_request, response) => response.end('"inside"')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  onTestFinished(() => {
    server.close();
    rmSync(folder, { recursive: true });
  });
  const owner = await buildUser();
  const config = { url: `https://localhost:${port}/` };
  const definition = flow({ start: { type: 'start' }, get: { type: 'http_request', config } }, ['start>get']);
  const workflowId = await buildWorkflow({ workspaceId: owner.workspaceId, definition, status: 'active' });

  const outcome = async (more: Record<string, string>): Promise<string> => {
    const variables = { ...TEST_KEYS, ROLE: 'all', EGRESS_ALLOW_PRIVATE: 'false', ...more };
    const service = await startWebProcess(getRuntime().env.databaseUrl ?? '', variables);
    try {
      const headers = {
        authorization: `Bearer ${owner.token}`,
        'content-type': 'application/json',
        prefer: 'wait=30',
      };
      const address = `${service.url}/api/workflows/${workflowId}/execute`;
      const answer = await fetch(address, { method: 'POST', headers, body: '{}' });
      const run = (await answer.json()) as { status: string; error: { code: string } | null };
      return run.error?.code ?? run.status;
    } finally {
      await service.end('SIGKILL');
    }
  };
  expect(await outcome({ NODE_EXTRA_CA_CERTS: file })).toBe('EGRESS_DENIED');
  expect(await outcome({ EGRESS_ALLOW: 'localhost' })).toBe('TLS');
  expect(await outcome({ EGRESS_ALLOW: 'localhost', NODE_EXTRA_CA_CERTS: file })).toBe('completed');
});
