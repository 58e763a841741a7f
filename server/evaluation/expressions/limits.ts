/** Maximum length of an expression, in UTF-16 units. */
export const MAX_EXPRESSION_LENGTH = 65_536;
/** Maximum nesting of an expression's syntax tree; far below a stack overflow. */
export const MAX_EXPRESSION_DEPTH = 1000;
/** Maximum number of names that JavaScript declares. The parser compares each with all others of its scope. */
export const MAX_DECLARED_NAMES = 1000;
