import { FALL_BACK_TO_EVALUATOR, type FastPathFunction } from '../fast-path';
import { LargeJsonText } from '../large-json';
import type { JavaScriptTree } from './syntax-tree';

/** The type that the operators are written for; what they are given is any scalar. */
type Operand = number;

/** Maximum length of a text operand on the fast path, in UTF-16 units. */
const MAX_FAST_PATH_TEXT = 16_384;
const FALL_BACK = FALL_BACK_TO_EVALUATOR;

/** The value of an optional chain that ends early. */
const CHAIN_END = Symbol('chain end');

export const isPresent = (value: unknown): boolean => value !== null && value !== undefined;
export const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Whether an operation on the value takes the same time for every value. */
export const isShortScalar = (value: unknown): boolean =>
  !isObject(value) && typeof value !== 'symbol' && (typeof value !== 'string' || value.length <= MAX_FAST_PATH_TEXT);

/** Reads `owner[key]`. What is inherited, and what throws, is left to the evaluator. */
function readProperty(owner: unknown, key: unknown): unknown {
  if (!isPresent(owner) || owner instanceof LargeJsonText || !isShortScalar(key)) return FALL_BACK;
  const name = String(key);
  const boxed = Object(owner) as Record<string, unknown>;
  if (Object.hasOwn(boxed, name)) return boxed[name];
  return name in boxed ? FALL_BACK : undefined;
}

/** Equality of values that are not both objects: as parsed anew by the evaluator, two objects are never the same. */
const areComparable = (one: unknown, other: unknown): boolean =>
  (isShortScalar(one) || isShortScalar(other)) &&
  [one, other].every((value) => (isObject(value) ? !(value instanceof LargeJsonText) : isShortScalar(value)));

const BINARY_OPERATIONS: Record<string, (one: Operand, other: Operand) => unknown> = {
  '+': (one, other) => one + other,
  '-': (one, other) => one - other,
  '*': (one, other) => one * other,
  '/': (one, other) => one / other,
  '%': (one, other) => one % other,
  '<': (one, other) => one < other,
  '<=': (one, other) => one <= other,
  '>': (one, other) => one > other,
  '>=': (one, other) => one >= other,
  '&': (one, other) => one & other,
  '|': (one, other) => one | other,
  '^': (one, other) => one ^ other,
  '<<': (one, other) => one << other,
  '>>': (one, other) => one >> other,
  '>>>': (one, other) => one >>> other,
};
const EQUALITY_OPERATIONS: Record<string, (one: unknown, other: unknown) => boolean> = {
  '===': (one, other) => one === other,
  '!==': (one, other) => one !== other,
  // The operators of the expression, with their conversions.
  // oxlint-disable-next-line eslint/eqeqeq
  '==': (one, other) => one == other,
  // oxlint-disable-next-line eslint/eqeqeq
  '!=': (one, other) => one != other,
};
const UNARY_OPERATIONS: Record<string, (value: Operand) => unknown> = {
  '-': (value) => -value,
  '+': (value) => +value,
  '~': (value) => ~value,
};

const compileAll = (trees: JavaScriptTree[]): FastPathFunction[] | undefined => {
  const compiled = trees.map(compileFastValue);
  return compiled.every((one) => one !== undefined) ? compiled : undefined;
};

/** Names that every expression can read; a scope cannot hide them. */
const CONSTANTS: Record<string, unknown> = { undefined, NaN: Number.NaN, Infinity: Number.POSITIVE_INFINITY };

function compileName(tree: JavaScriptTree): FastPathFunction {
  const name = String(tree['name']);
  return (scope) => {
    const value = Object.hasOwn(scope as object, name) ? (scope as Record<string, unknown>)[name] : undefined;
    if (value !== undefined) return value;
    return Object.hasOwn(CONSTANTS, name) ? CONSTANTS[name] : FALL_BACK;
  };
}

function compileMember(tree: JavaScriptTree): FastPathFunction | undefined {
  const property = tree['property'] as JavaScriptTree;
  const owner = compileFastValue(tree['object'] as JavaScriptTree);
  const isNamed = tree['computed'] === false;
  if (isNamed && property.type !== 'Identifier') return undefined;
  const name = String(property['name']);
  const key = isNamed ? () => name : compileFastValue(property);
  const isOptional = tree['optional'] === true;
  if (!owner || !key) return undefined;
  return (scope) => {
    const from = owner(scope);
    if (from === FALL_BACK || from === CHAIN_END) return from;
    if (isOptional && !isPresent(from)) return CHAIN_END;
    const at = key(scope);
    return at === FALL_BACK ? FALL_BACK : readProperty(from, at);
  };
}

function compileChain(tree: JavaScriptTree): FastPathFunction | undefined {
  const inner = compileFastValue(tree['expression'] as JavaScriptTree);
  return (
    inner &&
    ((scope) => {
      const value = inner(scope);
      return value === CHAIN_END ? undefined : value;
    })
  );
}

function compileUnary(tree: JavaScriptTree): FastPathFunction | undefined {
  const value = compileFastValue(tree['argument'] as JavaScriptTree);
  const operator = String(tree['operator']);
  const calculate = Object.hasOwn(UNARY_OPERATIONS, operator) ? UNARY_OPERATIONS[operator] : undefined;
  if (!value || (!calculate && operator !== '!')) return undefined;
  return (scope) => {
    const given = value(scope);
    if (given === FALL_BACK) return FALL_BACK;
    if (!calculate) return !given;
    return isShortScalar(given) && typeof given !== 'bigint' ? calculate(given as Operand) : FALL_BACK;
  };
}

function compileBinary(tree: JavaScriptTree): FastPathFunction | undefined {
  const sides = compileAll([tree['left'] as JavaScriptTree, tree['right'] as JavaScriptTree]);
  const operator = String(tree['operator']);
  const equality = Object.hasOwn(EQUALITY_OPERATIONS, operator) ? EQUALITY_OPERATIONS[operator] : undefined;
  const calculate = Object.hasOwn(BINARY_OPERATIONS, operator) ? BINARY_OPERATIONS[operator] : undefined;
  const [left, right] = sides ?? [];
  if (!left || !right) return undefined;
  if (equality) {
    const isLoose = operator.length === 2;
    return (scope) => {
      const [one, other] = [left(scope), right(scope)];
      if (one === FALL_BACK || other === FALL_BACK || !areComparable(one, other)) return FALL_BACK;
      // An object is converted to compare it with a text or a number.
      const isConverted = isLoose && isPresent(one) && isPresent(other) && (isObject(one) || isObject(other));
      return isConverted ? FALL_BACK : equality(one, other);
    };
  }
  if (!calculate) return undefined;
  return (scope) => {
    const [one, other] = [left(scope), right(scope)];
    return isShortScalar(one) && isShortScalar(other) ? calculate(one as Operand, other as Operand) : FALL_BACK;
  };
}

/** For each logical operator, whether the right side decides. */
const LOGICAL_OPERATORS: Record<string, (left: unknown) => boolean> = {
  '&&': Boolean,
  '||': (left) => !left,
  '??': (left) => !isPresent(left),
};

function compileLogical(tree: JavaScriptTree): FastPathFunction | undefined {
  const [left, right] = compileAll([tree['left'] as JavaScriptTree, tree['right'] as JavaScriptTree]) ?? [];
  const goesOn = LOGICAL_OPERATORS[String(tree['operator'])];
  if (!left || !right || !goesOn) return undefined;
  return (scope) => {
    const value = left(scope);
    return value !== FALL_BACK && goesOn(value) ? right(scope) : value;
  };
}

export function compileFastConditional(
  tree: JavaScriptTree,
  compileBranch: (branch: JavaScriptTree) => FastPathFunction | undefined,
): FastPathFunction | undefined {
  const test = compileFastValue(tree['test'] as JavaScriptTree);
  const yes = compileBranch(tree['consequent'] as JavaScriptTree);
  const no = compileBranch(tree['alternate'] as JavaScriptTree);
  if (!test || !yes || !no) return undefined;
  return (scope) => {
    const value = test(scope);
    if (value === FALL_BACK) return FALL_BACK;
    return value ? yes(scope) : no(scope);
  };
}

function compileTemplate(tree: JavaScriptTree): FastPathFunction | undefined {
  const values = compileAll(tree['expressions'] as JavaScriptTree[]);
  const texts = (tree['quasis'] as { value: { cooked: string } }[]).map(({ value }) => value.cooked);
  return (
    values &&
    ((scope) => {
      let text = texts[0] ?? '';
      for (const [index, compute] of values.entries()) {
        const value = compute(scope);
        if (!isShortScalar(value) || text.length > MAX_FAST_PATH_TEXT) return FALL_BACK;
        text += `${String(value)}${texts[index + 1] ?? ''}`;
      }
      return text;
    })
  );
}

function compileLiteral(tree: JavaScriptTree): FastPathFunction | undefined {
  const { value } = tree;
  // A regular expression is an object of its own each time; a bigint has operators of its own.
  return isObject(value) || typeof value === 'bigint' || tree['regex'] || tree['bigint'] ? undefined : () => value;
}

/** An expression whose value may be an operand of others. */
export function compileFastValue(tree: JavaScriptTree): FastPathFunction | undefined {
  switch (tree.type) {
    case 'Literal':
      return compileLiteral(tree);
    case 'Identifier':
      return compileName(tree);
    case 'MemberExpression':
      return compileMember(tree);
    case 'ChainExpression':
      return compileChain(tree);
    case 'UnaryExpression':
      return compileUnary(tree);
    case 'BinaryExpression':
      return compileBinary(tree);
    case 'LogicalExpression':
      return compileLogical(tree);
    case 'ConditionalExpression':
      return compileFastConditional(tree, compileFastValue);
    case 'TemplateLiteral':
      return compileTemplate(tree);
    default:
      return undefined;
  }
}
