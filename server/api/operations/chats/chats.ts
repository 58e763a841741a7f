import { ChatTrigger, CreateChatRequest, ListChatsResponse, UpdateChatRequest } from '@/contract/triggers/chat';
import { Prisma, type Chat as Row } from '@/generated/prisma/client';
import { requireReferenceUse } from '@/server/people/access/references';
import { defineOperation } from '@/server/api/operation/operation';
import { jsonBody } from '@/server/api/operation/operation-parts';
import type { DatabaseClient } from '@/server/platform/db/client';
import { generateId } from '@/server/platform/db/ids';
import { conflictProblem, notFoundProblem } from '@/server/platform/errors/problem';
import { requireBelowCap } from '@/server/platform/quotas/caps';
import { getRuntime } from '@/server/platform/runtime';
import { defineWorkflowResource } from '../workflow-resource';
import { requireStartNode } from '../workflows/start-nodes';
import { findWorkflow } from '../workflows/workflow-rows';

const toChatResponse = (row: Row): ChatTrigger => ({
  id: row.id,
  workflowId: row.workflowId,
  path: row.path,
  url: `${getRuntime().env.apiBaseUrl}/chat/${row.workflowId}/${row.path}`,
  title: row.title,
  greeting: row.greeting,
  placeholder: row.placeholder,
  examples: row.examples as string[],
  access: row.access as ChatTrigger['access'],
  takesFiles: row.takesFiles,
  enabled: row.enabled,
  startNodeId: row.startNodeId,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});

/** Returns a chat of a workflow. Throws 404 unless both are in the workspace. */
async function findWorkflowChat(db: DatabaseClient, workspaceId: string, workflowId: string, id: string): Promise<Row> {
  await findWorkflow(db, workspaceId, workflowId);
  const row = await db.chat.findFirst({ where: { id, workflowId } });
  if (!row) throw notFoundProblem('The chat');
  return row;
}

function rejectDuplicateChatPath(error: unknown): never {
  if (error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002') {
    throw conflictProblem('The workflow has a chat with this path already.');
  }
  throw error;
}

const resource = defineWorkflowResource({
  word: 'chat',
  tag: 'Chats',
  schema: ChatTrigger,
  page: ListChatsResponse,
  tableIn: (db) => db.chat,
  find: findWorkflowChat,
  toResponses: async (_db, rows) => rows.map(toChatResponse),
  toMetadata: ({ path }) => ({ path }),
});

const listChatsOperation = defineOperation(resource.list);
const getChatOperation = defineOperation(resource.get);
const deleteChatOperation = defineOperation(resource.remove);

const createChatOperation = defineOperation({
  ...resource.creation,
  summary: 'Create a chat',
  description:
    'The page of the chat is `/chat/{workflowId}/{path}`. Who sends a message starts a run of the workflow, while that is ' +
    'active, with `{sessionId, message, files}` as input. So this needs `workflow:execute` as well.',
  body: jsonBody(CreateChatRequest),
  async run({ db, caller, note }, { params: { id: workflowId }, body }) {
    const workflow = await findWorkflow(db, caller.workspaceId, workflowId);
    await requireReferenceUse(db, caller, { resource: 'workflow', id: workflowId });
    await requireStartNode(db, workflow, body.startNodeId);
    await requireBelowCap(db, 'chats', workflowId);
    const id = generateId('chat');
    note({ resourceId: id, metadata: { workflowId, path: body.path, access: body.access } });
    const data = { ...body, id, workflowId, createdBy: caller.userId };
    return toChatResponse(await db.chat.create({ data }).catch(rejectDuplicateChatPath));
  },
});

const updateChatOperation = defineOperation({
  ...resource.change,
  description: 'Fields that are left out stay as they are. Needs `workflow:execute` as well.',
  body: jsonBody(UpdateChatRequest),
  async run({ db, caller, note }, { params: { id, chatId }, body }) {
    await findWorkflowChat(db, caller.workspaceId, id, chatId);
    note({ resourceId: chatId, metadata: { workflowId: id, changed: Object.keys(body) } });
    await requireReferenceUse(db, caller, { resource: 'workflow', id });
    await requireStartNode(db, await findWorkflow(db, caller.workspaceId, id), body.startNodeId);
    const data = { ...body, updatedAt: new Date() };
    return toChatResponse(await db.chat.update({ where: { id: chatId }, data }).catch(rejectDuplicateChatPath));
  },
});

export const chatOperations = [
  listChatsOperation,
  createChatOperation,
  getChatOperation,
  updateChatOperation,
  deleteChatOperation,
];

export { listChatsOperation, createChatOperation, updateChatOperation, deleteChatOperation };
