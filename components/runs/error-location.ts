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
export function locateExpressionError({ message, expression }: Pick<RunError, 'message' | 'expression'>) {
  if (!expression) return undefined;
  const source = expression.source.trim();
  const ahead = expression.source.length - expression.source.trimStart().length;
  const to = Math.max(1, Math.min(expression.position - ahead, source.length));
  const from = FAILED_TOKEN_PATTERN.exec(source.slice(0, to))?.index ?? 0;
  // `Node a, config.url: Unknown operator (at position 3 of "1 + )")`: only the middle part is needed, the rest is
  // shown separately.
  const said = /^Node .*?: (.*) \(at position \d+ of ".*"\)$/s.exec(message)?.[1] ?? message;
  return {
    field: expression.field.replace(/^config\./, ''),
    message: said,
    source,
    from,
    to,
  } satisfies LocatedExpressionError;
}

/** Splits `config.to: the mail has no recipient` into field and message. Returns undefined if the message names no field. */
export function parseFieldError(message: string): { field: string; message: string } | undefined {
  const [, field, rest] = /^(?:Node [^:]*?, )?(config\.[\w.[\]]+): (.*)$/s.exec(message) ?? [];
  return field !== undefined && rest !== undefined ? { field, message: rest } : undefined;
}
