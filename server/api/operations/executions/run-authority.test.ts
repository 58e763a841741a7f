import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ExecutionResponse } from '@/contract/execution';
import type { ScopedPermission } from '@/contract/access/security';
import type { WorkflowDefinition, WorkflowResponse } from '@/contract/workflows/workflow';
import { prismaClient } from '@/server/platform/db/client';
import { useWorker } from '@/server/testing/worker';
import { useDatabase } from '@/server/testing/database';
import { buildUser, buildWorkflow, call, type Refused, type TestUser } from '@/server/testing/factories';
import { flow, type Sketch } from '@/server/testing/flow';
import { buildPermitted, permit } from '@/server/testing/permitted';
import { until } from '@/server/testing/runs';
import { startTarget, type Target } from '@/server/testing/servers/target';

useDatabase();
useWorker();

let target: Target;
let owner: TestUser;
let publisher: TestUser;
let credentialId: string;
let childId: string;
beforeAll(async () => {
  target = await startTarget();
  owner = await buildUser();
  const body = { name: 'Key', type: 'api_key', config: { apiKey: 'key-1234567890' } };
  credentialId = (await as<{ id: string }>(owner, 'POST', '/api/credentials', body)).body.id;
  childId = await buildWorkflow({ workspaceId: owner.workspaceId });
});
afterAll(async () => {
  await target.close();
});
beforeEach(async () => {
  target.reset();
  publisher = await buildUser({ workspaceId: owner.workspaceId, role: 'editor' });
});

const as = <Body = WorkflowResponse>(user: TestUser, method: string, path: string, body?: object) =>
  call<Body & Refused>(method, path, { token: user.token, body });

const start = { type: 'start' };
const asking = (path = '/asked'): Sketch => ({
  type: 'http_request',
  config: { url: target.url + path },
  credentialId,
});
const running = (workflowId = childId): Sketch => ({ type: 'sub_workflow', config: { workflowId } });
const KINDS: [string, () => Sketch, string][] = [
  ['credential', () => asking(), 'credential:use'],
  ['workflow', () => running(), 'workflow:execute'],
];
const alone = (node: Sketch) => flow({ s: start, n: node }, ['s>n']);
const LOOPS = {
  for_each: { items: '[1, 2]' },
  repeat: { until: 'index = 1', maxRounds: 2 },
};
const looped = (node: Sketch, type: keyof typeof LOOPS = 'for_each') =>
  flow({ s: start, l: { type, config: { ...LOOPS[type], body: alone(node) } } }, ['s>l']);

async function create(user: TestUser, definition: WorkflowDefinition, status = 'draft'): Promise<string> {
  const { status: code, body } = await as(user, 'POST', '/api/workflows', { name: 'x', definition });
  expect(code).toBe(201);
  if (status !== 'draft') await as(user, 'PUT', `/api/workflows/${body.id}`, { status });
  return body.id;
}

const finished = (executionId: string): Promise<ExecutionResponse> =>
  until(async () => {
    const { body } = await as<ExecutionResponse>(owner, 'GET', `/api/executions/${executionId}`);
    return (body.status === 'completed' || body.status === 'failed') && body;
  }, `${executionId} to end`);

async function begun(path: string, body: object = {}): Promise<ExecutionResponse> {
  const answer = await as<{ executionId: string }>(owner, 'POST', path, body);
  expect(answer.status).toBe(202);
  return finished(answer.body.executionId);
}
const run = (id: string, body?: object) => begun(`/api/workflows/${id}/execute`, body);

/** Sets the permissions of a member. */
async function demote(user: TestUser, ...permissions: ScopedPermission[]): Promise<void> {
  await prismaClient().roleAssignment.deleteMany({ where: { userId: user.id } });
  await permit(user, permissions);
}

const refusal = (nodeId: string, named: string, permission: string) => ({
  status: 'failed',
  error: {
    code: 'FORBIDDEN',
    nodeId,
    message: expect.stringMatching(new RegExp(`may not use the \\w+ ${named}: .*${permission}`)) as string,
  },
});
const idOf = (permission: string) => (permission === 'credential:use' ? credentialId : childId);

describe('a run uses its references with the permissions of its publisher', () => {
  test.each(KINDS)('%s: while they have them', async (_, node, permission) => {
    const id = await create(publisher, alone(node()), 'active');
    expect(await run(id)).toMatchObject({ status: 'completed' });
    await demote(publisher, { resource: 'workflow', action: 'read' });
    const [before, children] = [
      target.calls.length,
      await prismaClient().execution.count({ where: { workflowId: childId } }),
    ];
    expect(await run(id)).toMatchObject(refusal('n', idOf(permission), permission));
    expect(target.calls).toHaveLength(before);
    expect(await prismaClient().execution.count({ where: { workflowId: childId } })).toBe(children);
    await permit(publisher, [
      { resource: 'credential', action: 'use', on: { type: 'credential', id: credentialId } },
      { resource: 'workflow', action: 'execute', on: { type: 'workflow', id: childId } },
    ]);
    expect(await run(id)).toMatchObject({ status: 'completed' });
  });

  const IN_LOOPS = KINDS.flatMap((kind) => (['for_each', 'repeat'] as const).map((type) => [...kind, type] as const));
  test.each(IN_LOOPS)('%s: inside a loop', async (_, node, permission, type) => {
    const id = await create(publisher, looped(node(), type));
    await demote(publisher);
    expect(await run(id)).toMatchObject(refusal('l[0].n', idOf(permission), permission));
    expect(target.calls).toEqual([]);
  });

  test.each(KINDS)('%s: while they are in the workspace', async (_, node, permission) => {
    const id = await create(publisher, alone(node()));
    const path = `/api/workspaces/${owner.workspaceId}/members/${publisher.id}`;
    expect((await as(owner, 'DELETE', path)).status).toBe(204);
    expect(await run(id)).toMatchObject(refusal('n', idOf(permission), permission));
  });

  test.each(KINDS)('%s: when an old version is run again', async (_, node, permission) => {
    const id = await create(publisher, alone(node()));
    const first = await run(id);
    await as(owner, 'PUT', `/api/workflows/${id}`, { definition: alone({ ...node(), timeoutMs: 5000 }) });
    await demote(publisher);
    expect(await run(id)).toMatchObject({ status: 'completed', workflowVersion: 2 });
    const rerun = `/api/executions/${first.id}/rerun`;
    expect(await begun(rerun)).toMatchObject(refusal('n', idOf(permission), permission));
    expect(await begun(rerun, { fromNodeId: 'n', input: {} })).toMatchObject({ status: 'failed', workflowVersion: 1 });
    expect(await begun(rerun, { useLatest: true })).toMatchObject({ status: 'completed', workflowVersion: 2 });
  });

  test('an error that the definition handles is one of these, too', async () => {
    const caught = flow({ s: start, n: asking(), e: { type: 'transform', config: { expression: 'input.code' } } }, [
      's>n',
      'n:error>e',
    ]);
    const id = await create(publisher, caught);
    await demote(publisher);
    expect(await run(id)).toMatchObject({ status: 'completed', output: 'FORBIDDEN' });
  });

  test('another person with the permission takes over by activating', async () => {
    const id = await create(publisher, alone(asking()), 'active');
    await demote(publisher);
    const person = await buildPermitted(owner.workspaceId, [
      { resource: 'workflow', action: 'read' },
      { resource: 'workflow', action: 'update' },
    ]);
    const resume = async (user: TestUser) => {
      for (const status of ['paused', 'active']) await as(user, 'PUT', `/api/workflows/${id}`, { status });
      return (await run(id)).status;
    };
    expect([await resume(person), await resume(owner)]).toEqual(['failed', 'completed']);
  });

  test('an author without the permission can rename, but not redirect', async () => {
    const redirectable = (expression: string) =>
      flow(
        {
          s: start,
          t: { type: 'transform', config: { expression } },
          n: { ...asking(), config: { url: `${target.url}{{ input.path }}` } },
        },
        ['s>t', 't>n'],
      );
    const id = await create(owner, redirectable('{"path": "/ours"}'));
    const person = await buildPermitted(owner.workspaceId, [{ resource: 'workflow', action: '*' }]);
    expect((await as(person, 'PUT', `/api/workflows/${id}`, { name: 'Renamed' })).status).toBe(200);
    expect(await run(id)).toMatchObject({ status: 'completed', workflowVersion: 2 });
    const definition = redirectable('{"path": "/theirs"}');
    expect((await as(person, 'PUT', `/api/workflows/${id}`, { definition })).status).toBe(200);
    expect(await run(id)).toMatchObject(refusal('n', credentialId, 'credential:use'));
    expect(target.calls.map(({ path }) => path)).toEqual(['/ours']);
  });

  test('an unpublished version runs with the permissions of the person who saved it', async () => {
    const id = await create(owner, alone(asking()), 'active');
    const person = await buildPermitted(owner.workspaceId, [{ resource: 'workflow', action: '*' }]);
    const definition = flow({ s: start, t: { type: 'transform', config: { expression: 'input' } }, n: asking() }, [
      's>t',
      't>n',
    ]);
    expect((await as(person, 'PUT', `/api/workflows/${id}/draft`, { definition })).status).toBe(200);
    expect(await run(id)).toMatchObject({ status: 'completed', workflowVersion: 1 });
    expect(await run(id, { useLatest: true })).toMatchObject(refusal('n', credentialId, 'credential:use'));
    expect(await run(id, { useLatest: true, untilNodeId: 't' })).toMatchObject({ status: 'completed' });
    await as(owner, 'POST', `/api/workflows/${id}/draft/publish`, {});
    expect(await run(id)).toMatchObject({ status: 'completed', workflowVersion: 2 });
  });

  test('a workflow id from data is checked at run time', async () => {
    const person = await buildPermitted(owner.workspaceId, [
      { resource: 'workflow', action: 'create' },
      { resource: 'workflow', action: 'execute', on: { type: 'workflow', id: childId } },
    ]);
    const other = await buildWorkflow({ workspaceId: owner.workspaceId });
    const id = await create(person, alone(running('{{ input.id }}')));
    expect(await run(id, { input: { id: childId } })).toMatchObject({ status: 'completed' });
    expect(await run(id, { input: { id: other } })).toMatchObject(refusal('n', other, 'workflow:execute'));
    // An unknown id gets the same error, so that a run reveals nothing.
    expect(await run(id, { input: { id: 'wf_gone' } })).toMatchObject(refusal('n', 'wf_gone', 'workflow:execute'));
    const own = await create(owner, alone(running('{{ input.id }}')));
    expect((await run(own, { input: { id: 'wf_gone' } })).error?.code).toBe('WORKFLOW_NOT_FOUND');
  });

  test('a sub-workflow uses its references with the permissions of its own publisher', async () => {
    const inner = await create(owner, alone(asking()));
    const person = await buildPermitted(owner.workspaceId, [
      { resource: 'workflow', action: 'create' },
      { resource: 'workflow', action: 'execute', on: { type: 'workflow', id: inner } },
    ]);
    const outer = await create(person, alone(running(inner)));
    expect(await run(outer)).toMatchObject({ status: 'completed' });
    const theirs = await create(publisher, alone(asking()));
    const mine = await create(owner, alone(running(theirs)));
    await demote(publisher);
    const { error } = await run(mine);
    expect(error).toMatchObject({ code: 'SUB_WORKFLOW', nodeId: 'n', message: expect.stringContaining('FORBIDDEN') });
  });

  test('a permission with a condition is evaluated for the current credential', async () => {
    const person = await buildPermitted(owner.workspaceId, [
      { resource: 'workflow', action: 'create' },
      {
        resource: 'credential',
        action: 'use',
        conditions: [{ attribute: 'resource.name', operator: 'eq', value: 'Shared' }],
      },
    ]);
    const body = { name: 'Shared', type: 'api_key', config: { apiKey: 'key-0987654321' } };
    const shared = (await as(owner, 'POST', '/api/credentials', body)).body.id;
    const id = await create(person, alone({ ...asking(), credentialId: shared }));
    expect(await run(id)).toMatchObject({ status: 'completed' });
    await as(owner, 'PUT', `/api/credentials/${shared}`, { name: 'Private' });
    expect(await run(id)).toMatchObject(refusal('n', shared, 'credential:use'));
  });

  test('a version without a recorded person continues to run', async () => {
    const id = await buildWorkflow({ workspaceId: owner.workspaceId, definition: looped(asking()) });
    expect(await run(id)).toMatchObject({ status: 'completed' });
    await prismaClient().workflowVersion.updateMany({ where: { workflowId: id }, data: { createdBy: publisher.id } });
    expect(await run(id)).toMatchObject({ status: 'completed' });
    await demote(publisher);
    expect(await run(id)).toMatchObject(refusal('l[0].n', credentialId, 'credential:use'));
  });

  test('a deleted credential is reported as deleted', async () => {
    const body = { name: 'Brief', type: 'api_key', config: { apiKey: 'key-0987654321' } };
    const brief = (await as(owner, 'POST', '/api/credentials', body)).body.id;
    const person = await buildPermitted(owner.workspaceId, [
      { resource: 'workflow', action: 'create' },
      { resource: 'credential', action: 'use', on: { type: 'credential', id: brief } },
    ]);
    const delayed = (node: Sketch) => flow({ s: start, d: { type: 'approval' }, n: node }, ['s>d', 'd:approved>n']);
    const id = await create(person, delayed({ ...asking(), credentialId: brief }));
    const { body: accepted } = await as<{ executionId: string }>(owner, 'POST', `/api/workflows/${id}/execute`, {});
    const { executionId } = accepted;
    await until(async () => {
      const { body: execution } = await as<ExecutionResponse>(owner, 'GET', `/api/executions/${executionId}`);
      return execution.status === 'paused';
    }, `${executionId} to pause`);
    await as(owner, 'DELETE', `/api/credentials/${brief}`);
    await as(owner, 'POST', `/api/executions/${executionId}/resume`, { nodeId: 'd', decision: 'approved' });
    expect((await finished(executionId)).error?.code).toBe('CREDENTIAL_MISSING');
  });
});
