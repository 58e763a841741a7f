import { beforeAll, describe, expect, test } from 'vitest';
import { DEFAULT_WORKFLOW_SETTINGS, type WorkflowResponse } from '@/contract/workflows/workflow';
import type { WorkspaceResponse } from '@/contract/workspace';
import { useDatabase } from '@/server/testing/database';
import { buildUser, buildWorkflow, call, type Refused, type TestUser } from '@/server/testing/factories';
import { buildPermitted, permit } from '@/server/testing/permitted';

useDatabase();

let owner: TestUser;
let stranger: TestUser;
let id: string;
let other: string;
beforeAll(async () => {
  owner = await buildUser();
  stranger = await buildUser();
  id = await buildWorkflow({ workspaceId: owner.workspaceId });
  other = await buildWorkflow({ workspaceId: owner.workspaceId });
});

const put = (settings: object, user = owner) =>
  call<WorkflowResponse & Refused>('PUT', `/api/workflows/${id}`, { token: user.token, body: { settings } });

describe('settings of a workflow', () => {
  test('begin with defaults, and are stored on creation', async () => {
    const made = await call<WorkflowResponse>('POST', '/api/workflows', {
      token: owner.token,
      body: { name: 'Plain' },
    });
    expect(made.body.settings).toEqual(DEFAULT_WORKFLOW_SETTINGS);
    const settings = {
      errorWorkflowId: other,
      timeZone: 'Asia/Tokyo',
      timeoutMs: 60_000,
      concurrency: 3,
      retentionDays: 7,
      saveData: 'failed',
      requireTests: true,
      isTool: true,
      startNodeId: 'start',
    };
    const set = await call<WorkflowResponse>('POST', '/api/workflows', {
      token: owner.token,
      body: { name: 'Set', settings },
    });
    expect(set.status).toBe(201);
    expect(set.body).toMatchObject({ settings, concurrency: { limit: 3, overflow: 'queue' } });
    const read = await call<WorkflowResponse>('GET', `/api/workflows/${set.body.id}`, { token: owner.token });
    expect(read.body.settings).toEqual(settings);
  });

  test('change one by one; null unsets, and the version stays', async () => {
    expect((await put({ timeZone: 'Europe/Berlin', timeoutMs: 5000 })).body.settings).toMatchObject({
      timeZone: 'Europe/Berlin',
      timeoutMs: 5000,
    });
    const { body } = await put({ timeoutMs: null, saveData: 'none' });
    expect(body.settings).toEqual({ ...DEFAULT_WORKFLOW_SETTINGS, timeZone: 'Europe/Berlin', saveData: 'none' });
    expect(body.version).toBe(1);
  });

  test('concurrency is the limit of concurrent runs, by either name', async () => {
    expect((await put({ concurrency: 2 })).body.concurrency).toEqual({ limit: 2, overflow: 'queue' });
    const body = { concurrency: { limit: 4, overflow: 'refuse' } };
    const { body: changed } = await call<WorkflowResponse>('PUT', `/api/workflows/${id}`, { token: owner.token, body });
    expect(changed.settings.concurrency).toBe(4);
    expect((await put({ concurrency: 5 })).body.concurrency).toEqual({ limit: 5, overflow: 'refuse' });
    const both = { ...body, settings: { concurrency: 9 } };
    const refused = await call<Refused>('PUT', `/api/workflows/${id}`, { token: owner.token, body: both });
    expect(refused.body.error.details[0]?.field).toBe('settings.concurrency');
    expect((await put({ concurrency: null })).body.concurrency).toBeNull();
  });

  test.each([
    [{ timeZone: 'Europe/Atlantis' }, 'settings.timeZone'],
    [{ timeZone: '+01:00' }, 'settings.timeZone'],
    [{ timeoutMs: 0 }, 'settings.timeoutMs'],
    [{ concurrency: 1.5 }, 'settings.concurrency'],
    [{ retentionDays: 36_000 }, 'settings.retentionDays'],
    [{ saveData: 'some' }, 'settings.saveData'],
    [{ errorWorkflowId: 'wf_nothing' }, 'settings.errorWorkflowId'],
    [{ colour: 'red' }, 'settings.colour'],
  ])('%j is refused', async (settings, field) => {
    const { status, body } = await put(settings);
    expect(status).toBe(400);
    expect(body.error.details.map((detail) => detail.field)).toContain(field);
  });

  test('an error workflow is another one of the same workspace', async () => {
    expect((await put({ errorWorkflowId: id })).status).toBe(400);
    const foreign = await buildWorkflow({ workspaceId: stranger.workspaceId });
    const { status, body } = await put({ errorWorkflowId: foreign });
    expect(status).toBe(400);
    expect(body.error.details[0]?.field).toBe('settings.errorWorkflowId');
  });

  test('an error workflow needs workflow:execute', async () => {
    const person = await buildPermitted(owner.workspaceId, [
      { resource: 'workflow', action: 'read' },
      { resource: 'workflow', action: 'update' },
    ]);
    expect((await put({ errorWorkflowId: other }, person)).status).toBe(403);
    expect((await put({ timeoutMs: 9000 }, person)).status).toBe(200);
    await permit(person, [{ resource: 'workflow', action: 'execute', on: { type: 'workflow', id: other } }]);
    expect((await put({ errorWorkflowId: other }, person)).status).toBe(200);
  });
});

test('a schedule without a zone gets that of its workflow', async () => {
  await put({ timeZone: 'Asia/Tokyo' });
  const path = `/api/workflows/${id}/schedules`;
  const made = await call<{ timezone: string }>('POST', path, { token: owner.token, body: { cron: '0 6 * * *' } });
  expect(made.body.timezone).toBe('Asia/Tokyo');
  await put({ timeZone: null });
  const next = await call<{ timezone: string }>('POST', path, { token: owner.token, body: { cron: '0 6 * * *' } });
  expect(next.body.timezone).toBe('UTC');
});

test('the workspace has an error workflow as well', async () => {
  const path = `/api/workspaces/${owner.workspaceId}`;
  const change = (errorWorkflowId: string | null) =>
    call<WorkspaceResponse & Refused>('PUT', path, { token: owner.token, body: { settings: { errorWorkflowId } } });
  expect((await change('wf_nothing')).status).toBe(400);
  const { body } = await change(other);
  expect(body.settings.errorWorkflowId).toBe(other);
  expect(body.settings).not.toHaveProperty('errorWorkflowBy');
  expect((await change(null)).body.settings.errorWorkflowId).toBeNull();
});
