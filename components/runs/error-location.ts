import type { RunError } from '@/contract/execution';

/** An expression that failed. */
export interface LocatedExpressionError {
  field: string;
  message: string;
  source: string;
  /** The failing range of `source`. */
  from: number;
  to: number;
}

/** The service reports the end position: the failing part is the name before it with its bracket, or one character. */
const FAILED_TOKEN_PATTERN = /(?:\$?[\w.]+\(?|[^])$/;

/** Finds the failed expression of an error and its position. Returns undefined if the error has no expression. */
export function locateExpressionError({
  message,
  expression,
  parameters,
}: Pick<RunError, 'message' | 'expression' | 'parameters'>) {
  if (!expression) return undefined;
  const source = expression.source.trim();
  const ahead = expression.source.length - expression.source.trimStart().length;
  const to = Math.max(1, Math.min(expression.position - ahead, source.length));
  const from = FAILED_TOKEN_PATTERN.exec(source.slice(0, to))?.index ?? 0;
  return {
    field: expression.field.replace(/^config\./, ''),
    message: readTextParameter(parameters, 'problem') ?? message,
    source,
    from,
    to,
  } satisfies LocatedExpressionError;
}

/**
 * The field of the config that has the error, and what is wrong with it. Returns undefined if the error names no field.
 */
export function findFieldError({
  parameters,
}: Pick<RunError, 'parameters'>): { field: string; message: string } | undefined {
  const field = readTextParameter(parameters, 'field');
  const message = readTextParameter(parameters, 'problem');
  return field !== undefined && message !== undefined ? { field, message } : undefined;
}

function readTextParameter(parameters: RunError['parameters'], name: 'field' | 'problem'): string | undefined {
  const value = parameters?.[name];
  return typeof value === 'string' ? value : undefined;
}
