import { afterEach, describe, expect, it } from 'vitest';
import { MAX_SECRET_CHARACTERS } from '@/contract/credentials/credential-fields';
import { sealCredentialSecrets } from '@/server/connectors/secrets';
import { prismaClient } from '@/server/platform/db/client';
import { generateId } from '@/server/platform/db/ids';
import { useDatabase } from '@/server/testing/database';
import { flow } from '@/server/testing/flow';
import { startRun, storeWorkflow, testKinds } from '@/server/testing/runs';
import { SecretRedactor } from './secret-redactor';
import { startWorker, type EngineWorker } from '../worker';

useDatabase();

const workers: EngineWorker[] = [];
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
});

const secret = (name: string, length: number) => name.padEnd(length, `${name} `);

describe('the secrets of a run', () => {
  it('are all masked', () => {
    const redactor = new SecretRedactor();
    redactor.add(['first secret', 'second secret']);
    redactor.add(['third secret']);
    expect(redactor.value({ a: ['first secret', 'third secret'] })).toEqual({ a: ['••••••', '••••••'] });
    expect(redactor.text('the second secret')).toBe('the ••••••');
  });

  it('have a limit', () => {
    const redactor = new SecretRedactor();
    const tooLong = Array.from({ length: 14 }, (_, index) => secret(`secret ${index}`, 20_000));
    expect(() => redactor.add(tooLong)).toThrow(
      expect.objectContaining({
        code: 'TOO_MANY_SECRETS',
        retriable: false,
        message: expect.stringContaining('262144'),
      }),
    );
    expect(() => redactor.add([secret('all', MAX_SECRET_CHARACTERS)])).not.toThrow();
  });

  it('evict the oldest refreshed tokens at the limit', () => {
    const redactor = new SecretRedactor();
    for (let index = 0; index < 20; index += 1) redactor.add([secret(`token ${index}`, 20_000)]);
    expect(redactor.text(secret('token 19', 20_000))).toBe('••••••');
    expect(redactor.text(secret('token 12', 20_000))).toBe('••••••');
    expect(redactor.text(secret('token 0', 20_000))).not.toContain('••••••');
  });

  it('fail the node whose credential exceeds the limit, and no other', async () => {
    const { kinds } = testKinds(async ({ nodeId }) => secret(`of ${nodeId}`, 30));
    workers.push(await startWorker({ concurrency: 5, kinds, graceMs: 200 }));
    const ids = Array.from({ length: 14 }, () => generateId('cred'));
    const calls = ids.map((credentialId, index) => [`c${index}`, { type: 'call', credentialId }] as const);
    const nodes = { s: { type: 'start' }, ...Object.fromEntries(calls) };
    const links = calls.map(([id], index) => `${calls[index - 1]?.[0] ?? 's'}>${id}`);
    const workflow = await storeWorkflow(flow(nodes, links));
    await prismaClient().credential.createMany({
      data: ids.map((id, index) => ({
        id,
        workspaceId: workflow.workspaceId,
        name: id,
        type: 'api_key',
        status: 'active',
        version: 1,
        config: {},
        sealed: sealCredentialSecrets(id, { apiKey: secret(`of c${index}`, 20_000) }),
      })),
    });
    const execution = await (await startRun(workflow)).finish();
    expect(execution.error).toMatchObject({ code: 'TOO_MANY_SECRETS', nodeId: 'c13' });
    expect(execution.nodeResults.find(({ nodeId }) => nodeId === 'c12')?.status).toBe('completed');
  });
});
