import { isDeepStrictEqual } from 'node:util';
import type { ProjectObjectKind, ProjectWorkflow } from '@/contract/projects/project';
import type { Poll, PollNode } from '@/contract/triggers/poll';
import type { Webhook } from '@/contract/triggers/webhook';
import { secretFieldsOf, type WebhookVerification } from '@/contract/triggers/webhook-verification';
import type { Definition } from '@/contract/workflows/workflow';
import { invalidField } from '@/server/errors/problem';
import { withReferences, type KeyedReference } from '@/server/workflow/references';
import { createChat, deleteChat, listChats, updateChat } from '../chats/chats';
import { createForm, deleteForm, listForms, updateForm } from '@/server/operations/forms/forms';
import { splitVerification } from '@/server/operations/webhooks/settings';
import { createWebhook, deleteWebhook, listWebhooks, updateWebhook } from '@/server/operations/webhooks/webhooks';
import { createTest, deleteTest, listTests, updateTest } from '../workflows/tests/tests';
import { createPoll, deletePoll, listPolls, updatePoll } from '../workflows/triggers/polls';
import { createSchedule, deleteSchedule, listSchedules, updateSchedule } from '../workflows/triggers/schedules';
import { parseJsonColumns } from '../json-columns';
import { within, type OuterCall } from './within';

/** Replaces the id of a reference by the key of its object, or the other way round. */
export type Rename = (reference: KeyedReference) => string;

/** Keeps the ids of a workspace. */
export const itself: Rename = ({ id }) => id;

export type Item = Record<string, unknown>;
type Stored = { id: string } & Item;

/** A trigger or test that is stored, as it would be in the files. */
export interface Part {
  id: string;
  item: Item;
}

/** A kind of what belongs to a workflow besides its definition: how it is listed, changed and found again. */
export interface PartKind {
  kind: Exclude<ProjectObjectKind, 'table' | 'variable' | 'credential' | 'folder' | 'workflow'>;
  /** The table of its rows. */
  table: string;
  itemsOf(workflow: ProjectWorkflow): Item[];
  list(
    call: OuterCall,
    id: string,
    query: { limit: number; offset: number },
  ): Promise<{ data: Stored[]; total: number }>;
  create(call: OuterCall, id: string, body: Item): Promise<unknown>;
  update(call: OuterCall, id: string, partId: string, body: Item): Promise<unknown>;
  remove(call: OuterCall, id: string, partId: string): Promise<unknown>;
  /** Two of one workflow with the same name are told apart by their order. */
  nameOf(item: Item): string;
  toItem(stored: Stored, toKey: Rename): Item;
  toBody(item: Item, toId: Rename): Item;
  /** What keeps an item from being stored without help; `before`: the stored one. */
  needsHelp?(item: Item, before: Item | undefined): string | undefined;
  /** What remains to be done by hand after an item was stored. */
  noteOf?(item: Item, before: Item | undefined): string | undefined;
}

const pick = (stored: Item, fields: readonly string[]): Item =>
  Object.fromEntries(
    fields.flatMap((field) => (stored[field] === undefined || stored[field] === null ? [] : [[field, stored[field]]])),
  );

/** Null is as if the field were left out. */
const present = (item: Item): Item => pick(item, Object.keys(item));

/** A node of a poll with its references replaced, as those of a definition are. */
export function withNodeReferences(node: PollNode, rename: Rename): PollNode {
  const whole: Definition = { nodes: [{ ...node, id: 'poll', position: { x: 0, y: 0 } }], connections: [] };
  const [renamed = node] = withReferences(whole, rename).nodes;
  return {
    ...node,
    config: renamed.config,
    ...(renamed.credentialId === undefined ? {} : { credentialId: renamed.credentialId }),
  };
}

const WEBHOOK = ['path', 'methods', 'response', 'input', 'allowedIps', 'enabled'];

/** A verification in the files: without secrets, and without what is so by default. */
function fileVerification(stored: WebhookVerification): WebhookVerification {
  const { settings, allowWithoutExpiry } = splitVerification(stored);
  return settings.kind === 'jwt' && allowWithoutExpiry ? { ...settings, allowWithoutExpiry } : settings;
}

/** Whether a push leaves the verification of a webhook as it is. A file that does not mention `allowWithoutExpiry` keeps it. */
function isSameInFile(verification: WebhookVerification, before: Item | undefined): boolean {
  const stored = before?.['verification'] as WebhookVerification | undefined;
  if (verification.kind !== 'jwt' || stored?.kind !== 'jwt') return isDeepStrictEqual(stored, verification);
  const { allowWithoutExpiry = stored.allowWithoutExpiry ?? false, ...rest } = verification;
  const { allowWithoutExpiry: isAllowed = false, ...others } = stored;
  return allowWithoutExpiry === isAllowed && isDeepStrictEqual(others, rest);
}

const webhooks: PartKind = {
  kind: 'webhook',
  table: 'webhook',
  itemsOf: ({ triggers }) => triggers.webhooks,
  list: (call, id, query) => within(call, listWebhooks, { params: { id }, query }),
  create: (call, id, body) => within(call, createWebhook, { params: { id }, body }),
  update: (call, id, webhookId, body) => within(call, updateWebhook, { params: { id, webhookId }, body }),
  remove: (call, id, webhookId) => within(call, deleteWebhook, { params: { id, webhookId } }),
  nameOf: ({ path }) => String(path),
  toItem: (stored) => ({
    ...pick(stored, WEBHOOK),
    cors: stored['cors'] ?? null,
    verification: fileVerification((stored as unknown as Webhook).verification),
  }),
  toBody(item) {
    const { secrets } = splitVerification(item['verification'] as WebhookVerification);
    const [name] = Object.keys(secrets);
    if (name !== undefined) throw invalidField(`verification.${name}`, 'is a secret: it does not belong in a file');
    return item;
  },
  needsHelp(item, before) {
    const verification = item['verification'] as WebhookVerification;
    if (verification.kind === 'signature' || secretFieldsOf(verification).length === 0) return undefined;
    if (isSameInFile(verification, before)) return undefined;
    return before
      ? 'Its verification differs and has a secret: change it here by hand.'
      : 'Its verification has a secret: create this webhook here by hand, with the same settings.';
  },
  noteOf: (item, before) =>
    (item['verification'] as WebhookVerification).kind === 'signature' &&
    !isSameInFile(item['verification'] as WebhookVerification, before)
      ? 'Its secret was made here: rotate it to see one.'
      : undefined,
};

const schedules: PartKind = {
  kind: 'schedule',
  table: 'schedule',
  itemsOf: ({ triggers, settings }) =>
    triggers.schedules.map((item) => ({ ...item, timezone: item.timezone ?? settings.timeZone ?? 'UTC' })),
  list: (call, id, query) => within(call, listSchedules, { params: { id }, query }),
  create: (call, id, body) => within(call, createSchedule, { params: { id }, body }),
  update: (call, id, scheduleId, body) => within(call, updateSchedule, { params: { id, scheduleId }, body }),
  remove: (call, id, scheduleId) => within(call, deleteSchedule, { params: { id, scheduleId } }),
  nameOf: () => 'schedule',
  toItem: (stored) => pick(stored, ['cron', 'timezone', 'input', 'enabled', 'overlap']),
  toBody: (item) => item,
};

const POLL = ['name', 'intervalMs', 'cron', 'timezone', 'items', 'key', 'cursor', 'deliver', 'first', 'enabled'];

const polls: PartKind = {
  kind: 'poll',
  table: 'poll',
  itemsOf: ({ triggers, settings }) =>
    triggers.polls.map((item) =>
      present({ ...item, timezone: item.cron ? (item.timezone ?? settings.timeZone ?? 'UTC') : undefined }),
    ),
  list: (call, id, query) => within(call, listPolls, { params: { id }, query }),
  create: (call, id, body) => within(call, createPoll, { params: { id }, body }),
  update: (call, id, pollId, body) =>
    within(call, updatePoll, { params: { id, pollId }, body: { cursor: null, ...body } }),
  remove: (call, id, pollId) => within(call, deletePoll, { params: { id, pollId } }),
  nameOf: ({ name }) => String(name),
  toItem: (stored, toKey) => ({
    ...pick(stored, POLL),
    node: withNodeReferences((stored as unknown as Poll).node, toKey),
  }),
  toBody: (item, toId) => ({ ...item, node: withNodeReferences(item['node'] as PollNode, toId) }),
};

const forms: PartKind = {
  kind: 'form',
  table: 'form',
  itemsOf: ({ triggers }) => triggers.forms,
  list: (call, id, query) => within(call, listForms, { params: { id }, query }),
  create: (call, id, body) => within(call, createForm, { params: { id }, body }),
  update: (call, id, formId, body) => within(call, updateForm, { params: { id, formId }, body }),
  remove: (call, id, formId) => within(call, deleteForm, { params: { id, formId } }),
  nameOf: ({ path }) => String(path),
  toItem: (stored) => pick(stored, ['path', 'title', 'description', 'fields', 'access', 'response']),
  toBody: (item) => item,
};

const chats: PartKind = {
  kind: 'chat',
  table: 'chat',
  itemsOf: ({ triggers }) => triggers.chats,
  list: (call, id, query) => within(call, listChats, { params: { id }, query }),
  create: (call, id, body) => within(call, createChat, { params: { id }, body }),
  update: (call, id, chatId, body) => within(call, updateChat, { params: { id, chatId }, body }),
  remove: (call, id, chatId) => within(call, deleteChat, { params: { id, chatId } }),
  nameOf: ({ path }) => String(path),
  toItem: (stored) =>
    pick(stored, ['path', 'title', 'greeting', 'placeholder', 'examples', 'access', 'takesFiles', 'enabled']),
  toBody: (item) => item,
};

const tests: PartKind = {
  kind: 'test',
  table: 'workflow_test',
  itemsOf: (workflow) => workflow.tests,
  list: (call, id, query) => within(call, listTests, { params: { id }, query }),
  create: (call, id, body) => within(call, createTest, { params: { id }, body }),
  update: (call, id, testId, body) => within(call, updateTest, { params: { id, testId }, body }),
  remove: (call, id, testId) => within(call, deleteTest, { params: { id, testId } }),
  nameOf: ({ name }) => String(name),
  toItem: (stored) => pick(stored, ['name', 'input', 'mocks', 'expectations']),
  toBody: (item) => item,
};

export const PART_KINDS: readonly PartKind[] = [webhooks, schedules, polls, forms, chats, tests];

const PAGE = 100;

/** All parts of one kind of a workflow, oldest first. */
export async function partsOf(call: OuterCall, kind: PartKind, workflowId: string, toKey: Rename): Promise<Part[]> {
  const found: Stored[] = [];
  for (;;) {
    const { data, total } = await kind.list(call, workflowId, { limit: PAGE, offset: found.length });
    for (const stored of data) found.push(await parseJsonColumns(stored));
    if (data.length === 0 || found.length >= total) break;
  }
  return found.reverse().map((stored) => ({ id: stored.id, item: kind.toItem(stored, toKey) }));
}

/** The items by their names; the second `name` is `name #2`, and so on. */
export function byName<Of>(all: readonly Of[], nameOf: (one: Of) => string): Map<string, Of> {
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
