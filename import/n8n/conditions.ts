import { asN8nObject, asN8nObjects, type N8nObject } from './file';
import { asTextCode, jsonataCall, composedCode, negateCode, operandCode, type JsonataCode } from './javascript/code';
import { equalityCode } from './javascript/methods';
import { parsePatternText } from './javascript/patterns';
import { convertExpression, isN8nExpression, type NodeExpressions } from './n8n-expressions';

/** A comparison of n8n. `kind`: string, number, boolean, dateTime, array or object. */
interface N8nComparison {
  kind: string;
  operation: string;
  left: unknown;
  right: unknown;
}

const ORDER_OPERATORS: Readonly<Record<string, string>> = {
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
const orderComparisonCode = (sign: string, kind: string, left: JsonataCode, right: JsonataCode): JsonataCode =>
  kind === 'number' && right.type === 'number'
    ? composedCode(`$type(${left.code}) = "number" and ${operandCode(left)} ${sign} ${operandCode(right)}`, 'boolean')
    : composedCode(`${operandCode(left)} ${sign} ${operandCode(right)}`, 'boolean');

type ComparisonBuilder = (left: JsonataCode, right: JsonataCode, kind: string) => JsonataCode;

const startsWithCode: ComparisonBuilder = (left, right) =>
  composedCode(
    `$substring(${asTextCode(left).code}, 0, $length(${asTextCode(right).code})) = ${operandCode(right)}`,
    'boolean',
  );
const endsWithCode: ComparisonBuilder = (left, right) =>
  composedCode(
    `$substring(${asTextCode(left).code}, -$length(${asTextCode(right).code})) = ${operandCode(right)}`,
    'boolean',
  );
const containsCode: ComparisonBuilder = (left, right, kind) =>
  kind === 'array'
    ? composedCode(`${operandCode(right)} in ${operandCode(left)}`, 'boolean')
    : jsonataCall('contains', 'boolean', asTextCode(left), asTextCode(right));
const isTrueCode = (left: JsonataCode) => composedCode(`${operandCode(left)} = true`, 'boolean');
const isFilledCode = (left: JsonataCode) => composedCode(`${operandCode(left)} ? true : false`, 'boolean');

const COMPARISON_BUILDERS: Readonly<Record<string, ComparisonBuilder>> = {
  equals: (left, right) => equalityCode(left, right, false),
  equal: (left, right) => equalityCode(left, right, false),
  notEquals: (left, right) => equalityCode(left, right, true),
  notEqual: (left, right) => equalityCode(left, right, true),
  contains: containsCode,
  notContains: (left, right, kind) => negateCode(containsCode(left, right, kind)),
  startsWith: startsWithCode,
  notStartsWith: (left, right, kind) => negateCode(startsWithCode(left, right, kind)),
  endsWith: endsWithCode,
  notEndsWith: (left, right, kind) => negateCode(endsWithCode(left, right, kind)),
  exists: (left) => jsonataCall('exists', 'boolean', left),
  notExists: (left) => negateCode(jsonataCall('exists', 'boolean', left)),
  empty: negateCode,
  isEmpty: negateCode,
  notEmpty: isFilledCode,
  isNotEmpty: isFilledCode,
  true: isTrueCode,
  false: (left) => negateCode(isTrueCode(left)),
  lengthEquals: (left, right) => composedCode(`$count(${left.code}) = ${operandCode(right)}`, 'boolean'),
  lengthGt: (left, right) => composedCode(`$count(${left.code}) > ${operandCode(right)}`, 'boolean'),
  lengthLt: (left, right) => composedCode(`$count(${left.code}) < ${operandCode(right)}`, 'boolean'),
  lengthNotEquals: (left, right) => composedCode(`$count(${left.code}) != ${operandCode(right)}`, 'boolean'),
  lengthGte: (left, right) => composedCode(`$count(${left.code}) >= ${operandCode(right)}`, 'boolean'),
  lengthLte: (left, right) => composedCode(`$count(${left.code}) <= ${operandCode(right)}`, 'boolean'),
};

/** The operations that compare with a pattern, and the result of each for a match. */
const PATTERN_OPERATIONS: Readonly<Record<string, boolean>> = { regex: true, notRegex: false };

/** Converts the right side of a comparison to its type, because n8n's editor also stores numbers as texts. */
const parseComparisonValue = (value: unknown, kind: string): unknown => {
  if (typeof value !== 'string' || value.trim() === '') return value;
  if (kind === 'number' && Number.isFinite(Number(value))) return Number(value);
  if (kind === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
  return value;
};

function comparisonCode(
  { kind, operation, left, right }: N8nComparison,
  expressions: NodeExpressions,
): JsonataCode | undefined {
  const isMatch = Object.hasOwn(PATTERN_OPERATIONS, operation) ? PATTERN_OPERATIONS[operation] : undefined;
  if (isMatch !== undefined) return patternMatchCode(left, right, isMatch, expressions);
  const sign = ORDER_OPERATORS[operation];
  const compare = Object.hasOwn(COMPARISON_BUILDERS, operation) ? COMPARISON_BUILDERS[operation] : undefined;
  if (!compare && !sign) {
    expressions.reportLost(operation, 'this comparison');
    return undefined;
  }
  const first = convertExpression(left, expressions);
  const second = convertExpression(parseComparisonValue(right, kind), expressions);
  if (!first || !second) return undefined;
  return sign ? orderComparisonCode(sign, kind, first, second) : compare?.(first, second, kind);
}

/** Whether a text has a match of a pattern that is written out. */
function patternMatchCode(
  left: unknown,
  right: unknown,
  isMatch: boolean,
  expressions: NodeExpressions,
): JsonataCode | undefined {
  const pattern = typeof right === 'string' && !isN8nExpression(right) ? parsePatternText(right) : undefined;
  if (!pattern) {
    expressions.reportLost(String(right), 'this pattern');
    return undefined;
  }
  const text = convertExpression(left, expressions);
  const test = text && jsonataCall('contains', 'boolean', asTextCode(text), pattern);
  return test && (isMatch ? test : negateCode(test));
}

/** The comparisons of an `if`, `filter` or rule of a `switch`, in the present form and in the one before. */
function readComparisons(parameters: N8nObject): { all: N8nComparison[]; isAny: boolean } {
  const conditions = asN8nObject(parameters['conditions']);
  if (Array.isArray(conditions['conditions'])) {
    const all = asN8nObjects(conditions['conditions']).map((each): N8nComparison => {
      const { type, operation } = asN8nObject(each['operator']);
      return { kind: String(type), operation: String(operation), left: each['leftValue'], right: each['rightValue'] };
    });
    return { all, isAny: conditions['combinator'] === 'or' };
  }
  const all = Object.entries(conditions).flatMap(([kind, rules]) =>
    asN8nObjects(rules).map((each): N8nComparison => {
      const otherwise = kind === 'number' ? 'smaller' : 'equal';
      return { kind, operation: String(each['operation'] ?? otherwise), left: each['value1'], right: each['value2'] };
    }),
  );
  return { all, isAny: parameters['combineOperation'] === 'any' };
}

/** The condition of a node as JSONata; undefined: there is none, or a part of it has no counterpart. */
export function convertCondition(parameters: N8nObject, expressions: NodeExpressions): JsonataCode | undefined {
  const { all, isAny } = readComparisons(parameters);
  const parts = all.map((each) => comparisonCode(each, expressions));
  const [only] = parts;
  if (parts.length === 0 || parts.some((each) => each === undefined)) return undefined;
  if (parts.length === 1 && only) return only;
  return composedCode(parts.map((each) => operandCode(each as JsonataCode)).join(isAny ? ' or ' : ' and '), 'boolean');
}

/** Converts one comparison of the former `switch`, which keeps the compared value apart from its rules. */
export const convertComparison = (
  kind: string,
  operation: string,
  left: unknown,
  right: unknown,
  expressions: NodeExpressions,
) => comparisonCode({ kind, operation, left, right }, expressions);
