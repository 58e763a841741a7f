import { expect, test } from 'vitest';
import type { WorkflowDefinition, WorkflowResponse } from '@/contract/workflows/workflow';
import { useDatabase } from '@/server/testing/database';
import { buildUser, buildWorkflow, call, type Refused } from '@/server/testing/factories';
import { flow } from '@/server/testing/flow';

useDatabase();

const plain = flow({ s: { type: 'start' }, t: { type: 'transform', config: { expression: 'input' } } }, ['s>t']);
const mark = { field: 'config.expression', language: 'jsonata' as const, source: 'input', reason: 'lists differ' };
const marked: WorkflowDefinition = {
  ...plain,
  language: 'javascript',
  nodes: plain.nodes.map((node) => (node.id === 't' ? { ...node, unreviewed: [mark] } : node)),
};
const GAP = { field: 'nodes[1].config.expression', message: expect.stringContaining('lists differ') as string };

test('a converted field that nobody has looked at blocks activation and publishing, not saving and running', async () => {
  const user = await buildUser();
  const { token, workspaceId } = user;
  const id = await buildWorkflow({ workspaceId, definition: plain });
  const at = `/api/workflows/${id}`;
  const send = (method: string, path: string, body: object) =>
    call<Refused & WorkflowResponse>(method, at + path, { token, body });
  expect((await send('PUT', '', { status: 'active' })).status).toBe(200);
  expect((await send('PUT', '/draft', { definition: marked })).status).toBe(200);
  const refused = await send('POST', '/draft/publish', {});
  expect([refused.status, refused.body.error.details]).toEqual([400, [GAP]]);
  expect((await call('GET', `${at}/gaps`, { token })).body).toMatchObject({ gaps: [GAP] });
  expect((await send('PUT', '', { definition: marked })).status).toBe(400);
  // Somebody has looked.
  const looked = { ...marked, nodes: marked.nodes.map(({ unreviewed: _, ...node }) => node) };
  expect((await send('PUT', '/draft', { definition: looked })).status).toBe(200);
  expect((await send('POST', '/draft/publish', {})).status).toBe(200);
  const fresh = await call<Refused>('POST', '/api/workflows', {
    token,
    body: { name: 'x', definition: marked, status: 'active' },
  });
  expect(fresh.status).toBe(400);
  // An imported node that is marked as a whole.
  const imported = {
    ...marked,
    nodes: marked.nodes.map((node) =>
      node.unreviewed ? { ...node, unreviewed: [{ ...mark, field: 'config', source: '' }] } : node,
    ),
  };
  expect((await send('PUT', '/draft', { definition: imported })).status).toBe(200);
  expect((await call('GET', `${at}/gaps`, { token })).body).toMatchObject({
    gaps: [{ field: 'nodes[1].config', message: 'was imported, and somebody has to look at it first: lists differ' }],
  });
});
