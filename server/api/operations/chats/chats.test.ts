import { expect, test } from 'vitest';
import type { AuditEntryResponse } from '@/contract/audit';
import type { ChatTrigger } from '@/contract/triggers/chat';
import { prismaClient } from '@/server/platform/db/client';
import { useDatabase } from '@/server/testing/database';
import { buildUser, call, type Refused } from '@/server/testing/factories';
import { buildChat, createChat } from '@/server/testing/chats';

useDatabase();

test('a chat is created, read, changed and deleted, and each change is audited', async () => {
  const { user, workflowId, chat } = await buildChat({ greeting: 'Hello', examples: ['Where is my order?'] });
  const { token } = user;
  const at = `/api/workflows/${workflowId}/chats`;
  expect(chat).toMatchObject({
    workflowId,
    path: 'ask',
    url: `http://localhost:8080/chat/${workflowId}/ask`,
    greeting: 'Hello',
    placeholder: '',
    examples: ['Where is my order?'],
    access: 'public',
    takesFiles: false,
    enabled: true,
  });
  expect((await call('GET', `${at}/${chat.id}`, { token })).body).toEqual(chat);
  expect((await call('GET', at, { token })).body).toEqual({ data: [chat], total: 1, limit: 50, offset: 0 });
  const body = { title: 'Other', enabled: false };
  const changed = await call<ChatTrigger>('PUT', `${at}/${chat.id}`, { token, body });
  expect(changed.body).toEqual({ ...chat, ...body, updatedAt: expect.any(String) });
  expect((await call('DELETE', `${at}/${chat.id}`, { token })).status).toBe(204);
  expect((await call('GET', `${at}/${chat.id}`, { token })).status).toBe(404);
  const { body: log } = await call<{ data: AuditEntryResponse[] }>('GET', '/auth/audit?limit=100', { token });
  const entries = log.data.filter(({ resource }) => resource.type === 'chat');
  expect(entries.map(({ action }) => action)).toEqual(['chats.delete', 'chats.update', 'chats.create']);
  expect(entries[1]?.metadata).toMatchObject({ changed: ['title', 'enabled'] });
  expect(entries.every(({ resource }) => resource.id === chat.id)).toBe(true);
});

test('a path is used once in a workflow', async () => {
  const { user, workflowId, chat } = await buildChat();
  expect((await createChat(user, workflowId)).status).toBe(409);
  const { body: other } = await createChat(user, workflowId, { path: 'other' });
  const at = `/api/workflows/${workflowId}/chats/${other.id}`;
  expect((await call('PUT', at, { token: user.token, body: { path: chat.path } })).status).toBe(409);
});

test('a chat of another workspace or workflow does not exist', async () => {
  const { chat, workflowId } = await buildChat();
  const other = await buildChat();
  for (const at of [`${workflowId}/chats/${chat.id}`, `${other.workflowId}/chats/${chat.id}`]) {
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const body = method === 'PUT' ? { title: 'Mine' } : undefined;
      const answer = await call(method, `/api/workflows/${at}`, { token: other.user.token, body });
      expect([method, answer.status]).toEqual([method, 404]);
    }
  }
  expect((await createChat(await buildUser(), workflowId)).status).toBe(404);
});

test.each<[string, object, string]>([
  ['a path with spaces', { path: 'a b' }, 'path'],
  ['an empty title', { title: '' }, 'title'],
  ['another access', { access: 'friends' }, 'access'],
  ['too many examples', { examples: Array.from({ length: 7 }, () => 'a') }, 'examples'],
  ['a long greeting', { greeting: 'x'.repeat(5001) }, 'greeting'],
])('%s is refused', async (_, settings, field) => {
  const { user, workflowId } = await buildChat();
  const { status, body } = await createChat(user, workflowId, { path: 'other', ...settings });
  expect([status, (body as Refused).error.details[0]?.field]).toEqual([400, field]);
});

test('editors write chats; a chat needs the permission to run the workflow', async () => {
  const { user, workflowId } = await buildChat();
  const { workspaceId } = user;
  const viewer = await buildUser({ workspaceId, role: 'viewer' });
  expect((await call('GET', `/api/workflows/${workflowId}/chats`, { token: viewer.token })).status).toBe(200);
  expect((await createChat(viewer, workflowId, { path: 'x' })).status).toBe(403);
  const editor = await buildUser({ workspaceId, role: 'editor' });
  expect((await createChat(editor, workflowId, { path: 'x' })).status).toBe(201);
  const role = { name: 'Chat writer', permissions: [{ resource: 'chat', action: '*' }] };
  const { id: roleId } = (await call<{ id: string }>('POST', '/api/roles', { token: user.token, body: role })).body;
  await call('POST', '/auth/rbac', { token: user.token, body: { userId: viewer.id, roleId } });
  const refused = await createChat(viewer, workflowId, { path: 'y' });
  expect([refused.status, refused.body.error.message]).toEqual([403, 'This needs the permission workflow:execute.']);
});

test('a workflow has at most a hundred chats', async () => {
  const { user, workflowId } = await buildChat();
  const rest = { workflowId, title: '', examples: [], access: 'public' };
  await prismaClient().chat.createMany({
    data: Array.from({ length: 99 }, (_, n) => ({ ...rest, id: `${workflowId}_${n}`, path: `p${n}` })),
  });
  const { status, body } = await createChat(user, workflowId, { path: 'more' });
  expect([status, body.error.message]).toEqual([403, 'The limit of 100 chats of a workflow is reached.']);
});
