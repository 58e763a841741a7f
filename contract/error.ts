import { z } from 'zod';
import './in-browsers';

/** Each code has one HTTP status; 405 uses NOT_FOUND. */
export const STATUS_OF = {
  VALIDATION_ERROR: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  CONFLICT: 409,
  RATE_LIMITED: 429,
  INTERNAL_ERROR: 500,
} as const;

export const ErrorCode = z.enum(Object.keys(STATUS_OF) as [keyof typeof STATUS_OF, ...(keyof typeof STATUS_OF)[]]);
export type ErrorCode = z.infer<typeof ErrorCode>;

/** An error at a field: `field` is its path, e.g. `nodes[2].config.url`. */
export const FieldError = z.object({ field: z.string(), message: z.string() });
export type FieldError = z.infer<typeof FieldError>;

/** The body of every error response. */
export const ErrorBody = z
  .object({ error: z.object({ code: ErrorCode, message: z.string(), details: z.array(FieldError) }) })
  .meta({ id: 'Error' });
export type ErrorBody = z.infer<typeof ErrorBody>;
