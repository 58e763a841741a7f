import { record } from '@/server/audit/record';
import { log } from '@/server/log';
import { meters } from '@/server/meters/meters';
import { maintenance, requireNormalOperation } from '@/server/maintenance';
import { runtime } from '@/server/runtime';
import { webhookCorsHeaders } from '@/server/webhooks/cors';
import { CallRate } from '@/server/limits/call-rate';
import { Tarpit } from '@/server/limits/tarpit';
import type { Arrival, Incoming } from '@/server/api/incoming';
import { signedInAccess, type Operation, type PublicAccess } from '@/server/api/operation';
import { readEffect } from '@/server/api/operation-parts';
import type { Spool } from '@/server/files/spool';
import type { Problem } from '@/server/errors/problem';
import { allow } from './steps/allow';
import { answer, problemOf, type Reply } from './steps/answer';
import { callOf } from './steps/call';
import { identify, unidentified, type Identity } from './steps/identify';
import { limit } from './steps/limit';
import { once, onceKey } from './steps/once';
import { DEFAULT_MAX_BODY, parse } from './steps/parse';
import { Entry, recordRefusal } from './steps/record';
import type { Db } from '@/server/db/client';
import { callTransaction } from '@/server/db/transaction';
import { refuseCall } from './steps/refuse-call';
import { verify, type Delivery } from './steps/verify';

/** Maximum number of rate limit refusals that wait, and their delay. */
const holdBack = new Tarpit(100, 500);

/**
 * The pipeline of every call, from any transport: identify → limit → allow → parse → once → run → record → answer. The caller is identified
 * before the body is read (a webhook's sender by the signature over it: identify → verify → limit); the change, its audit entry and its
 * stored reply are one transaction. Never throws: every failure becomes an answer.
 */
export async function perform(operation: Operation, incoming: Incoming): Promise<Reply> {
  const startedAt = performance.now();
  (runtime().callRate ??= new CallRate()).note();
  const { id, access } = operation;
  const refusalPage = access.kind === 'public' ? access.refusalPage : undefined;
  const { requestId, notes } = incoming;
  if (notes) Object.assign(notes, { operation: id, route: operation.path, ipAddress: incoming.ipAddress });
  const reply = await answering(id, requestId, (headers) => {
    const replying = replyTo(operation, incoming, headers);
    if (!refusalPage) return replying;
    return replying.catch((error: unknown) => pageOf(refusalPage, loggedProblem(id, requestId, error)));
  });
  meters.callSeconds.observe((performance.now() - startedAt) / 1000, id, reply.status);
  return reply;
}

/** The headers of every answer, errors included. `work` may add headers before it throws. */
export async function answering(
  operation: string,
  requestId: string,
  work: (headers: Record<string, string>) => Promise<Reply>,
): Promise<Reply> {
  const headers: Record<string, string> = { 'X-Request-Id': requestId, 'Cache-Control': 'no-store' };
  try {
    const reply = await work(headers);
    // No object that begins with a spread on the hot path (docs/performance.md).
    const { status, body, raw, text } = reply;
    return { status, headers: Object.assign(headers, reply.headers), body, raw, text };
  } catch (error) {
    return failureReply(operation, requestId, error, headers);
  }
}

/** The answer to a call that failed, in the documented shape. Failures of the service are logged. */
export function failureReply(
  operation: string,
  requestId: string,
  error: unknown,
  headers: Record<string, string> = {},
): Reply {
  const problem = loggedProblem(operation, requestId, error);
  const { status, body } = problem;
  return { status, headers: Object.assign(headers, problem.headers), body };
}

function loggedProblem(operation: string, requestId: string, error: unknown): Problem {
  const problem = problemOf(error, requestId);
  if (problem.code === 'INTERNAL_ERROR' && !maintenance())
    log().error({ err: problem.cause, requestId, operation }, 'a call failed');
  return problem;
}

/** A refusal as a page. */
function pageOf(refusalPage: NonNullable<PublicAccess['refusalPage']>, problem: Problem): Reply {
  const { status, headers, content } = refusalPage(problem);
  return { status, headers: { ...headers, ...problem.headers }, ...content };
}

async function replyTo(operation: Operation, incoming: Incoming, headers: Record<string, string>): Promise<Reply> {
  const identity = await identified(operation, incoming);
  const { webhook } = identity;
  const delivery = webhook && (await verify(webhook, incoming, operation.body?.maxBytes ?? DEFAULT_MAX_BODY));
  if (delivery) {
    identity.webhook = delivery.webhook;
    // Before anything can be refused: a page may read why.
    Object.assign(headers, webhookCorsHeaders(delivery.webhook, incoming.headers.get('origin')));
  }
  try {
    const tooMany = await count(operation, identity, incoming, delivery, headers);
    if (tooMany) return await refuseCall(operation, identity, incoming, tooMany);
    return await carryOut(operation, incoming, identity, delivery);
  } finally {
    await delivery?.spool?.remove();
  }
}

const identified = (operation: Operation, incoming: Incoming): Promise<Identity> =>
  identify(operation, incoming).catch((error: unknown) => unidentified(problemOf(error, incoming.requestId)));

/** Counts a call, and adds the rate limit to `headers`. Returns the refusal of a call over the limit, after a delay. */
async function count(
  operation: Operation,
  identity: Identity,
  incoming: Incoming,
  delivery: Delivery | null,
  headers: Record<string, string>,
): Promise<Problem | null> {
  if (incoming.rateLimitHeaders) {
    Object.assign(headers, incoming.rateLimitHeaders);
    return null;
  }
  const { headers: rateHeaders, refusal } = await limit(operation, identity, incoming, delivery);
  Object.assign(headers, rateHeaders);
  if (refusal) await holdBack.wait();
  return refusal;
}

/** The sender of a request with several calls, by its headers only. */
const SENDER: Operation = {
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
 * Counts several calls of one request, each as if it came alone, before the request's body is read. Adds the rate limit to `headers`.
 * Throws 429 as soon as one call is over the limit.
 */
export async function countAll(
  operations: readonly Operation[],
  arrival: Arrival,
  headers: Record<string, string>,
): Promise<void> {
  const incoming = { ...arrival, params: {} };
  const identity = await identified(SENDER, incoming);
  for (const operation of operations) {
    const refusal = await count(operation, identity, incoming, null, headers);
    if (refusal) throw refusal;
  }
}

async function carryOut(
  operation: Operation,
  incoming: Incoming,
  identity: Identity,
  delivery: Delivery | null,
): Promise<Reply> {
  const entry = new Entry(operation, identity, incoming);
  const { effect } = operation;
  let temporary: Spool | null = null;
  try {
    // A delivery only needs a valid signature.
    if (!delivery) {
      await allow(operation, identity, incoming.params);
      if (effect.kind !== 'read') requireNormalOperation();
    } else if (delivery.refusal) await refuseCall(operation, identity, incoming, delivery.refusal);
    const { input, rawBody, spool } = await parse(
      operation,
      incoming,
      identity.caller?.workspaceId ?? '',
      delivery,
    ).catch((error: unknown) => refuseCall(operation, identity, incoming, problemOf(error, incoming.requestId)));
    temporary = spool;
    const key = onceKey(operation, identity, incoming, spool ? Buffer.from(spool.sha256) : rawBody);
    const inTransaction = effect.kind === 'write' || key !== null;
    const later: (() => Promise<unknown>)[] = [];
    const work = (db: Db) =>
      once(db, key, async () => {
        const call = callOf(incoming, identity, entry, { rawBody, spool, db, inTransaction, later });
        const output = await operation.run(call, input);
        if (effect.kind === 'write') await record(db, [entry.row()]);
        return answer(operation, output);
      });
    const reply = await callTransaction(
      inTransaction,
      work,
      effect.kind === 'write' ? effect.transactionMs : undefined,
    );
    for (const work of later)
      void work().catch((error: unknown) => log().error({ err: error, operation: operation.id }));
    return reply;
  } catch (error) {
    const problem = problemOf(error, incoming.requestId);
    await recordRefusal(operation, identity, entry, problem);
    throw problem;
  } finally {
    if (temporary) await temporary.remove();
  }
}
