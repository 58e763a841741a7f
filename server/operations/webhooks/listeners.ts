import { z } from 'zod';
import { LargeJson } from '@/server/expressions/large-json';
import type { TestCall } from '@/contract/triggers/webhook';
import { WebhookListenerState } from '@/contract/triggers/webhook';
import { Prisma, type WebhookDelivery, type WebhookListener as Row } from '@/generated/prisma/client';
import type { Caller } from '@/server/access/caller';
import { can } from '@/server/access/conditions';
import { findSubject } from '@/server/access/subjects';
import { memberAccess, operation } from '@/server/api/operation';
import { jsonReply, readEffect, writeEffect } from '@/server/api/operation-parts';
import type { Db } from '@/server/db/client';
import { conflict } from '@/server/errors/problem';
import { findWorkflow } from '../workflows/content';
import { shownDelivery, webhookIn } from './inbox';

const tag = 'Webhooks';
const access = memberAccess('workflow', 'execute');
const OfWorkflow = z.strictObject({ id: z.string() });
const OfWebhook = z.strictObject({ id: z.string(), webhookId: z.string() });

/** How long a user can wait for a test call. */
const LISTEN_MS = 300_000;
/** Larger inputs are not shown, in bytes. */
const MAX_INPUT = 256 * 1024;

type Found = Omit<WebhookDelivery, 'body' | 'uniqueId'> & { hasBody: boolean };

/** The first verified call that the listener has received: any that is not refused, or was refused with its body. */
async function firstCall(db: Db, { webhookId, since }: Row): Promise<Found | undefined> {
  const [found] = await db.$queryRaw<Found[]>`
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
const lastRefusal = (db: Db, { webhookId, since }: Row) =>
  db.webhookDelivery.findFirst({
    where: { webhookId, receivedAt: { gte: since }, verdict: 'refused', body: { equals: Prisma.DbNull } },
    omit: { body: true },
    orderBy: [{ receivedAt: 'desc' }, { id: 'desc' }],
  });

interface Input {
  bytes: number;
  text: string | null;
}

/** The input of a call, unless it is too large: of its run, or of the delivery itself. */
async function inputOf(db: Db, { id, executionId }: Found): Promise<Input | undefined> {
  const [row] = executionId
    ? await db.$queryRaw<Input[]>`
        SELECT octet_length(input::text) AS bytes,
          CASE WHEN octet_length(input::text) <= ${MAX_INPUT} THEN input::text END AS text
        FROM execution WHERE id = ${executionId}`
    : await db.$queryRaw<Input[]>`
        SELECT octet_length(body::text) AS bytes, body::text AS text FROM webhook_delivery
        WHERE id = ${id} AND body IS NOT NULL`;
  return row;
}

/** Whether the caller may read inputs of runs that this webhook starts. */
async function mayReadInput(caller: Caller, workflowId: string, { executionId }: Found): Promise<boolean> {
  const subject = executionId
    ? await findSubject(caller.workspaceId, 'execution', executionId)
    : { workflowId, trigger: 'webhook' };
  return subject === null || can(caller, 'read', 'execution', subject);
}

async function shownCall(db: Db, caller: Caller, workflowId: string, found: Found): Promise<TestCall> {
  const delivery = shownDelivery({ ...found, uniqueId: null });
  if (!(await mayReadInput(caller, workflowId, found))) return { ...delivery, inputState: 'hidden' };
  const input = await inputOf(db, found);
  if (!input) return { ...delivery, inputState: 'gone' };
  if (input.text === null) return { ...delivery, inputState: 'too_large' };
  return { ...delivery, inputState: 'shown', input: new LargeJson(input.text) };
}

async function stateOf(db: Db, caller: Caller, workflowId: string): Promise<z.input<typeof WebhookListenerState>> {
  const where = { workflowId_userId: { workflowId, userId: caller.userId } };
  const row = await db.webhookListener.findUnique({ where });
  const now = new Date();
  if (!row || row.until <= now) return { listener: null };
  const found = await firstCall(db, row);
  const refused = found ? null : await lastRefusal(db, row);
  return {
    listener: {
      webhookId: row.webhookId,
      since: row.since.toISOString(),
      until: row.until.toISOString(),
      now: now.toISOString(),
      call: found ? await shownCall(db, caller, workflowId, found) : null,
      refusal: refused && shownDelivery({ ...refused, hasBody: false }),
    },
  };
}

const start = operation({
  id: 'listeners.start',
  method: 'POST',
  path: '/api/workflows/{id}/webhooks/{webhookId}/listener',
  summary: 'Wait for a test call of a webhook',
  description:
    'For five minutes, or until it is stopped. `listeners.get` shows the first verified call that arrives; the web app is told over ' +
    'Socket.IO. An active or draft workflow runs as always. A paused one keeps the call, starts no run, and answers it with 202. A ' +
    'person has one listener in a workflow: a new one takes its place. 409 for a disabled webhook.',
  tag,
  access,
  effect: writeEffect('resource_access'),
  params: OfWebhook,
  reply: jsonReply(WebhookListenerState, { status: 201 }),
  async run({ db, caller, note }, { params: { id: workflowId, webhookId } }) {
    note({ metadata: { webhookId } });
    const { enabled } = await webhookIn(db, caller.workspaceId, workflowId, webhookId);
    if (!enabled) throw conflict('The webhook is disabled. Enable it first.');
    const { userId } = caller;
    // The database's clock: deliveries are stored with it.
    await db.$executeRaw`
      INSERT INTO webhook_listener (workflow_id, user_id, webhook_id, since, until)
      VALUES (${workflowId}, ${userId}, ${webhookId}, clock_timestamp(), clock_timestamp() + ${LISTEN_MS} * interval '1 ms')
      ON CONFLICT (workflow_id, user_id) DO UPDATE
      SET webhook_id = excluded.webhook_id, since = excluded.since, until = excluded.until`;
    return stateOf(db, caller, workflowId);
  },
});

const get = operation({
  id: 'listeners.get',
  method: 'GET',
  path: '/api/workflows/{id}/listener',
  summary: 'Read the test call that one waits for',
  description:
    'The listener of the caller in this workflow, with the first verified call since its start. Null: there is none, or its time is over. ' +
    'The input of a call needs `execution:read` as well.',
  tag,
  access,
  effect: readEffect(),
  params: OfWorkflow,
  reply: jsonReply(WebhookListenerState),
  async run({ db, caller }, { params: { id } }) {
    await findWorkflow(db, caller.workspaceId, id);
    return stateOf(db, caller, id);
  },
});

const stop = operation({
  id: 'listeners.stop',
  method: 'DELETE',
  path: '/api/workflows/{id}/listener',
  summary: 'Wait for a test call no longer',
  tag,
  access,
  effect: writeEffect('resource_access'),
  params: OfWorkflow,
  async run({ db, caller }, { params: { id } }) {
    await findWorkflow(db, caller.workspaceId, id);
    await db.webhookListener.deleteMany({ where: { workflowId: id, userId: caller.userId } });
  },
});

export const listeners = [start, get, stop];
