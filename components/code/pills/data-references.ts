import type { ExpressionLanguage } from '@/contract/workflows/expression-language';
import { parseExpressionPath } from '@/components/ui/values/expression-path';
import type { PathSteps } from '@/components/ui/values/jsonata-path';

/** An expression in a text that is only a path to data, with its braces. */
export interface DataReference {
  from: number;
  to: number;
  steps: PathSteps;
}

/** What is skipped inside an expression: quoted text and comments, in which braces have no meaning. */
const QUOTED_PATTERN = /"(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*'|`[^`]*`|\/\*[^]*?\*\//y;

/** The text after the braces of an expression that is not closed. */
interface OpenExpression {
  isClosed: false;
  /** Braces that are open within it. */
  depth: number;
}

/**
 * Where the expression ends that begins at a place: the place of its closing braces. The preview finds ends by a parser
 * (`splitTemplate`), which is loaded on demand and refuses what is half typed; the editor draws while people type.
 */
export function findExpressionEnd(text: string, start: number): { isClosed: true; end: number } | OpenExpression {
  let depth = 0;
  for (let at = start; at < text.length;) {
    const letter = text[at] ?? '';
    if (letter === '}' && depth === 0 && text[at + 1] === '}') return { isClosed: true, end: at };
    const isQuote = /["'`]/.test(letter) || text.startsWith('/*', at);
    QUOTED_PATTERN.lastIndex = at;
    const quoted = isQuote ? QUOTED_PATTERN.exec(text)?.[0].length : 0;
    // A quote that is not closed reaches to the end: the rest is no expression that can be read.
    if (quoted === undefined) return { isClosed: false, depth };
    if (letter === '{') depth += 1;
    if (letter === '}') depth = Math.max(0, depth - 1);
    at += Math.max(1, quoted);
  }
  return { isClosed: false, depth };
}

/** In JSON, quotes in an expression are escaped: only expressions without any are read. */
const JSON_REFERENCE_PATTERN = /\{\{([^{}"'\\]*)\}\}/g;

/**
 * The expressions of a text that are only a path, such as `{{ nodes.call.body.id }}`. Other expressions are left out.
 * `isJson`: the text is JSON, whose texts have expressions.
 */
export function findDataReferences(text: string, language: ExpressionLanguage, isJson = false): DataReference[] {
  const read = (from: number, to: number): DataReference[] => {
    const steps = parseExpressionPath(text.slice(from + 2, to - 2), language);
    return steps ? [{ from, to, steps }] : [];
  };
  if (isJson)
    return [...text.matchAll(JSON_REFERENCE_PATTERN)].flatMap(({ 0: whole, index }) =>
      read(index, index + whole.length),
    );
  const found: DataReference[] = [];
  for (let open = text.indexOf('{{'); open !== -1;) {
    const expression = findExpressionEnd(text, open + 2);
    if (!expression.isClosed) break;
    found.push(...read(open, expression.end + 2));
    open = text.indexOf('{{', expression.end + 2);
  }
  return found;
}
