import { z } from 'zod';
import { DeliveryPage, DeliveryQuery, WebhookAccepted } from '@/contract/webhook';
import { checkContentType, parseJson } from '../api/json';
import { operation, type WebhookCall } from '../api/operation';
import { conflict, invalidField, notFound, Problem, unauthorized } from '../api/problem';
import { webhookNow, type CallingWebhook } from '../auth/calling-webhook';
import { isSignedBy } from '../auth/signature';
import type { Db } from '../db/client';
import { newOrderedId } from '../db/ids';
import { submitDelivery } from '../engine/submit';
import {
  bodyOf,
  keepTurnedAway,
  keepUnstarted,
  shownDelivery,
  startedBefore,
  webhookIn,
  type Arrival,
} from './delivery-inbox';
import { inputIssuesOf, requireFit, seen } from './workflow-content';

const tag = 'Webhooks';
const OfWebhook = z.strictObject({ id: z.string(), webhookId: z.string() });
const One = OfWebhook.extend({ deliveryId: z.string() });

const SENDER_ID = /^[\x21-\x7e]{1,200}$/;

/** The run that a delivery asks for, unless the workflow speaks against it. */
async function runOf(
  db: Db,
  webhook: Pick<CallingWebhook, 'workspaceId' | 'workflowId' | 'workflowVersion' | 'workflowStatus'>,
  input: unknown,
  createdBy: string | null,
) {
  const { workspaceId, workflowId, workflowVersion, workflowStatus } = webhook;
  if (workflowStatus === 'paused') throw conflict('The workflow is paused.');
  requireFit(await inputIssuesOf(db, workflowId, workflowVersion, input));
  return { workspaceId, workflowId, workflowVersion, trigger: 'webhook', input, createdBy } as const;
}

/** The input that a delivery brings: its body, once its signature is seen to be right. */
function inputOf({ rawBody, headers }: WebhookCall, webhook: CallingWebhook): unknown {
  if (!isSignedBy(webhook, rawBody, headers.get('x-service-signature'))) {
    throw unauthorized('The signature does not fit the body.');
  }
  checkContentType(headers);
  return parseJson(rawBody);
}

const arrivalOf = ({ ipAddress, userAgent }: WebhookCall, { id }: CallingWebhook, senderId: string | null) =>
  ({ webhookId: id, senderId, ipAddress, userAgent }) satisfies Arrival;

/** Starts the run; null, and there is none, if the webhook has changed meanwhile or another with this id has come. */
async function start(
  call: WebhookCall,
  webhook: CallingWebhook,
  senderId: string | null,
  input: unknown,
): Promise<string | null> {
  const run = await runOf(call.db, webhook, input, null);
  const { ipAddress, userAgent } = call;
  const id = newOrderedId('dlv');
  const delivery = { id, webhookId: webhook.id, senderId, replayOf: null, ipAddress, userAgent, seen: webhook.seen };
  const submitted = await submitDelivery(run, delivery, { audit: call.auditEntry() });
  return submitted && submitted.executionId;
}

/**
 * Most deliveries are all right, and their webhook is as it was a second ago: begun with what is remembered of it, and
 * stored if that is still so. Null: it takes a closer look.
 */
async function startAtOnce(call: WebhookCall): Promise<string | null> {
  try {
    return await start(call, call.webhook, null, inputOf(call, call.webhook));
  } catch (error) {
    if (error instanceof Problem) return null;
    throw error;
  }
}

/** Starts the run, or answers the one that an earlier delivery with the same sender's id has started. */
async function receive(call: WebhookCall, given: string | null): Promise<string> {
  const senderId = given !== null && SENDER_ID.test(given) ? given : null;
  for (;;) {
    const webhook = await webhookNow(call.webhook);
    if (!webhook) throw notFound('The webhook');
    const arrival = arrivalOf(call, webhook, senderId);
    let input: unknown;
    try {
      input = inputOf(call, webhook);
      if (senderId !== given) throw invalidField('X-Service-Delivery', 'must have 1 to 200 visible ASCII characters');
      const before = senderId && (await startedBefore(call.db, webhook.id, senderId));
      if (before) {
        const reason = 'This delivery had come before.';
        await keepUnstarted({ ...arrival, verdict: 'duplicate', reason, executionId: before });
        return before;
      }
      const executionId = await start(call, webhook, senderId, input);
      if (executionId) return executionId;
    } catch (error) {
      if (error instanceof Problem)
        await keepUnstarted({ ...arrival, verdict: 'refused', reason: reasonOf(error), body: JSON.stringify(input) });
      throw error;
    }
  }
}

const reasonOf = ({ message, details }: Problem) =>
  [message, ...details.map((one) => `${one.field}: ${one.message}`)].join(' ').slice(0, 1000);

const deliver = operation({
  id: 'webhooks.deliver',
  method: 'POST',
  path: '/webhooks/{workflowId}/{path...}',
  summary: 'Start a run from outside',
  description:
    'The body, any JSON value, becomes the input. `X-Service-Signature` is `sha256=` and the hexadecimal HMAC-SHA256 ' +
    "of the raw body under the webhook's secret. Answers once the run is stored. With `X-Service-Delivery`, an id of the " +
    "sender's own, a repetition within 24 hours starts nothing and gets the first run's id.",
  tag,
  access: 'signature',
  effect: 'submit',
  takesRawBody: true,
  output: WebhookAccepted,
  status: 202,
  audit: 'resource_access',
  turnedAway: ({ webhook, ipAddress, userAgent, problem }) =>
    keepTurnedAway({ webhookId: webhook.id, senderId: null, ipAddress, userAgent }, reasonOf(problem)),
  async run(call) {
    const given = call.headers.get('x-service-delivery');
    const executionId = given === null ? await startAtOnce(call) : null;
    return { executionId: executionId ?? (await receive(call, given)), status: 'accepted' as const };
  },
});

const list = operation({
  id: 'deliveries.list',
  method: 'GET',
  path: '/api/workflows/{id}/webhooks/{webhookId}/deliveries',
  summary: 'List what came in at a webhook',
  description:
    'Of deliveries that started no run, the latest hundred are kept; of those over the rate limit or too large, one in ten seconds.',
  tag,
  access: { resource: 'webhook', action: 'read' },
  effect: 'read',
  params: OfWebhook,
  query: DeliveryQuery,
  output: DeliveryPage,
  async run({ db, caller }, { params: { id, webhookId }, query: { limit, offset, verdict } }) {
    await webhookIn(db, caller.workspaceId, id, webhookId);
    const where = { webhookId, verdict };
    const [rows, total] = await Promise.all([
      db.webhookDelivery.findMany({
        where,
        omit: { body: true },
        orderBy: [{ receivedAt: 'desc' }, { id: 'desc' }],
        take: limit,
        skip: offset,
      }),
      db.webhookDelivery.count({ where }),
    ]);
    const ids = rows.map((row) => row.id);
    const bodied = await db.$queryRaw<{ id: string }[]>`
      SELECT id FROM webhook_delivery WHERE id = ANY(${ids}::text[]) AND body IS NOT NULL`;
    const hasBody = new Set(bodied.map((row) => row.id));
    return { data: rows.map((row) => shownDelivery({ ...row, hasBody: hasBody.has(row.id) })), total, limit, offset };
  },
});

const replay = operation({
  id: 'deliveries.replay',
  method: 'POST',
  path: '/api/workflows/{id}/webhooks/{webhookId}/deliveries/{deliveryId}/replay',
  summary: 'Start a run from what came in earlier',
  description:
    'Runs the workflow as it is now with the body of an accepted delivery, or of one that was refused although its ' +
    'signature was right. Anything else is 409: its body is not kept.',
  tag,
  access: { resource: 'workflow', action: 'execute' },
  effect: 'submit',
  params: One,
  output: WebhookAccepted,
  status: 202,
  audit: 'resource_access',
  async run(call, { params: { id: workflowId, webhookId, deliveryId } }) {
    const { db, caller, ipAddress, userAgent } = call;
    const { workspaceId, userId } = caller;
    call.note({ metadata: { webhookId, deliveryId } });
    await webhookIn(db, workspaceId, workflowId, webhookId);
    const row = await db.webhookDelivery.findFirst({ where: { id: deliveryId, webhookId } });
    if (!row) throw notFound('The delivery');
    const body = await bodyOf(db, row);
    if (body === null) throw conflict('The body of this delivery is not kept.');
    const { version, status } = await seen(db, workspaceId, workflowId);
    const workflow = { workspaceId, workflowId, workflowVersion: version, workflowStatus: status as 'active' };
    const run = await runOf(db, workflow, JSON.parse(body), userId);
    const delivery = {
      id: newOrderedId('dlv'),
      webhookId,
      senderId: null,
      replayOf: deliveryId,
      ipAddress,
      userAgent,
      seen: null,
    };
    const along = { audit: call.auditEntry(), db: call.inTransaction ? db : undefined };
    const submitted = await submitDelivery(run, delivery, along);
    if (!submitted) throw conflict('Something else changed this at the same time. Try again.');
    return { executionId: submitted.executionId, status: 'accepted' as const };
  },
});

export const deliveries = [deliver, list, replay];
