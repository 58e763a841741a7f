export const EXPRESSION_LANGUAGES = ['jsonata', 'javascript'] as const;

/** The language that the expressions of a definition or a poll are written in. */
export type ExpressionLanguage = (typeof EXPRESSION_LANGUAGES)[number];

/** The language of definitions and polls that name none. */
export const DEFAULT_EXPRESSION_LANGUAGE: ExpressionLanguage = 'jsonata';

/** The language of a definition's expressions. */
export const definitionLanguage = ({ language }: { language?: ExpressionLanguage | undefined }): ExpressionLanguage =>
  language ?? DEFAULT_EXPRESSION_LANGUAGE;

/** Names of another tool that expressions in JavaScript may use besides those of Weft. */
export const EXPRESSION_PRELUDES = ['n8n'] as const;
export type ExpressionPrelude = (typeof EXPRESSION_PRELUDES)[number];

/** How expressions are read and evaluated: a language, or JavaScript with a prelude, which is named by it. */
export const EXPRESSION_DIALECTS = [...EXPRESSION_LANGUAGES, ...EXPRESSION_PRELUDES] as const;
export type ExpressionDialect = (typeof EXPRESSION_DIALECTS)[number];

/** How the expressions of a definition are read and evaluated. */
export const definitionDialect = (definition: {
  language?: ExpressionLanguage | undefined;
  prelude?: ExpressionPrelude | undefined;
}): ExpressionDialect => definition.prelude ?? definitionLanguage(definition);

/** Whether expressions of a dialect are JavaScript. */
export const isJavaScriptDialect = (dialect: ExpressionDialect): boolean => dialect !== 'jsonata';
