import { beforeEach, describe, expect, test } from 'vitest';
import type { InvalidDraftResponse, InvalidDraftSummary } from '@/contract/workflows/invalid-draft';
import type { WorkflowResponse, WorkflowListItem } from '@/contract/workflows/workflow';
import { prismaClient } from '@/server/platform/db/client';
import { useDatabase } from '@/server/testing/database';
import { buildUser, buildWorkflow, call, ONE_START, type Refused, type TestUser } from '@/server/testing/factories';

useDatabase();

const withExpression = (expression: string) => ({
  nodes: [...ONE_START.nodes, { id: 't', type: 'transform', position: { x: 200, y: 0 }, config: { expression } }],
  connections: [{ sourceNode: 'start', sourcePort: 'output', targetNode: 't', targetPort: 'input' }],
});
const BAD = withExpression('input.total >');

let owner: TestUser;
let id: string;
beforeEach(async () => {
  owner = await buildUser();
  id = await buildWorkflow(owner);
});

const path = () => `/api/workflows/${id}/draft/invalid`;
const store = (body: object, { token }: { token: string } = owner) =>
  call<InvalidDraftResponse & Refused>('PUT', path(), { token, body });
const list = async ({ token }: { token: string } = owner) =>
  (await call<{ data: InvalidDraftSummary[] }>('GET', path(), { token })).body.data;
const isMarked = async () => {
  const { body } = await call<{ data: WorkflowListItem[] }>('GET', '/api/workflows', owner);
  return body.data.find((workflow) => workflow.id === id)?.hasInvalidDraft;
};

describe('a draft with errors', () => {
  test('is stored with its errors, and shown to others who may edit the workflow', async () => {
    expect(await isMarked()).toBe(false);
    const stored = await store({ name: 'Orders', definition: BAD, version: 1 });
    expect([stored.status, stored.body.version, stored.headers.get('etag')]).toEqual([200, 1, '"1"']);
    expect(stored.body.issues.map(({ field }) => field)).toEqual(['nodes[1].config.expression']);

    const editor = await buildUser({ workspaceId: owner.workspaceId, role: 'editor' });
    expect(await list(editor)).toMatchObject([{ userId: owner.id, name: 'Orders', version: 1 }]);
    const read = await call<InvalidDraftResponse>('GET', `${path()}/${owner.id}`, editor);
    expect(read.body.definition).toEqual(BAD);
    expect(await isMarked()).toBe(true);
    // What runs is not affected.
    const { body } = await call<WorkflowResponse>('GET', `/api/workflows/${id}`, owner);
    expect([body.version, body.name]).toEqual([1, expect.not.stringMatching('Orders')]);
  });

  test('is one for each person, and the next version of that person takes its place', async () => {
    const editor = await buildUser({ workspaceId: owner.workspaceId, role: 'editor' });
    await store({ name: 'Mine', definition: BAD });
    await store({ name: 'Mine again', definition: BAD });
    await store({ name: 'Theirs', definition: BAD }, editor);
    expect((await list()).map(({ name }) => name).toSorted()).toEqual(['Mine again', 'Theirs']);
    const body = { definition: withExpression('input.total > 1') };
    expect((await call('PUT', `/api/workflows/${id}`, { token: owner.token, body })).status).toBe(200);
    expect((await list()).map(({ name }) => name)).toEqual(['Theirs']);
    // It is based on a version that is no longer the last one: the person merges it.
    expect((await store({ name: 'Theirs', definition: BAD, version: 1 }, editor)).status).toBe(409);
  });

  test('can be discarded by its author, and goes with the workflow', async () => {
    await store({ name: 'Mine', definition: BAD });
    expect((await call('DELETE', path(), owner)).status).toBe(204);
    expect(await list()).toEqual([]);
    expect((await call('DELETE', path(), owner)).status).toBe(204);
    await store({ name: 'Mine', definition: BAD });
    expect((await call('DELETE', `/api/workflows/${id}`, owner)).status).toBe(204);
    expect(await prismaClient().invalidDraft.count({ where: { workflowId: id } })).toBe(0);
  });

  test('must have errors, and the shape of a definition', async () => {
    const fine = await store({ name: 'Fine', definition: withExpression('1') });
    expect([fine.status, fine.body.error.details[0]?.field]).toEqual([400, 'definition']);
    for (const definition of [null, [], { nodes: 'x', connections: [] }, { nodes: [{ id: 1 }], connections: [] }])
      expect((await store({ name: 'Broken', definition })).status).toBe(400);
    expect(await list()).toEqual([]);
  });

  test('is closed to other workspaces, to viewers, and after its author has left', async () => {
    await store({ name: 'Mine', definition: BAD });
    const stranger = await buildUser();
    const viewer = await buildUser({ workspaceId: owner.workspaceId, role: 'viewer' });
    for (const [{ token }, status] of [
      [stranger, 404],
      [viewer, 403],
    ] as const) {
      expect((await call('GET', path(), { token })).status).toBe(status);
      expect((await call('GET', `${path()}/${owner.id}`, { token })).status).toBe(status);
      expect((await call('DELETE', path(), { token })).status).toBe(status);
      expect((await store({ name: 'Taken', definition: BAD }, { token })).status).toBe(status);
    }
    const editor = await buildUser({ workspaceId: owner.workspaceId, role: 'editor' });
    await store({ name: 'Theirs', definition: BAD }, editor);
    await prismaClient().member.deleteMany({ where: { userId: editor.id } });
    expect((await list()).map(({ name }) => name)).toEqual(['Mine']);
    expect((await call('GET', `${path()}/${editor.id}`, owner)).status).toBe(404);
  });
});
