import type { FieldIssue } from '@/contract/error-response';
import { DEFAULT_EXPRESSION_LANGUAGE, type ExpressionLanguage } from '@/contract/workflows/expression-language';
import { ExpressionLanguageField } from '@/contract/workflows/expression-language-field';
import { explainMissingValue, toFieldErrors } from '@/server/platform/errors/zod-issues';

/** The language of the expressions; an unknown one is an issue of its own. */
export const readWrittenLanguage = (value: unknown): ExpressionLanguage =>
  ExpressionLanguageField.catch(DEFAULT_EXPRESSION_LANGUAGE).parse((value as { language?: unknown } | null)?.language);

/** Inner definitions have the language of the one around them. */
export function languageIssues(value: Record<string, unknown>, prefix: string): FieldIssue[] {
  if (!Object.hasOwn(value, 'language')) return [];
  const field = `${prefix}language`;
  if (prefix !== '') return [{ field, message: 'is not allowed here: the language is that of the whole workflow' }];
  const parsed = ExpressionLanguageField.optional().safeParse(value['language'], { error: explainMissingValue });
  return parsed.success ? [] : toFieldErrors(parsed.error, ['language']);
}
