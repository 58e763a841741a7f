import type { z } from 'zod';
import type { FieldIssue } from '@/contract/error-response';

type ZodIssue = z.core.$ZodIssue;

const joinIssuePath = (path: readonly PropertyKey[]): string =>
  path.reduce<string>((before, key) => {
    if (typeof key === 'number') return `${before}[${key}]`;
    return before === '' ? String(key) : `${before}.${String(key)}`;
  }, '');

/** Paths of definition errors begin at the definition. */
const definitionFieldError = (path: string, message: string): FieldIssue => ({
  field: path.replace(/^definition\./, ''),
  message,
});

function issueFieldErrors(issue: ZodIssue, prefix: readonly PropertyKey[]): FieldIssue[] {
  const path = joinIssuePath([...prefix, ...issue.path]);
  // The key's own reason, in place of "Invalid key in record".
  if (issue.code === 'invalid_key') return [definitionFieldError(path, issue.issues[0]?.message ?? issue.message)];
  if (issue.code !== 'unrecognized_keys') return [definitionFieldError(path, issue.message)];
  return issue.keys.map((key) => definitionFieldError(path === '' ? key : `${path}.${key}`, 'is not a known field'));
}

/** Zod's issues in the format of the error body: paths such as `nodes[2].config.url`, one entry per unknown key. */
export const toFieldErrors = (error: z.ZodError, prefix: readonly PropertyKey[] = []): FieldIssue[] =>
  error.issues.flatMap((issue) => issueFieldErrors(issue, prefix));

/** Reports "is required" instead of zod's "received undefined". */
export const explainMissingValue: z.core.$ZodErrorMap = (issue) =>
  issue.input === undefined && (issue.code === 'invalid_type' || issue.code === 'invalid_value')
    ? 'is required'
    : undefined;
