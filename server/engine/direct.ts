/** A part of an expression as JSONata reads it. */
export type Tree = { type?: string; value?: unknown; position?: number; [part: string]: unknown };

/** A direct reading can't tell: JSONata has to. */
export const UNSURE = Symbol('unsure');

type Direct = (scope: unknown) => unknown;
type Bag = Record<string, unknown>;

const isBag = (value: unknown): value is Bag => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Follows `a.b.c`. Over arrays JSONata maps and flattens; that is left to it. */
function follow(steps: string[], scope: unknown): unknown {
  let value = scope;
  for (const step of steps) {
    if (Array.isArray(value)) return UNSURE;
    if (!isBag(value) || !Object.hasOwn(value, step)) return undefined;
    value = value[step];
  }
  return value;
}

/** Nothing but these parts: no filter, no order, no flag. */
const consistsOf = (tree: Tree, parts: string[]) => Object.keys(tree).every((part) => parts.includes(part));

function path(tree: Tree): Direct | undefined {
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
    return Number.isFinite(result) ? result : UNSURE;
  };
const onTwoOf =
  (types: string[], calculate: Operator): Operator =>
  (one, other) =>
    typeof one === typeof other && types.includes(typeof one) ? calculate(one, other) : UNSURE;
const inOrder = (holds: (order: number) => boolean): Operator =>
  onTwoOf(['number', 'string'], (one, other) => {
    const [low, high] = [one as number, other as number];
    return holds(low < high ? -1 : low > high ? 1 : 0);
  });

const OPERATORS: Record<string, Operator> = {
  '+': onNumbers((one, other) => one + other),
  '-': onNumbers((one, other) => one - other),
  '*': onNumbers((one, other) => one * other),
  '/': onNumbers((one, other) => one / other),
  '%': onNumbers((one, other) => one % other),
  '&': onTwoOf(['string'], (one, other) => `${String(one)}${String(other)}`),
  '=': onTwoOf(['number', 'string', 'boolean'], (one, other) => one === other),
  '!=': onTwoOf(['number', 'string', 'boolean'], (one, other) => one !== other),
  '<': inOrder((order) => order < 0),
  '<=': inOrder((order) => order <= 0),
  '>': inOrder((order) => order > 0),
  '>=': inOrder((order) => order >= 0),
  and: onTwoOf(['boolean'], (one, other) => one === true && other === true),
  or: onTwoOf(['boolean'], (one, other) => one === true || other === true),
};

function binary(tree: Tree): Direct | undefined {
  const operator = OPERATORS[String(tree.value)];
  const [left, right] = [directOf(tree['lhs'] as Tree), directOf(tree['rhs'] as Tree)];
  if (!operator || !left || !right) return undefined;
  return (scope) => operator(left(scope), right(scope));
}

/**
 * Reads the plainest of expressions by itself: paths, literals, and operators between two values of the type that they
 * are made for. It says what JSONata says, at a tenth of the cost, or UNSURE: anything missing, mixed or listed is left
 * to JSONata, errors, too. Undefined: the expression isn't that plain.
 */
export function directOf(tree: Tree): Direct | undefined {
  if (tree.type === 'path') return path(tree);
  if (tree.type === 'binary') return binary(tree);
  const isLiteral = tree.type === 'number' || tree.type === 'string' || tree.type === 'value';
  return isLiteral && consistsOf(tree, ['type', 'value', 'position']) ? () => tree.value : undefined;
}
