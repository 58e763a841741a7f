/** A regular expression as JSONata writes it. */
export const printRegexLiteral = (pattern: string, ignoreCase: boolean): string =>
  `/${pattern.replace(/\\[^]|\//g, (part) => (part === '/' ? '\\/' : part))}/${ignoreCase ? 'i' : ''}`;

/** Converts the source of a regular expression to a pattern, in which a slash needs no backslash. */
export const patternFromSource = (source: string): string =>
  source === '(?:)' ? '' : source.replace(/\\[^]/g, (part) => (part === '\\/' ? '/' : part));

/** The reason why a text can’t be a pattern. Undefined if it can. */
export function regexPatternProblem(pattern: string): string | undefined {
  if (pattern === '') return 'Write a pattern, such as ^A-[0-9]+$';
  if (/[\n\r\u2028\u2029]/.test(pattern)) return 'A pattern is one line';
  try {
    RegExp(pattern);
  } catch {
    return 'This is not a regular expression';
  }
  return hasBalancedBrackets(pattern) ? undefined : 'Write a bracket in [ ] with a backslash, such as [\\(]';
}

/** Whether JSONata finds the end of the pattern: it counts all brackets that have no backslash before them. */
function hasBalancedBrackets(pattern: string): boolean {
  let depth = 0;
  for (const [at, letter] of [...pattern].entries()) {
    if (pattern[at - 1] === '\\') continue;
    if ('([{'.includes(letter)) depth += 1;
    if (')]}'.includes(letter)) depth -= 1;
  }
  return depth === 0;
}
