import { STATUS_OF, type ErrorBody, type ErrorCode, type FieldError } from '@/contract/error';

/** Maximum number of details in an error: nobody reads more, and a hostile request can have as many faults as it has bytes. */
export const MAX_DETAILS = 20;

/** Says that there are more details than an error lists. */
const withCount = (message: string, count: number): string =>
  count > MAX_DETAILS
    ? `${message} It has more than ${MAX_DETAILS} faults, of which the first ${MAX_DETAILS} are listed.`
    : message;

/**
 * An error that the caller may read. Handlers throw it; only the pipeline turns it into a response. `cause` is logged and never sent to the
 * caller.
 */
export class Problem extends Error {
  readonly status: number;

  readonly details: FieldError[];

  constructor(
    readonly code: ErrorCode,
    message: string,
    details: FieldError[] = [],
    options: { cause?: unknown; status?: number; headers?: Record<string, string> } = {},
  ) {
    super(withCount(message, details.length), { cause: options.cause });
    this.details = details.slice(0, MAX_DETAILS);
    this.status = options.status ?? STATUS_OF[code];
    this.headers = options.headers ?? {};
  }

  readonly headers: Record<string, string>;

  get body(): ErrorBody {
    return { error: { code: this.code, message: this.message, details: this.details } };
  }
}

export const invalid = (details: FieldError[], message = 'The request is invalid.') =>
  new Problem('VALIDATION_ERROR', message, details);
export const invalidField = (field: string, message: string) => invalid([{ field, message }]);
export const unauthorized = (message = 'A valid access token is needed.', details: FieldError[] = []) =>
  new Problem('UNAUTHORIZED', message, details, { headers: { 'WWW-Authenticate': 'Bearer' } });
export const forbidden = (message = 'You are not allowed to do this.') => new Problem('FORBIDDEN', message);
/** One answer for ids that never existed, were deleted, or belong to another workspace. */
export const notFound = (object = 'It') => new Problem('NOT_FOUND', `${object} does not exist.`);
/** An address exists, but not with this method. */
export const methodNotAllowed = (allowed: readonly string[]) =>
  new Problem('NOT_FOUND', 'This address does not take that method.', [], {
    status: 405,
    headers: { Allow: allowed.join(', ') },
  });
export const conflict = (message: string) => new Problem('CONFLICT', message);
