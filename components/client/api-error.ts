import { TRPCClientError } from '@trpc/client';
import type { ErrorResponse } from '@/contract/error-response';
import { withPermissionWords } from './permission-words';

export type ApiErrorBody = ErrorResponse['error'];

const UNREACHABLE_ERROR: ApiErrorBody = {
  code: 'INTERNAL_ERROR',
  message: 'The service can’t be reached. Check your connection and try again.',
  details: [],
};

/** The error of the service in the documented shape. Without a response it says that the service can't be reached. */
export function readApiError(error: unknown): ApiErrorBody {
  if (!(error instanceof TRPCClientError)) return UNREACHABLE_ERROR;
  const called = (error.data as { problem?: unknown } | undefined)?.problem;
  // If a request is refused as a whole, before any procedure is called, the response has the error alone.
  const refused = (error.meta?.['responseJSON'] as { error?: unknown } | undefined)?.error;
  const body = [called, refused].find(isApiErrorBody);
  if (!body) return UNREACHABLE_ERROR;
  const details = body.details.map((detail) => ({ ...detail, message: withPermissionWords(detail.message) }));
  return { ...body, message: withPermissionWords(body.message), details };
}

/**
 * Whether a call of the service had no answer: no network, or nothing behind the proxy in between. Other errors than
 * those of calls say nothing about it.
 */
export const isUnreachableError = (error: unknown): boolean =>
  error instanceof TRPCClientError && readApiError(error) === UNREACHABLE_ERROR;

/** The response of a proxy in between may have another body. */
const isApiErrorBody = (value: unknown): value is ApiErrorBody =>
  typeof value === 'object' &&
  value !== null &&
  'code' in value &&
  'message' in value &&
  typeof value.message === 'string' &&
  'details' in value &&
  Array.isArray(value.details);

/** One sentence for a notification: the message, and what is wrong with which field. */
export function apiErrorSentence(error: unknown): string {
  const { message, details } = readApiError(error);
  const [first, ...others] = details;
  if (!first) return message;
  const where = first.field ? `${first.field}: ${first.message}` : first.message;
  return others.length ? `${where} (and ${others.length} more)` : where;
}

/** Whether a retry makes sense: internal error, rate limit or no connection. */
export const isTransientApiError = (error: unknown) =>
  ['INTERNAL_ERROR', 'RATE_LIMITED'].includes(readApiError(error).code);
