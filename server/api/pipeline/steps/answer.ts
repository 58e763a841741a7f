import {
  isForeignKeyViolation,
  isOverConcurrencyLimit,
  isReadOnlyFailure,
} from '@/server/platform/db/failures/sql-state';
import { classifyDatabaseFailure } from '@/server/platform/db/failures/verdict';
import { EvaluationFailedError } from '@/server/evaluation/evaluator/evaluation';
import { conflictProblem, ApiProblem } from '@/server/platform/errors/problem';
import { maintenanceProblem, currentMaintenance } from '@/server/platform/maintenance';
import { CustomResponse, type OperationRecord } from '@/server/api/operation/operation';
import { jsonReplyIn, type JsonReply } from '@/server/api/operation/operation-parts';

/** The answer, independent of the transport. Plain JSON, so that it can be stored and replayed. */
export interface OperationResponse {
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
export function buildOperationResponse(operation: OperationRecord, output: unknown): OperationResponse {
  if (output instanceof Response) return { status: output.status, headers: {}, raw: output };
  if (output instanceof CustomResponse) return { status: output.status, headers: output.headers, ...output.content };
  const reply = jsonReplyIn(operation);
  if (!reply) return { status: 204, headers: {} };
  const body = reply.schema.parse(output);
  return {
    status: reply.status ?? 200,
    headers: { ...reply.headers?.(body), ...locationHeader(reply, body) },
    body,
  };
}

function locationHeader({ location }: JsonReply, body: unknown): Record<string, string> {
  if (location === undefined) return {};
  const fields = body as Record<string, unknown>;
  return { Location: location.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(fields[name]))) };
}

/** Retry-After in seconds when the database is unavailable, or its disk is full. */
const UNAVAILABLE_RETRY_SECONDS = '5';
/** Retry-After in seconds while the database is read-only, which takes longer. */
const READ_ONLY_RETRY_SECONDS = '30';

const databaseUnavailableProblem = (cause: unknown, requestId: string) =>
  new ApiProblem('INTERNAL_ERROR', `The database is not available now. Try again later. Request id: ${requestId}`, [], {
    cause,
    status: 503,
    headers: { 'Retry-After': UNAVAILABLE_RETRY_SECONDS },
  });

/** The database takes no changes, and no operator has begun maintenance: a standby, or a setting of the server. */
const databaseReadOnlyProblem = (cause: unknown, requestId: string) =>
  new ApiProblem(
    'INTERNAL_ERROR',
    `The database is read-only now. Reading works; try changes again later. Request id: ${requestId}`,
    [],
    { cause, status: 503, headers: { 'Retry-After': READ_ONLY_RETRY_SECONDS } },
  );

/** Too many evaluations of the workspace are waiting, or the process is stopping: the call can be retried. */
const evaluationBusyProblem = (error: EvaluationFailedError) =>
  new ApiProblem('RATE_LIMITED', error.message, [], {
    cause: error,
    headers: { 'Retry-After': UNAVAILABLE_RETRY_SECONDS },
  });

/** Converts any error into the answer that the caller may read. The rest is logged. */
export function toApiProblem(error: unknown, requestId: string): ApiProblem {
  if (error instanceof ApiProblem) return error;
  const verdict = classifyDatabaseFailure(error);
  if (verdict === 'collision') return conflictProblem('Another request changed this at the same time. Try again.');
  if (isOverConcurrencyLimit(error))
    return conflictProblem('The limit of concurrent runs is reached. Try again later.');
  if (isForeignKeyViolation(error))
    return conflictProblem('An object that this refers to was deleted at the same time.');
  if (verdict !== 'lasting') {
    const current = currentMaintenance();
    if (current) return maintenanceProblem(current);
    return isReadOnlyFailure(error)
      ? databaseReadOnlyProblem(error, requestId)
      : databaseUnavailableProblem(error, requestId);
  }
  if (error instanceof EvaluationFailedError) return evaluationBusyProblem(error);
  return new ApiProblem('INTERNAL_ERROR', `Internal error. Request id: ${requestId}`, [], {
    cause: error,
  });
}
