import jsonata from 'jsonata';
import { fastPathOf, type FastPath, type Tree } from './fast-path';
import { regexProblem } from './regex/check';

/** Maximum length of an expression, in UTF-16 units. */
export const MAX_EXPRESSION_LENGTH = 65_536;
/** Maximum nesting of an expression's syntax tree; far below a stack overflow. */
const MAX_DEPTH = 1000;

/** A syntax error. `position` counts UTF-16 units from the beginning of the expression. */
export interface ExpressionProblem {
  message: string;
  position: number;
}

/** A parsed expression. */
export interface Expression {
  source: string;
  /** Computes its value without JSONata; undefined: too complex for the fast path. */
  fastPath: FastPath | undefined;
  /** It can modify its input (transform, or a call of a computed function), so it gets a copy. */
  isIntrusive: boolean;
}

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null;
const childrenOf = (tree: Tree): Tree[] => (tree instanceof RegExp ? [] : Object.values(tree).filter(isTree));

/** A problem found in the tree; thrown to leave the recursive walk. */
class Refused {
  constructor(readonly problem: ExpressionProblem) {}
}

/** Names that an expression binds to something other than a function that it defines. */
function boundNames(tree: Tree, found = new Set<unknown>()): Set<unknown> {
  const { lhs, rhs } = tree as { lhs?: Tree; rhs?: Tree };
  if (tree.type === 'bind' && rhs?.type !== 'lambda') found.add(lhs?.value);
  if (tree.type === 'lambda') for (const name of tree['arguments'] as Tree[]) found.add(name.value);
  for (const key of ['focus', 'index']) if (typeof tree[key] === 'string') found.add(tree[key]);
  for (const child of childrenOf(tree)) boundNames(child, found);
  return found;
}

/** Refuses a regular expression that cannot be matched in linear time. */
function checkRegex(value: RegExp, position: number): void {
  // JSONata adds the flag g, and reports the position after the expression.
  const problem = regexProblem(value.source, value.flags);
  const start = Math.max(0, position - value.source.length - value.flags.length);
  if (problem) throw new Refused({ message: problem.message, position: start + problem.position });
}

function inspect(source: string, root: Tree): Expression {
  const bound = boundNames(root);
  const expression: Expression = { source, fastPath: undefined, isIntrusive: false };
  const walk = (tree: Tree, depth: number, position: number) => {
    const here = tree.position ?? position;
    if (depth > MAX_DEPTH) throw new Refused({ message: 'The expression is nested too deeply', position: here });
    const { type } = tree;
    if (type === 'variable' && tree.value === 'eval') {
      throw new Refused({ message: '$eval is not available: data is never evaluated', position: here });
    }
    if (type === 'regex' && tree.value instanceof RegExp) checkRegex(tree.value, here);
    if (type === 'transform' || type === 'partial' || type === 'apply') expression.isIntrusive = true;
    if (type === 'function') {
      const callee = tree['procedure'] as Tree;
      const isNamed = callee.type === 'variable' && !bound.has(callee.value);
      if (!isNamed && callee.type !== 'lambda') expression.isIntrusive = true;
    }
    for (const child of childrenOf(tree)) walk(child, depth + 1, here);
  };
  walk(root, 0, 0);
  expression.fastPath = fastPathOf(root);
  return expression;
}

function problemOf(thrown: unknown): ExpressionProblem {
  if (thrown instanceof Refused) return thrown.problem;
  if (thrown instanceof RangeError) return { message: 'The expression is nested too deeply', position: 0 };
  const { message, position } = thrown as { message?: string; position?: number };
  return { message: message ?? 'The expression cannot be parsed', position: Math.max(0, position ?? 0) };
}

/**
 * Parses JSONata. Never throws. Takes 1 to 2 µs per character: the main thread parses short expressions only, the
 * evaluator processes all others.
 */
export function parseExpression(source: string): Expression | ExpressionProblem {
  if (source.length > MAX_EXPRESSION_LENGTH) {
    return {
      message: `An expression may have at most ${MAX_EXPRESSION_LENGTH} characters`,
      position: MAX_EXPRESSION_LENGTH,
    };
  }
  try {
    return inspect(source, jsonata(source).ast() as unknown as Tree);
  } catch (thrown) {
    return problemOf(thrown);
  }
}

export const isProblem = (value: Expression | ExpressionProblem): value is ExpressionProblem => 'position' in value;
