import type { WebhookAccepted } from '@/contract/triggers/webhook';
import { CustomReply, type WebhookCall } from '@/server/api/operation';
import type { CallHeaders } from '@/server/client-address';
import type { Db } from '@/server/db/client';
import { newOrderedId } from '@/server/db/ids';
import type { WaitingCaller } from '@/server/engine/answers/waiting-caller';
import { submitDelivery } from '@/server/engine/queue/submit';
import { jsonOf } from '@/server/expressions/large-json';
import { conflict, invalidField, notFound, Problem, unauthorized } from '@/server/errors/problem';
import { refusalOfBody, refusalOfHead } from '@/server/pipeline/steps/verify';
import { notifyListeners } from '@/server/webhooks/listeners';
import { readWebhook, type CallingWebhook } from '@/server/webhooks/lookup';
import { meters } from '@/server/meters/meters';
import { verifierOf } from '@/server/webhooks/verification';
import { inputIssuesOf, requireFit } from '../workflows/content';
import { DeliveryContent, inputFrom } from './content';
import { recordUnstarted, startedBefore, type Arrival } from './inbox';
import { answerDelivery, callerOf } from './responses';

const SENDER_ID = /^[\x21-\x7e]{1,200}$/;

/** The run of a delivery. Throws if the workflow does not accept it. */
export async function runOf(
  db: Db,
  webhook: Pick<CallingWebhook, 'id' | 'path' | 'workspaceId' | 'workflowId' | 'workflowVersion' | 'workflowStatus'>,
  input: unknown,
  createdBy: string | null,
) {
  const { workspaceId, workflowId, workflowVersion, workflowStatus } = webhook;
  if (workflowStatus === 'paused') throw conflict('The workflow is paused.');
  requireFit(await inputIssuesOf(db, workflowId, workflowVersion, input, workspaceId));
  const triggeredBy = { id: webhook.id, name: webhook.path };
  return { workspaceId, workflowId, workflowVersion, trigger: 'webhook', triggeredBy, input, createdBy } as const;
}

/** Throws unless the webhook, as it is now, takes this delivery, too. The one that it was verified by did. */
async function requireVerified(call: WebhookCall, webhook: CallingWebhook): Promise<void> {
  if (webhook.webhookVersion === call.webhook.webhookVersion) return;
  const refusal = (await refusalOfHead(webhook, call)) ?? (await refusalOfBody(webhook, call, call));
  if (refusal) throw refusal;
}

/** The sender's id of the delivery; null if there is none, or it cannot be stored. */
export function senderIdIn(headers: CallHeaders): string | null {
  const header = headers.get('x-service-delivery');
  return header !== null && SENDER_ID.test(header) ? header : null;
}

/** The id by which a repetition is known: the provider's, if it sends one, else the sender's own. */
function senderIdOf(call: WebhookCall, webhook: CallingWebhook, body: unknown): string | null {
  const verifier = verifierOf(webhook);
  if (!verifier.deliveryId) return senderIdIn(call.headers);
  const id = verifier.deliveryId(call, body);
  return id !== null && SENDER_ID.test(id) ? id : null;
}

const arrivalOf = ({ ipAddress, userAgent }: WebhookCall, { id }: CallingWebhook, senderId: string | null) =>
  ({ webhookId: id, senderId, ipAddress, userAgent }) satisfies Arrival;

/** Starts the run. Returns null, without a run, if the webhook has changed meanwhile or another delivery with this id was stored. */
async function start(
  call: WebhookCall,
  webhook: CallingWebhook,
  senderId: string | null,
  input: unknown,
  caller: WaitingCaller | undefined,
): Promise<string | null> {
  const run = await runOf(call.db, webhook, input, null);
  const { ipAddress, userAgent } = call;
  const id = newOrderedId('dlv');
  const delivery = {
    id,
    webhookId: webhook.id,
    senderId,
    replayOf: null,
    ipAddress,
    userAgent,
    webhookVersion: webhook.webhookVersion,
  };
  const submitted = await submitDelivery(run, delivery, { audit: call.auditEntry(), caller });
  return submitted && submitted.executionId;
}

/** A `Response` answers a provider's challenge: its question whether this URL is the right one. */
type Answer = WebhookAccepted | CustomReply | Response;

function answer(
  call: WebhookCall,
  webhook: CallingWebhook,
  caller: WaitingCaller | undefined,
  executionId: string,
  isNew: boolean,
) {
  if (isNew) meters.webhookDeliveries.count('accepted');
  notifyListeners(webhook);
  return caller ? answerDelivery(call, caller, executionId, isNew) : ({ executionId, status: 'accepted' } as const);
}

const DELIVERY_ID = 'x-service-delivery';
const hasUnusableId = ({ headers }: WebhookCall) => headers.has(DELIVERY_ID) && senderIdIn(headers) === null;

function counted(challenge: Response): Response {
  meters.webhookDeliveries.count('challenge');
  return challenge;
}

/**
 * Starts the run, or finds the run of an earlier delivery with the same sender's id. Null: the webhook has changed meanwhile, another delivery
 * with this id was stored, or, if it is cached, anything speaks against the delivery: then the webhook as it is now decides.
 */
async function acceptBy(
  webhook: CallingWebhook,
  call: WebhookCall,
  delivered: DeliveryContent,
  isCached: boolean,
): Promise<Answer | null> {
  let senderId = senderIdIn(call.headers);
  let input: unknown;
  let caller: WaitingCaller | undefined;
  let before: string | null = null;
  let executionId: string | null = null;
  try {
    if (!isCached) await requireVerified(call, webhook);
    const content = delivered.of(webhook);
    const body = content instanceof Promise ? await content : content;
    const challenge = verifierOf(webhook).challenge?.(call, body);
    if (challenge) return counted(challenge);
    input = inputFrom(call, webhook, body);
    if (hasUnusableId(call)) throw invalidField('X-Service-Delivery', 'must have 1 to 200 visible ASCII characters');
    senderId = senderIdOf(call, webhook, body);
    caller = callerOf(webhook, call);
    if (!isCached && senderId !== null) before = await startedBefore(call.db, webhook.id, senderId);
    if (before) {
      executionId = await repeated(call, webhook, senderId, before);
      caller?.follow(before);
    } else if (!isCached && isCaptured(webhook)) {
      delivered.keep();
      return await capture(call, webhook, senderId, input);
    } else {
      executionId = await start(call, webhook, senderId, input, caller);
      if (executionId) delivered.keep();
    }
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if (isCached) return null;
    await recordRefusal(call, webhook, senderId, input, error);
    throw error;
  } finally {
    if (executionId === null) caller?.leave();
  }
  return executionId === null ? null : answer(call, webhook, caller, executionId, !before);
}

async function recordRefusal(
  call: WebhookCall,
  webhook: CallingWebhook,
  senderId: string | null,
  input: unknown,
  problem: Problem,
): Promise<void> {
  meters.webhookDeliveries.count(resultOf(problem));
  const arrival = arrivalOf(call, webhook, senderId);
  await recordUnstarted({ ...arrival, verdict: 'refused', reason: reasonOf(problem), body: jsonOf(input) });
  notifyListeners(webhook);
}

/** Whether a delivery starts no run, and is kept for those who listen for a test call. */
const isCaptured = ({ workflowStatus, isListened }: CallingWebhook) => workflowStatus === 'paused' && isListened;

/** Keeps a test call of a paused workflow. */
async function capture(call: WebhookCall, webhook: CallingWebhook, senderId: string | null, input: unknown) {
  const reason = 'The workflow is paused. A user listened for a test call.';
  const arrival = arrivalOf(call, webhook, senderId);
  meters.webhookDeliveries.count('captured');
  await recordUnstarted({ ...arrival, verdict: 'captured', reason, body: jsonOf(input) });
  notifyListeners(webhook);
  return new CustomReply(202, {}, { body: { status: 'captured' } });
}

/** The run of the first delivery with this id. Throws if the id may be used once only. */
async function repeated(call: WebhookCall, webhook: CallingWebhook, senderId: string | null, executionId: string) {
  if (verifierOf(webhook).isIdSingleUse) throw unauthorized('The token of this delivery was used before.');
  const reason = 'This delivery was received before.';
  meters.webhookDeliveries.count('duplicate');
  await recordUnstarted({ ...arrivalOf(call, webhook, senderId), verdict: 'duplicate', reason, executionId });
  return executionId;
}

/** How a delivery that was turned away is counted. */
export const resultOf = ({ status }: Problem): string =>
  status === 401 ? 'refused' : status === 429 ? 'limited' : 'invalid';

export const reasonOf = ({ message, details }: Problem) =>
  [message, ...details.map((one) => `${one.field}: ${one.message}`)].join(' ').slice(0, 1000);

/**
 * Accepts a delivery whose sender is verified. Most deliveries are valid, new, and their webhook is unchanged: for them the cached webhook
 * does, and the run is stored only if the webhook is still the same.
 */
export async function accept(call: WebhookCall): Promise<Answer> {
  const delivered = new DeliveryContent(call);
  try {
    let accepted = await acceptBy(call.webhook, call, delivered, true);
    while (!accepted) {
      const webhook = await readWebhook(call.webhook);
      if (!webhook) throw notFound('The webhook');
      accepted = await acceptBy(webhook, call, delivered, false);
    }
    return accepted;
  } finally {
    await delivered.discard();
  }
}
