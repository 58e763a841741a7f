import type { FieldIssue } from '@/contract/error-response';
import {
  DEFAULT_EXPRESSION_LANGUAGE,
  definitionDialect,
  type ExpressionDialect,
} from '@/contract/workflows/expression-language';
import { ExpressionLanguageField, ExpressionPreludeField } from '@/contract/workflows/expression-language-field';
import { repeatedNameIssues } from './name-issues';
import { explainMissingValue, toFieldErrors } from '@/server/platform/errors/zod-issues';

/** How the expressions are read; an unknown language or prelude is an issue of its own. */
export function readWrittenDialect(value: unknown): ExpressionDialect {
  const { language, prelude } = (value ?? {}) as { language?: unknown; prelude?: unknown };
  return definitionDialect({
    language: ExpressionLanguageField.catch(DEFAULT_EXPRESSION_LANGUAGE).parse(language),
    prelude: ExpressionPreludeField.optional().catch(undefined).parse(prelude),
  });
}

/** Inner definitions have the language and the prelude of the one around them. */
export function languageIssues(value: Record<string, unknown>, prefix: string): FieldIssue[] {
  const schemas = { language: ExpressionLanguageField, prelude: ExpressionPreludeField };
  const issues = Object.entries(schemas).flatMap(([name, schema]): FieldIssue[] => {
    if (!Object.hasOwn(value, name)) return [];
    if (prefix !== '')
      return [{ field: `${prefix}${name}`, message: `is not allowed here: the ${name} is that of the whole workflow` }];
    const parsed = schema.optional().safeParse(value[name], { error: explainMissingValue });
    return parsed.success ? [] : toFieldErrors(parsed.error, [name]);
  });
  const isMisplaced = prefix === '' && value['prelude'] !== undefined && value['language'] !== 'javascript';
  if (issues.length === 0 && prefix === '' && value['prelude'] !== undefined && !isMisplaced)
    return repeatedNameIssues(value, prefix);
  return issues.length === 0 && isMisplaced
    ? [{ field: 'prelude', message: 'needs the language javascript: its names are those of JavaScript' }]
    : issues;
}
