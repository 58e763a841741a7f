import { isOrphan, isOverLimit, isReadOnlyFailure } from '@/server/db/failures/sql-state';
import { classifyFailure } from '@/server/db/failures/verdict';
import { EvaluationFailed } from '@/server/evaluation/evaluation';
import { conflict, Problem } from '@/server/errors/problem';
import { inMaintenance, maintenance } from '@/server/maintenance';
import { CustomReply, type Operation } from '@/server/api/operation';
import { jsonReplyIn, type JsonReply } from '@/server/api/operation-parts';

/** The answer, independent of the transport. Plain JSON, so that it can be stored and replayed. */
export interface Reply {
  status: number;
  headers: Record<string, string>;
  /** Absent for 204. */
  body?: unknown;
  /** Instead of a body: an answer that is not JSON. It is never stored. */
  raw?: Response;
  /** Instead of a body: text that is sent as it is, with the headers of the reply. */
  text?: string;
}

/** Last step: the handler's output, through the operation's schema. */
export function answer(operation: Operation, output: unknown): Reply {
  if (output instanceof Response) return { status: output.status, headers: {}, raw: output };
  if (output instanceof CustomReply) return { status: output.status, headers: output.headers, ...output.content };
  const reply = jsonReplyIn(operation);
  if (!reply) return { status: 204, headers: {} };
  const body = reply.schema.parse(output);
  return {
    status: reply.status ?? 200,
    headers: { ...reply.headers?.(body), ...locationOf(reply, body) },
    body,
  };
}

function locationOf({ location }: JsonReply, body: unknown): Record<string, string> {
  if (location === undefined) return {};
  const fields = body as Record<string, unknown>;
  return { Location: location.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(fields[name]))) };
}

/** Retry-After in seconds when the database is unavailable, or its disk is full. */
const RETRY_AFTER = '5';
/** The same while it is read-only, which takes longer. */
const READ_ONLY_RETRY_AFTER = '30';

const unavailable = (cause: unknown, requestId: string) =>
  new Problem('INTERNAL_ERROR', `The database is not available now. Try again later. Request id: ${requestId}`, [], {
    cause,
    status: 503,
    headers: { 'Retry-After': RETRY_AFTER },
  });

/** The database takes no changes, and no operator has begun maintenance: a standby, or a setting of the server. */
const readOnly = (cause: unknown, requestId: string) =>
  new Problem(
    'INTERNAL_ERROR',
    `The database is read-only now. Reading works; try changes again later. Request id: ${requestId}`,
    [],
    { cause, status: 503, headers: { 'Retry-After': READ_ONLY_RETRY_AFTER } },
  );

/** Too many evaluations of the workspace are waiting, or the process is stopping: the call can be retried. */
const notEvaluated = (error: EvaluationFailed) =>
  new Problem('RATE_LIMITED', error.message, [], { cause: error, headers: { 'Retry-After': RETRY_AFTER } });

/** Converts any error into the answer that the caller may read. The rest is logged. */
export function problemOf(error: unknown, requestId: string): Problem {
  if (error instanceof Problem) return error;
  const verdict = classifyFailure(error);
  if (verdict === 'collision') return conflict('Another request changed this at the same time. Try again.');
  if (isOverLimit(error)) return conflict('The limit of concurrent runs is reached. Try again later.');
  if (isOrphan(error)) return conflict('An object that this refers to was deleted at the same time.');
  if (verdict !== 'lasting') {
    const current = maintenance();
    if (current) return inMaintenance(current);
    return isReadOnlyFailure(error) ? readOnly(error, requestId) : unavailable(error, requestId);
  }
  if (error instanceof EvaluationFailed) return notEvaluated(error);
  return new Problem('INTERNAL_ERROR', `Internal error. Request id: ${requestId}`, [], {
    cause: error,
  });
}
