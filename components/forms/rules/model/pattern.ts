/** A regular expression as JSONata writes it. */
export const writtenPattern = (pattern: string, ignoreCase: boolean): string =>
  `/${pattern.replace(/\\[^]|\//g, (part) => (part === '/' ? '\\/' : part))}/${ignoreCase ? 'i' : ''}`;

/** The opposite for the source of a regular expression: a slash needs no backslash in a field of its own. */
export const patternFrom = (source: string): string =>
  source === '(?:)' ? '' : source.replace(/\\[^]/g, (part) => (part === '\\/' ? '/' : part));

/** Why a text can’t be a pattern; undefined: it can. */
export function patternFault(pattern: string): string | undefined {
  if (pattern === '') return 'Write a pattern, such as ^A-[0-9]+$';
  if (/[\n\r\u2028\u2029]/.test(pattern)) return 'A pattern is one line';
  try {
    RegExp(pattern);
  } catch {
    return 'This is not a regular expression';
  }
  return hasPairs(pattern) ? undefined : 'Write a bracket in [ ] with a backslash, such as [\\(]';
}

/** Whether JSONata finds the end of the pattern: it counts all brackets that have no backslash before them. */
function hasPairs(pattern: string): boolean {
  let depth = 0;
  for (const [at, letter] of [...pattern].entries()) {
    if (pattern[at - 1] === '\\') continue;
    if ('([{'.includes(letter)) depth += 1;
    if (')]}'.includes(letter)) depth -= 1;
  }
  return depth === 0;
}
