/** Maximum length of an expression, in UTF-16 units. */
export const MAX_EXPRESSION_LENGTH = 65_536;
/** Maximum nesting of an expression's syntax tree; far below a stack overflow. */
export const MAX_EXPRESSION_DEPTH = 1000;
