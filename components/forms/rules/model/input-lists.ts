import { printExpressionPath } from '@/components/ui/values/expression-path';
import type { PathSteps } from '@/components/ui/values/jsonata-path';
import type { ExpressionLanguage } from '@/contract/workflows/expression-language';

const MAX_LIST_DEPTH = 4;
const MAX_FOUND_LISTS = 20;

const isNamedValues = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * What an HTTP message is about: its body, or the items of all its pages. Its headers may have lists, too, which nobody
 * means.
 */
function contentOfMessage(value: Record<string, unknown>): Record<string, unknown> {
  const { headers, status, statusCode, method, ...content } = value;
  const isMessage = isNamedValues(headers) && (status ?? statusCode ?? method) !== undefined;
  return isMessage ? content : value;
}

function collectLists(steps: PathSteps, value: unknown, language: ExpressionLanguage, found: string[]): void {
  const path = Array.isArray(value) ? printExpressionPath(steps, language) : undefined;
  if (path !== undefined && found.length < MAX_FOUND_LISTS) found.push(path);
  if (!isNamedValues(value) || steps.length > MAX_LIST_DEPTH) return;
  for (const [name, inner] of Object.entries(contentOfMessage(value)))
    collectLists([...steps, name], inner, language, found);
}

/** The paths of the lists in the input of a node that are in no other list. */
export function findInputLists(input: unknown, language: ExpressionLanguage): string[] {
  const found: string[] = [];
  collectLists(['input'], input, language, found);
  return found;
}
