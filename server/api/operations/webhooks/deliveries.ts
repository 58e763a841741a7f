import { z } from 'zod';
import {
  ListDeliveriesResponse,
  ListDeliveriesQuery,
  WebhookAcceptedResponse,
  WebhookCapturedResponse,
} from '@/contract/triggers/webhook';
import { rowsAfterCursor, sliceCursorPage, parseCursor } from '@/server/api/operation/cursor';
import { memberAccess, defineOperation, webhookAccess } from '@/server/api/operation/operation';
import { jsonReply, rawBody, readEffect, submitEffect } from '@/server/api/operation/operation-parts';
import { conflictProblem, notFoundProblem } from '@/server/platform/errors/problem';
import { generateOrderedId } from '@/server/platform/db/ids';
import { submitDeliveryRun } from '@/server/engine/queue/submit';
import { acceptDelivery, rejectionReason, rejectionLabel, prepareDeliveryRun, readSenderId } from './accept';
import { processMeters } from '@/server/platform/counters/meters';
import { notifyTestListeners } from '@/server/triggers/webhooks/listeners';
import {
  readDeliveryBody,
  recordSampledRejection,
  recordUnstartedDelivery,
  toDeliverySummary,
  findWebhookRow,
} from './inbox';
import { findWorkflow } from '../workflows/workflow-rows';

const DELIVERY_TAG = 'Webhooks';
const DeliveryCollectionParams = z.strictObject({ id: z.string(), webhookId: z.string() });
const DeliveryParams = DeliveryCollectionParams.extend({ deliveryId: z.string() });

export const deliverWebhookOperation = defineOperation({
  id: 'webhooks.deliver',
  method: 'POST',
  otherMethods: ['GET', 'PUT', 'PATCH', 'DELETE'],
  path: '/webhooks/{workflowId}/{path...}',
  summary: 'Start a run from outside',
  description:
    'The body, any JSON value, becomes the input. `X-Service-Signature` is `sha256=` and the hexadecimal HMAC-SHA256 ' +
    "of the raw body under the webhook's secret. Answers once the run is stored. With `X-Service-Delivery`, an id of the " +
    "sender's own, a repetition within 24 hours starts nothing and gets the first run's id. A webhook with settings of its " +
    'own takes the methods that they name, verifies its sender as they say, and also takes forms, text and empty bodies ' +
    'of up to 10 MiB, and files of up to 100 MiB: parts of multipart forms and bodies of any other type.\n\n' +
    'In the modes `last_node` and `respond_node` of the webhook’s `response` the request waits for the run: the answer is ' +
    'its output or that of its first `respond` node; 500 with its id in `details` if it failed; 200 with ' +
    '`{executionId, status}` if it completed without a `respond` node. When it is not there in time, or too many callers ' +
    'wait, the answer is the 202, and the run continues. A 503 can be repeated with the same `X-Service-Delivery`.\n\n' +
    'A paused workflow answers 409. While a user listens for a test call of it (`POST …/webhooks/{webhookId}/listener`), the ' +
    'call is kept, starts no run, and is answered with 202 and `{status: "captured"}`.',
  tag: DELIVERY_TAG,
  access: webhookAccess({
    async recordRefused({ webhook, ipAddress, userAgent, headers, problem }) {
      const arrival = { webhookId: webhook.id, senderId: readSenderId(headers), ipAddress, userAgent };
      const reason = rejectionReason(problem);
      processMeters.webhookDeliveries.count(rejectionLabel(problem));
      // The refusal is recorded, because the owner needs it while they set up a sender.
      if (problem.code !== 'UNAUTHORIZED') return recordSampledRejection(arrival, reason);
      await recordUnstartedDelivery({ ...arrival, verdict: 'refused', reason });
      notifyTestListeners(webhook);
    },
  }),
  effect: submitEffect('resource_access'),
  body: rawBody(),
  query: 'any',
  reply: jsonReply(WebhookAcceptedResponse, { status: 202 }),
  otherReplies: [
    {
      status: 200,
      mediaTypes: ['*/*'],
      description:
        'The answer of the workflow. It has `Content-Security-Policy: sandbox allow-forms allow-popups allow-scripts` and ' +
        '`X-Content-Type-Options: nosniff`.',
    },
    { status: 202, body: WebhookCapturedResponse, description: 'Or kept for the user who listens for a test call.' },
    { status: 204, description: 'The answer to a provider that asks whether the address is right.' },
    {
      status: 'default',
      mediaTypes: ['*/*'],
      description: 'The answer of the workflow, with any status that it says.',
    },
    'METHOD_NOT_ALLOWED',
  ],
  run: acceptDelivery,
});

const listDeliveriesOperation = defineOperation({
  id: 'deliveries.list',
  method: 'GET',
  path: '/api/workflows/{id}/webhooks/{webhookId}/deliveries',
  summary: 'List the deliveries of a webhook',
  description:
    'Of deliveries that started no run, the latest hundred are kept, and another hundred of those whose body can be ' +
    'replayed; of those over the rate limit or too large, one in ten seconds.',
  tag: DELIVERY_TAG,
  access: memberAccess('webhook', 'read'),
  effect: readEffect(),
  params: DeliveryCollectionParams,
  query: ListDeliveriesQuery,
  reply: jsonReply(ListDeliveriesResponse),
  async run({ db, caller }, { params: { id, webhookId }, query: { limit, offset, cursor, verdict } }) {
    await findWebhookRow(db, caller.workspaceId, id, webhookId);
    const where = { webhookId, verdict };
    const [found, total] = await Promise.all([
      db.webhookDelivery.findMany({
        where: { ...where, ...rowsAfterCursor('receivedAt', parseCursor(cursor, offset)) },
        omit: { body: true },
        orderBy: [{ receivedAt: 'desc' }, { id: 'desc' }],
        take: limit + 1,
        skip: offset,
      }),
      db.webhookDelivery.count({ where }),
    ]);
    const { rows, nextCursor } = sliceCursorPage(found, limit, ({ receivedAt: at, id }) => ({ at, id }));
    const ids = rows.map((row) => row.id);
    const bodied = await db.$queryRaw<{ id: string }[]>`
      SELECT id FROM webhook_delivery WHERE id = ANY(${ids}::text[]) AND body IS NOT NULL`;
    const hasBody = new Set(bodied.map((row) => row.id));
    const data = rows.map((row) => toDeliverySummary({ ...row, hasBody: hasBody.has(row.id) }));
    return { data, total, limit, offset, nextCursor };
  },
});

const replayDeliveryOperation = defineOperation({
  id: 'deliveries.replay',
  method: 'POST',
  path: '/api/workflows/{id}/webhooks/{webhookId}/deliveries/{deliveryId}/replay',
  summary: 'Replay a delivery',
  description:
    'Runs the workflow as it is now with the body of an accepted delivery, or of one that was refused although its ' +
    'signature was right. Anything else is 409: its body is not kept.',
  tag: DELIVERY_TAG,
  access: memberAccess('workflow', 'execute'),
  effect: submitEffect('resource_access'),
  params: DeliveryParams,
  reply: jsonReply(WebhookAcceptedResponse, { status: 202 }),
  async run(call, { params: { id: workflowId, webhookId, deliveryId } }) {
    const { db, caller, ipAddress, userAgent } = call;
    const { workspaceId, userId } = caller;
    call.note({ metadata: { webhookId, deliveryId } });
    const { path, startNodeId } = await findWebhookRow(db, workspaceId, workflowId, webhookId);
    const row = await db.webhookDelivery.findFirst({ where: { id: deliveryId, webhookId } });
    if (!row) throw notFoundProblem('The delivery');
    const body = await readDeliveryBody(db, row);
    if (body === null) throw conflictProblem('The body of this delivery is not kept.');
    const { version, status } = await findWorkflow(db, workspaceId, workflowId);
    const workflow = { workspaceId, workflowId, workflowVersion: version, workflowStatus: status as 'active' };
    const run = await prepareDeliveryRun(
      db,
      { id: webhookId, path, startNodeId, ...workflow },
      JSON.parse(body),
      userId,
    );
    const delivery = {
      id: generateOrderedId('dlv'),
      webhookId,
      senderId: null,
      replayOf: deliveryId,
      ipAddress,
      userAgent,
      webhookVersion: null,
    };
    const along = { audit: call.auditEntry(), db: call.inTransaction ? db : undefined };
    const submitted = await submitDeliveryRun(run, delivery, along);
    if (!submitted) throw conflictProblem('Another request changed this at the same time. Try again.');
    return { executionId: submitted.executionId, status: 'accepted' as const };
  },
});

export const deliveryOperations = [deliverWebhookOperation, listDeliveriesOperation, replayDeliveryOperation];
