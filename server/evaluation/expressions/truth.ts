import { isJavaScriptDialect, type ExpressionDialect } from '@/contract/workflows/expression-language';
import { isLargeJson } from './large-json';

/**
 * JSONata's $boolean: empty texts, lists and objects, 0, null and nothing are false; a list with a true element is
 * true.
 */
export function isJsonataTrue(value: unknown): boolean {
  if (isLargeJson(value)) return value.facts?.isTrue ?? true;
  if (Array.isArray(value)) return value.some(isJsonataTrue);
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return Boolean(value);
}

/**
 * Whether the value of an expression is true in its language. JavaScript's lists and objects are, and so is every large
 * value.
 */
export const isTrueValue = (value: unknown, language: ExpressionDialect): boolean =>
  isJavaScriptDialect(language) ? Boolean(value) : isJsonataTrue(value);
