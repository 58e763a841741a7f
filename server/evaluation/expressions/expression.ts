import jsonata from 'jsonata';
import { compileFastPath, type FastPathFunction, type SyntaxTree } from './fast-path';
import { MAX_EXPRESSION_DEPTH, MAX_EXPRESSION_LENGTH } from './limits';
import { findRegexProblem } from './regex/check';
import type { ExpressionProblem } from './expression-problem';
import type { ParsedJavaScript } from './javascript/parse';

/** A parsed expression. */
export interface ParsedExpression {
  source: string;
  /** How it is evaluated as JavaScript; absent: it is JSONata. */
  javascript?: ParsedJavaScript;
  /** Computes its value without an evaluator; undefined: too complex for the fast path. */
  fastPath: FastPathFunction | undefined;
  /** It can modify its input (transform, or a call of a computed function), so it gets a copy. */
  isIntrusive: boolean;
}

const isSyntaxTree = (value: unknown): value is SyntaxTree => typeof value === 'object' && value !== null;
const listChildTrees = (tree: SyntaxTree): SyntaxTree[] =>
  tree instanceof RegExp ? [] : Object.values(tree).filter(isSyntaxTree);

/** A problem found in the tree; thrown to leave the recursive walk. */
class RefusedExpression {
  constructor(readonly problem: ExpressionProblem) {}
}

/** Collects the names that an expression binds to anything but a function that it defines itself. */
function collectBoundNames(tree: SyntaxTree, found = new Set<unknown>()): Set<unknown> {
  const { lhs, rhs } = tree as { lhs?: SyntaxTree; rhs?: SyntaxTree };
  if (tree.type === 'bind' && rhs?.type !== 'lambda') found.add(lhs?.value);
  if (tree.type === 'lambda') for (const name of tree['arguments'] as SyntaxTree[]) found.add(name.value);
  for (const key of ['focus', 'index']) if (typeof tree[key] === 'string') found.add(tree[key]);
  for (const child of listChildTrees(tree)) collectBoundNames(child, found);
  return found;
}

/** Refuses a regular expression that cannot be matched in linear time. */
function requireLinearRegex(value: RegExp, position: number): void {
  // JSONata adds the flag g, and reports the position after the expression.
  const problem = findRegexProblem(value.source, value.flags);
  const start = Math.max(0, position - value.source.length - value.flags.length);
  if (problem) throw new RefusedExpression({ message: problem.message, position: start + problem.position });
}

function inspectExpression(source: string, root: SyntaxTree): ParsedExpression {
  const bound = collectBoundNames(root);
  const expression: ParsedExpression = { source, fastPath: undefined, isIntrusive: false };
  const walk = (tree: SyntaxTree, depth: number, position: number) => {
    const here = tree.position ?? position;
    if (depth > MAX_EXPRESSION_DEPTH)
      throw new RefusedExpression({ message: 'The expression is nested too deeply', position: here });
    const { type } = tree;
    if (type === 'variable' && tree.value === 'eval') {
      throw new RefusedExpression({ message: '$eval is not available: data is never evaluated', position: here });
    }
    if (type === 'regex' && tree.value instanceof RegExp) requireLinearRegex(tree.value, here);
    if (type === 'transform' || type === 'partial' || type === 'apply') expression.isIntrusive = true;
    if (type === 'function') {
      const callee = tree['procedure'] as SyntaxTree;
      const isNamed = callee.type === 'variable' && !bound.has(callee.value);
      if (!isNamed && callee.type !== 'lambda') expression.isIntrusive = true;
    }
    for (const child of listChildTrees(tree)) walk(child, depth + 1, here);
  };
  walk(root, 0, 0);
  expression.fastPath = compileFastPath(root);
  return expression;
}

function toExpressionProblem(thrown: unknown): ExpressionProblem {
  if (thrown instanceof RefusedExpression) return thrown.problem;
  if (thrown instanceof RangeError) return { message: 'The expression is nested too deeply', position: 0 };
  const { message, position } = thrown as { message?: string; position?: number };
  return { message: message ?? 'The expression cannot be parsed', position: Math.max(0, position ?? 0) };
}

/**
 * Parses JSONata. Never throws. Takes 1 to 2 µs per character: the main thread parses short expressions only, the
 * evaluator processes all others.
 */
export function parseExpression(source: string): ParsedExpression | ExpressionProblem {
  if (source.length > MAX_EXPRESSION_LENGTH) {
    return {
      message: `An expression may have at most ${MAX_EXPRESSION_LENGTH} characters`,
      position: MAX_EXPRESSION_LENGTH,
    };
  }
  try {
    return inspectExpression(source, jsonata(source).ast() as unknown as SyntaxTree);
  } catch (thrown) {
    return toExpressionProblem(thrown);
  }
}
