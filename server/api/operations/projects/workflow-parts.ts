import type { PollTrigger, PollSourceNode } from '@/contract/triggers/poll';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { replaceReferences } from '@/server/workflow/definition/references';
import { createChatOperation, deleteChatOperation, listChatsOperation, updateChatOperation } from '../chats/chats';
import {
  createFormOperation,
  deleteFormOperation,
  listFormsOperation,
  updateFormOperation,
} from '@/server/api/operations/forms/forms';
import {
  createTestOperation,
  deleteTestOperation,
  listTestsOperation,
  updateTestOperation,
} from '../workflows/tests/tests';
import {
  createPollOperation,
  deletePollOperation,
  listPollsOperation,
  updatePollOperation,
} from '../workflows/triggers/polls';
import {
  createScheduleOperation,
  deleteScheduleOperation,
  listSchedulesOperation,
  updateScheduleOperation,
} from '../workflows/triggers/schedules';
import { parseJsonColumns } from '../json-columns';
import {
  pickFields,
  withoutEmptyFields,
  withoutNullStart,
  withStartNode,
  type PartResponse,
  type ReferenceMapper,
  type WorkflowPart,
  type WorkflowPartKind,
} from './part-kind';
import { runOperationInside, type EnclosingCall } from './run-operation-inside';
import { webhookPartKind } from './webhook-part';

/** Replaces the references of a poll's node in the same way as those of a definition. */
export function mapNodeReferences(node: PollSourceNode, rename: ReferenceMapper): PollSourceNode {
  const whole: WorkflowDefinition = { nodes: [{ ...node, id: 'poll', position: { x: 0, y: 0 } }], connections: [] };
  const [renamed = node] = replaceReferences(whole, rename).nodes;
  return {
    ...node,
    config: renamed.config,
    ...(renamed.credentialId === undefined ? {} : { credentialId: renamed.credentialId }),
  };
}

const schedulePartKind: WorkflowPartKind = {
  kind: 'schedule',
  table: 'schedule',
  itemsIn: ({ triggers, settings }) =>
    triggers.schedules.map((item) =>
      withoutNullStart({ ...item, timezone: item.timezone ?? settings.timeZone ?? 'UTC' }),
    ),
  list: (call, id, query) => runOperationInside(call, listSchedulesOperation, { params: { id }, query }),
  create: (call, id, body) => runOperationInside(call, createScheduleOperation, { params: { id }, body }),
  update: (call, id, scheduleId, body) =>
    runOperationInside(call, updateScheduleOperation, { params: { id, scheduleId }, body: withStartNode(body) }),
  remove: (call, id, scheduleId) => runOperationInside(call, deleteScheduleOperation, { params: { id, scheduleId } }),
  itemName: () => 'schedule',
  toItem: (stored) => pickFields(stored, ['cron', 'timezone', 'input', 'enabled', 'overlap', 'startNodeId']),
  toBody: (item) => item,
};

const POLL_FIELDS = [
  'name',
  'intervalMs',
  'cron',
  'timezone',
  'items',
  'key',
  'cursor',
  'language',
  'deliver',
  'first',
  'enabled',
  'startNodeId',
];

const pollPartKind: WorkflowPartKind = {
  kind: 'poll',
  table: 'poll',
  itemsIn: ({ triggers, settings }) =>
    triggers.polls.map((item) =>
      withoutEmptyFields({ ...item, timezone: item.cron ? (item.timezone ?? settings.timeZone ?? 'UTC') : undefined }),
    ),
  list: (call, id, query) => runOperationInside(call, listPollsOperation, { params: { id }, query }),
  create: (call, id, body) => runOperationInside(call, createPollOperation, { params: { id }, body }),
  update: (call, id, pollId, body) =>
    runOperationInside(call, updatePollOperation, {
      params: { id, pollId },
      body: withStartNode({ cursor: null, ...body }),
    }),
  remove: (call, id, pollId) => runOperationInside(call, deletePollOperation, { params: { id, pollId } }),
  itemName: ({ name }) => String(name),
  toItem: (stored, toKey) => ({
    ...pickFields(stored, POLL_FIELDS),
    node: mapNodeReferences((stored as unknown as PollTrigger).node, toKey),
  }),
  toBody: (item, toId) => ({ ...item, node: mapNodeReferences(item['node'] as PollSourceNode, toId) }),
};

const formPartKind: WorkflowPartKind = {
  kind: 'form',
  table: 'form',
  itemsIn: ({ triggers }) => triggers.forms.map(withoutNullStart),
  list: (call, id, query) => runOperationInside(call, listFormsOperation, { params: { id }, query }),
  create: (call, id, body) => runOperationInside(call, createFormOperation, { params: { id }, body }),
  update: (call, id, formId, body) =>
    runOperationInside(call, updateFormOperation, { params: { id, formId }, body: withStartNode(body) }),
  remove: (call, id, formId) => runOperationInside(call, deleteFormOperation, { params: { id, formId } }),
  itemName: ({ path }) => String(path),
  toItem: (stored) =>
    pickFields(stored, ['path', 'title', 'description', 'fields', 'access', 'response', 'startNodeId']),
  toBody: (item) => item,
};

const chatPartKind: WorkflowPartKind = {
  kind: 'chat',
  table: 'chat',
  itemsIn: ({ triggers }) => triggers.chats.map(withoutNullStart),
  list: (call, id, query) => runOperationInside(call, listChatsOperation, { params: { id }, query }),
  create: (call, id, body) => runOperationInside(call, createChatOperation, { params: { id }, body }),
  update: (call, id, chatId, body) =>
    runOperationInside(call, updateChatOperation, { params: { id, chatId }, body: withStartNode(body) }),
  remove: (call, id, chatId) => runOperationInside(call, deleteChatOperation, { params: { id, chatId } }),
  itemName: ({ path }) => String(path),
  toItem: (stored) =>
    pickFields(stored, [
      'path',
      'title',
      'greeting',
      'placeholder',
      'examples',
      'access',
      'takesFiles',
      'enabled',
      'startNodeId',
    ]),
  toBody: (item) => item,
};

const testPartKind: WorkflowPartKind = {
  kind: 'test',
  table: 'workflow_test',
  itemsIn: (workflow) => workflow.tests.map(withoutNullStart),
  list: (call, id, query) => runOperationInside(call, listTestsOperation, { params: { id }, query }),
  create: (call, id, body) => runOperationInside(call, createTestOperation, { params: { id }, body }),
  update: (call, id, testId, body) =>
    runOperationInside(call, updateTestOperation, { params: { id, testId }, body: withStartNode(body) }),
  remove: (call, id, testId) => runOperationInside(call, deleteTestOperation, { params: { id, testId } }),
  itemName: ({ name }) => String(name),
  toItem: (stored) => pickFields(stored, ['name', 'input', 'mocks', 'expectations', 'startNodeId']),
  toBody: (item) => item,
};

export const WORKFLOW_PART_KINDS: readonly WorkflowPartKind[] = [
  webhookPartKind,
  schedulePartKind,
  pollPartKind,
  formPartKind,
  chatPartKind,
  testPartKind,
];

const PARTS_PAGE_SIZE = 100;

/** Lists all parts of one kind of a workflow, oldest first. */
export async function listWorkflowParts(
  call: EnclosingCall,
  kind: WorkflowPartKind,
  workflowId: string,
  toKey: ReferenceMapper,
): Promise<WorkflowPart[]> {
  const found: PartResponse[] = [];
  for (;;) {
    const { data, total } = await kind.list(call, workflowId, { limit: PARTS_PAGE_SIZE, offset: found.length });
    for (const stored of data) found.push(await parseJsonColumns(stored));
    if (data.length === 0 || found.length >= total) break;
  }
  return found.reverse().map((stored) => ({ id: stored.id, item: kind.toItem(stored, toKey) }));
}
