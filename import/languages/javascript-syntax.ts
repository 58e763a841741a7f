import { parse, parseExpressionAt, type Node } from 'acorn';

/** A node of JavaScript's syntax tree (ESTree). */
export type JavascriptTree = { type: string; start: number; end: number; [part: string]: unknown };

/** JavaScript of a field: an expression, or statements that return the value. */
export type ReadJavascript =
  | { kind: 'expression'; tree: JavascriptTree }
  | { kind: 'statements'; body: JavascriptTree[] };

/** An error of the syntax. `position` counts from 1: it is the end of the character with the error. */
export class JavascriptSyntaxError extends Error {
  constructor(
    message: string,
    readonly position: number,
  ) {
    super(message);
  }
}

const PARSE_OPTIONS = { ecmaVersion: 2023, sourceType: 'module', allowReturnOutsideFunction: true } as const;

const asTree = (node: Node) => node as unknown as JavascriptTree;

function toSyntaxError(error: unknown, shift: number): JavascriptSyntaxError {
  const { message, pos } = error as { message?: string; pos?: number };
  const text = (message ?? 'The expression cannot be parsed').replace(/ \(\d+:\d+\)$/, '');
  return new JavascriptSyntaxError(text, Math.max(0, (pos ?? 0) - shift) + 1);
}

/** Where the parenthesis before the text was closed. */
function leftmostEnd(tree: JavascriptTree): number {
  const first = childTrees(tree).find(({ start }) => start === tree.start);
  return first && tree.type !== 'ParenthesizedExpression' ? leftmostEnd(first) : tree.end;
}

/** The whole text as one expression. Positions are those of the text. */
function readExpression(source: string): JavascriptTree {
  const read = parseExpressionAt(`(${source}\n)`, 0, { ...PARSE_OPTIONS, preserveParens: true });
  const whole = asTree(read);
  if (whole.type !== 'ParenthesizedExpression' || whole.end !== source.length + 3)
    throw new JavascriptSyntaxError('Unexpected token', leftmostEnd(whole) - 1);
  return shiftTree(whole['expression'] as JavascriptTree);
}

const isTree = (value: unknown): value is JavascriptTree =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value;

/** The trees inside a tree. */
export const childTrees = (tree: JavascriptTree): JavascriptTree[] =>
  Object.values(tree).flatMap((part) => (Array.isArray(part) ? part.filter(isTree) : isTree(part) ? [part] : []));

/** Removes the parenthesis before the text from positions. Parentheses inside it become marks of trees. */
function shiftTree(given: JavascriptTree): JavascriptTree {
  if (given.type === 'ParenthesizedExpression')
    return { ...shiftTree(given['expression'] as JavascriptTree), isParenthesized: true };
  const shifted: JavascriptTree = { ...given, start: given.start - 1, end: given.end - 1 };
  for (const [name, part] of Object.entries(given)) {
    if (isTree(part)) shifted[name] = shiftTree(part);
    if (Array.isArray(part)) shifted[name] = part.map((each: unknown) => (isTree(each) ? shiftTree(each) : each));
  }
  return shifted;
}

/** Reads JavaScript as an expression, else as statements with `return`. Throws `JavascriptSyntaxError`. */
export function readJavascript(source: string): ReadJavascript {
  try {
    return { kind: 'expression', tree: readExpression(source) };
  } catch (error) {
    const first = error instanceof JavascriptSyntaxError ? error : toSyntaxError(error, 1);
    try {
      return { kind: 'statements', body: asTree(parse(source, PARSE_OPTIONS))['body'] as JavascriptTree[] };
    } catch (other) {
      const second = toSyntaxError(other, 0);
      // The reading that came further is closer to what was meant.
      throw second.position > first.position ? second : first;
    }
  }
}
