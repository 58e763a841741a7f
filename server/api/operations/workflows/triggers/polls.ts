import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import {
  MIN_POLL_INTERVAL_MS,
  PollTrigger,
  CreatePollRequest,
  ListPollsResponse,
  PreviewPollRequest,
  TestPollResponse,
  UpdatePollRequest,
  type PollSourceNode,
} from '@/contract/triggers/poll';
import type { ExpressionLanguage } from '@/contract/workflows/expression-language';
import { Prisma, type Poll as Row } from '@/generated/prisma/client';
import { memberAccess, defineOperation } from '@/server/api/operation/operation';
import { jsonBody, jsonReply, submitEffect } from '@/server/api/operation/operation-parts';
import { requireReferenceUse } from '@/server/people/access/references';
import { appendAuditEntries } from '@/server/people/audit/record';
import type { DatabaseClient } from '@/server/platform/db/client';
import { generateId } from '@/server/platform/db/ids';
import { nextPollTime } from '@/server/triggers/polls/poll-results';
import { PollFailure } from '@/server/triggers/polls/source';
import { testPollSource, testUnsavedPoll } from '@/server/triggers/polls/test-poll';
import { notFoundProblem, ApiProblem } from '@/server/platform/errors/problem';
import { requireObjectQuota } from '@/server/platform/quotas/quota';
import { defineWorkflowResource } from '../../workflow-resource';
import { requireStartNode } from '../start-nodes';
import { findWorkflow } from '../workflow-rows';
import { requireNodeUse, requireValidPoll, type PollSettings } from './poll-checks';
import { addJsonColumns } from '../../json-columns';
import { toWorkflowSettings } from '../settings';

const PollParams = z.strictObject({ id: z.string(), pollId: z.string() });
const POLL_TAG = 'Polls';

const storedPollNode = (row: Row) => row.node as unknown as PollSourceNode;
const storedPollLanguage = (row: Row) => row.language as ExpressionLanguage;
/** What a poll does: labels have no effect. */
const withoutPollLabels = ({ labels: _, ...node }: PollSourceNode) => node;
const toPollNodeJson = (node: PollSourceNode) => node as unknown as Prisma.InputJsonObject;

const toPollResponse = (row: Row): z.input<typeof PollTrigger> => ({
  id: row.id,
  workflowId: row.workflowId,
  name: row.name,
  intervalMs: row.intervalMs,
  cron: row.cron,
  timezone: row.timezone,
  node: storedPollNode(row),
  items: row.items,
  key: row.key,
  cursor: row.cursorExpression,
  language: storedPollLanguage(row),
  deliver: row.deliver as PollTrigger['deliver'],
  first: row.first as PollTrigger['first'],
  enabled: row.enabled,
  startNodeId: row.startNodeId,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
  createdBy: row.createdBy,
  cursorValue: row.cursor,
  nextPollAt: row.enabled ? row.nextPollAt.toISOString() : null,
  lastPolledAt: row.lastPolledAt?.toISOString() ?? null,
  lastItems: row.lastItems,
  lastNewItems: row.lastNewItems,
  lastError: row.lastError,
  failures: row.failures,
  lastRefusedAt: row.lastRefusedAt?.toISOString() ?? null,
  lastRefusedReason: row.lastRefusedReason,
});

async function findPollRow(db: DatabaseClient, workspaceId: string, workflowId: string, id: string): Promise<Row> {
  const row = await db.poll.findFirst({ where: { id, workflowId, workflow: { workspaceId } } });
  if (!row) throw notFoundProblem('The poll');
  return row;
}

const resource = defineWorkflowResource({
  word: 'poll',
  tag: POLL_TAG,
  schema: PollTrigger,
  page: ListPollsResponse,
  tableIn: (db) => db.poll,
  omit: { node: true, cursor: true },
  find: findPollRow,
  async toResponses(db, rows) {
    const stored = { table: 'poll', columns: { node: 'node', cursor: 'cursor' }, key: 'id' };
    const polls = await addJsonColumns(db, rows, { ...stored, keyOfRow: (row) => row.id });
    return polls.map(toPollResponse);
  },
  toMetadata: ({ name }) => ({ name }),
});

const listPollsOperation = defineOperation(resource.list);
const getPollOperation = defineOperation(resource.get);
const deletePollOperation = defineOperation(resource.remove);

const createPollOperation = defineOperation({
  ...resource.creation,
  summary: 'Run a workflow for new items of a source',
  description:
    'Asks the source while the workflow is active, and starts runs with the items whose keys are new: each once. With ' +
    '`first: skip` the items of the first answer only become known. Needs `workflow:execute`, and `credential:use` and `connector:use` for ' +
    'the credential and the connector of the node, as well. 403 when the workspace has as many schedules and polls as its tier allows.',
  body: jsonBody(CreatePollRequest),
  async run({ db, caller, note }, { params: { id }, body: { node, cursor = null, ...body } }) {
    const workflow = await findWorkflow(db, caller.workspaceId, id);
    await requireReferenceUse(db, caller, { resource: 'workflow', id });
    await requireNodeUse(db, caller, node);
    const { intervalMs = null, cron = null } = body;
    const timezone = cron === null ? null : (body.timezone ?? toWorkflowSettings(workflow).timeZone ?? 'UTC');
    const settings = { ...body, node, cursor, intervalMs, cron, timezone };
    await requireValidPoll(db, caller.workspaceId, settings);
    await requireStartNode(db, workflow, body.startNodeId);
    await requireObjectQuota(db, caller, 'schedules');
    const row = await db.poll.create({
      data: {
        ...body,
        timezone,
        node: toPollNodeJson(node),
        cursorExpression: cursor,
        id: generateId('poll'),
        workflowId: id,
        nextPollAt: firstPollTime(settings),
        authorizedBy: caller.userId,
        createdBy: caller.userId,
      },
    });
    note({ resourceId: row.id, metadata: { workflowId: id, name: row.name } });
    return toPollResponse(row);
  },
});

/** A poll with an interval is due at once; a changed one not sooner after its last call than the shortest interval. */
function firstPollTime(settings: PollSettings, lastPolledAt: Date | null = null): Date {
  const now = new Date();
  if (settings.intervalMs === null) return nextPollTime(settings, now, now);
  return new Date(Math.max(now.getTime(), (lastPolledAt?.getTime() ?? 0) + MIN_POLL_INTERVAL_MS));
}

/** The settings after a change: `intervalMs` and `cron` replace each other. */
function mergePollSettings(row: Row, body: z.output<typeof UpdatePollRequest>, zone: string): PollSettings {
  const intervalMs = body.intervalMs ?? (body.cron ? null : row.intervalMs);
  const cron = body.cron ?? (body.intervalMs ? null : row.cron);
  const timezone = cron === null ? null : (body.timezone ?? row.timezone ?? zone);
  const { node = storedPollNode(row), items = row.items, key = row.key, cursor = row.cursorExpression } = body;
  const { language = storedPollLanguage(row), enabled = row.enabled } = body;
  return { intervalMs, cron, timezone, node, items, key, cursor, language, enabled };
}

const updatePollOperation = defineOperation({
  ...resource.change,
  description:
    'Fields that are left out stay as they are; `intervalMs` and `cron` replace each other. It is due at once, or at the ' +
    'next time of `cron`. After a change of `key` or `language` it starts again: nothing is known, and the next answer is the first. ' +
    'After a change of `cursor` there is no stored cursor. Needs `workflow:execute` as well, unless the poll is or becomes ' +
    'disabled, and `credential:use` for the credential of the node after a change of `node`, `cursor` or `language`.',
  body: jsonBody(UpdatePollRequest),
  async run({ db, caller, note }, { params: { id, pollId }, body }) {
    note({ resourceId: pollId, metadata: { workflowId: id, changed: Object.keys(body) } });
    const row = await findPollRow(db, caller.workspaceId, id, pollId);
    const workflow = await findWorkflow(db, caller.workspaceId, id);
    const settings = mergePollSettings(row, body, toWorkflowSettings(workflow).timeZone ?? 'UTC');
    const { node, cursor, ...rest } = settings;
    if (settings.enabled) await requireReferenceUse(db, caller, { resource: 'workflow', id });
    // The cursor can be part of an address that the credential is sent to.
    const isNodeNew =
      hasNewCursorExpression(row, settings) ||
      !isDeepStrictEqual(withoutPollLabels(node), withoutPollLabels(storedPollNode(row)));
    if (isNodeNew) await requireNodeUse(db, caller, node);
    await requireValidPoll(db, caller.workspaceId, settings);
    await requireStartNode(db, workflow, body.startNodeId);
    const { name, deliver, first, startNodeId } = body;
    const data = { ...rest, name, deliver, first, startNodeId, node: toPollNodeJson(node), cursorExpression: cursor };
    const due = {
      nextPollAt: firstPollTime(settings, row.lastPolledAt),
      failures: 0,
      lastError: null,
      updatedAt: new Date(),
    };
    // A process that polls at this moment loses its lease, so it commits nothing.
    const released = { leaseToken: null, leaseUntil: null };
    const authority = isNodeNew ? { authorizedBy: caller.userId } : {};
    const state = await resetPollMemory(db, row, settings);
    return toPollResponse(
      await db.poll.update({ where: { id: pollId }, data: { ...data, ...due, ...released, ...authority, ...state } }),
    );
  },
});

/** The same text means something else in another language. */
const hasNewCursorExpression = (row: Row, { cursor, language }: PollSettings): boolean =>
  cursor !== row.cursorExpression || language !== row.language;

/** Removes what a poll has to forget because of a change, and returns the columns to reset. */
async function resetPollMemory(db: DatabaseClient, row: Row, settings: PollSettings) {
  const isRestarted = settings.key !== row.key || settings.language !== row.language;
  // This waits for a poll under way, which locks the row, so that its keys are removed as well.
  await db.$queryRaw`SELECT id FROM poll WHERE id = ${row.id} FOR NO KEY UPDATE`;
  if (isRestarted) await db.pollSeen.deleteMany({ where: { pollId: row.id } });
  return {
    ...(isRestarted ? { firstPolledAt: null } : {}),
    ...(isRestarted || hasNewCursorExpression(row, settings) ? { cursor: Prisma.DbNull } : {}),
  };
}

const testPollOperation = defineOperation({
  id: 'polls.test',
  method: 'POST',
  path: '/api/workflows/{id}/polls/{pollId}/test',
  summary: 'Test a poll',
  description:
    'Asks the source now and shows the new items, in any status of the workflow. Starts no run, and nothing becomes ' +
    'known. Needs `workflow:execute`, and `credential:use` for the credential of the node, as well. 400 with the reason ' +
    'when the poll fails.',
  tag: POLL_TAG,
  access: memberAccess('poll', 'update'),
  effect: submitEffect('resource_access'),
  params: PollParams,
  reply: jsonReply(TestPollResponse),
  async run(call, { params: { id, pollId } }) {
    const { db, caller } = call;
    call.note({ resourceId: pollId, metadata: { workflowId: id } });
    const row = await findPollRow(db, caller.workspaceId, id, pollId);
    await requireReferenceUse(db, caller, { resource: 'workflow', id });
    await requireNodeUse(db, caller, storedPollNode(row));
    const found = await testPollSource(pollId, id).catch(toPollProblem);
    if (!found) throw notFoundProblem('The poll');
    await appendAuditEntries(db, [call.auditEntry()]);
    return found;
  },
});

const previewPollOperation = defineOperation({
  id: 'polls.preview',
  method: 'POST',
  path: '/api/workflows/{id}/polls/preview',
  summary: 'Test a poll before it is saved',
  description:
    'Asks the source now and shows its items, in any status of the workflow. Stores nothing and starts no run. Needs ' +
    '`workflow:execute`, and `credential:use` and `connector:use` for the credential and the connector of the node, as well. 400 ' +
    'with the reason when the source or an expression fails.',
  tag: POLL_TAG,
  access: memberAccess('poll', 'create'),
  effect: submitEffect('resource_access'),
  params: z.strictObject({ id: z.string() }),
  body: jsonBody(PreviewPollRequest),
  reply: jsonReply(TestPollResponse),
  async run(call, { params: { id }, body }) {
    const { db, caller } = call;
    call.note({ resourceId: id, metadata: { workflowId: id } });
    await findWorkflow(db, caller.workspaceId, id);
    await requireReferenceUse(db, caller, { resource: 'workflow', id });
    await requireNodeUse(db, caller, body.node);
    await requireValidPoll(db, caller.workspaceId, { ...body, ...PREVIEW_TIMES, cursor: body.cursor ?? null });
    const found = await testUnsavedPoll(body, id, { person: caller }).catch(toPollProblem);
    await appendAuditEntries(db, [call.auditEntry()]);
    return found;
  },
});

/** A preview asks once, so any valid time does for the check of its settings. */
const PREVIEW_TIMES = { intervalMs: MIN_POLL_INTERVAL_MS, cron: null, timezone: null, enabled: true };

function toPollProblem(error: unknown): never {
  if (error instanceof PollFailure) throw new ApiProblem('VALIDATION_ERROR', error.message, []);
  throw error;
}

export const pollOperations = [
  listPollsOperation,
  createPollOperation,
  getPollOperation,
  updatePollOperation,
  deletePollOperation,
  testPollOperation,
  previewPollOperation,
];

export { listPollsOperation, createPollOperation, updatePollOperation, deletePollOperation };
