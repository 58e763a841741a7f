import { LargeJson } from './large-json';

/** A node of JSONata's syntax tree. */
export type Tree = { type?: string; value?: unknown; position?: number; [part: string]: unknown };

/** The fast path has no result: the evaluator has to compute it. */
export const FALL_BACK = Symbol('fall back');

/** Computes an expression from its scope, in time that does not depend on the size of the data. */
export type FastPath = (scope: unknown) => unknown;
type Bag = Record<string, unknown>;

/** Maximum length of a text operand on the fast path, in UTF-16 units. */
const MAX_TEXT = 16_384;

const isBag = (value: unknown): value is Bag => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Follows `a.b.c`. JSONata maps paths over lists, and large values are not parsed here: both fall back. */
function follow(steps: string[], scope: unknown): unknown {
  let value = scope;
  for (const step of steps) {
    if (Array.isArray(value) || value instanceof LargeJson) return FALL_BACK;
    if (!isBag(value) || !Object.hasOwn(value, step)) return undefined;
    value = value[step];
  }
  return value;
}

/** Whether a tree has only these parts: no filter, no order, no flag. */
const consistsOf = (tree: Tree, parts: string[]) => Object.keys(tree).every((part) => parts.includes(part));

function path(tree: Tree): FastPath | undefined {
  const steps = tree['steps'] as Tree[];
  const isPlain =
    consistsOf(tree, ['type', 'steps']) &&
    steps.every((step) => step.type === 'name' && consistsOf(step, ['type', 'value', 'position']));
  const names = steps.map(({ value }) => String(value));
  return isPlain ? (scope) => follow(names, scope) : undefined;
}

type Operator = (one: unknown, other: unknown) => unknown;

const onNumbers =
  (calculate: (one: number, other: number) => number): Operator =>
  (one, other) => {
    const result = typeof one === 'number' && typeof other === 'number' ? calculate(one, other) : Number.NaN;
    return Number.isFinite(result) ? result : FALL_BACK;
  };
const isShort = (value: unknown) => typeof value !== 'string' || value.length <= MAX_TEXT;
const onTwoOf =
  (types: string[], calculate: Operator): Operator =>
  (one, other) =>
    typeof one === typeof other && types.includes(typeof one) && isShort(one) && isShort(other)
      ? calculate(one, other)
      : FALL_BACK;
const inOrder = (holds: (order: number) => boolean): Operator =>
  onTwoOf(['number', 'string'], (one, other) => {
    const [low, high] = [one as number, other as number];
    return holds(low < high ? -1 : low > high ? 1 : 0);
  });

const isScalar = (value: unknown) =>
  value === null || (['number', 'boolean', 'string'].includes(typeof value) && isShort(value));

/** Nothing equals nothing, and differs from nothing. */
const onScalars =
  (holds: (isSame: boolean) => boolean): Operator =>
  (one, other) => {
    const isKnown = (one === undefined || isScalar(one)) && (other === undefined || isScalar(other));
    if (!isKnown) return FALL_BACK;
    return one !== undefined && other !== undefined && holds(one === other);
  };

const OPERATORS: Record<string, Operator> = {
  '+': onNumbers((one, other) => one + other),
  '-': onNumbers((one, other) => one - other),
  '*': onNumbers((one, other) => one * other),
  '/': onNumbers((one, other) => one / other),
  '%': onNumbers((one, other) => one % other),
  '&': onTwoOf(['string'], (one, other) => `${String(one)}${String(other)}`),
  '=': onScalars((isSame) => isSame),
  '!=': onScalars((isSame) => !isSame),
  '<': inOrder((order) => order < 0),
  '<=': inOrder((order) => order <= 0),
  '>': inOrder((order) => order > 0),
  '>=': inOrder((order) => order >= 0),
  and: onTwoOf(['boolean'], (one, other) => one === true && other === true),
  or: onTwoOf(['boolean'], (one, other) => one === true || other === true),
};

/** The results of the left side that decide, so that JSONata does not evaluate the right side. */
const DECIDING: Record<string, boolean> = { and: false, or: true };

/** Functions of one scalar value. */
const FUNCTIONS: Record<string, (value: unknown) => unknown> = {
  type: (value) => (isScalar(value) ? (value === null ? 'null' : typeof value) : FALL_BACK),
  exists: (value) => (value === undefined ? false : isScalar(value) ? true : FALL_BACK),
  not: (value) => (typeof value === 'boolean' ? !value : FALL_BACK),
};

function call(tree: Tree): FastPath | undefined {
  const { type, value } = tree['procedure'] as Tree;
  const [given, ...more] = tree['arguments'] as Tree[];
  const compute = type === 'variable' && Object.hasOwn(FUNCTIONS, String(value)) ? FUNCTIONS[String(value)] : undefined;
  const argument = given && more.length === 0 ? fastPathOf(given) : undefined;
  const isPlain = consistsOf(tree, ['type', 'value', 'position', 'name', 'arguments', 'procedure']);
  return compute && argument && isPlain ? (scope) => compute(argument(scope)) : undefined;
}

/** Parentheses around one expression. */
function block(tree: Tree): FastPath | undefined {
  const [inner, ...more] = tree['expressions'] as Tree[];
  const isPlain = more.length === 0 && consistsOf(tree, ['type', 'position', 'expressions']);
  return inner && isPlain ? fastPathOf(inner) : undefined;
}

function binary(tree: Tree): FastPath | undefined {
  const operator = OPERATORS[String(tree.value)];
  const [left, right] = [fastPathOf(tree['lhs'] as Tree), fastPathOf(tree['rhs'] as Tree)];
  if (!operator || !left || !right) return undefined;
  const deciding = DECIDING[String(tree.value)];
  return (scope) => {
    const first = left(scope);
    return deciding !== undefined && first === deciding ? deciding : operator(first, right(scope));
  };
}

/**
 * Compiles simple expressions: paths, literals, operators between two values of the expected type, and what the rows of the editor
 * are written with. The result equals JSONata's at a
 * tenth of the cost, or is FALL_BACK: missing, mixed, list and large values, and errors, are left to JSONata. Undefined: the expression is
 * too complex.
 */
export function fastPathOf(tree: Tree): FastPath | undefined {
  if (tree.type === 'path') return path(tree);
  if (tree.type === 'binary') return binary(tree);
  if (tree.type === 'function') return call(tree);
  if (tree.type === 'block') return block(tree);
  const isLiteral = tree.type === 'number' || tree.type === 'string' || tree.type === 'value';
  return isLiteral && consistsOf(tree, ['type', 'value', 'position']) ? () => tree.value : undefined;
}
