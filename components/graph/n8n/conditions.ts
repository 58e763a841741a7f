import { bag, list, type Bag } from './file';
import { asText, call, composed, not, part, type Code } from './javascript/code';
import { isEqual } from './javascript/methods';
import { patternIn } from './javascript/patterns';
import { expression, isExpression, type Expressions } from './text';

/** A comparison of n8n. `kind`: string, number, boolean, dateTime, array or object. */
interface Comparison {
  kind: string;
  operation: string;
  left: unknown;
  right: unknown;
}

const ORDERED: Readonly<Record<string, string>> = {
  gt: '>',
  larger: '>',
  greater: '>',
  after: '>',
  gte: '>=',
  largerEqual: '>=',
  afterOrEquals: '>=',
  lt: '<',
  smaller: '<',
  before: '<',
  lte: '<=',
  smallerEqual: '<=',
  beforeOrEquals: '<=',
};

/** Rules of Weft compare numbers with numbers: another type does not match, and does not fail. */
const ordered = (sign: string, kind: string, left: Code, right: Code): Code =>
  kind === 'number' && right.type === 'number'
    ? composed(`$type(${left.code}) = "number" and ${part(left)} ${sign} ${part(right)}`, 'boolean')
    : composed(`${part(left)} ${sign} ${part(right)}`, 'boolean');

type Compare = (left: Code, right: Code, kind: string) => Code;

const startsWith: Compare = (left, right) =>
  composed(`$substring(${asText(left).code}, 0, $length(${asText(right).code})) = ${part(right)}`, 'boolean');
const endsWith: Compare = (left, right) =>
  composed(`$substring(${asText(left).code}, -$length(${asText(right).code})) = ${part(right)}`, 'boolean');
const contains: Compare = (left, right, kind) =>
  kind === 'array'
    ? composed(`${part(right)} in ${part(left)}`, 'boolean')
    : call('contains', 'boolean', asText(left), asText(right));
const isTrue = (left: Code) => composed(`${part(left)} = true`, 'boolean');
const isFilled = (left: Code) => composed(`${part(left)} ? true : false`, 'boolean');

const COMPARE: Readonly<Record<string, Compare>> = {
  equals: (left, right) => isEqual(left, right, false),
  equal: (left, right) => isEqual(left, right, false),
  notEquals: (left, right) => isEqual(left, right, true),
  notEqual: (left, right) => isEqual(left, right, true),
  contains,
  notContains: (left, right, kind) => not(contains(left, right, kind)),
  startsWith,
  notStartsWith: (left, right, kind) => not(startsWith(left, right, kind)),
  endsWith,
  notEndsWith: (left, right, kind) => not(endsWith(left, right, kind)),
  exists: (left) => call('exists', 'boolean', left),
  notExists: (left) => not(call('exists', 'boolean', left)),
  empty: not,
  isEmpty: not,
  notEmpty: isFilled,
  isNotEmpty: isFilled,
  true: isTrue,
  false: (left) => not(isTrue(left)),
  lengthEquals: (left, right) => composed(`$count(${left.code}) = ${part(right)}`, 'boolean'),
  lengthGt: (left, right) => composed(`$count(${left.code}) > ${part(right)}`, 'boolean'),
  lengthLt: (left, right) => composed(`$count(${left.code}) < ${part(right)}`, 'boolean'),
  lengthNotEquals: (left, right) => composed(`$count(${left.code}) != ${part(right)}`, 'boolean'),
  lengthGte: (left, right) => composed(`$count(${left.code}) >= ${part(right)}`, 'boolean'),
  lengthLte: (left, right) => composed(`$count(${left.code}) <= ${part(right)}`, 'boolean'),
};

/** Comparisons with a pattern, and what they give for a match. */
const PATTERNS: Readonly<Record<string, boolean>> = { regex: true, notRegex: false };

/** The value that a comparison with a number of n8n compares with: the editor stores numbers as texts, too. */
const typed = (value: unknown, kind: string): unknown => {
  if (typeof value !== 'string' || value.trim() === '') return value;
  if (kind === 'number' && Number.isFinite(Number(value))) return Number(value);
  if (kind === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
  return value;
};

function compared({ kind, operation, left, right }: Comparison, expressions: Expressions): Code | undefined {
  const isMatch = Object.hasOwn(PATTERNS, operation) ? PATTERNS[operation] : undefined;
  if (isMatch !== undefined) return matching(left, right, isMatch, expressions);
  const sign = ORDERED[operation];
  const compare = Object.hasOwn(COMPARE, operation) ? COMPARE[operation] : undefined;
  if (!compare && !sign) {
    expressions.lose(operation, 'this comparison');
    return undefined;
  }
  const first = expression(left, expressions);
  const second = expression(typed(right, kind), expressions);
  if (!first || !second) return undefined;
  return sign ? ordered(sign, kind, first, second) : compare?.(first, second, kind);
}

/** Whether a text has a match of a pattern that is written out. */
function matching(left: unknown, right: unknown, isMatch: boolean, expressions: Expressions): Code | undefined {
  const pattern = typeof right === 'string' && !isExpression(right) ? patternIn(right) : undefined;
  if (!pattern) {
    expressions.lose(String(right), 'this pattern');
    return undefined;
  }
  const text = expression(left, expressions);
  const test = text && call('contains', 'boolean', asText(text), pattern);
  return test && (isMatch ? test : not(test));
}

/** The comparisons of an `if`, `filter` or rule of a `switch`, in the present form and in the one before. */
function comparisonsOf(parameters: Bag): { all: Comparison[]; isAny: boolean } {
  const conditions = bag(parameters['conditions']);
  if (Array.isArray(conditions['conditions'])) {
    const all = list(conditions['conditions']).map((each): Comparison => {
      const { type, operation } = bag(each['operator']);
      return { kind: String(type), operation: String(operation), left: each['leftValue'], right: each['rightValue'] };
    });
    return { all, isAny: conditions['combinator'] === 'or' };
  }
  const all = Object.entries(conditions).flatMap(([kind, rules]) =>
    list(rules).map((each): Comparison => {
      const otherwise = kind === 'number' ? 'smaller' : 'equal';
      return { kind, operation: String(each['operation'] ?? otherwise), left: each['value1'], right: each['value2'] };
    }),
  );
  return { all, isAny: parameters['combineOperation'] === 'any' };
}

/** The condition of a node as JSONata; undefined: there is none, or a part of it has no counterpart. */
export function condition(parameters: Bag, expressions: Expressions): Code | undefined {
  const { all, isAny } = comparisonsOf(parameters);
  const parts = all.map((each) => compared(each, expressions));
  const [only] = parts;
  if (parts.length === 0 || parts.some((each) => each === undefined)) return undefined;
  if (parts.length === 1 && only) return only;
  return composed(parts.map((each) => part(each as Code)).join(isAny ? ' or ' : ' and '), 'boolean');
}

/** One comparison of the former `switch`, whose value stands apart. */
export const comparison = (kind: string, operation: string, left: unknown, right: unknown, expressions: Expressions) =>
  compared({ kind, operation, left, right }, expressions);
