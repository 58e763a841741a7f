import { z } from 'zod';
import { LargeJsonText } from '@/server/evaluation/expressions/large-json';
import type { WebhookTestCall } from '@/contract/triggers/webhook';
import { ListenerStateResponse } from '@/contract/triggers/webhook';
import { Prisma, type WebhookDelivery, type WebhookListener as Row } from '@/generated/prisma/client';
import type { WorkspaceCaller } from '@/server/people/access/caller';
import { isActionAllowed } from '@/server/people/access/conditions';
import { findAccessSubject } from '@/server/people/access/subjects';
import { memberAccess, defineOperation } from '@/server/api/operation/operation';
import { jsonReply, readEffect, writeEffect } from '@/server/api/operation/operation-parts';
import type { DatabaseClient } from '@/server/platform/db/client';
import { conflictProblem } from '@/server/platform/errors/problem';
import { findWorkflow } from '../workflows/workflow-rows';
import { toDeliverySummary, findWebhookRow } from './inbox';

const LISTENER_TAG = 'Webhooks';
const LISTENER_ACCESS = memberAccess('workflow', 'execute');
const ListenerParams = z.strictObject({ id: z.string() });
const ListenerWebhookParams = z.strictObject({ id: z.string(), webhookId: z.string() });

/** How long a user can wait for a test call. */
const LISTENER_LIFETIME_MS = 300_000;
/** Inputs with more bytes are not shown. */
const MAX_VISIBLE_INPUT_BYTES = 256 * 1024;

type ReceivedDelivery = Omit<WebhookDelivery, 'body' | 'uniqueId'> & { hasBody: boolean };

/** The first verified call that the listener has received: any that is not refused, or was refused with its body. */
async function findFirstCall(db: DatabaseClient, { webhookId, since }: Row): Promise<ReceivedDelivery | undefined> {
  const [found] = await db.$queryRaw<ReceivedDelivery[]>`
    SELECT id, webhook_id AS "webhookId", received_at AS "receivedAt", verdict, reason, sender_id AS "senderId",
      replay_of AS "replayOf", execution_id AS "executionId", ip_address AS "ipAddress", user_agent AS "userAgent",
      body IS NOT NULL AS "hasBody"
    FROM webhook_delivery
    WHERE webhook_id = ${webhookId} AND received_at >= ${since} AND replay_of IS NULL
      AND (verdict <> 'refused' OR body IS NOT NULL)
    ORDER BY received_at, id LIMIT 1`;
  return found;
}

/** The latest call that was not verified. */
const findLastRefusal = (db: DatabaseClient, { webhookId, since }: Row) =>
  db.webhookDelivery.findFirst({
    where: { webhookId, receivedAt: { gte: since }, verdict: 'refused', body: { equals: Prisma.DbNull } },
    omit: { body: true },
    orderBy: [{ receivedAt: 'desc' }, { id: 'desc' }],
  });

interface DeliveryInput {
  bytes: number;
  text: string | null;
}

/** Reads the input of the call's run, or of the delivery itself. The text of a large input is left out. */
async function readDeliveryInput(
  db: DatabaseClient,
  { id, executionId }: ReceivedDelivery,
): Promise<DeliveryInput | undefined> {
  const [row] = executionId
    ? await db.$queryRaw<DeliveryInput[]>`
        SELECT octet_length(input::text) AS bytes,
          CASE WHEN octet_length(input::text) <= ${MAX_VISIBLE_INPUT_BYTES} THEN input::text END AS text
        FROM execution WHERE id = ${executionId}`
    : await db.$queryRaw<DeliveryInput[]>`
        SELECT octet_length(body::text) AS bytes, body::text AS text FROM webhook_delivery
        WHERE id = ${id} AND body IS NOT NULL`;
  return row;
}

/** Whether the caller may read inputs of runs that this webhook starts. */
async function mayReadRunInput(
  caller: WorkspaceCaller,
  workflowId: string,
  { executionId }: ReceivedDelivery,
): Promise<boolean> {
  const subject = executionId
    ? await findAccessSubject(caller.workspaceId, 'execution', executionId)
    : { workflowId, trigger: 'webhook' };
  return subject === null || isActionAllowed(caller, 'read', 'execution', subject);
}

async function toTestCall(
  db: DatabaseClient,
  caller: WorkspaceCaller,
  workflowId: string,
  found: ReceivedDelivery,
): Promise<WebhookTestCall> {
  const delivery = toDeliverySummary({ ...found, uniqueId: null });
  if (!(await mayReadRunInput(caller, workflowId, found))) return { ...delivery, inputState: 'hidden' };
  const input = await readDeliveryInput(db, found);
  if (!input) return { ...delivery, inputState: 'gone' };
  if (input.text === null) return { ...delivery, inputState: 'too_large' };
  return { ...delivery, inputState: 'shown', input: new LargeJsonText(input.text) };
}

async function readListenerState(
  db: DatabaseClient,
  caller: WorkspaceCaller,
  workflowId: string,
): Promise<z.input<typeof ListenerStateResponse>> {
  const where = { workflowId_userId: { workflowId, userId: caller.userId } };
  const webhook = { select: { startNodeId: true } };
  const row = await db.webhookListener.findUnique({ where, include: { webhook } });
  const now = new Date();
  if (!row || row.until <= now) return { listener: null };
  const found = await findFirstCall(db, row);
  const refused = found ? null : await findLastRefusal(db, row);
  return {
    listener: {
      webhookId: row.webhookId,
      startNodeId: row.webhook.startNodeId,
      since: row.since.toISOString(),
      until: row.until.toISOString(),
      now: now.toISOString(),
      call: found ? await toTestCall(db, caller, workflowId, found) : null,
      refusal: refused && toDeliverySummary({ ...refused, hasBody: false }),
    },
  };
}

const startListenerOperation = defineOperation({
  id: 'listeners.start',
  method: 'POST',
  path: '/api/workflows/{id}/webhooks/{webhookId}/listener',
  summary: 'Wait for a test call of a webhook',
  description:
    'For five minutes, or until it is stopped. `listeners.get` shows the first verified call that arrives; the web app is told over ' +
    'Socket.IO. An active or draft workflow runs as always. A paused one keeps the call, starts no run, and answers it with 202. A ' +
    'person has one listener in a workflow: a new one takes its place. 409 for a disabled webhook.',
  tag: LISTENER_TAG,
  access: LISTENER_ACCESS,
  effect: writeEffect('resource_access'),
  params: ListenerWebhookParams,
  reply: jsonReply(ListenerStateResponse, { status: 201 }),
  async run({ db, caller, note }, { params: { id: workflowId, webhookId } }) {
    note({ metadata: { webhookId } });
    const { enabled } = await findWebhookRow(db, caller.workspaceId, workflowId, webhookId);
    if (!enabled) throw conflictProblem('The webhook is disabled. Enable it first.');
    const { userId } = caller;
    // The times come from the database's clock, because deliveries are stored with it.
    await db.$executeRaw`
      INSERT INTO webhook_listener (workflow_id, user_id, webhook_id, since, until)
      VALUES (${workflowId}, ${userId}, ${webhookId}, clock_timestamp(), clock_timestamp() + ${LISTENER_LIFETIME_MS} * interval '1 ms')
      ON CONFLICT (workflow_id, user_id) DO UPDATE
      SET webhook_id = excluded.webhook_id, since = excluded.since, until = excluded.until`;
    return readListenerState(db, caller, workflowId);
  },
});

const getListenerOperation = defineOperation({
  id: 'listeners.get',
  method: 'GET',
  path: '/api/workflows/{id}/listener',
  summary: 'Read the test call that one waits for',
  description:
    'The listener of the caller in this workflow, with the first verified call since its start. Null: there is none, or its time is over. ' +
    'The input of a call needs `execution:read` as well.',
  tag: LISTENER_TAG,
  access: LISTENER_ACCESS,
  effect: readEffect(),
  params: ListenerParams,
  reply: jsonReply(ListenerStateResponse),
  async run({ db, caller }, { params: { id } }) {
    await findWorkflow(db, caller.workspaceId, id);
    return readListenerState(db, caller, id);
  },
});

const stopListenerOperation = defineOperation({
  id: 'listeners.stop',
  method: 'DELETE',
  path: '/api/workflows/{id}/listener',
  summary: 'Wait for a test call no longer',
  tag: LISTENER_TAG,
  access: LISTENER_ACCESS,
  effect: writeEffect('resource_access'),
  params: ListenerParams,
  async run({ db, caller }, { params: { id } }) {
    await findWorkflow(db, caller.workspaceId, id);
    await db.webhookListener.deleteMany({ where: { workflowId: id, userId: caller.userId } });
  },
});

export const listenerOperations = [startListenerOperation, getListenerOperation, stopListenerOperation];
