import type { WebhookAccepted, WebhookResponse } from '@/contract/triggers/webhook';
import { CustomReply, type WebhookCall } from '@/server/api/operation';
import { waitingCallers } from '@/server/engine/answers/waiting-callers';
import type { Awaited, WaitingCaller } from '@/server/engine/answers/waiting-caller';
import { Problem } from '@/server/errors/problem';
import type { RunAnswer } from '@/server/nodes/node';
import type { CallingWebhook } from '@/server/webhooks/lookup';

type Accepted = WebhookAccepted;

/**
 * The headers of every answer that a workflow makes. It comes from the origin of the console, so a browser that shows it must give it
 * none of the origin's rights.
 */
const SANDBOX = {
  'Content-Security-Policy': 'sandbox allow-forms allow-popups allow-scripts',
  'X-Content-Type-Options': 'nosniff',
};

/** Headers of the service that a workflow does not replace. */
const OWN = /^x-(request-id|ratelimit-.*|content-type-options)$/;

/** `content-type` as `Content-Type`: a header of the workflow replaces the service's own one. */
const capitalized = (name: string) => name.replace(/(^|-)[a-z]/g, (start) => start.toUpperCase());

const AWAITED: Record<Exclude<WebhookResponse['mode'], 'accepted'>, Awaited> = {
  last_node: 'output',
  respond_node: 'answer',
};

/** The caller of a delivery, if its webhook answers what the run says and not too many callers wait already. */
export function callerOf(
  { response, workspaceId }: CallingWebhook,
  { connection, rawBody }: WebhookCall,
): WaitingCaller | undefined {
  if (response === null || response.mode === 'accepted') return undefined;
  return waitingCallers().admit({
    workspaceId,
    awaited: AWAITED[response.mode],
    timeoutMs: response.timeoutMs,
    bytes: rawBody.length,
    connection,
  });
}

/** Waits for the run and makes the answer to the delivery. `isNew`: this delivery started the run. */
export async function answerDelivery(
  { requestId }: WebhookCall,
  caller: WaitingCaller,
  executionId: string,
  isNew: boolean,
): Promise<CustomReply | Accepted> {
  const outcome = await caller.wait(isNew);
  if (outcome.kind === 'answer') return replyOf(outcome.answer);
  if (outcome.kind === 'none') return { executionId, status: 'accepted' };
  if (outcome.kind === 'stopping') return problemReply(stopping());
  if (!outcome.isCompleted) return problemReply(runFailed(executionId, requestId));
  if (caller.awaited === 'answer') return new CustomReply(200, {}, { body: { executionId, status: 'completed' } });
  const headers = { 'Content-Type': 'application/json; charset=utf-8', ...SANDBOX };
  return new CustomReply(200, headers, { text: outcome.output ?? 'null' });
}

function replyOf({ status, headers, body }: RunAnswer): CustomReply {
  const named: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) if (!OWN.test(name)) named[capitalized(name)] = value;
  Object.assign(named, SANDBOX);
  const hasBody = status !== 204 && status !== 205 && status !== 304;
  return new CustomReply(status, named, hasBody ? { text: body } : null);
}

/** A reply, not a Problem: the run of a user is no failure of the service, which would be logged. */
const problemReply = ({ status, headers, body }: Problem) => new CustomReply(status, headers, { body });

const runFailed = (executionId: string, requestId: string) =>
  new Problem('INTERNAL_ERROR', `The run failed. Request id: ${requestId}`, [
    { field: 'executionId', message: executionId },
  ]);

const stopping = () =>
  new Problem(
    'INTERNAL_ERROR',
    'The service is stopping; the run continues. Send the delivery again, with the same X-Service-Delivery, for its answer.',
    [],
    { status: 503, headers: { 'Retry-After': '1' } },
  );
