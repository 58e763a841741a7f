import { HTTP_STATUS_BY_CODE, type ErrorResponse, type ApiErrorCode, type FieldIssue } from '@/contract/error-response';

/**
 * Maximum number of details in an error: nobody reads more, and a hostile request can have as many faults as it has
 * bytes.
 */
export const MAX_PROBLEM_DETAILS = 20;

/** Says that there are more details than an error lists. */
const withDetailCount = (message: string, count: number): string =>
  count > MAX_PROBLEM_DETAILS
    ? `${message} It has more than ${MAX_PROBLEM_DETAILS} faults, of which the first ${MAX_PROBLEM_DETAILS} are listed.`
    : message;

/**
 * An error that the caller may read. Handlers throw it; only the pipeline turns it into a response. `cause` is logged
 * and never sent to the caller.
 */
export class ApiProblem extends Error {
  readonly status: number;

  readonly details: FieldIssue[];

  constructor(
    readonly code: ApiErrorCode,
    message: string,
    details: FieldIssue[] = [],
    options: { cause?: unknown; status?: number; headers?: Record<string, string> } = {},
  ) {
    super(withDetailCount(message, details.length), { cause: options.cause });
    this.details = details.slice(0, MAX_PROBLEM_DETAILS);
    this.status = options.status ?? HTTP_STATUS_BY_CODE[code];
    this.headers = options.headers ?? {};
  }

  readonly headers: Record<string, string>;

  get body(): ErrorResponse {
    return { error: { code: this.code, message: this.message, details: this.details } };
  }
}

export const invalidRequestProblem = (details: FieldIssue[], message = 'The request is invalid.') =>
  new ApiProblem('VALIDATION_ERROR', message, details);
export const invalidFieldProblem = (field: string, message: string) => invalidRequestProblem([{ field, message }]);
export const unauthorizedProblem = (message = 'A valid access token is needed.', details: FieldIssue[] = []) =>
  new ApiProblem('UNAUTHORIZED', message, details, { headers: { 'WWW-Authenticate': 'Bearer' } });
export const forbiddenProblem = (message = 'You are not allowed to do this.') => new ApiProblem('FORBIDDEN', message);
/** One answer for ids that never existed, were deleted, or belong to another workspace. */
export const notFoundProblem = (object = 'It') => new ApiProblem('NOT_FOUND', `${object} does not exist.`);
/** An address exists, but not with this method. */
export const methodNotAllowedProblem = (allowed: readonly string[]) =>
  new ApiProblem('NOT_FOUND', 'This address does not take that method.', [], {
    status: 405,
    headers: { Allow: allowed.join(', ') },
  });
export const conflictProblem = (message: string) => new ApiProblem('CONFLICT', message);
