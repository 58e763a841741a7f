import { invalid, invalidField } from '@/server/errors/problem';
import type { CallHeaders } from '@/server/client-address';

/** Deeper than any legitimate document, and far below what recursive code can handle. */
export const MAX_DEPTH = 200;

const decoder = new TextDecoder('utf-8', { fatal: true });

function text(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw invalid([], 'The body is not valid UTF-8.');
  }
}

/**
 * Parses the JSON value of a body. Refuses what cannot be stored unchanged: invalid UTF-8, nesting beyond `MAX_DEPTH`,
 * numbers too large for a double.
 */
export function parseJson(bytes: Uint8Array): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text(bytes));
  } catch (error) {
    if (error instanceof SyntaxError) throw invalid([], 'The body is not valid JSON.');
    throw error;
  }
  checkValues(value);
  return value;
}

function checkValues(root: unknown): void {
  // Iterative, level by level: a body of a million brackets must not exhaust the stack.
  let level: unknown[] = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) throw invalid([], `The body is nested more than ${MAX_DEPTH} levels deep.`);
    const next: unknown[] = [];
    for (const value of level) {
      if (typeof value === 'number' && !Number.isFinite(value))
        throw invalid([], 'The body contains a number that is too large.');
      if (value !== null && typeof value === 'object') for (const inner of Object.values(value)) next.push(inner);
    }
    level = next;
  }
}

/** The content type must be JSON; the charset, if present, UTF-8. */
export function checkContentType(headers: CallHeaders): void {
  const [type = '', ...parameters] = (headers.get('content-type') ?? '').toLowerCase().split(';');
  if (!/^application\/([\w.-]+\+)?json$/.test(type.trim())) {
    throw invalidField('Content-Type', 'must be application/json');
  }
  const charset = parameters.map((one) => one.trim()).find((one) => one.startsWith('charset='));
  if (charset && !/^charset="?utf-?8"?$/.test(charset)) throw invalidField('Content-Type', 'must be UTF-8');
}
