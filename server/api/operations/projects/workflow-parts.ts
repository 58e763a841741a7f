import { isDeepStrictEqual } from 'node:util';
import type { ProjectWorkflow } from '@/contract/projects/project';
import type { ProjectObjectType } from '@/contract/projects/project-plan';
import type { PollTrigger, PollSourceNode } from '@/contract/triggers/poll';
import type { WebhookTrigger } from '@/contract/triggers/webhook';
import { listSecretFields, type WebhookVerification } from '@/contract/triggers/webhook-verification';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { invalidFieldProblem } from '@/server/platform/errors/problem';
import { replaceReferences, type KeyedReference } from '@/server/workflow/definition/references';
import { createChatOperation, deleteChatOperation, listChatsOperation, updateChatOperation } from '../chats/chats';
import {
  createFormOperation,
  deleteFormOperation,
  listFormsOperation,
  updateFormOperation,
} from '@/server/api/operations/forms/forms';
import { splitVerification } from '@/server/api/operations/webhooks/settings';
import {
  createWebhookOperation,
  deleteWebhookOperation,
  listWebhooksOperation,
  updateWebhookOperation,
} from '@/server/api/operations/webhooks/webhooks';
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
import { runOperationInside, type EnclosingCall } from './run-operation-inside';

/** Replaces the id of a reference by the key of its object, or the other way round. */
export type ReferenceMapper = (reference: KeyedReference) => string;

/** Keeps the ids of a workspace. */
export const keepReferenceId: ReferenceMapper = ({ id }) => id;

export type ProjectItem = Record<string, unknown>;
type PartResponse = { id: string } & ProjectItem;

/** A trigger or test that is stored, as it would be in the files. */
export interface WorkflowPart {
  id: string;
  item: ProjectItem;
}

/** Describes how one kind of trigger, or tests, of a workflow are listed, changed and found again. */
export interface WorkflowPartKind {
  kind: Exclude<ProjectObjectType, 'table' | 'variable' | 'credential' | 'folder' | 'workflow'>;
  /** The database table that stores this kind. */
  table: string;
  itemsIn(workflow: ProjectWorkflow): ProjectItem[];
  list(
    call: EnclosingCall,
    id: string,
    query: { limit: number; offset: number },
  ): Promise<{ data: PartResponse[]; total: number }>;
  create(call: EnclosingCall, id: string, body: ProjectItem): Promise<unknown>;
  update(call: EnclosingCall, id: string, partId: string, body: ProjectItem): Promise<unknown>;
  remove(call: EnclosingCall, id: string, partId: string): Promise<unknown>;
  /** Two of one workflow with the same name are told apart by their order. */
  itemName(item: ProjectItem): string;
  toItem(stored: PartResponse, toKey: ReferenceMapper): ProjectItem;
  toBody(item: ProjectItem, toId: ReferenceMapper): ProjectItem;
  /** Says what a person has to do before an item can be stored. `before` is the stored item. */
  manualStep?(item: ProjectItem, before: ProjectItem | undefined): string | undefined;
  /** Says what a person has to do after an item was stored. */
  followUpNote?(item: ProjectItem, before: ProjectItem | undefined): string | undefined;
}

const pickFields = (stored: ProjectItem, fields: readonly string[]): ProjectItem =>
  Object.fromEntries(
    fields.flatMap((field) => (stored[field] === undefined || stored[field] === null ? [] : [[field, stored[field]]])),
  );

/** Removes fields that are null, which means the same as leaving them out. */
const withoutEmptyFields = (item: ProjectItem): ProjectItem => pickFields(item, Object.keys(item));

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

const WEBHOOK_FIELDS = ['path', 'methods', 'response', 'input', 'allowedIps', 'enabled'];

/** Leaves secrets and default values out of a verification. */
function toProjectVerification(stored: WebhookVerification): WebhookVerification {
  const { settings, allowWithoutExpiry } = splitVerification(stored);
  return settings.kind === 'jwt' && allowWithoutExpiry ? { ...settings, allowWithoutExpiry } : settings;
}

/**
 * Whether a push leaves the verification of a webhook as it is. A file that does not mention `allowWithoutExpiry` keeps
 * it.
 */
function isSameFileVerification(verification: WebhookVerification, before: ProjectItem | undefined): boolean {
  const stored = before?.['verification'] as WebhookVerification | undefined;
  if (verification.kind !== 'jwt' || stored?.kind !== 'jwt') return isDeepStrictEqual(stored, verification);
  const { allowWithoutExpiry = stored.allowWithoutExpiry ?? false, ...rest } = verification;
  const { allowWithoutExpiry: isAllowed = false, ...others } = stored;
  return allowWithoutExpiry === isAllowed && isDeepStrictEqual(others, rest);
}

const webhookPartKind: WorkflowPartKind = {
  kind: 'webhook',
  table: 'webhook',
  itemsIn: ({ triggers }) => triggers.webhooks,
  list: (call, id, query) => runOperationInside(call, listWebhooksOperation, { params: { id }, query }),
  create: (call, id, body) => runOperationInside(call, createWebhookOperation, { params: { id }, body }),
  update: (call, id, webhookId, body) =>
    runOperationInside(call, updateWebhookOperation, { params: { id, webhookId }, body }),
  remove: (call, id, webhookId) => runOperationInside(call, deleteWebhookOperation, { params: { id, webhookId } }),
  itemName: ({ path }) => String(path),
  toItem: (stored) => ({
    ...pickFields(stored, WEBHOOK_FIELDS),
    cors: stored['cors'] ?? null,
    verification: toProjectVerification((stored as unknown as WebhookTrigger).verification),
  }),
  toBody(item) {
    const { secrets } = splitVerification(item['verification'] as WebhookVerification);
    const [name] = Object.keys(secrets);
    if (name !== undefined)
      throw invalidFieldProblem(`verification.${name}`, 'is a secret: it does not belong in a file');
    return item;
  },
  manualStep(item, before) {
    const verification = item['verification'] as WebhookVerification;
    if (verification.kind === 'signature' || listSecretFields(verification).length === 0) return undefined;
    if (isSameFileVerification(verification, before)) return undefined;
    return before
      ? 'Its verification differs and has a secret: change it here by hand.'
      : 'Its verification has a secret: create this webhook here by hand, with the same settings.';
  },
  followUpNote: (item, before) =>
    (item['verification'] as WebhookVerification).kind === 'signature' &&
    !isSameFileVerification(item['verification'] as WebhookVerification, before)
      ? 'Its secret was made here: rotate it to see one.'
      : undefined,
};

const schedulePartKind: WorkflowPartKind = {
  kind: 'schedule',
  table: 'schedule',
  itemsIn: ({ triggers, settings }) =>
    triggers.schedules.map((item) => ({ ...item, timezone: item.timezone ?? settings.timeZone ?? 'UTC' })),
  list: (call, id, query) => runOperationInside(call, listSchedulesOperation, { params: { id }, query }),
  create: (call, id, body) => runOperationInside(call, createScheduleOperation, { params: { id }, body }),
  update: (call, id, scheduleId, body) =>
    runOperationInside(call, updateScheduleOperation, { params: { id, scheduleId }, body }),
  remove: (call, id, scheduleId) => runOperationInside(call, deleteScheduleOperation, { params: { id, scheduleId } }),
  itemName: () => 'schedule',
  toItem: (stored) => pickFields(stored, ['cron', 'timezone', 'input', 'enabled', 'overlap']),
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
    runOperationInside(call, updatePollOperation, { params: { id, pollId }, body: { cursor: null, ...body } }),
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
  itemsIn: ({ triggers }) => triggers.forms,
  list: (call, id, query) => runOperationInside(call, listFormsOperation, { params: { id }, query }),
  create: (call, id, body) => runOperationInside(call, createFormOperation, { params: { id }, body }),
  update: (call, id, formId, body) => runOperationInside(call, updateFormOperation, { params: { id, formId }, body }),
  remove: (call, id, formId) => runOperationInside(call, deleteFormOperation, { params: { id, formId } }),
  itemName: ({ path }) => String(path),
  toItem: (stored) => pickFields(stored, ['path', 'title', 'description', 'fields', 'access', 'response']),
  toBody: (item) => item,
};

const chatPartKind: WorkflowPartKind = {
  kind: 'chat',
  table: 'chat',
  itemsIn: ({ triggers }) => triggers.chats,
  list: (call, id, query) => runOperationInside(call, listChatsOperation, { params: { id }, query }),
  create: (call, id, body) => runOperationInside(call, createChatOperation, { params: { id }, body }),
  update: (call, id, chatId, body) => runOperationInside(call, updateChatOperation, { params: { id, chatId }, body }),
  remove: (call, id, chatId) => runOperationInside(call, deleteChatOperation, { params: { id, chatId } }),
  itemName: ({ path }) => String(path),
  toItem: (stored) =>
    pickFields(stored, ['path', 'title', 'greeting', 'placeholder', 'examples', 'access', 'takesFiles', 'enabled']),
  toBody: (item) => item,
};

const testPartKind: WorkflowPartKind = {
  kind: 'test',
  table: 'workflow_test',
  itemsIn: (workflow) => workflow.tests,
  list: (call, id, query) => runOperationInside(call, listTestsOperation, { params: { id }, query }),
  create: (call, id, body) => runOperationInside(call, createTestOperation, { params: { id }, body }),
  update: (call, id, testId, body) => runOperationInside(call, updateTestOperation, { params: { id, testId }, body }),
  remove: (call, id, testId) => runOperationInside(call, deleteTestOperation, { params: { id, testId } }),
  itemName: ({ name }) => String(name),
  toItem: (stored) => pickFields(stored, ['name', 'input', 'mocks', 'expectations']),
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

/** Indexes items by name. The second item with the name `a` becomes `a #2`, and so on. */
export function indexByName<Of>(all: readonly Of[], nameOf: (one: Of) => string): Map<string, Of> {
  const counts = new Map<string, number>();
  return new Map(
    all.map((one) => {
      const name = nameOf(one);
      const count = (counts.get(name) ?? 0) + 1;
      counts.set(name, count);
      return [count === 1 ? name : `${name} #${count}`, one];
    }),
  );
}
