import { expect, test } from 'vitest';
import type { WorkflowDefinition, WorkflowResponse } from '@/contract/workflows/workflow';
import { buildUser, call, type Refused } from '@/server/testing/factories';
import { useDatabase } from '@/server/testing/database';
import { BYTES_PER_MIB } from '@/contract/units';

useDatabase();

const send = async (raw: string) => {
  const { token } = await buildUser();
  return call<WorkflowResponse & Refused>('POST', '/api/workflows', { token, raw });
};

const row = (count: number): WorkflowDefinition => ({
  nodes: [...Array(count).keys()].map((index) => ({
    id: `n${index}`,
    type: index === 0 ? 'start' : 'transform',
    position: { x: index, y: 0 },
    config: index === 0 ? {} : { expression: 'input' },
  })),
  connections: [...Array(count - 1).keys()].map((index) => ({
    sourceNode: `n${index}`,
    sourcePort: 'output',
    targetNode: `n${index + 1}`,
    targetPort: 'input',
  })),
});

/** A workflow whose definition takes this many bytes. */
function ofSize(bytes: number): string {
  const definition = (notes: string) => ({
    nodes: [...Array(200).keys()].map((index) => ({
      id: `n${index}`,
      type: 'start',
      position: { x: 0, y: 0 },
      config: {},
      notes: index === 0 ? notes.slice(0, 10_000) : notes.slice(index * 10_000, (index + 1) * 10_000),
    })),
    connections: [],
  });
  const bare = JSON.stringify(definition('')).length;
  return JSON.stringify({ name: 'large', definition: definition('x'.repeat(bytes - bare)) });
}

const fieldsOf = ({ error }: Refused) => error.details.map(({ field }) => field);

test('2,000 nodes can be stored and read; one more is too many', async () => {
  const most = await send(JSON.stringify({ name: 'long', definition: row(2000) }));
  expect(most.status).toBe(201);
  expect(most.body.definition.nodes).toHaveLength(2000);
  const more = await send(JSON.stringify({ name: 'long', definition: row(2001) }));
  expect([more.status, fieldsOf(more.body)]).toEqual([400, ['nodes']]);
});

test('a definition of 1 MiB can be stored; one byte more is refused', async () => {
  expect((await send(ofSize(BYTES_PER_MIB))).status).toBe(201);
  const { status, body } = await send(ofSize(BYTES_PER_MIB + 1));
  expect([status, fieldsOf(body)]).toEqual([400, ['definition']]);
});

test('a body of 2 MiB is accepted; one byte more is refused', async () => {
  const padded = (bytes: number) => '{"name":"padded"}'.padEnd(bytes, ' ');
  expect((await send(padded(2 * BYTES_PER_MIB))).status).toBe(201);
  const { status, body } = await send(padded(2 * BYTES_PER_MIB + 1));
  expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
});
