import { beforeAll, expect, test } from 'vitest';
import type { ListAuditLinesResponse } from '@/contract/audit';
import { useDatabase } from '@/server/testing/database';
import { buildUser, buildWorkflow, call, ONE_START, type Refused, type TestUser } from '@/server/testing/factories';
import { buildPermitted } from '@/server/testing/permitted';

useDatabase();

let owner: TestUser;
let stranger: TestUser;
let kept: string;
let gone: string;
beforeAll(async () => {
  owner = await buildUser();
  stranger = await buildUser();
  kept = await buildWorkflow(owner);
  gone = await buildWorkflow(owner);
  await save(kept, 'First');
  await save(kept, 'Invoices');
  await call('PUT', `/api/workflows/${gone}`, { token: owner.token, body: { name: 'Bills' } });
  await call('DELETE', `/api/workflows/${gone}`, { token: owner.token });
});

const save = (id: string, name: string) =>
  call('PUT', `/api/workflows/${id}/draft`, { token: owner.token, body: { name, definition: ONE_START } });
const read = (query: string, { token } = owner) =>
  call<ListAuditLinesResponse & Refused>('GET', `/auth/audit/lines?${query}`, { token });

test('consecutive saves are one line, and each is in the log', async () => {
  const { body } = await read(`resourceId=${kept}`);
  expect(body.data).toMatchObject([{ count: 2, entry: { action: 'drafts.save' }, actorName: expect.any(String) }]);
  expect(body.next).toBeNull();
  expect((await read(`resourceId=${kept}&grouped=false`)).body.data).toMatchObject([{ count: 1 }, { count: 1 }]);
  const log = await call<{ total: number }>('GET', `/auth/audit?resourceId=${kept}`, { token: owner.token });
  expect(log.body.total).toBe(2);
});

test('pages follow each other without a gap', async () => {
  const seen: string[] = [];
  for (let before: string | null = ''; before !== null;) {
    const { body } = await read(`limit=1&grouped=false${before && `&before=${before}`}`);
    seen.push(...body.data.map(({ entry }) => entry.id));
    before = body.next;
  }
  const all = (await read('grouped=false')).body.data.map(({ entry }) => entry.id);
  expect(seen).toEqual(all);
  expect(all.length).toBeGreaterThan(3);
});

test('names are current ones; what is deleted has the name in its entry', async () => {
  const published = await call('POST', `/api/workflows/${kept}/draft/publish`, { token: owner.token, body: {} });
  expect(published.status).toBe(200);
  const name = (await read(`resourceId=${kept}`)).body.data.at(-1)?.resourceName;
  const current = await call<{ name: string }>('GET', `/api/workflows/${kept}`, { token: owner.token });
  expect(name).toBe(current.body.name);
  const [removal] = (await read(`resourceId=${gone}&action=workflows.delete`)).body.data;
  expect(removal).toMatchObject({ resourceName: null, entry: { metadata: { name: 'Bills' } } });
});

test('names that the caller may not read are left out', async () => {
  const reader = await buildPermitted(owner.workspaceId, [{ resource: 'audit', action: 'read' }]);
  const [line] = (await read(`resourceId=${kept}`, reader)).body.data;
  expect(line).toMatchObject({ actorName: null, resourceName: null });
  const on = { type: 'workflow', id: kept } as const;
  const some = await buildPermitted(owner.workspaceId, [
    { resource: 'audit', action: 'read' },
    { resource: 'workflow', action: 'read', on },
  ]);
  expect((await read(`resourceId=${kept}`, some)).body.data[0]?.resourceName).toEqual(expect.any(String));
});

test('a workspace sees neither entries nor names of another, and no position in its log', async () => {
  expect((await read(`resourceId=${kept}`, stranger)).body.data).toEqual([]);
  const [line] = (await read('limit=1')).body.data;
  const { status, body } = await read(`before=${line?.entry.id}`, stranger);
  expect(status).toBe(400);
  expect(body.error.details[0]?.field).toBe('before');
  const nobody = await buildPermitted(owner.workspaceId, [{ resource: 'workflow', action: 'read' }]);
  expect((await read('', nobody)).status).toBe(403);
});
