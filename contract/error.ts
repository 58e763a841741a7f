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
export const FieldError = z.object({
  field: z.string().describe('The field, as a path such as `nodes[1].config.url`'),
  message: z.string().describe('What is wrong with the field, in a sentence'),
});
export type FieldError = z.infer<typeof FieldError>;

/** The body of every error response. */
export const ErrorBody = z
  .object({
    error: z
      .object({
        code: ErrorCode.describe('Stable word for programs'),
        message: z.string().describe('What went wrong, in a sentence'),
        details: z.array(FieldError).describe('The fields that are wrong, each with a message'),
      })
      .describe('What went wrong'),
  })
  .meta({ id: 'Error', description: 'A refusal. `code` is stable; `message` is for people.' });
export type ErrorBody = z.infer<typeof ErrorBody>;
