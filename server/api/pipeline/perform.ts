import { appendAuditEntries } from '@/server/people/audit/record';
import { serviceLog } from '@/server/platform/log';
import { processMeters } from '@/server/platform/counters/meters';
import { currentMaintenance, requireNormalOperation } from '@/server/platform/maintenance';
import { getRuntime } from '@/server/platform/runtime';
import { webhookCorsHeaders } from '@/server/triggers/webhooks/cors';
import { CallRateMeter } from '@/server/platform/limits/call-rate';
import { RefusalDelay } from '@/server/platform/limits/refusal-delay';
import type { ReceivedRequest, IncomingCall } from '@/server/api/operation/incoming';
import { signedInAccess, type OperationRecord, type PublicAccess } from '@/server/api/operation/operation';
import { readEffect } from '@/server/api/operation/operation-parts';
import type { SpooledFile } from '@/server/data/files/spool';
import type { ApiProblem } from '@/server/platform/errors/problem';
import { requireCallAccess } from './steps/allow';
import { buildOperationResponse, toApiProblem, type OperationResponse } from './steps/answer';
import { buildOperationCall } from './steps/call';
import { identifyCaller, refusedIdentity, type CallIdentity } from './steps/identify';
import { limitCallRate } from './steps/limit';
import { runOncePerKey, readIdempotencyKey } from './steps/once';
import { DEFAULT_MAX_BODY_BYTES, parseCall } from './steps/parse';
import { CallAuditEntry, recordCallRefusal } from './steps/record';
import type { DatabaseClient } from '@/server/platform/db/client';
import { runCallInTransaction } from '@/server/platform/db/transaction';
import { refuseBeforeHandler } from './steps/refuse-call';
import { verifyDelivery, type VerifiedDelivery } from './steps/verify';

/** Maximum number of rate limit refusals that wait, and their delay. */
const rateLimitDelay = new RefusalDelay(100, 500);

/**
 * The pipeline of every call, from any transport: identify → limit → allow → parse → once → run → record → answer. The
 * caller is identified before the body is read (a webhook's sender by the signature over it: identify → verify →
 * limit); the change, its audit entry and its stored reply are one transaction. Never throws: every failure becomes an
 * answer.
 */
export async function performOperation(operation: OperationRecord, incoming: IncomingCall): Promise<OperationResponse> {
  const startedAt = performance.now();
  (getRuntime().callRate ??= new CallRateMeter()).note();
  const { id, access } = operation;
  const refusalPage = access.kind === 'public' ? access.refusalPage : undefined;
  const { requestId, notes } = incoming;
  if (notes) Object.assign(notes, { operation: id, route: operation.path, ipAddress: incoming.ipAddress });
  const reply = await withResponseHeaders(id, requestId, (headers) => {
    const replying = respondToCall(operation, incoming, headers);
    if (!refusalPage) return replying;
    return replying.catch((error: unknown) => buildRefusalPage(refusalPage, toLoggedProblem(id, requestId, error)));
  });
  processMeters.callSeconds.observe((performance.now() - startedAt) / 1000, id, reply.status);
  return reply;
}

/** The headers of every answer, errors included. `work` may add headers before it throws. */
export async function withResponseHeaders(
  operation: string,
  requestId: string,
  work: (headers: Record<string, string>) => Promise<OperationResponse>,
): Promise<OperationResponse> {
  const headers: Record<string, string> = { 'X-Request-Id': requestId, 'Cache-Control': 'no-store' };
  try {
    const reply = await work(headers);
    // No object that begins with a spread on the hot path (docs/performance.md).
    const { status, body, raw, text } = reply;
    return { status, headers: Object.assign(headers, reply.headers), body, raw, text };
  } catch (error) {
    return failureResponse(operation, requestId, error, headers);
  }
}

/** The answer to a call that failed, in the documented shape. Failures of the service are logged. */
export function failureResponse(
  operation: string,
  requestId: string,
  error: unknown,
  headers: Record<string, string> = {},
): OperationResponse {
  const problem = toLoggedProblem(operation, requestId, error);
  const { status, body } = problem;
  return { status, headers: Object.assign(headers, problem.headers), body };
}

function toLoggedProblem(operation: string, requestId: string, error: unknown): ApiProblem {
  const problem = toApiProblem(error, requestId);
  if (problem.code === 'INTERNAL_ERROR' && !currentMaintenance())
    serviceLog().error({ err: problem.cause, requestId, operation }, 'a call failed');
  return problem;
}

/** A refusal as a page. */
function buildRefusalPage(
  refusalPage: NonNullable<PublicAccess['refusalPage']>,
  problem: ApiProblem,
): OperationResponse {
  const { status, headers, content } = refusalPage(problem);
  return { status, headers: { ...headers, ...problem.headers }, ...content };
}

async function respondToCall(
  operation: OperationRecord,
  incoming: IncomingCall,
  headers: Record<string, string>,
): Promise<OperationResponse> {
  const identity = await identifyOrRefuse(operation, incoming);
  const { webhook } = identity;
  const delivery =
    webhook && (await verifyDelivery(webhook, incoming, operation.body?.maxBytes ?? DEFAULT_MAX_BODY_BYTES));
  if (delivery) {
    identity.webhook = delivery.webhook;
    // Before anything can be refused: a page may read why.
    Object.assign(headers, webhookCorsHeaders(delivery.webhook, incoming.headers.get('origin')));
  }
  try {
    const tooMany = await countCall(operation, identity, incoming, delivery, headers);
    if (tooMany) return await refuseBeforeHandler(operation, identity, incoming, tooMany);
    return await carryOutCall(operation, incoming, identity, delivery);
  } finally {
    await delivery?.spool?.remove();
  }
}

const identifyOrRefuse = (operation: OperationRecord, incoming: IncomingCall): Promise<CallIdentity> =>
  identifyCaller(operation, incoming).catch((error: unknown) =>
    refusedIdentity(toApiProblem(error, incoming.requestId)),
  );

/** Counts a call, and adds the rate limit to `headers`. Returns the refusal of a call over the limit, after a delay. */
async function countCall(
  operation: OperationRecord,
  identity: CallIdentity,
  incoming: IncomingCall,
  delivery: VerifiedDelivery | null,
  headers: Record<string, string>,
): Promise<ApiProblem | null> {
  if (incoming.rateLimitHeaders) {
    Object.assign(headers, incoming.rateLimitHeaders);
    return null;
  }
  const { headers: rateHeaders, refusal } = await limitCallRate(operation, identity, incoming, delivery);
  Object.assign(headers, rateHeaders);
  if (refusal) await rateLimitDelay.wait();
  return refusal;
}

/** The sender of a request with several calls, by its headers only. */
const SENDER_OPERATION: OperationRecord = {
  id: 'sender',
  method: 'POST',
  path: '',
  summary: '',
  tag: '',
  access: signedInAccess(),
  effect: readEffect(),
  run: async () => undefined,
};

/**
 * Counts several calls of one request, each as if it came alone, before the request's body is read. Adds the rate limit
 * to `headers`. Throws 429 as soon as one call is over the limit.
 */
export async function countCalls(
  operations: readonly OperationRecord[],
  arrival: ReceivedRequest,
  headers: Record<string, string>,
): Promise<void> {
  const incoming = { ...arrival, params: {} };
  const identity = await identifyOrRefuse(SENDER_OPERATION, incoming);
  for (const operation of operations) {
    const refusal = await countCall(operation, identity, incoming, null, headers);
    if (refusal) throw refusal;
  }
}

async function carryOutCall(
  operation: OperationRecord,
  incoming: IncomingCall,
  identity: CallIdentity,
  delivery: VerifiedDelivery | null,
): Promise<OperationResponse> {
  const entry = new CallAuditEntry(operation, identity, incoming);
  const { effect } = operation;
  let temporary: SpooledFile | null = null;
  try {
    // A delivery only needs a valid signature.
    if (!delivery) {
      await requireCallAccess(operation, identity, incoming.params);
      if (effect.kind !== 'read') requireNormalOperation();
    } else if (delivery.refusal) await refuseBeforeHandler(operation, identity, incoming, delivery.refusal);
    const { input, rawBody, spool } = await parseCall(
      operation,
      incoming,
      identity.caller?.workspaceId ?? '',
      delivery,
    ).catch((error: unknown) =>
      refuseBeforeHandler(operation, identity, incoming, toApiProblem(error, incoming.requestId)),
    );
    temporary = spool;
    const key = readIdempotencyKey(operation, identity, incoming, spool ? Buffer.from(spool.sha256) : rawBody);
    const inTransaction = effect.kind === 'write' || key !== null;
    const later: (() => Promise<unknown>)[] = [];
    const work = (db: DatabaseClient) =>
      runOncePerKey(db, key, async () => {
        const call = buildOperationCall(incoming, identity, entry, { rawBody, spool, db, inTransaction, later });
        const output = await operation.run(call, input);
        if (effect.kind === 'write') await appendAuditEntries(db, [entry.row()]);
        return buildOperationResponse(operation, output);
      });
    const reply = await runCallInTransaction(
      inTransaction,
      work,
      effect.kind === 'write' ? effect.transactionMs : undefined,
    );
    for (const work of later)
      void work().catch((error: unknown) => serviceLog().error({ err: error, operation: operation.id }));
    return reply;
  } catch (error) {
    const problem = toApiProblem(error, incoming.requestId);
    await recordCallRefusal(operation, identity, entry, problem);
    throw problem;
  } finally {
    if (temporary) await temporary.remove();
  }
}
