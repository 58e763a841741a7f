/** A field that the service refuses: `field` is its path, such as `nodes[2].config.url`. */
export interface FieldError {
  field: string;
  message: string;
}

/** The error codes that the service returns. */
export type ErrorCode =
  | 'VALIDATION_ERROR'
  | 'UNAUTHORIZED'
  | 'FORBIDDEN'
  | 'NOT_FOUND'
  | 'CONFLICT'
  | 'RATE_LIMITED'
  | 'INTERNAL_ERROR';

/** The service refused a call, or failed. */
export class WeftError extends Error {
  override name = 'WeftError';

  constructor(
    /** `UNKNOWN`: the response is not from the service but, for example, from a proxy. */
    readonly code: ErrorCode | 'UNKNOWN',
    message: string,
    /** The HTTP status. */
    readonly status: number,
    readonly details: FieldError[] = [],
    /** The id of the request in the log of the service. */
    readonly requestId: string | null = null,
  ) {
    super(message);
  }
}

/**
 * No response arrived: the service can not be reached, the connection ended, or the request timed out. `cause` is the
 * error of the platform.
 */
export class WeftConnectionError extends Error {
  override name = 'WeftConnectionError';
}

/** `runs.wait` reached its time limit. The run goes on. */
export class WeftTimeoutError extends Error {
  override name = 'WeftTimeoutError';
}

const isNonNullObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** Makes the error for a response that is not successful. */
export async function readErrorResponse(response: Response): Promise<WeftError> {
  const requestId = response.headers.get('x-request-id');
  const text = await response.text();
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    body = undefined;
  }
  const error = isNonNullObject(body) ? body['error'] : undefined;
  if (!isNonNullObject(error) || typeof error['code'] !== 'string' || typeof error['message'] !== 'string')
    return new WeftError('UNKNOWN', `The answer has the status ${response.status}.`, response.status, [], requestId);
  const details = Array.isArray(error['details']) ? (error['details'] as FieldError[]) : [];
  return new WeftError(error['code'] as ErrorCode, error['message'], response.status, details, requestId);
}
