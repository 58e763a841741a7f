import { Chat, ChatCreate, ChatPage, ChatUpdate } from '@/contract/triggers/chat';
import { Prisma, type Chat as Row } from '@/generated/prisma/client';
import { requireUse } from '@/server/access/references';
import { operation } from '@/server/api/operation';
import { jsonBody } from '@/server/api/operation-parts';
import type { Db } from '@/server/db/client';
import { newId } from '@/server/db/ids';
import { conflict, notFound } from '@/server/errors/problem';
import { requireBelowCap } from '@/server/quotas/caps';
import { runtime } from '@/server/runtime';
import { defineWorkflowResource } from '../workflow-resource';
import { findWorkflow } from '../workflows/content';

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

const resource = defineWorkflowResource({
  word: 'chat',
  tag: 'Chats',
  schema: Chat,
  page: ChatPage,
  tableIn: (db) => db.chat,
  find: chatIn,
  toResponses: async (_db, rows) => rows.map(presentChat),
  toMetadata: ({ path }) => ({ path }),
});

const list = operation(resource.list);
const get = operation(resource.get);
const remove = operation(resource.remove);

const create = operation({
  ...resource.creation,
  summary: 'Create a chat',
  description:
    'The page of the chat is `/chat/{workflowId}/{path}`. Who sends a message starts a run of the workflow, while that is ' +
    'active, with `{sessionId, message, files}` as input. So this needs `workflow:execute` as well.',
  body: jsonBody(ChatCreate),
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

const update = operation({
  ...resource.change,
  description: 'Fields that are left out stay as they are. Needs `workflow:execute` as well.',
  body: jsonBody(ChatUpdate),
  async run({ db, caller, note }, { params: { id, chatId }, body }) {
    await chatIn(db, caller.workspaceId, id, chatId);
    note({ resourceId: chatId, metadata: { workflowId: id, changed: Object.keys(body) } });
    await requireUse(db, caller, { resource: 'workflow', id });
    const data = { ...body, updatedAt: new Date() };
    return presentChat(await db.chat.update({ where: { id: chatId }, data }).catch(refuseDuplicate));
  },
});

export const chats = [list, create, get, update, remove];

export { list as listChats, create as createChat, update as updateChat, remove as deleteChat };
