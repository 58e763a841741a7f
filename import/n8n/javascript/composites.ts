// Texts, objects and lists: how they are written from their parts, and how their elements are read.
import {
  asTextCode,
  atomicCode,
  composedCode,
  elementAtIndex,
  fieldAccess,
  jsonataCall,
  operandCode,
  type JsonataCode,
} from './code';
import { literalCode } from './functions';
import type { ExpressionSyntax } from './syntax';

type SyntaxPrinter = (syntax: ExpressionSyntax) => JsonataCode;

/** A text with expressions in it. */
export function textFromParts(parts: readonly (string | ExpressionSyntax)[], print: SyntaxPrinter): JsonataCode {
  if (parts.length === 0) return literalCode('');
  const codes = parts.map((each) => (typeof each === 'string' ? literalCode(each) : print(each)));
  const [only] = codes;
  if (codes.length === 1 && only) return asTextCode(only);
  return composedCode(codes.map(operandCode).join(' & '), 'string');
}

/** An object. One with spreads is merged from its parts. */
export function objectFromEntries(
  entries: (ExpressionSyntax & { kind: 'object' })['entries'],
  print: SyntaxPrinter,
): JsonataCode {
  const plain = (pairs: string[]) => (pairs.length === 0 ? '{}' : `{ ${pairs.join(', ')} }`);
  const parts: string[] = [];
  let pairs: string[] = [];
  for (const entry of entries) {
    if ('spread' in entry) {
      parts.push(plain(pairs), print(entry.spread).code);
      pairs = [];
    } else pairs.push(`${asTextCode(print(entry.key)).code}: ${print(entry.value).code}`);
  }
  return parts.length === 0
    ? atomicCode(plain(pairs))
    : jsonataCall('merge', 'any', `[${[...parts, plain(pairs)].join(', ')}]`);
}

/** The element of a list, or the sign of a text. A name made of digits may be a field, too. */
export function elementAtPosition(value: JsonataCode, index: number, name: string | undefined): JsonataCode {
  if (value.type === 'string') return jsonataCall('substring', 'string', value, String(index), '1');
  const found = elementAtIndex(value, String(index), value.type === 'items' ? 'item' : 'any');
  if (name === undefined || value.type === 'items' || value.type === 'list') return found;
  return atomicCode(`($type(${value.code}) = "array" ? ${found.code} : ${fieldAccess(value, name).code})`);
}

/** The element of a list, or the field of an object, whose position or name is computed. */
export function elementByKey(value: JsonataCode, key: JsonataCode): JsonataCode {
  const type = value.type === 'items' ? 'item' : 'any';
  const list = value.code.startsWith('[') ? `(${value.code})` : operandCode(value);
  // Anything else would be evaluated inside of the element, where names mean something else.
  const found = `$type($key) = "number" ? ${list}[$key] : $lookup(${value.code}, $key)`;
  return atomicCode(`($key := ${key.code}; ${found})`, type);
}
