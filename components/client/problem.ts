import { TRPCClientError } from '@trpc/client';
import { ErrorBody } from '@/contract/error';

export type Problem = ErrorBody['error'];

const OFFLINE: Problem = {
  code: 'INTERNAL_ERROR',
  message: 'The service can’t be reached. Check your connection and try again.',
  details: [],
};

/** What the service answered, in the documented error shape; without an answer, that it can't be reached. */
export function problemOf(error: unknown): Problem {
  const data: unknown = error instanceof TRPCClientError ? error.data : undefined;
  const parsed = ErrorBody.safeParse({ error: (data as { problem?: unknown } | undefined)?.problem });
  return parsed.success ? parsed.data.error : OFFLINE;
}

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
