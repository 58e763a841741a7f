import { TRPCClientError } from '@trpc/client';
import type { ErrorBody } from '@/contract/error';

export type Problem = ErrorBody['error'];

const OFFLINE: Problem = {
  code: 'INTERNAL_ERROR',
  message: 'The service can’t be reached. Check your connection and try again.',
  details: [],
};

/** The error of the service in the documented shape; without an answer, that it can't be reached. */
export function problemOf(error: unknown): Problem {
  if (!(error instanceof TRPCClientError)) return OFFLINE;
  const called = (error.data as { problem?: unknown } | undefined)?.problem;
  // A request that is refused as a whole, before any procedure is called, answers with the error alone.
  const refused = (error.meta?.['responseJSON'] as { error?: unknown } | undefined)?.error;
  return [called, refused].find(isProblem) ?? OFFLINE;
}

/** A proxy in between may answer with another body. */
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

/** Whether a retry makes sense: internal error, rate limit or no connection. */
export const isTransient = (error: unknown) => ['INTERNAL_ERROR', 'RATE_LIMITED'].includes(problemOf(error).code);
