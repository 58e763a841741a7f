import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ExecutionResponse } from '@/contract/execution';
import { getRuntime } from '@/server/platform/runtime';
import { TEST_KEYS, useOwnDatabase } from '@/server/testing/database';
import { buildUser, buildWorkflow, call } from '@/server/testing/factories';
import { flow } from '@/server/testing/flow';
import { sendersHook, type Hook } from '@/server/testing/hooks';
import { listenOn } from '@/server/testing/listen';
import { startWebProcess, type WebProcess } from '@/server/testing/processes/service';
import { until } from '@/server/testing/runs';
import { BYTES_PER_MIB } from '@/contract/units';

useOwnDatabase();

const CHUNK = Buffer.alloc(64 * 1024, 'weft');

/** What arrived at the target, by hash. */
const arrived: { bytes: number; hash: string }[] = [];

let target: Awaited<ReturnType<typeof listenOn>>;
let service: WebProcess;

beforeAll(async () => {
  target = await listenOn((message, response) => {
    const hash = createHash('sha256');
    let bytes = 0;
    message.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      hash.update(chunk);
    });
    message.on('end', () => {
      arrived.push({ bytes, hash: hash.digest('hex') });
      response.end();
    });
  });
  service = await startWebProcess(getRuntime().env.databaseUrl ?? '', {
    ...TEST_KEYS,
    ROLE: 'all',
    // Garbage of the young generation stays small: what grows is what the service holds.
    NODE_OPTIONS: '--max-semi-space-size=4',
  });
});
afterAll(async () => {
  await service.end('SIGKILL');
  await target.close();
});

function* content(bytes: number): Generator<Buffer> {
  for (let rest = bytes; rest > 0; rest -= CHUNK.length) yield rest < CHUNK.length ? CHUNK.subarray(0, rest) : CHUNK;
}

function digestOf(bytes: number, hash: Hash | Hmac): string {
  for (const chunk of content(bytes)) hash.update(chunk);
  return hash.digest('hex');
}

/** Delivers so many bytes, as they arrive, under a signature of all of them. */
async function deliver(hook: Hook, bytes: number): Promise<string> {
  const sending = request(new URL(new URL(hook.url).pathname, service.url), {
    method: 'POST',
    headers: {
      'content-type': 'application/octet-stream',
      'content-length': bytes,
      'x-service-signature': `sha256=${digestOf(bytes, createHmac('sha256', hook.secret))}`,
    },
  });
  const answered = new Promise<string>((resolve, reject) => {
    sending.on('error', reject);
    sending.on('response', async (response) => resolve(String(Buffer.concat(await response.toArray()))));
  });
  await pipeline(Readable.from(content(bytes)), sending);
  return (JSON.parse(await answered) as { executionId: string }).executionId;
}

/** The memory of the service in bytes: now, or at most since `forget`. */
function memory(line: 'VmRSS' | 'VmHWM'): number {
  const [, kib] = new RegExp(`${line}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${service.pid}/status`, 'utf8')) ?? [];
  return Number(kib) * 1024;
}
const forget = () => writeFileSync(`/proc/${service.pid}/clear_refs`, '5');

test.runIf(process.platform === 'linux')('100 MB pass through the service without being in its memory', async () => {
  const user = await buildUser();
  const config = { url: target.url, method: 'POST', bodyType: 'file', body: '{{ input.body }}' };
  const definition = flow({ s: { type: 'start' }, send: { type: 'http_request', config } }, ['s>send']);
  const workflowId = await buildWorkflow({ workspaceId: user.workspaceId, definition, status: 'active' });
  const hook = await sendersHook({ user, workflowId }, { path: 'in', input: 'request' });
  const pass = async (bytes: number) => {
    const id = await deliver(hook, bytes);
    await until(
      async () => {
        const { body } = await call<ExecutionResponse>('GET', `/api/executions/${id}`, { token: user.token });
        expect(body.error ?? null).toBeNull();
        return body.status === 'completed';
      },
      'the run',
      60_000,
    );
    expect(arrived.at(-1)).toEqual({ bytes, hash: digestOf(bytes, createHash('sha256')) });
  };
  // Code is loaded, buffers are made, and the heap grows to its size, which with Node 24 takes more than with Node 20.
  for (let round = 0; round < 4; round += 1) await pass(16 * BYTES_PER_MIB);
  forget();
  const before = memory('VmRSS');
  await pass(100_000_000);
  const growth = (memory('VmHWM') - before) / BYTES_PER_MIB;
  expect(growth).toBeLessThan(32);
});
