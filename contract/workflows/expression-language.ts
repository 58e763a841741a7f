import { z } from 'zod';

export const EXPRESSION_LANGUAGES = ['jsonata', 'javascript'] as const;

/** The language that the expressions of a definition or a poll are written in. */
export const ExpressionLanguage = z.enum(EXPRESSION_LANGUAGES).meta({
  id: 'ExpressionLanguage',
  description: 'Whether `input.a`, `{{ … }}` and the like are read as JSONata or as JavaScript',
  example: 'javascript',
});
export type ExpressionLanguage = z.infer<typeof ExpressionLanguage>;

/** The language of definitions and polls that name none. */
export const DEFAULT_EXPRESSION_LANGUAGE: ExpressionLanguage = 'jsonata';

/** The language of a definition's expressions. */
export const definitionLanguage = ({ language }: { language?: ExpressionLanguage | undefined }): ExpressionLanguage =>
  language ?? DEFAULT_EXPRESSION_LANGUAGE;
