import { beforeAll, describe, expect, test } from 'vitest';
import type { ExecutionResponse } from '@/contract/execution';
import { MAX_PINNED_NODES, type PinnedOutput } from '@/contract/workflows/pin';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { prismaClient } from '@/server/platform/db/client';
import { useWorker } from '@/server/testing/worker';
import { useDatabase } from '@/server/testing/database';
import { buildUser, buildWorkflow, call, type Refused, type TestUser } from '@/server/testing/factories';
import { flow } from '@/server/testing/flow';
import { deliver, register } from '@/server/testing/hooks';
import { until } from '@/server/testing/runs';

useDatabase();
useWorker();

let ann: TestUser;
let ben: TestUser;
let stranger: TestUser;
beforeAll(async () => {
  ann = await buildUser();
  ben = await buildUser({ workspaceId: ann.workspaceId, role: 'editor' });
  stranger = await buildUser();
});

const shape = (expression: string) => ({ type: 'transform', config: { expression } });
/** `inner` is inside a loop. */
const definition = (...ids: string[]): WorkflowDefinition =>
  flow(
    {
      s: { type: 'start' },
      ...Object.fromEntries(ids.map((id) => [id, shape('"ran"')])),
      loop: {
        type: 'for_each',
        config: { items: '[1]', body: flow({ in: { type: 'start' }, inner: shape('input.item') }, ['in>inner']) },
      },
    },
    [...ids.map((id, index) => `${index === 0 ? 's' : (ids[index - 1] ?? 's')}>${id}`), 's>loop'],
  );
const stored = (content = definition('a', 'b'), status = 'draft') =>
  buildWorkflow({ workspaceId: ann.workspaceId, definition: content, status });

const at = (workflowId: string, nodeId: string) => `/api/workflows/${workflowId}/pins/${encodeURIComponent(nodeId)}`;
const pin = (workflowId: string, nodeId: string, output: unknown, more: object = {}, { token } = ann) =>
  call<PinnedOutput & Refused>('PUT', at(workflowId, nodeId), { token, body: { output, ...more } });
async function pinsOf(workflowId: string, { token } = ann): Promise<PinnedOutput[]> {
  const { status, body } = await call<{ data: PinnedOutput[] }>('GET', `/api/workflows/${workflowId}/pins`, { token });
  expect(status).toBe(200);
  return body.data;
}
const outputs = async (workflowId: string) =>
  Object.fromEntries((await pinsOf(workflowId)).map(({ nodeId, output }) => [nodeId, output]));

describe('a pinned output', () => {
  test('is stored with the workflow, for its editors only', async () => {
    const workflowId = await stored();
    const first = await pin(workflowId, 'a', { n: 1 });
    expect([first.status, first.body]).toMatchObject([200, { nodeId: 'a', output: { n: 1 }, version: 1 }]);
    await pin(workflowId, 'loop[].inner', null, {}, ben);
    expect(await pinsOf(workflowId, ben)).toMatchObject([
      { nodeId: 'a', updatedBy: ann.id },
      { nodeId: 'loop[].inner', output: null, updatedBy: ben.id },
    ]);
    for (const role of ['operator', 'viewer'] as const) {
      const member = await buildUser({ workspaceId: ann.workspaceId, role });
      expect((await pin(workflowId, 'a', 2, {}, member)).status).toBe(403);
      expect((await call('GET', `/api/workflows/${workflowId}/pins`, member)).status).toBe(403);
    }
    expect((await pin(workflowId, 'a', 2, {}, stranger)).status).toBe(404);
    expect((await call('DELETE', at(workflowId, 'a'), stranger)).status).toBe(404);
    expect((await call('DELETE', at(workflowId, 'a'), ben)).status).toBe(204);
    expect((await call('DELETE', at(workflowId, 'a'), ann)).status).toBe(404);
    expect(await outputs(workflowId)).toEqual({ 'loop[].inner': null });
  });

  test('is not overwritten by an editor who has not seen it', async () => {
    const workflowId = await stored();
    const { version } = (await pin(workflowId, 'a', 'of ann', { version: 0 })).body;
    expect((await pin(workflowId, 'a', 'of ben', { version: 0 }, ben)).body.error.code).toBe('CONFLICT');
    expect((await pin(workflowId, 'a', 'of ben', { version }, ben)).status).toBe(200);
    expect((await pin(workflowId, 'a', 'of ann', { version })).body.error.code).toBe('CONFLICT');
    expect(await outputs(workflowId)).toEqual({ a: 'of ben' });
  });

  test('is bounded, by itself, by workflow and in number; another workflow has its own limit', async () => {
    const [workflowId, other] = [await stored(), await stored()];
    const text = 'x'.repeat(1024 * 1024 - 100);
    const refusal = async (id: string, nodeId: string, output: unknown) => (await pin(id, nodeId, output)).body.error;
    expect((await refusal(workflowId, 'a', `${text}${text.slice(0, 200)}`)).details).toEqual([
      { field: 'output', message: 'must have at most 1 MiB of JSON' },
    ]);
    for (const nodeId of ['a', 'b']) expect((await pin(workflowId, nodeId, text)).status).toBe(200);
    const [detail] = (await refusal(workflowId, 's', 'x'.repeat(300))).details;
    expect(detail?.message).toBe(
      'is too large: the pins of a workflow can have 2 MiB of JSON together, and 0 KiB are left',
    );
    expect((await pin(workflowId, 'a', 'small')).status).toBe(200);
    expect((await pin(workflowId, 's', 'x'.repeat(300))).status).toBe(200);
    expect((await pin(other, 'a', text)).status).toBe(200);

    const ids = Array.from({ length: MAX_PINNED_NODES }, (_, index) => `n${index}`);
    const many = await stored(definition('a', ...ids));
    const row = { workflowId: many, output: 1, size: 1 };
    await prismaClient().workflowPin.createMany({ data: ids.map((nodeId) => ({ ...row, nodeId })) });
    expect(await refusal(many, 'a', 1)).toMatchObject({ code: 'FORBIDDEN', details: [{ field: 'limit' }] });
    expect((await pin(many, 'n0', 2)).status).toBe(200);
  });

  test('is of a node of the last saved version, and goes with its node', async () => {
    const workflowId = await stored(definition('a', 'b'), 'active');
    for (const nodeId of ['none', 'loop[].none', 'inner']) expect((await pin(workflowId, nodeId, 1)).status).toBe(404);
    for (const nodeId of ['a', 'b', 'loop[].inner']) expect((await pin(workflowId, nodeId, 1)).status).toBe(200);
    const path = `/api/workflows/${workflowId}`;
    const body = { definition: definition('b') };
    expect((await call('PUT', `${path}/draft`, { token: ben.token, body })).status).toBe(200);
    expect(Object.keys(await outputs(workflowId))).toEqual(['b', 'loop[].inner']);
    const plain = flow({ s: { type: 'start' }, b: shape('1') }, ['s>b']);
    expect((await call('PUT', path, { token: ann.token, body: { definition: plain } })).status).toBe(200);
    expect(Object.keys(await outputs(workflowId))).toEqual(['b']);
  });

  test('has no secret of a credential that the workflow names', async () => {
    const config = { apiKey: 'canary-secret-4712', header: 'X-API-Key' };
    const made = await call<{ id: string }>('POST', '/api/credentials', {
      token: ann.token,
      body: { name: 'Key', type: 'api_key', config },
    });
    const http = { type: 'http_request', config: { url: 'http://127.0.0.1:9/' }, credentialId: made.body.id };
    const workflowId = await stored(flow({ s: { type: 'start' }, http }, ['s>http']));
    const large = Array.from({ length: 2000 }, (_, index) => ({ index, key: 'canary-secret-4712' }));
    const small = await pin(workflowId, 'http', { key: 'is canary-secret-4712' });
    expect(small.body.output).toEqual({ key: 'is ••••••' });
    const [, last] = (await pin(workflowId, 'http', large)).body.output as { key: string }[];
    expect(last?.key).toBe('••••••');
    const { output } = await prismaClient().workflowPin.findFirstOrThrow({ where: { workflowId } });
    expect(JSON.stringify(output)).not.toContain('canary');
  });
});

describe('runs', () => {
  type Answer = { executionId: string } & Refused;
  const execute = (workflowId: string, body: object, { token } = ann) =>
    call<Answer>('POST', `/api/workflows/${workflowId}/execute`, { token, body });
  const ended = async (executionId: string) =>
    until(async () => {
      const { body } = await call<ExecutionResponse>('GET', `/api/executions/${executionId}`, ann);
      return body.status === 'completed' && body;
    }, 'the run to end');
  const at = ({ nodeResults }: ExecutionResponse, id: string) =>
    nodeResults.find(({ nodeId }) => nodeId === id)?.output;
  const result = async (started: { body: Answer }) => {
    const execution = await ended(started.body.executionId);
    return { execution, a: at(execution, 'a'), b: at(execution, 'b') };
  };

  test('of the last saved version use pins if they are asked to; the last node runs', async () => {
    const workflowId = await stored(definition('a', 'b'), 'active');
    const body = { definition: definition('a', 'b', 'c') };
    await call('PUT', `/api/workflows/${workflowId}/draft`, { token: ann.token, body });
    await pin(workflowId, 'a', 'pinned a');
    await pin(workflowId, 'b', 'pinned b');
    const draft = { useLatest: true, usePins: true };
    const { execution, ...whole } = await result(await execute(workflowId, draft));
    expect(whole).toEqual({ a: 'pinned a', b: 'pinned b' });
    expect(await result(await execute(workflowId, { ...draft, untilNodeId: 'b' }))).toMatchObject({
      a: 'pinned a',
      b: 'ran',
    });
    expect(await result(await execute(workflowId, { ...draft, pins: { a: 'given' } }))).toMatchObject({
      a: 'given',
      b: 'pinned b',
    });
    const again = (more: object) =>
      call<Answer>('POST', `/api/executions/${execution.id}/rerun`, { token: ann.token, body: more });
    expect(await result(await again({ ...draft, fromNodeId: 'a' }))).toMatchObject({ a: 'ran', b: 'pinned b' });
    expect(await result(await again({ useLatest: true }))).toMatchObject({ a: 'ran', b: 'ran' });
  });

  test('of the API, of webhooks and of published versions never use them', async () => {
    const workflowId = await stored(definition('a', 'b'), 'active');
    await pin(workflowId, 'a', 'pinned a');
    expect((await execute(workflowId, { usePins: true })).body.error.details[0]?.field).toBe('usePins');
    for (const body of [{}, { useLatest: true }]) expect((await result(await execute(workflowId, body))).a).toBe('ran');
    const hook = (await register(ann, workflowId, 'in')).body;
    expect((await result(await deliver(hook, '{}'))).a).toBe('ran');
    const operator = await buildUser({ workspaceId: ann.workspaceId, role: 'operator' });
    expect((await execute(workflowId, { useLatest: true, usePins: true }, operator)).status).toBe(403);
  });

  test('decide themselves at nodes with several ports', async () => {
    const branch = { type: 'condition', config: { expression: 'true' } };
    const workflowId = await stored(
      flow({ s: { type: 'start' }, branch, a: shape('"ran"') }, ['s>branch', 'branch:true>a']),
    );
    await pin(workflowId, 'branch', 'pinned');
    await pin(workflowId, 's', { n: 1 });
    expect((await result(await execute(workflowId, { useLatest: true, usePins: true }))).a).toBe('ran');
  });
});
