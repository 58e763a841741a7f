import type { WebhookAcceptedResponse, WebhookResponseMode } from '@/contract/triggers/webhook';
import { CustomResponse, type WebhookCall } from '@/server/api/operation/operation';
import { waitingCallerRegistry } from '@/server/engine/queue/callers';
import type { AwaitedEvent, WaitingCaller } from '@/server/engine/answers/waiting-caller';
import { databasePool } from '@/server/platform/db/client';
import { ApiProblem } from '@/server/platform/errors/problem';
import { isWithdrawnHeader } from '@/server/workflow/nodes/flow/respond-headers';
import type { CallerResponse } from '@/server/workflow/nodes/node-type';
import type { CallingWebhook } from '@/server/triggers/webhooks/lookup';

type AcceptedResponseBody = WebhookAcceptedResponse;

/**
 * These headers go with every response that a workflow makes. It comes from the origin of the console, so a browser
 * must give it none of the origin's rights.
 */
export const SANDBOX_HEADERS = {
  'Content-Security-Policy': 'sandbox allow-forms allow-popups allow-scripts',
  'X-Content-Type-Options': 'nosniff',
};

/** Headers of the service that a workflow does not replace. */
const SERVICE_HEADER_PATTERN = /^x-(request-id|ratelimit-.*|content-type-options)$/;

/** Capitalizes a header name, so that a header of the workflow replaces the service's own. */
const capitalizeHeaderName = (name: string) => name.replace(/(^|-)[a-z]/g, (start) => start.toUpperCase());

const RESPONSE_WAIT_BY_MODE: Record<Exclude<WebhookResponseMode['mode'], 'accepted'>, AwaitedEvent> = {
  last_node: 'output',
  respond_node: 'answer',
};

/**
 * Admits the sender to wait for the run. Returns undefined if the webhook responds at once, or if too many callers wait
 * already.
 */
export function admitDeliveryCaller(
  { response, workspaceId }: CallingWebhook,
  { connection, rawBody }: WebhookCall,
): WaitingCaller | undefined {
  if (response === null || response.mode === 'accepted') return undefined;
  return waitingCallerRegistry().admit({
    workspaceId,
    awaited: RESPONSE_WAIT_BY_MODE[response.mode],
    timeoutMs: response.timeoutMs,
    bytes: rawBody.length,
    connection,
  });
}

/** Waits for the run and makes the answer to the delivery. `isNew`: this delivery started the run. */
export async function awaitDeliveryResponse(
  call: WebhookCall,
  caller: WaitingCaller,
  executionId: string,
  isNew: boolean,
): Promise<CustomResponse | AcceptedResponseBody> {
  const { requestId } = call;
  const outcome = await caller.wait(isNew);
  if (outcome.kind === 'answer') return toWorkflowReply(outcome.response, call, executionId);
  if (outcome.kind === 'none') return { executionId, status: 'accepted' };
  if (outcome.kind === 'stopping') return problemResponse(serviceStoppingProblem());
  if (!outcome.isCompleted) return problemResponse(runFailedProblem(executionId, requestId));
  if (caller.awaited === 'answer') return new CustomResponse(200, {}, { body: { executionId, status: 'completed' } });
  const headers = { 'Content-Type': 'application/json; charset=utf-8', ...SANDBOX_HEADERS };
  return new CustomResponse(200, headers, { text: outcome.output ?? 'null' });
}

/** A browser may ask for a password in the name of this origin only if the webhook's senders have one, or need none. */
const mayAskPassword = ({ verification }: CallingWebhook): boolean =>
  verification?.kind === 'none' || verification?.kind === 'basic';

const AUTHENTICATE_WARNING =
  'The header www-authenticate is left out: it is for webhooks with the verification none or basic.';

const INSERT_LOG_WARNING_SQL = `INSERT INTO log_entry (execution_id, level, message, timestamp)
  SELECT id, 'warn', $2, now() FROM execution WHERE id = $1 FOR KEY SHARE`;

function toWorkflowReply(
  { status, headers, body }: CallerResponse,
  call: WebhookCall,
  executionId: string,
): CustomResponse {
  const named: Record<string, string> = {};
  // An answer that was stored before may have headers that are withdrawn.
  const isShown = (name: string) => !SERVICE_HEADER_PATTERN.test(name) && !isWithdrawnHeader(name);
  for (const [name, value] of Object.entries(headers)) if (isShown(name)) named[capitalizeHeaderName(name)] = value;
  if (headers['www-authenticate'] !== undefined && !mayAskPassword(call.webhook)) {
    delete named[capitalizeHeaderName('www-authenticate')];
    call.afterwards(() => databasePool().query(INSERT_LOG_WARNING_SQL, [executionId, AUTHENTICATE_WARNING]));
  }
  // What the service says of the origin stays true beside what the workflow says.
  if (call.webhook.cors && named['Vary'] !== undefined) named['Vary'] += ', Origin';
  Object.assign(named, SANDBOX_HEADERS);
  const hasBody = status !== 204 && status !== 205 && status !== 304;
  return new CustomResponse(status, named, hasBody ? { text: body } : null);
}

/** Returns a response instead of throwing the Problem, which would be logged as a failure of the service. */
const problemResponse = ({ status, headers, body }: ApiProblem) => new CustomResponse(status, headers, { body });

const runFailedProblem = (executionId: string, requestId: string) =>
  new ApiProblem('INTERNAL_ERROR', `The run failed. Request id: ${requestId}`, [
    { field: 'executionId', message: executionId },
  ]);

const serviceStoppingProblem = () =>
  new ApiProblem(
    'INTERNAL_ERROR',
    'The service is stopping; the run continues. Send the delivery again, with the same X-Service-Delivery, for its answer.',
    [],
    { status: 503, headers: { 'Retry-After': '1' } },
  );
