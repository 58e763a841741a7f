import { z } from 'zod';
import { PageQuery } from '@/contract/text';
import { Chat, ChatCreate, ChatPage, ChatUpdate } from '@/contract/triggers/chat';
import { Prisma, type Chat as Row } from '@/generated/prisma/client';
import { requireUse } from '@/server/access/references';
import { memberAccess, operation } from '@/server/api/operation';
import { jsonBody, jsonReply, readEffect, writeEffect } from '@/server/api/operation-parts';
import type { Db } from '@/server/db/client';
import { newId } from '@/server/db/ids';
import { conflict, notFound } from '@/server/errors/problem';
import { requireBelowCap } from '@/server/quotas/caps';
import { runtime } from '@/server/runtime';
import { findWorkflow } from '../workflows/content';

const tag = 'Chats';
const OfWorkflow = z.strictObject({ id: z.string() });
const One = z.strictObject({ id: z.string(), chatId: z.string() });

const presentChat = (row: Row): Chat => ({
  id: row.id,
  workflowId: row.workflowId,
  path: row.path,
  url: `${runtime().env.apiBaseUrl}/chat/${row.workflowId}/${row.path}`,
  title: row.title,
  greeting: row.greeting,
  placeholder: row.placeholder,
  examples: row.examples as string[],
  access: row.access as Chat['access'],
  takesFiles: row.takesFiles,
  enabled: row.enabled,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});

/** A chat of a workflow, if both are in the workspace. */
async function chatIn(db: Db, workspaceId: string, workflowId: string, id: string): Promise<Row> {
  await findWorkflow(db, workspaceId, workflowId);
  const row = await db.chat.findFirst({ where: { id, workflowId } });
  if (!row) throw notFound('The chat');
  return row;
}

function refuseDuplicate(error: unknown): never {
  if (error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002') {
    throw conflict('The workflow has a chat with this path already.');
  }
  throw error;
}

const list = operation({
  id: 'chats.list',
  method: 'GET',
  path: '/api/workflows/{id}/chats',
  summary: 'List the chats of a workflow',
  tag,
  access: memberAccess('chat', 'read'),
  effect: readEffect(),
  params: OfWorkflow,
  query: PageQuery,
  reply: jsonReply(ChatPage),
  async run({ db, caller }, { params: { id }, query: { limit, offset } }) {
    await findWorkflow(db, caller.workspaceId, id);
    const where = { workflowId: id };
    const orderBy = [{ createdAt: 'desc' as const }, { id: 'desc' as const }];
    const [rows, total] = await Promise.all([
      db.chat.findMany({ where, orderBy, take: limit, skip: offset }),
      db.chat.count({ where }),
    ]);
    return { data: rows.map(presentChat), total, limit, offset };
  },
});

const create = operation({
  id: 'chats.create',
  method: 'POST',
  path: '/api/workflows/{id}/chats',
  summary: 'Create a chat',
  description:
    'The page of the chat is `/chat/{workflowId}/{path}`. Who sends a message starts a run of the workflow, while that is ' +
    'active, with `{sessionId, message, files}` as input. So this needs `workflow:execute` as well.',
  tag,
  access: memberAccess('chat', 'create'),
  effect: writeEffect('configuration_change'),
  params: OfWorkflow,
  body: jsonBody(ChatCreate),
  reply: jsonReply(Chat, { status: 201, location: '/api/workflows/{workflowId}/chats/{id}' }),
  async run({ db, caller, note }, { params: { id: workflowId }, body }) {
    await findWorkflow(db, caller.workspaceId, workflowId);
    await requireUse(db, caller, { resource: 'workflow', id: workflowId });
    await requireBelowCap(db, 'chats', workflowId);
    const id = newId('chat');
    note({ resourceId: id, metadata: { workflowId, path: body.path, access: body.access } });
    const data = { ...body, id, workflowId, createdBy: caller.userId };
    return presentChat(await db.chat.create({ data }).catch(refuseDuplicate));
  },
});

const get = operation({
  id: 'chats.get',
  method: 'GET',
  path: '/api/workflows/{id}/chats/{chatId}',
  summary: 'Read a chat',
  tag,
  access: memberAccess('chat', 'read'),
  effect: readEffect(),
  params: One,
  reply: jsonReply(Chat),
  run: async ({ db, caller }, { params: { id, chatId } }) =>
    presentChat(await chatIn(db, caller.workspaceId, id, chatId)),
});

const update = operation({
  id: 'chats.update',
  method: 'PUT',
  otherMethods: ['PATCH'],
  path: '/api/workflows/{id}/chats/{chatId}',
  summary: 'Change a chat',
  description: 'Fields that are left out stay as they are. Needs `workflow:execute` as well.',
  tag,
  access: memberAccess('chat', 'update'),
  effect: writeEffect('configuration_change'),
  params: One,
  body: jsonBody(ChatUpdate),
  reply: jsonReply(Chat),
  async run({ db, caller, note }, { params: { id, chatId }, body }) {
    await chatIn(db, caller.workspaceId, id, chatId);
    note({ resourceId: chatId, metadata: { workflowId: id, changed: Object.keys(body) } });
    await requireUse(db, caller, { resource: 'workflow', id });
    const data = { ...body, updatedAt: new Date() };
    return presentChat(await db.chat.update({ where: { id: chatId }, data }).catch(refuseDuplicate));
  },
});

const remove = operation({
  id: 'chats.delete',
  method: 'DELETE',
  path: '/api/workflows/{id}/chats/{chatId}',
  summary: 'Delete a chat',
  tag,
  access: memberAccess('chat', 'delete'),
  effect: writeEffect('configuration_change'),
  params: One,
  async run({ db, caller, note }, { params: { id, chatId } }) {
    note({ resourceId: chatId });
    const { path } = await chatIn(db, caller.workspaceId, id, chatId);
    note({ metadata: { workflowId: id, path } });
    await db.chat.delete({ where: { id: chatId } });
  },
});

export const chats = [list, create, get, update, remove];

export { list as listChats, create as createChat, update as updateChat, remove as deleteChat };
