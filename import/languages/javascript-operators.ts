import { certainPiece, knownPiece, printOperandCode, unknownPiece, type CodePiece } from './conversion';
import { toJavascriptTree, type JavascriptConversion } from './javascript-conversion';
import type { JavascriptTree } from './javascript-syntax';

const SIGNS: Readonly<Record<string, string>> = {
  '-': '-',
  '*': '*',
  '/': '/',
  '%': '%',
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
};

/** A value of which only counts whether it is true. */
function requireTest(converter: JavascriptConversion, piece: CodePiece): CodePiece {
  if (piece.type === 'list' || piece.type === 'object' || piece.type === 'unknown')
    converter.doubt('An empty list or object is true in JavaScript, and false in JSONata');
  return piece;
}

export function convertJavascriptUnary(converter: JavascriptConversion, tree: JavascriptTree): CodePiece {
  const inner = converter.convert(toJavascriptTree(tree['argument']));
  converter.position = tree.start;
  if (tree['operator'] === '-')
    return certainPiece(`-${printOperandCode(converter.requireNumber(inner))}`, 'number', false);
  if (tree['operator'] !== '!') return converter.refuse(`JSONata has no counterpart of ${String(tree['operator'])}`);
  if (!inner.isCertain && inner.known?.value === undefined) converter.doubt('Without a value, JSONata yields nothing');
  return certainPiece(`$not(${requireTest(converter, inner).code})`, 'boolean');
}

export function convertJavascriptBinary(converter: JavascriptConversion, tree: JavascriptTree): CodePiece {
  const sign = String(tree['operator']);
  const [left, right] = [toJavascriptTree(tree['left']), toJavascriptTree(tree['right'])];
  const typed = convertTypeTest(converter, left, right, sign);
  if (typed) return typed;
  const isNullish = right.type === 'Literal' && right['raw'] === 'null' && (sign === '==' || sign === '!=');
  const one = converter.convert(left);
  if (isNullish || (right.type === 'Identifier' && right['name'] === 'undefined'))
    return testPresence(converter, one, sign, isNullish);
  const other = converter.convert(right);
  converter.position = tree.start;
  if (sign === '===' || sign === '!==') return convertEquality(converter, one, other, sign);
  if (sign === '+') return convertSum(converter, one, other);
  const written = SIGNS[sign];
  if (!written) return converter.refuse(`JSONata has no counterpart of ${sign}`);
  if (/[<>]/.test(sign)) {
    if (one.type !== other.type || (one.type !== 'number' && one.type !== 'text'))
      converter.doubt('JSONata compares numbers with numbers and texts with texts only');
    return certainPiece(`${printOperandCode(one)} ${written} ${printOperandCode(other)}`, 'boolean', false);
  }
  converter.requireNumber(one);
  converter.requireNumber(other);
  if ((sign === '/' || sign === '%') && (!other.known || other.known.value === 0))
    converter.doubt('A division by zero fails in JSONata');
  return certainPiece(`${printOperandCode(one)} ${written} ${printOperandCode(other)}`, 'number', false);
}

function testPresence(converter: JavascriptConversion, piece: CodePiece, sign: string, isNullish: boolean): CodePiece {
  const value = printOperandCode(piece);
  const exists = isNullish ? `$exists(${piece.code}) and ${value} != null` : `$exists(${piece.code})`;
  if (sign === '!=' || sign === '!==') return certainPiece(exists, 'boolean', false);
  return sign === '==' || sign === '==='
    ? certainPiece(`$not(${exists})`, 'boolean')
    : converter.refuse(`JSONata has no counterpart of ${sign}`);
}

function convertEquality(converter: JavascriptConversion, one: CodePiece, other: CodePiece, sign: string): CodePiece {
  const isScalar = ({ type }: CodePiece) => ['text', 'number', 'boolean', 'null'].includes(type);
  if (!isScalar(one) && !isScalar(other))
    converter.doubt('JSONata compares what is in lists and objects, and nothing equals nothing in JavaScript');
  const equal = `${printOperandCode(one)} = ${printOperandCode(other)}`;
  return sign === '===' ? certainPiece(equal, 'boolean', false) : certainPiece(`$not(${equal})`, 'boolean');
}

function convertSum(converter: JavascriptConversion, one: CodePiece, other: CodePiece): CodePiece {
  if (one.type === 'number' && other.type === 'number')
    return certainPiece(`${printOperandCode(one)} + ${printOperandCode(other)}`, 'number', false);
  if (one.type !== 'text' && other.type !== 'text')
    return converter.refuse('Whether + adds numbers or joins texts is not known');
  const first = one.type === 'text' && one.isCertain ? one.code : converter.textPart(one);
  return certainPiece(`${first} & ${converter.textPart(other)}`, 'text', false);
}

function convertTypeTest(
  converter: JavascriptConversion,
  left: JavascriptTree,
  right: JavascriptTree,
  sign: string,
): CodePiece | undefined {
  if (left.type !== 'UnaryExpression' || left['operator'] !== 'typeof' || right.type !== 'Literal') return undefined;
  const type = right['value'];
  if (sign !== '===' || (type !== 'string' && type !== 'number' && type !== 'boolean'))
    return converter.refuse('This test of a type has no counterpart in JSONata');
  const value = converter.convert(toJavascriptTree(left['argument']));
  if (value.known?.value === undefined) converter.doubt('Without a value, JSONata yields nothing');
  return certainPiece(`$type(${value.code}) = "${type}"`, 'boolean', false);
}

export function convertJavascriptLogical(converter: JavascriptConversion, tree: JavascriptTree): CodePiece {
  const [one, other] = [
    converter.convert(toJavascriptTree(tree['left'])),
    converter.convert(toJavascriptTree(tree['right'])),
  ];
  converter.position = tree.start;
  const sign = tree['operator'];
  if (sign === '??') return choose(one, other);
  if (one.type !== 'boolean' || other.type !== 'boolean')
    converter.doubt('In JavaScript the result is one of the two values, in JSONata true or false');
  return certainPiece(
    `${printOperandCode(one)} ${sign === '&&' ? 'and' : 'or'} ${printOperandCode(other)}`,
    'boolean',
    false,
  );
}

/** `a ?? b`. */
function choose(one: CodePiece, other: CodePiece): CodePiece {
  const code = `$exists(${one.code}) and ${printOperandCode(one)} != null ? ${one.code} : ${other.code}`;
  const value = one.known?.value ?? other.known?.value;
  return one.known && other.known ? { ...knownPiece(code, value, false) } : unknownPiece(code, false);
}

export function convertJavascriptConditional(converter: JavascriptConversion, tree: JavascriptTree): CodePiece {
  const test = requireTest(converter, converter.convert(toJavascriptTree(tree['test'])));
  const [then, otherwise] = [
    converter.convert(toJavascriptTree(tree['consequent'])),
    converter.convert(toJavascriptTree(tree['alternate'])),
  ];
  const code = `${printOperandCode(test)} ? ${printOperandCode(then)} : ${printOperandCode(otherwise)}`;
  return unknownPiece(code, false, then.type === otherwise.type ? then.type : 'unknown');
}
