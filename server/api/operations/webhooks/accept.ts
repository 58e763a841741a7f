import type { WebhookAcceptedResponse } from '@/contract/triggers/webhook';
import { CustomResponse, type WebhookCall } from '@/server/api/operation/operation';
import type { CallHeaders } from '@/server/platform/messages/client-address';
import type { DatabaseClient } from '@/server/platform/db/client';
import { generateOrderedId } from '@/server/platform/db/ids';
import type { WaitingCaller } from '@/server/engine/answers/waiting-caller';
import { submitDeliveryRun } from '@/server/engine/queue/submit';
import { serializeJson } from '@/server/evaluation/expressions/large-json';
import {
  conflictProblem,
  invalidFieldProblem,
  notFoundProblem,
  ApiProblem,
  unauthorizedProblem,
} from '@/server/platform/errors/problem';
import { findBodyRefusal, findHeadRefusal } from '@/server/api/pipeline/steps/verify';
import { notifyTestListeners } from '@/server/triggers/webhooks/listeners';
import { readWebhookAt, type CallingWebhook } from '@/server/triggers/webhooks/lookup';
import { processMeters } from '@/server/platform/counters/meters';
import { webhookVerifier } from '@/server/triggers/webhooks/verification';
import { findInputIssues, requireMatchingInput } from '../workflows/workflow-rows';
import { DeliveryContent, inputFrom } from './content';
import { recordUnstartedDelivery, findEarlierRun, type DeliverySender } from './inbox';
import { awaitDeliveryResponse, admitDeliveryCaller } from './responses';

const SENDER_ID_PATTERN = /^[\x21-\x7e]{1,200}$/;

/** Makes the run of a delivery. Throws if the workflow does not accept it. */
export async function prepareDeliveryRun(
  db: DatabaseClient,
  webhook: Pick<
    CallingWebhook,
    'id' | 'path' | 'workspaceId' | 'workflowId' | 'workflowVersion' | 'workflowStatus' | 'startNodeId'
  >,
  input: unknown,
  createdBy: string | null,
) {
  const { workspaceId, workflowId, workflowVersion, workflowStatus, startNodeId } = webhook;
  if (workflowStatus === 'paused') throw conflictProblem('The workflow is paused.');
  requireMatchingInput(await findInputIssues(db, webhook, input));
  const triggeredBy = { id: webhook.id, name: webhook.path };
  return {
    workspaceId,
    workflowId,
    workflowVersion,
    startNodeId,
    trigger: 'webhook',
    triggeredBy,
    input,
    createdBy,
  } as const;
}

/** Verifies the delivery again if the webhook has changed since the first verification. */
async function requireStillVerified(call: WebhookCall, webhook: CallingWebhook): Promise<void> {
  if (webhook.webhookVersion === call.webhook.webhookVersion) return;
  const refusal = (await findHeadRefusal(webhook, call)) ?? (await findBodyRefusal(webhook, call, call));
  if (refusal) throw refusal;
}

/** Reads the sender's id of the delivery. Returns null if there is none, or if it cannot be stored. */
export function readSenderId(headers: CallHeaders): string | null {
  const header = headers.get('x-service-delivery');
  return header !== null && SENDER_ID_PATTERN.test(header) ? header : null;
}

/** Returns the id that identifies repetitions: the provider's, if it sends one, else the sender's own. */
function verifiedSenderId(call: WebhookCall, webhook: CallingWebhook, body: unknown): string | null {
  const verifier = webhookVerifier(webhook);
  if (!verifier.deliveryId) return readSenderId(call.headers);
  const id = verifier.deliveryId(call, body);
  return id !== null && SENDER_ID_PATTERN.test(id) ? id : null;
}

const toDeliverySender = ({ ipAddress, userAgent }: WebhookCall, { id }: CallingWebhook, senderId: string | null) =>
  ({ webhookId: id, senderId, ipAddress, userAgent }) satisfies DeliverySender;

/**
 * Starts the run. Returns null, without a run, if the webhook has changed meanwhile or another delivery with this id
 * was stored.
 */
async function startDeliveryRun(
  call: WebhookCall,
  webhook: CallingWebhook,
  senderId: string | null,
  input: unknown,
  caller: WaitingCaller | undefined,
): Promise<string | null> {
  const run = await prepareDeliveryRun(call.db, webhook, input, null);
  const { ipAddress, userAgent } = call;
  const id = generateOrderedId('dlv');
  const delivery = {
    id,
    webhookId: webhook.id,
    senderId,
    replayOf: null,
    ipAddress,
    userAgent,
    webhookVersion: webhook.webhookVersion,
  };
  const submitted = await submitDeliveryRun(run, delivery, { audit: call.auditEntry(), caller });
  return submitted && submitted.executionId;
}

/** A `Response` answers a provider's challenge: its question whether this URL is the right one. */
type DeliveryResponse = WebhookAcceptedResponse | CustomResponse | Response;

function respondToDelivery(
  call: WebhookCall,
  webhook: CallingWebhook,
  caller: WaitingCaller | undefined,
  executionId: string,
  isNew: boolean,
) {
  if (isNew) processMeters.webhookDeliveries.count('accepted');
  notifyTestListeners(webhook);
  return caller
    ? awaitDeliveryResponse(call, caller, executionId, isNew)
    : ({ executionId, status: 'accepted' } as const);
}

const DELIVERY_ID_HEADER = 'x-service-delivery';
const hasUnusableSenderId = ({ headers }: WebhookCall) =>
  headers.has(DELIVERY_ID_HEADER) && readSenderId(headers) === null;

function countChallenge(challenge: Response): Response {
  processMeters.webhookDeliveries.count('challenge');
  return challenge;
}

/**
 * Starts the run, or finds the run of an earlier delivery with the same sender's id. Null: the webhook has changed
 * meanwhile, another delivery with this id was stored, or, if it is cached, anything speaks against the delivery: then
 * the webhook as it is now decides.
 */
async function acceptBy(
  webhook: CallingWebhook,
  call: WebhookCall,
  delivered: DeliveryContent,
  isCached: boolean,
): Promise<DeliveryResponse | null> {
  let senderId = readSenderId(call.headers);
  let input: unknown;
  let caller: WaitingCaller | undefined;
  let before: string | null = null;
  let executionId: string | null = null;
  try {
    if (!isCached) await requireStillVerified(call, webhook);
    const content = delivered.of(webhook);
    const body = content instanceof Promise ? await content : content;
    const verifier = webhookVerifier(webhook);
    const challenge = verifier.challenge?.(call, body);
    if (challenge) return countChallenge(challenge);
    input = inputFrom(call, webhook, verifier.withoutSecret ? verifier.withoutSecret(body) : body);
    if (hasUnusableSenderId(call))
      throw invalidFieldProblem('X-Service-Delivery', 'must have 1 to 200 visible ASCII characters');
    senderId = verifiedSenderId(call, webhook, body);
    caller = admitDeliveryCaller(webhook, call);
    if (!isCached && senderId !== null) before = await findEarlierRun(call.db, webhook.id, senderId);
    if (before) {
      executionId = await recordDuplicate(call, webhook, senderId, before);
      caller?.assignRun(before);
    } else if (!isCached && isTestCallCaptured(webhook)) {
      delivered.keepFiles();
      return await captureTestCall(call, webhook, senderId, input);
    } else {
      executionId = await startDeliveryRun(call, webhook, senderId, input, caller);
      if (executionId) delivered.keepFiles();
    }
  } catch (error) {
    if (!(error instanceof ApiProblem)) throw error;
    if (isCached) return null;
    await recordRefusal(call, webhook, senderId, input, error);
    throw error;
  } finally {
    if (executionId === null) caller?.stopWaiting();
  }
  return executionId === null ? null : respondToDelivery(call, webhook, caller, executionId, !before);
}

async function recordRefusal(
  call: WebhookCall,
  webhook: CallingWebhook,
  senderId: string | null,
  input: unknown,
  problem: ApiProblem,
): Promise<void> {
  processMeters.webhookDeliveries.count(rejectionLabel(problem));
  const arrival = toDeliverySender(call, webhook, senderId);
  await recordUnstartedDelivery({
    ...arrival,
    verdict: 'refused',
    reason: rejectionReason(problem),
    body: serializeJson(input),
  });
  notifyTestListeners(webhook);
}

/** Whether a delivery starts no run, and is kept for those who listen for a test call. */
const isTestCallCaptured = ({ workflowStatus, isListened }: CallingWebhook) =>
  workflowStatus === 'paused' && isListened;

/** Keeps a test call of a paused workflow. */
async function captureTestCall(call: WebhookCall, webhook: CallingWebhook, senderId: string | null, input: unknown) {
  const reason = 'The workflow is paused. A user listened for a test call.';
  const arrival = toDeliverySender(call, webhook, senderId);
  processMeters.webhookDeliveries.count('captured');
  await recordUnstartedDelivery({ ...arrival, verdict: 'captured', reason, body: serializeJson(input) });
  notifyTestListeners(webhook);
  return new CustomResponse(202, {}, { body: { status: 'captured' } });
}

/**
 * Records a repetition and returns the run of the first delivery with this id. Throws if the id may be used only once.
 */
async function recordDuplicate(
  call: WebhookCall,
  webhook: CallingWebhook,
  senderId: string | null,
  executionId: string,
) {
  if (webhookVerifier(webhook).isIdSingleUse) throw unauthorizedProblem('The token of this delivery was used before.');
  const reason = 'This delivery was received before.';
  processMeters.webhookDeliveries.count('duplicate');
  await recordUnstartedDelivery({
    ...toDeliverySender(call, webhook, senderId),
    verdict: 'duplicate',
    reason,
    executionId,
  });
  return executionId;
}

/** Returns the label under which a refused delivery is counted. */
export const rejectionLabel = ({ status }: ApiProblem): string =>
  status === 401 ? 'refused' : status === 429 ? 'limited' : 'invalid';

export const rejectionReason = ({ message, details }: ApiProblem) =>
  [message, ...details.map((one) => `${one.field}: ${one.message}`)].join(' ').slice(0, 1000);

/**
 * Accepts a delivery whose sender is verified. Most deliveries are valid, new, and their webhook is unchanged: for them
 * the cached webhook does, and the run is stored only if the webhook is still the same.
 */
export async function acceptDelivery(call: WebhookCall): Promise<DeliveryResponse> {
  const delivered = new DeliveryContent(call);
  try {
    let accepted = await acceptBy(call.webhook, call, delivered, true);
    while (!accepted) {
      const webhook = await readWebhookAt(call.webhook);
      if (!webhook) throw notFoundProblem('The webhook');
      accepted = await acceptBy(webhook, call, delivered, false);
    }
    return accepted;
  } finally {
    await delivered.discard();
  }
}
