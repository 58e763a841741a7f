import type { WebhookAccepted, WebhookResponse } from '@/contract/triggers/webhook';
import { CustomReply, type WebhookCall } from '@/server/api/operation';
import { waitingCallers } from '@/server/engine/queue/callers';
import type { Awaited, WaitingCaller } from '@/server/engine/answers/waiting-caller';
import { pool } from '@/server/db/client';
import { Problem } from '@/server/errors/problem';
import { isWithdrawnHeader } from '@/server/nodes/flow/respond-headers';
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
  call: WebhookCall,
  caller: WaitingCaller,
  executionId: string,
  isNew: boolean,
): Promise<CustomReply | Accepted> {
  const { requestId } = call;
  const outcome = await caller.wait(isNew);
  if (outcome.kind === 'answer') return replyOf(outcome.answer, call, executionId);
  if (outcome.kind === 'none') return { executionId, status: 'accepted' };
  if (outcome.kind === 'stopping') return problemReply(stopping());
  if (!outcome.isCompleted) return problemReply(runFailed(executionId, requestId));
  if (caller.awaited === 'answer') return new CustomReply(200, {}, { body: { executionId, status: 'completed' } });
  const headers = { 'Content-Type': 'application/json; charset=utf-8', ...SANDBOX };
  return new CustomReply(200, headers, { text: outcome.output ?? 'null' });
}

/** Where a sender has another proof than a password, a browser must not ask a person for one in the name of this origin. */
const asksPassword = ({ verification }: CallingWebhook): boolean =>
  verification?.kind === 'none' || verification?.kind === 'basic';

const WARNING = 'The header www-authenticate is left out: it is for webhooks with the verification none or basic.';

const WARN = `INSERT INTO log_entry (execution_id, level, message, timestamp)
  SELECT id, 'warn', $2, now() FROM execution WHERE id = $1 FOR KEY SHARE`;

function replyOf({ status, headers, body }: RunAnswer, call: WebhookCall, executionId: string): CustomReply {
  const named: Record<string, string> = {};
  // An answer that was stored before may have headers that are withdrawn.
  const isShown = (name: string) => !OWN.test(name) && !isWithdrawnHeader(name);
  for (const [name, value] of Object.entries(headers)) if (isShown(name)) named[capitalized(name)] = value;
  if (headers['www-authenticate'] !== undefined && !asksPassword(call.webhook)) {
    delete named[capitalized('www-authenticate')];
    call.afterwards(() => pool().query(WARN, [executionId, WARNING]));
  }
  // What the service says of the origin stays true beside what the workflow says.
  if (call.webhook.cors && named['Vary'] !== undefined) named['Vary'] += ', Origin';
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
