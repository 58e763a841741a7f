import { STATUS_OF, type ErrorBody, type ErrorCode, type FieldError } from '@/contract/error';

/**
 * A refusal that the caller may read. Handlers throw it; the pipeline alone turns it into an answer. `cause` is for
 * the log, never for the caller.
 */
export class Problem extends Error {
  readonly status: number;

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details: FieldError[] = [],
    options: { cause?: unknown; status?: number; headers?: Record<string, string> } = {},
  ) {
    super(message, { cause: options.cause });
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
/** The same for what never was, what is gone and what belongs to somebody else. */
export const notFound = (what = 'It') => new Problem('NOT_FOUND', `${what} does not exist.`);
export const conflict = (message: string) => new Problem('CONFLICT', message);
