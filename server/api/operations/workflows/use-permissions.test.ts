import { beforeAll, describe, expect, test } from 'vitest';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { useDatabase } from '@/server/testing/database';
import { buildUser, buildWorkflow, call, type TestUser } from '@/server/testing/factories';
import { flow } from '@/server/testing/flow';
import { buildPermitted, permit } from '@/server/testing/permitted';

useDatabase();

let owner: TestUser;
let credentialId: string;
beforeAll(async () => {
  owner = await buildUser();
  const body = { name: 'Key', type: 'api_key', config: { apiKey: 'key-1234567890' } };
  credentialId = (await as(owner, 'POST', '/api/credentials', body)).body.id;
});

const as = (user: TestUser, method: string, path: string, body?: object) =>
  call<{ id: string }>(method, path, { token: user.token, body });
const built = (definition?: WorkflowDefinition) => buildWorkflow({ workspaceId: owner.workspaceId, definition });

describe('triggers', () => {
  const limited = async (resource: 'schedule' | 'webhook') =>
    buildPermitted(owner.workspaceId, [
      { resource: 'workflow', action: 'read' },
      { resource, action: '*' },
    ]);

  test('a schedule needs workflow:execute, but disabling it does not', async () => {
    const id = await built();
    const person = await limited('schedule');
    const path = `/api/workflows/${id}/schedules`;
    const body = { cron: '0 3 * * *' };
    expect((await as(person, 'POST', path, body)).status).toBe(403);
    const { body: made } = await as(owner, 'POST', path, body);
    expect((await as(person, 'PUT', `${path}/${made.id}`, { input: { a: 1 } })).status).toBe(403);
    expect((await as(person, 'PUT', `${path}/${made.id}`, { enabled: false })).status).toBe(200);
    expect((await as(person, 'PUT', `${path}/${made.id}`, { enabled: true })).status).toBe(403);
    await permit(person, [{ resource: 'workflow', action: 'execute', on: { type: 'workflow', id } }]);
    expect((await as(person, 'POST', path, body)).status).toBe(201);
  });

  test('a webhook’s secret needs workflow:execute', async () => {
    const id = await built();
    const person = await limited('webhook');
    const path = `/api/workflows/${id}/webhooks`;
    expect((await as(person, 'POST', path, { path: 'mine' })).status).toBe(403);
    const { body: made } = await as(owner, 'POST', path, { path: 'theirs' });
    expect((await as(person, 'POST', `${path}/${made.id}/rotate-secret`)).status).toBe(403);
    await permit(person, [{ resource: 'workflow', action: 'execute', on: { type: 'workflow', id } }]);
    expect((await as(person, 'POST', `${path}/${made.id}/rotate-secret`)).status).toBe(200);
  });
});

test('testing a credential needs credential:use, because it sends the secret', async () => {
  const person = await buildPermitted(owner.workspaceId, [{ resource: 'credential', action: 'update' }]);
  const path = `/api/credentials/${credentialId}/test`;
  expect((await as(person, 'POST', path, { url: 'http://127.0.0.1:1/' })).status).toBe(403);
  await permit(person, [{ resource: 'credential', action: 'use', on: { type: 'credential', id: credentialId } }]);
  expect((await as(person, 'POST', path, { url: 'http://127.0.0.1:1/' })).status).toBe(200);
});

test('a credential lists the workflows that use it to people who may read them', async () => {
  const person = await buildPermitted(owner.workspaceId, [{ resource: 'credential', action: 'read' }]);
  const definition = flow({ s: { type: 'start' }, c: { type: 'http_request', credentialId } });
  const ids = [await built(definition), await built(definition)];
  const read = async (user: TestUser) =>
    (
      await call<{ usedBy: { id: string }[]; otherUses: number }>('GET', `/api/credentials/${credentialId}`, {
        token: user.token,
      })
    ).body;
  expect(await read(person)).toMatchObject({ usedBy: [], otherUses: 2 });
  await permit(person, [{ resource: 'workflow', action: 'read', on: { type: 'workflow', id: ids[1] ?? '' } }]);
  expect(await read(person)).toMatchObject({ usedBy: [{ id: ids[1] }], otherUses: 1 });
  expect((await read(owner)).usedBy.map(({ id }) => id).sort()).toEqual(ids.toSorted());
});
