import { record } from '../auth/audit';
import { log } from '../log';
import { observe } from '../metrics';
import { runtime } from '../runtime';
import { CallRate } from './call-rate';
import { HoldBack } from './hold-back';
import type { Incoming } from './incoming';
import type { Operation } from './operation';
import { allow } from './steps/allow';
import { answer, problemOf, type Reply } from './steps/answer';
import { callOf } from './steps/call';
import { identify, unidentified, type Identity } from './steps/identify';
import { limit } from './steps/limit';
import { once, onceKey } from './steps/once';
import { parse } from './steps/parse';
import { Entry, recordRefusal } from './steps/record';
import { transaction } from './steps/transaction';
import { turnAway } from './steps/turn-away';

/** Refusals for asking too often: so many wait for a tenth of a second. */
const holdBack = new HoldBack(100, 500);

/**
 * What happens to every call, from whichever door: identify → limit → allow → parse → once → run → record → answer.
 * The caller is known before the body is looked at; the change, its audit entry and its stored reply are one
 * transaction. Never throws: whatever goes wrong becomes an answer.
 */
export async function perform(operation: Operation, incoming: Incoming): Promise<Reply> {
  const begun = performance.now();
  (runtime().callRate ??= new CallRate()).note();
  const reply = await replyTo(operation, incoming);
  observe(operation.id, reply.status, (performance.now() - begun) / 1000);
  return reply;
}

async function replyTo(operation: Operation, incoming: Incoming): Promise<Reply> {
  const { requestId } = incoming;
  const headers: Record<string, string> = { 'X-Request-Id': requestId, 'Cache-Control': 'no-store' };
  try {
    const identity = await identify(operation, incoming).catch((error: unknown) =>
      unidentified(problemOf(error, requestId)),
    );
    const { headers: rateHeaders, refusal: tooMany } = await limit(operation, identity, incoming);
    Object.assign(headers, rateHeaders);
    if (tooMany) {
      await holdBack.wait();
      return await turnAway(operation, identity, incoming, tooMany);
    }
    const reply = await carryOut(operation, incoming, identity);
    // No object that begins with a spread where each call passes by (docs/performance.md).
    return { status: reply.status, headers: Object.assign(headers, reply.headers), body: reply.body, raw: reply.raw };
  } catch (error) {
    const problem = problemOf(error, requestId);
    if (problem.code === 'INTERNAL_ERROR') {
      log().error({ err: problem.cause, requestId, operation: operation.id }, 'a call failed');
    }
    const { status, body } = problem;
    return { status, headers: Object.assign(headers, problem.headers), body };
  }
}

async function carryOut(operation: Operation, incoming: Incoming, identity: Identity): Promise<Reply> {
  const entry = new Entry(operation, identity, incoming);
  try {
    await allow(operation, identity, incoming.params);
    const { input, rawBody } = await parse(operation, incoming).catch((error: unknown) =>
      turnAway(operation, identity, incoming, problemOf(error, incoming.requestId)),
    );
    const key = onceKey(operation, identity, incoming, rawBody);
    const inTransaction = operation.effect === 'write' || key !== null;
    const later: (() => Promise<unknown>)[] = [];
    const reply = await transaction(inTransaction, (db) =>
      once(db, key, async () => {
        const call = callOf(incoming, identity, entry, { rawBody, db, inTransaction, later });
        const output = await operation.run(call, input);
        if (operation.effect === 'write' && operation.audit) await record(db, [entry.row()]);
        return answer(operation, output);
      }),
    );
    for (const work of later)
      void work().catch((error: unknown) => log().error({ err: error, operation: operation.id }));
    return reply;
  } catch (error) {
    const problem = problemOf(error, incoming.requestId);
    await recordRefusal(operation, identity, entry, problem);
    throw problem;
  }
}
