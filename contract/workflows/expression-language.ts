export const EXPRESSION_LANGUAGES = ['jsonata', 'javascript'] as const;

/** The language that the expressions of a definition or a poll are written in. */
export type ExpressionLanguage = (typeof EXPRESSION_LANGUAGES)[number];

/** The language of definitions and polls that name none. */
export const DEFAULT_EXPRESSION_LANGUAGE: ExpressionLanguage = 'jsonata';

/** The language of a definition's expressions. */
export const definitionLanguage = ({ language }: { language?: ExpressionLanguage | undefined }): ExpressionLanguage =>
  language ?? DEFAULT_EXPRESSION_LANGUAGE;
