import jsonata from 'jsonata';
import { Cache } from './cache';
import { directOf, type Tree } from './direct';

/** Longest expression, in UTF-16 units. */
const LONGEST = 65_536;
/** Deepest nesting of an expression's syntax tree; far below what would overflow a stack. */
const DEEPEST = 1000;

/** What is wrong with an expression; `position` counts UTF-16 units from its beginning. */
export interface ExpressionProblem {
  message: string;
  position: number;
}

/** What can be told of an expression without running it. */
export interface Expression {
  source: string;
  /** Its value in a scope without JSONata, where it is that plain; UNSURE where JSONata has to tell. */
  direct: ((scope: unknown) => unknown) | undefined;
  /** Only steps whose cost grows gently with the data; needs no watchdog. */
  isTame: boolean;
  /** May write into what it reads (transform) or call what it reads; gets a copy. */
  isIntrusive: boolean;
}

/** Functions in linear time and space, without regular expressions and without calling back. */
const TAME = new Set(
  (
    'sum count max min average string substring substringBefore substringAfter lowercase uppercase trim contains join ' +
    'number floor ceil round abs boolean not keys lookup append exists merge reverse type now millis base64encode ' +
    'base64decode encodeUrlComponent decodeUrlComponent split replace fromMillis'
  ).split(' '),
);
const TAME_TYPES = new Set(
  'path binary unary name string number value condition block bind function variable filter index operator'.split(' '),
);

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null;
const childrenOf = (tree: Tree): Tree[] => (tree instanceof RegExp ? [] : Object.values(tree).filter(isTree));

/** A problem found in the tree, thrown through the walk. */
class Refused {
  constructor(readonly problem: ExpressionProblem) {}
}

/** Names that an expression binds to something that isn't surely a function. */
function boundNames(tree: Tree, found = new Set<unknown>()): Set<unknown> {
  const { lhs, rhs } = tree as { lhs?: Tree; rhs?: Tree };
  if (tree.type === 'bind' && rhs?.type !== 'lambda') found.add(lhs?.value);
  if (tree.type === 'lambda') for (const name of tree['arguments'] as Tree[]) found.add(name.value);
  for (const key of ['focus', 'index']) if (typeof tree[key] === 'string') found.add(tree[key]);
  for (const child of childrenOf(tree)) boundNames(child, found);
  return found;
}

function inspect(source: string, root: Tree): Expression {
  const bound = boundNames(root);
  const expression: Expression = { source, direct: undefined, isTame: true, isIntrusive: false };
  const walk = (tree: Tree, depth: number, position: number) => {
    const here = tree.position ?? position;
    if (depth > DEEPEST) throw new Refused({ message: 'The expression is nested too deeply', position: here });
    const { type } = tree;
    if (type === 'variable' && tree.value === 'eval') {
      throw new Refused({ message: '$eval is not available: data is never evaluated', position: here });
    }
    if (type !== undefined && (!TAME_TYPES.has(type) || (type === 'binary' && tree.value === '..'))) {
      expression.isTame = false;
    }
    if (type === 'transform' || type === 'partial' || type === 'apply') expression.isIntrusive = true;
    if (type === 'function') {
      const callee = tree['procedure'] as Tree;
      const isNamed = callee.type === 'variable' && !bound.has(callee.value);
      if (!isNamed || !TAME.has(String(callee.value))) expression.isTame = false;
      if (!isNamed && callee.type !== 'lambda') expression.isIntrusive = true;
    }
    for (const child of childrenOf(tree)) walk(child, depth + 1, here);
  };
  walk(root, 0, 0);
  expression.direct = directOf(root);
  return expression;
}

function problemOf(thrown: unknown): ExpressionProblem {
  if (thrown instanceof Refused) return thrown.problem;
  if (thrown instanceof RangeError) return { message: 'The expression is nested too deeply', position: 0 };
  const { message, position } = thrown as { message?: string; position?: number };
  return { message: message ?? 'The expression can not be read', position: Math.max(0, position ?? 0) };
}

const known = new Cache<string, Expression | ExpressionProblem>(2000);
/** Longer sources are read anew each time, so that the cache stays small. */
const WORTH_KEEPING = 4000;

/** Reads a JSONata expression; what was read before is remembered. Never throws. */
export function read(source: string): Expression | ExpressionProblem {
  return source.length > WORTH_KEEPING ? readAnew(source) : known.get(source, () => readAnew(source));
}

function readAnew(source: string): Expression | ExpressionProblem {
  if (source.length > LONGEST) {
    return { message: `An expression may have at most ${LONGEST} characters`, position: LONGEST };
  }
  try {
    return inspect(source, jsonata(source).ast() as unknown as Tree);
  } catch (thrown) {
    return problemOf(thrown);
  }
}

export const isProblem = (value: Expression | ExpressionProblem): value is ExpressionProblem => 'position' in value;

/** What is wrong with bare JSONata, or null. */
export function expressionProblem(source: string): ExpressionProblem | null {
  const expression = read(source);
  return isProblem(expression) ? expression : null;
}
