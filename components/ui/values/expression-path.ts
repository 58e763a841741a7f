import type { ExpressionLanguage } from '@/contract/workflows/expression-language';
import { parseJavascriptPath, printJavascriptPath, printMappedPath } from './javascript-path';
import { parseJsonataPath, printJsonataPath, type PathSteps } from './jsonata-path';

/** Steps as a path in a language; undefined: it can’t be written. `scope`: the data that the path leads into. */
export const printExpressionPath = (
  steps: PathSteps,
  language: ExpressionLanguage,
  scope?: Readonly<Record<string, unknown>>,
): string | undefined => (language === 'javascript' ? printJavascriptPath(steps, scope) : printJsonataPath(steps));

/** The steps of a path in a language; undefined: the text is something else. */
export const parseExpressionPath = (text: string, language: ExpressionLanguage): PathSteps | undefined =>
  language === 'javascript' ? parseJavascriptPath(text) : parseJsonataPath(text);

const NO_SCOPE = {};

/** A path of JSONata, as data fields are dragged, in a language. */
export function translatePath(
  path: string,
  language: ExpressionLanguage,
  scope?: Readonly<Record<string, unknown>>,
): string {
  if (language === 'jsonata') return path;
  const steps = parseJsonataPath(path);
  return (steps && printMappedPath(steps, scope ?? NO_SCOPE)) ?? path;
}
