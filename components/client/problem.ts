import { TRPCClientError } from '@trpc/client';
import type { ErrorBody } from '@/contract/error';

export type Problem = ErrorBody['error'];

const OFFLINE: Problem = {
  code: 'INTERNAL_ERROR',
  message: 'The service can’t be reached. Check your connection and try again.',
  details: [],
};

/** What the service answered, in the documented error shape; without an answer, that it can't be reached. */
export function problemOf(error: unknown): Problem {
  const data: unknown = error instanceof TRPCClientError ? error.data : undefined;
  const problem = (data as { problem?: unknown } | undefined)?.problem;
  return isProblem(problem) ? problem : OFFLINE;
}

/** What stands between here and the service may answer in a shape of its own. */
const isProblem = (value: unknown): value is Problem =>
  typeof value === 'object' &&
  value !== null &&
  'code' in value &&
  'message' in value &&
  typeof value.message === 'string' &&
  'details' in value &&
  Array.isArray(value.details);

/** One sentence for a notification: the message, and what is wrong with which field. */
export function sentence(error: unknown): string {
  const { message, details } = problemOf(error);
  const [first, ...others] = details;
  if (!first) return message;
  const where = first.field ? `${first.field}: ${first.message}` : first.message;
  return others.length ? `${where} (and ${others.length} more)` : where;
}

/** Worth another try by itself: the service stumbled, said "later", or could not be reached. */
export const isTransient = (error: unknown) => ['INTERNAL_ERROR', 'RATE_LIMITED'].includes(problemOf(error).code);
