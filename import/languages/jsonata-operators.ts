import {
  certainPiece,
  comparisonPiece,
  logicalOperandCode,
  printOperandCode,
  unknownPiece,
  type CodePiece,
} from './conversion';
import { jsonataNodes, toJsonataNode, type JsonataConversion, type JsonataNode } from './jsonata-conversion';

const ARITHMETIC_SIGNS = new Set(['+', '-', '*', '/', '%']);
const ORDER_SIGNS = new Set(['<', '<=', '>', '>=']);

/** Operators with two operands. `isTest`: only counts whether the result is true. */
export function convertJsonataBinary(
  converter: JsonataConversion,
  tree: JsonataNode,
  context: CodePiece | undefined,
  isTest = false,
): CodePiece {
  const sign = String(tree.value);
  const [left, right] = [toJsonataNode(tree['lhs']), toJsonataNode(tree['rhs'])];
  if (sign === 'and' || sign === 'or') {
    const [one, other] = [converter.convertTest(left, context), converter.convertTest(right, context)];
    const code = `${logicalOperandCode(one)} ${sign === 'and' ? '&&' : '||'} ${logicalOperandCode(other)}`;
    const isBoolean = [one, other].every((piece) => piece.type === 'boolean' && piece.isCertain);
    return isBoolean || isTest ? certainPiece(code, 'boolean', false) : certainPiece(`Boolean(${code})`, 'boolean');
  }
  const typed = sign === '=' || sign === '!=' ? convertTypeTest(converter, left, right, sign, context) : undefined;
  if (typed) return typed;
  if (sign === 'in') return convertMembership(converter, left, right, context);
  const [one, other] = [converter.convert(left, context), converter.convert(right, context)];
  if (sign === '&') return joinTexts(converter, one, other);
  if (sign === '=' || sign === '!=') return convertEquality(converter, one, other, sign);
  if (ORDER_SIGNS.has(sign)) {
    if (one.type !== other.type || (one.type !== 'number' && one.type !== 'text'))
      converter.doubt('JSONata compares numbers with numbers and texts with texts only');
    return comparisonPiece(`${printOperandCode(one)} ${sign} ${printOperandCode(other)}`);
  }
  if (!ARITHMETIC_SIGNS.has(sign)) return converter.refuse(`JavaScript has no counterpart of ${sign}`);
  converter.requireNumber(one);
  converter.requireNumber(other);
  if (sign === '/' && (!other.known || other.known.value === 0)) converter.doubt('A division by zero fails in JSONata');
  return certainPiece(`${printOperandCode(one)} ${sign} ${printOperandCode(other)}`, 'number', false);
}

function joinTexts(converter: JsonataConversion, one: CodePiece, other: CodePiece): CodePiece {
  const isText = one.type === 'text' && one.isCertain;
  const first = isText ? one.code : `"" + ${textPart(converter, one)}`;
  return certainPiece(
    `${isText && first.includes(' ? ') ? printOperandCode(one) : first} + ${textPart(converter, other)}`,
    'text',
    false,
  );
}

/** A value as the operator `&` writes it. */
function textPart(converter: JsonataConversion, piece: CodePiece): string {
  if (piece.isCertain && (piece.type === 'text' || piece.type === 'boolean')) return printOperandCode(piece);
  if (piece.type === 'text') return `(${printOperandCode(piece)} ?? "")`;
  const { value } = piece.known ?? {};
  const isPlainNumber = typeof value === 'number' && Number(value.toPrecision(15)) === value && Math.abs(value) < 1e15;
  if (!isPlainNumber && piece.type !== 'missing')
    converter.doubt('JSONata writes null as “null”, lists and objects as JSON, and numbers with 15 digits');
  if (piece.type === 'list' || piece.type === 'object') return `JSON.stringify(${piece.code})`;
  return `(${printOperandCode(piece)} ?? "")`;
}

function convertEquality(converter: JsonataConversion, one: CodePiece, other: CodePiece, sign: '=' | '!='): CodePiece {
  const isScalar = (piece: CodePiece) => ['text', 'number', 'boolean', 'null'].includes(piece.type);
  if (!isScalar(one) && !isScalar(other)) converter.doubt('JSONata compares what is in lists and objects');
  if (one.type === 'list' || other.type === 'list') converter.doubt('A list of one is equal to its item in JSONata');
  const [left, right] = [printOperandCode(one), printOperandCode(other)];
  if (sign === '=') return comparisonPiece(`${left} === ${right}`);
  // Nothing is not unequal to anything in JSONata.
  if (other.code === 'null') return comparisonPiece(`${left} != null`);
  const guards = [one, other]
    .filter(({ isCertain }) => !isCertain)
    .map((piece) => `${printOperandCode(piece)} !== undefined`);
  return certainPiece([...guards, `${left} !== ${right}`].join(' && '), 'boolean', false);
}

/** `$type(x) = "number"`. */
function convertTypeTest(
  converter: JsonataConversion,
  left: JsonataNode,
  right: JsonataNode,
  sign: '=' | '!=',
  context: CodePiece | undefined,
): CodePiece | undefined {
  const isType = (tree: JsonataNode) => tree.type === 'function' && toJsonataNode(tree['procedure']).value === 'type';
  const [call, name] = isType(left) ? [left, right] : [right, left];
  if (!isType(call) || name.type !== 'string') return undefined;
  const [argument] = jsonataNodes(call['arguments']);
  if (!argument) return undefined;
  const value = converter.convert(argument, context);
  const code = printOperandCode(value);
  const tests: Record<string, string> = {
    number: `typeof ${code} === "number"`,
    string: `typeof ${code} === "string"`,
    boolean: `typeof ${code} === "boolean"`,
    null: `${code} === null`,
    array: `Array.isArray(${value.code})`,
  };
  const test = tests[String(name.value)];
  if (test === undefined || sign === '!=')
    return converter.refuse('This test of a type has no short form in JavaScript');
  return comparisonPiece(test);
}

function convertMembership(
  converter: JsonataConversion,
  left: JsonataNode,
  right: JsonataNode,
  context: CodePiece | undefined,
): CodePiece {
  const isType = left.type === 'function' && toJsonataNode(left['procedure']).value === 'type';
  const [typed] = isType ? jsonataNodes(left['arguments']) : [];
  const one = typed
    ? unknownPiece(`typeof ${printOperandCode(converter.convert(typed, context))}`, false, 'text')
    : converter.convert(left, context);
  if (one.type === 'unknown' || one.type === 'missing') converter.doubt('Nothing is in no list');
  const list = converter.convertList(right, context);
  return certainPiece(`${list.code}.includes(${one.code})`, 'boolean');
}
