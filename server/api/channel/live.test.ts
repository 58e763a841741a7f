import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ExecutionResponse } from '@/contract/execution';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { startWorker, type EngineWorker } from '@/server/engine/worker';
import { buildUser, buildWorkflow, call, type TestUser } from '@/server/testing/factories';
import { useDatabase } from '@/server/testing/database';
import { Client, startChannel } from './testing/rig';

useDatabase();

const WIDTH = 4;
const DEPTH = 5;

/**
 * A grid of nodes, each fed by the previous row. The first column takes the branch that is not chosen, so the nodes
 * below it are skipped.
 */
const LATTICE: WorkflowDefinition = {
  nodes: [
    { id: 'start', type: 'start', position: { x: 0, y: 0 }, config: {} },
    ...Array.from({ length: DEPTH * WIDTH }, (_, index) => ({
      id: `n${index}`,
      type: 'condition',
      position: { x: index % WIDTH, y: Math.floor(index / WIDTH) },
      config: { expression: index === 0 ? 'false' : 'true' },
    })),
    { id: 'pause', type: 'delay', position: { x: 0, y: 0 }, config: { durationMs: 20 } },
    { id: 'approval', type: 'approval', position: { x: 0, y: 0 }, config: {} },
  ],
  connections: [
    ...Array.from({ length: DEPTH * WIDTH }, (_, index) => ({
      sourceNode: index < WIDTH ? 'start' : `n${index - WIDTH}`,
      sourcePort: index < WIDTH ? 'output' : 'true',
      targetNode: `n${index}`,
      targetPort: 'input',
    })),
    { sourceNode: 'n6', sourcePort: 'true', targetNode: 'pause', targetPort: 'input' },
    { sourceNode: 'pause', sourcePort: 'output', targetNode: 'approval', targetPort: 'input' },
  ],
};

let worker: EngineWorker;
let channel: Awaited<ReturnType<typeof startChannel>>;
let user: TestUser;

beforeAll(async () => {
  user = await buildUser();
  worker = await startWorker({ concurrency: 50 });
  channel = await startChannel();
});
afterAll(async () => {
  await channel.stop();
  await worker.stop();
});

test('messages of real runs are causally ordered and agree with the stored rows', async () => {
  const workflowId = await buildWorkflow({ workspaceId: user.workspaceId, definition: LATTICE });
  const client = await Client.connect(channel.port, user.token);
  const { token } = user;
  const ids = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const path = `/api/workflows/${workflowId}/execute`;
      const { body } = await call<{ executionId: string }>('POST', path, { token, body: {} });
      client.subscribe(body.executionId);
      return body.executionId;
    }),
  );
  for (const id of ids) {
    await client.until(() => client.of(id)).toContain('paused');
    const body = { nodeId: 'approval', decision: 'approved' };
    expect((await call('POST', `/api/executions/${id}/resume`, { token, body })).status).toBe(200);
  }
  for (const id of ids) {
    await client.until(() => client.of(id).at(-1)).toMatch(/^END completed/);
    const told = client.of(id);
    const { body } = await call<ExecutionResponse>('GET', `/api/executions/${id}`, { token });

    const last = new Map<string | undefined, string>();
    for (const message of client.heard) {
      if (message.type === 'execution_update' && message.executionId === id) last.set(message.nodeId, message.status);
    }
    expect(last.get(undefined)).toBe(body.status);
    for (const { nodeId, status, output } of body.nodeResults) {
      const lines = told.filter((line) => line.startsWith(`${nodeId}=`));
      expect(lines).toEqual(status === 'completed' ? [`${nodeId}=${JSON.stringify(output)}`] : []);
      if (last.has(nodeId) || status !== 'completed') expect(last.get(nodeId)).toBe(status);
    }
    for (const { sourceNode, targetNode } of LATTICE.connections) {
      const [cause, effect] = [sourceNode, targetNode].map((name) =>
        told.findIndex((line) => line.startsWith(`${name}=`)),
      );
      if (cause !== -1 && effect !== -1) expect(cause).toBeLessThan(effect as number);
    }
  }
  client.socket.terminate();
});
