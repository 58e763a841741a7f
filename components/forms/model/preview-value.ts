import type { ExpressionLanguage } from '@/contract/workflows/expression-language';
import type { EvaluatedExpression } from '@/contract/workflows/expression-evaluation';
import type { PreviewData } from '../preview-context';
import { hasExpressionBraces } from './field-schema';
import {
  findSyntaxProblem,
  previewExpression,
  previewJsonValue,
  type PreviewResult,
  type PreviewScope,
} from './preview-expression';

/** Longest JSON of the data that is sent to the service for a preview, in characters. */
const MAX_SENT_DATA = 2_000_000;

/** The parts of the data that a text may read; a superset. */
export function pickMentionedScope(text: string, scope: PreviewScope): Record<string, unknown> {
  const { nodes, ...rest } = scope;
  const isNamed = (name: string) => text.includes(name);
  // A name that is computed may be any.
  const isComputed = /\bnodes\b(?!\s*(?:\?\.|\.|\[\s*["']))|\\|\[\s*[^\]"'\d\s]/.test(text);
  return {
    ...Object.fromEntries(Object.entries(rest).filter(([name, value]) => value !== undefined && isNamed(name))),
    nodes: Object.fromEntries(Object.entries(nodes).filter(([id]) => isComputed || isNamed(id))),
  };
}

/** The error of the service, with its range in the text. */
function toPreviewResult({ value, problem }: EvaluatedExpression, text: string): PreviewResult {
  if (!problem) return { value };
  const { source, message } = problem;
  const start = source === null ? -1 : text.indexOf(source);
  if (source === null || start === -1) return { problem: message, from: 0, to: text.length };
  const at = start + Math.max(0, Math.min(problem.position - 1, source.length - 1));
  return { problem: message, from: at, to: at + 1 };
}

/** Evaluates JavaScript, which no page runs: the service does. */
async function previewJavascript(value: unknown, isBare: boolean, preview: PreviewData): Promise<PreviewResult> {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (typeof value === 'string') {
    const problem = await findSyntaxProblem(value, isBare, 'javascript');
    if (problem) return problem;
  }
  if (!isBare && !hasExpressionBraces(text)) return { value };
  if (!preview.scope.vars && /\bvars\b/.test(text)) return { laterFor: 'vars' };
  const scope = pickMentionedScope(text, preview.scope);
  if (!preview.evaluate || JSON.stringify(scope).length > MAX_SENT_DATA)
    return { laterFor: 'expressions on so much data' };
  try {
    const [result] = await preview.evaluate({ language: 'javascript', texts: [{ value, isBare }], scope });
    return result ? toPreviewResult(result, text) : { value: undefined };
  } catch {
    return { laterFor: 'this while the service can’t be reached' };
  }
}

/**
 * The value of the expressions in a value with the data of a preview, or their error. Undefined: there is no data. A
 * value that is no text may have texts with `{{ }}` in it.
 */
export async function previewValue(
  value: unknown,
  isBare: boolean,
  preview: PreviewData,
  language: ExpressionLanguage,
): Promise<PreviewResult | undefined> {
  const { scope, hasData } = preview;
  if (!hasData) return typeof value === 'string' ? findSyntaxProblem(value, isBare, language) : undefined;
  if (language === 'javascript') return previewJavascript(value, isBare, preview);
  return typeof value === 'string' ? previewExpression(value, scope, isBare) : previewJsonValue(value, scope);
}
