import type { z } from 'zod';
import type { FieldError } from '@/contract/error';

type Issue = z.core.$ZodIssue;

const joined = (path: readonly PropertyKey[]): string =>
  path.reduce<string>((before, key) => {
    if (typeof key === 'number') return `${before}[${key}]`;
    return before === '' ? String(key) : `${before}.${String(key)}`;
  }, '');

/** Paths of definition errors begin at the definition. */
const onField = (path: string, message: string): FieldError => ({ field: path.replace(/^definition\./, ''), message });

function fieldErrorsOf(issue: Issue, prefix: readonly PropertyKey[]): FieldError[] {
  const path = joined([...prefix, ...issue.path]);
  // The key's own reason, in place of "Invalid key in record".
  if (issue.code === 'invalid_key') return [onField(path, issue.issues[0]?.message ?? issue.message)];
  if (issue.code !== 'unrecognized_keys') return [onField(path, issue.message)];
  return issue.keys.map((key) => onField(path === '' ? key : `${path}.${key}`, 'is not a known field'));
}

/** Zod's issues in the format of the error body: paths such as `nodes[2].config.url`, one entry per unknown key. */
export const fieldErrors = (error: z.ZodError, prefix: readonly PropertyKey[] = []): FieldError[] =>
  error.issues.flatMap((issue) => fieldErrorsOf(issue, prefix));

/** Reports "is required" instead of zod's "received undefined". */
export const explain: z.core.$ZodErrorMap = (issue) =>
  issue.input === undefined && (issue.code === 'invalid_type' || issue.code === 'invalid_value')
    ? 'is required'
    : undefined;
