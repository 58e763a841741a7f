import { expect, test } from 'vitest';
import type { ExecutionResponse } from '@/contract/execution';
import type { WorkflowResponse, WorkflowDraft } from '@/contract/workflows/workflow';
import type { ActivationIssues } from '@/contract/workflows/activation-issues';
import type { WorkflowVersion } from '@/contract/workflows/workflow-version';
import { useDatabase } from '@/server/testing/database';
import { buildUser, buildWorkflow, call, ONE_START, type Refused } from '@/server/testing/factories';

useDatabase();

const CALL = { id: 'call', type: 'http_request', position: { x: 200, y: 0 }, config: {} };
/** It can be saved but not run: the request has no address. */
const HALF_DRAWN = { nodes: [...ONE_START.nodes, CALL], connections: [] };
const NOTED = { ...ONE_START, notes: [] };

async function activeWorkflow() {
  const { token, workspaceId } = await buildUser();
  const id = await buildWorkflow({ workspaceId, status: 'active' });
  const at = `/api/workflows/${id}`;
  const ask = <Body = WorkflowDraft>(method: 'GET' | 'PUT' | 'POST' | 'DELETE', path: string, body?: object) =>
    call<Body & Refused>(method, at + path, { token, body });
  return { token, ask };
}

test('an incomplete draft is saved beside the published version, and read back', async () => {
  const { ask } = await activeWorkflow();
  const { status, body, headers } = await ask('PUT', '/draft', { definition: HALF_DRAWN, version: 1, message: 'Half' });
  expect(status).toBe(200);
  expect(body).toMatchObject({ version: 2, draftVersion: 2, liveVersion: 1, status: 'active', definition: HALF_DRAWN });
  expect(headers.get('etag')).toBe('"2"');
  expect((await ask('GET', '/draft')).body).toEqual(body);
  const live = (await ask<WorkflowResponse>('GET', '')).body;
  expect(live).toMatchObject({ version: 1, draftVersion: 2, definition: ONE_START });
  const { gaps, version } = (await ask<ActivationIssues>('GET', '/gaps')).body;
  expect([version, gaps.map(({ field }) => field)]).toEqual([2, ['nodes[1].config.url']]);
});

test('without pending changes, the draft is the published version', async () => {
  const { ask } = await activeWorkflow();
  expect((await ask('GET', '/draft')).body).toMatchObject({ version: 1, draftVersion: null, liveVersion: 1 });
  expect((await ask('PUT', '/draft', { definition: ONE_START })).body).toMatchObject({
    version: 1,
    draftVersion: null,
  });
  expect((await ask('POST', '/draft/publish', {})).body).toMatchObject({ version: 1 });
});

test('triggers run the published version, a person can run the latest saved one', async () => {
  const { token, ask } = await activeWorkflow();
  await ask('PUT', '/draft', { name: 'Renamed', definition: NOTED });
  const ran = async (body: object) => {
    const { executionId } = (await ask<{ executionId: string }>('POST', '/execute', body)).body;
    const { body: execution } = await call<ExecutionResponse>('GET', `/api/executions/${executionId}`, { token });
    return execution.workflowVersion;
  };
  expect(await ran({})).toBe(1);
  expect(await ran({ useLatest: true })).toBe(2);
  expect((await ask('POST', '/draft/publish', { version: 2, message: 'Second' })).status).toBe(200);
  expect(await ran({})).toBe(2);
  expect((await ask<WorkflowResponse>('GET', '')).body).toMatchObject({
    version: 2,
    draftVersion: null,
    name: 'Renamed',
  });
  const { data } = (await ask<{ data: WorkflowVersion[] }>('GET', '/versions')).body;
  expect(data[0]).toMatchObject({ version: 2, message: 'Second', publishedAt: expect.any(String) });
});

test('an incomplete draft is not published while the workflow is active', async () => {
  const { ask } = await activeWorkflow();
  await ask('PUT', '/draft', { definition: HALF_DRAWN });
  const { status, body } = await ask('POST', '/draft/publish', {});
  expect([status, body.error.details[0]?.field]).toEqual([400, 'nodes[1].config.url']);
  expect((await ask<WorkflowResponse>('GET', '')).body.version).toBe(1);
});

test('of two concurrent saves or publications, the second gets a conflict', async () => {
  const { ask } = await activeWorkflow();
  await ask('PUT', '/draft', { name: 'Theirs', version: 1 });
  expect((await ask('PUT', '/draft', { name: 'Mine', version: 1 })).status).toBe(409);
  expect((await ask('POST', '/draft/publish', { version: 1 })).status).toBe(409);
  expect((await ask('GET', '/draft')).body.name).toBe('Theirs');
});

test('a direct change replaces a draft; version numbers are unique', async () => {
  const { ask } = await activeWorkflow();
  await ask('PUT', '/draft', { name: 'Waiting' });
  expect((await ask<WorkflowResponse>('PUT', '', { name: 'Direct' })).body).toMatchObject({
    version: 3,
    draftVersion: null,
  });
  expect((await ask('GET', '/draft')).body).toMatchObject({ version: 3, name: 'Direct' });
});

test('a discarded draft is still among the versions', async () => {
  const { ask } = await activeWorkflow();
  await ask('PUT', '/draft', { name: 'Given up' });
  expect((await ask('DELETE', '/draft')).status).toBe(204);
  expect((await ask('GET', '/draft')).body).toMatchObject({ version: 1, draftVersion: null });
  expect((await ask<WorkflowResponse>('POST', '/versions/2/restore', {})).body).toMatchObject({
    version: 3,
    name: 'Given up',
  });
});

test('an active workflow cannot be reverted to an incomplete version', async () => {
  const { ask } = await activeWorkflow();
  await ask('PUT', '/draft', { definition: HALF_DRAWN });
  expect((await ask('POST', '/versions/2/restore', {})).status).toBe(400);
});

test('activating publishes the draft', async () => {
  const { ask } = await activeWorkflow();
  await ask('PUT', '', { status: 'draft' });
  await ask('PUT', '', { name: 'Drawn' });
  const published = async () =>
    (await ask<{ data: WorkflowVersion[] }>('GET', '/versions')).body.data[0]?.publishedAt ?? null;
  expect(await published()).toBeNull();
  await ask('PUT', '', { status: 'active' });
  expect(await published()).not.toBeNull();
});
