import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import {
  MIN_POLL_INTERVAL_MS,
  Poll,
  PollCreate,
  PollPage,
  PollTest,
  PollUpdate,
  type PollNode,
} from '@/contract/triggers/poll';
import { Prisma, type Poll as Row } from '@/generated/prisma/client';
import { memberAccess, operation } from '@/server/api/operation';
import { jsonBody, jsonReply, submitEffect } from '@/server/api/operation-parts';
import { requireUse } from '@/server/access/references';
import { record } from '@/server/audit/record';
import type { Db } from '@/server/db/client';
import { newId } from '@/server/db/ids';
import { nextPollAt } from '@/server/engine/polls/ending';
import { PollFailure } from '@/server/engine/polls/source';
import { testPoll } from '@/server/engine/polls/test-poll';
import { notFound, Problem } from '@/server/errors/problem';
import { requireQuota } from '@/server/quotas/quota';
import { defineWorkflowResource } from '../../workflow-resource';
import { findWorkflow } from '../content';
import { requireNodeUse, requirePollable, type PollSettings } from './poll-checks';
import { addJsonColumns } from '../../json-columns';
import { settingsOf } from '../settings';

const One = z.strictObject({ id: z.string(), pollId: z.string() });
const tag = 'Polls';

const nodeOfRow = (row: Row) => row.node as unknown as PollNode;
const toJson = (node: PollNode) => node as unknown as Prisma.InputJsonObject;

const presentPoll = (row: Row): z.input<typeof Poll> => ({
  id: row.id,
  workflowId: row.workflowId,
  name: row.name,
  intervalMs: row.intervalMs,
  cron: row.cron,
  timezone: row.timezone,
  node: nodeOfRow(row),
  items: row.items,
  key: row.key,
  cursor: row.cursorExpression,
  deliver: row.deliver as Poll['deliver'],
  first: row.first as Poll['first'],
  enabled: row.enabled,
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

async function find(db: Db, workspaceId: string, workflowId: string, id: string): Promise<Row> {
  const row = await db.poll.findFirst({ where: { id, workflowId, workflow: { workspaceId } } });
  if (!row) throw notFound('The poll');
  return row;
}

const resource = defineWorkflowResource({
  word: 'poll',
  tag,
  schema: Poll,
  page: PollPage,
  tableIn: (db) => db.poll,
  omit: { node: true, cursor: true },
  find,
  async toResponses(db, rows) {
    const stored = { table: 'poll', columns: { node: 'node', cursor: 'cursor' }, key: 'id' };
    const polls = await addJsonColumns(db, rows, { ...stored, keyOfRow: (row) => row.id });
    return polls.map(presentPoll);
  },
  toMetadata: ({ name }) => ({ name }),
});

const list = operation(resource.list);
const get = operation(resource.get);
const remove = operation(resource.remove);

const create = operation({
  ...resource.creation,
  summary: 'Run a workflow for new items of a source',
  description:
    'Asks the source while the workflow is active, and starts runs with the items whose keys are new: each once. With ' +
    '`first: skip` the items of the first answer only become known. Needs `workflow:execute`, and `credential:use` and `connector:use` for ' +
    'the credential and the connector of the node, as well. 403 when the workspace has as many schedules and polls as its tier allows.',
  body: jsonBody(PollCreate),
  async run({ db, caller, note }, { params: { id }, body: { node, cursor = null, ...body } }) {
    const workflow = await findWorkflow(db, caller.workspaceId, id);
    await requireUse(db, caller, { resource: 'workflow', id });
    await requireNodeUse(db, caller, node);
    const { intervalMs = null, cron = null } = body;
    const timezone = cron === null ? null : (body.timezone ?? settingsOf(workflow).timeZone ?? 'UTC');
    const settings = { ...body, node, cursor, intervalMs, cron, timezone };
    await requirePollable(db, caller.workspaceId, settings);
    await requireQuota(db, caller, 'schedules');
    const row = await db.poll.create({
      data: {
        ...body,
        timezone,
        node: toJson(node),
        cursorExpression: cursor,
        id: newId('poll'),
        workflowId: id,
        nextPollAt: firstTime(settings),
        authorizedBy: caller.userId,
        createdBy: caller.userId,
      },
    });
    note({ resourceId: row.id, metadata: { workflowId: id, name: row.name } });
    return presentPoll(row);
  },
});

/** A poll with an interval is due at once; a changed one not sooner after its last call than the shortest interval. */
function firstTime(settings: PollSettings, lastPolledAt: Date | null = null): Date {
  const now = new Date();
  if (settings.intervalMs === null) return nextPollAt(settings, now, now);
  return new Date(Math.max(now.getTime(), (lastPolledAt?.getTime() ?? 0) + MIN_POLL_INTERVAL_MS));
}

/** The settings after a change: `intervalMs` and `cron` replace each other. */
function changed(row: Row, body: z.output<typeof PollUpdate>, zone: string): PollSettings {
  const intervalMs = body.intervalMs ?? (body.cron ? null : row.intervalMs);
  const cron = body.cron ?? (body.intervalMs ? null : row.cron);
  const timezone = cron === null ? null : (body.timezone ?? row.timezone ?? zone);
  const { node = nodeOfRow(row), items = row.items, key = row.key, cursor = row.cursorExpression } = body;
  return { intervalMs, cron, timezone, node, items, key, cursor, enabled: body.enabled ?? row.enabled };
}

const update = operation({
  ...resource.change,
  description:
    'Fields that are left out stay as they are; `intervalMs` and `cron` replace each other. It is due at once, or at the ' +
    'next time of `cron`. After a change of `key` it starts again: nothing is known, and the next answer is the first. ' +
    'After a change of `cursor` there is no stored cursor. Needs `workflow:execute` as well, unless the poll is or becomes ' +
    'disabled, and `credential:use` for the credential of the node after a change of `node` or `cursor`.',
  body: jsonBody(PollUpdate),
  async run({ db, caller, note }, { params: { id, pollId }, body }) {
    note({ resourceId: pollId, metadata: { workflowId: id, changed: Object.keys(body) } });
    const row = await find(db, caller.workspaceId, id, pollId);
    const workflow = await findWorkflow(db, caller.workspaceId, id);
    const settings = changed(row, body, settingsOf(workflow).timeZone ?? 'UTC');
    const { node, cursor, ...rest } = settings;
    if (settings.enabled) await requireUse(db, caller, { resource: 'workflow', id });
    // The cursor can be part of an address that the credential is sent to.
    const isNodeNew = cursor !== row.cursorExpression || !isDeepStrictEqual(node, nodeOfRow(row));
    if (isNodeNew) await requireNodeUse(db, caller, node);
    await requirePollable(db, caller.workspaceId, settings);
    const { name, deliver, first } = body;
    const data = { ...rest, name, deliver, first, node: toJson(node), cursorExpression: cursor };
    const due = {
      nextPollAt: firstTime(settings, row.lastPolledAt),
      failures: 0,
      lastError: null,
      updatedAt: new Date(),
    };
    // Without its lease, a process that polls at this moment commits nothing.
    const released = { leaseToken: null, leaseUntil: null };
    const authority = isNodeNew ? { authorizedBy: caller.userId } : {};
    const state = await forget(db, row, settings);
    return presentPoll(
      await db.poll.update({ where: { id: pollId }, data: { ...data, ...due, ...released, ...authority, ...state } }),
    );
  },
});

/** What a poll has to forget because of a change. */
async function forget(db: Db, row: Row, { key, cursor }: PollSettings) {
  const isRestarted = key !== row.key;
  // A poll under way holds the row: its keys are seen here.
  await db.$queryRaw`SELECT id FROM poll WHERE id = ${row.id} FOR NO KEY UPDATE`;
  if (isRestarted) await db.pollSeen.deleteMany({ where: { pollId: row.id } });
  return {
    ...(isRestarted ? { firstPolledAt: null } : {}),
    ...(isRestarted || cursor !== row.cursorExpression ? { cursor: Prisma.DbNull } : {}),
  };
}

const test = operation({
  id: 'polls.test',
  method: 'POST',
  path: '/api/workflows/{id}/polls/{pollId}/test',
  summary: 'Test a poll',
  description:
    'Asks the source now and shows the new items, in any status of the workflow. Starts no run, and nothing becomes ' +
    'known. Needs `workflow:execute`, and `credential:use` for the credential of the node, as well. 400 with the reason ' +
    'when the poll fails.',
  tag,
  access: memberAccess('poll', 'update'),
  effect: submitEffect('resource_access'),
  params: One,
  reply: jsonReply(PollTest),
  async run(call, { params: { id, pollId } }) {
    const { db, caller } = call;
    call.note({ resourceId: pollId, metadata: { workflowId: id } });
    const row = await find(db, caller.workspaceId, id, pollId);
    await requireUse(db, caller, { resource: 'workflow', id });
    await requireNodeUse(db, caller, nodeOfRow(row));
    const found = await testPoll(pollId, id).catch(toProblem);
    if (!found) throw notFound('The poll');
    await record(db, [call.auditEntry()]);
    return found;
  },
});

function toProblem(error: unknown): never {
  if (error instanceof PollFailure) throw new Problem('VALIDATION_ERROR', error.message, []);
  throw error;
}

export const polls = [list, create, get, update, remove, test];

export { list as listPolls, create as createPoll, update as updatePoll, remove as deletePoll };
