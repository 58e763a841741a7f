import { z } from 'zod';
import './in-browsers';

/** Each code has one HTTP status; 405 uses NOT_FOUND. */
export const HTTP_STATUS_BY_CODE = {
  VALIDATION_ERROR: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  CONFLICT: 409,
  RATE_LIMITED: 429,
  INTERNAL_ERROR: 500,
} as const;

export const ApiErrorCode = z.enum(
  Object.keys(HTTP_STATUS_BY_CODE) as [keyof typeof HTTP_STATUS_BY_CODE, ...(keyof typeof HTTP_STATUS_BY_CODE)[]],
);
export type ApiErrorCode = z.infer<typeof ApiErrorCode>;

/** An error at a field: `field` is its path, e.g. `nodes[2].config.url`. */
export const FieldIssue = z.object({
  field: z.string().describe('The field, as a path such as `nodes[1].config.url`'),
  message: z.string().describe('What is wrong with the field, in a sentence'),
});
export type FieldIssue = z.infer<typeof FieldIssue>;

/** The body of every error response. */
export const ErrorResponse = z
  .object({
    error: z
      .object({
        code: ApiErrorCode.describe('Stable word for programs'),
        message: z.string().describe('What went wrong, in a sentence'),
        details: z.array(FieldIssue).describe('The fields that are wrong, each with a message'),
      })
      .describe('What went wrong'),
  })
  .meta({ id: 'Error', description: 'A refusal. `code` is stable; `message` is for people.' });
export type ErrorResponse = z.infer<typeof ErrorResponse>;
