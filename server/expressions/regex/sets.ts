import type { AST } from '@eslint-community/regexpp';
import {
  ALL,
  complement,
  DIGITS,
  isWithin,
  LINE_ENDS,
  property,
  rangesOf,
  set,
  SPACES,
  union,
  withoutCase,
  WORD,
  type CodePoints,
} from './code-points';

export interface Flags {
  isUnicode: boolean;
  ignoresCase: boolean;
  isMultiline: boolean;
  isDotAll: boolean;
}

const HIGH = [0xd800, 0xdbff] as const;
const LOW = [0xdc00, 0xdfff] as const;

type SetNode = AST.Character | AST.CharacterClass | AST.CharacterSet;

export const isSet = (node: AST.Element): node is SetNode =>
  node.type === 'Character' || node.type === 'CharacterClass' || node.type === 'CharacterSet';

/** The name in `\p{name}`. */
export const propertyName = ({ key, value }: AST.UnicodePropertyCharacterSet): string =>
  value === null ? key : `${key}=${value}`;

/** The set of code points that a part of a pattern matches. */
export function pointsOf(node: SetNode, flags: Flags): CodePoints {
  if (node.type !== 'CharacterClass') return simplePoints(node, flags);
  const { elements } = node;
  const sets: CodePoints[] = [];
  for (let index = 0; index < elements.length; index += 1) {
    const element = elements[index] as AST.ClassRangesCharacterClassElement;
    const next = elements[index + 1];
    // Without the flag u a character beyond U+FFFF arrives as its two surrogates.
    const pair =
      !flags.isUnicode && element.type === 'Character' && next?.type === 'Character' && pairOf(element, next);
    if (pair) index += 1;
    sets.push(pair ? [pair, pair] : classPoints(element, flags));
  }
  const points = withCase(union(sets), flags);
  return node.negate ? complement(points) : points;
}

function pairOf({ value: high }: AST.Character, { value: low }: AST.Character): number | undefined {
  const isPair = isWithin([high, high], HIGH) && isWithin([low, low], LOW);
  return isPair ? String.fromCharCode(high, low).codePointAt(0) : undefined;
}

const withCase = (points: CodePoints, { ignoresCase, isUnicode }: Flags) =>
  ignoresCase ? withoutCase(points, isUnicode) : points;

const classPoints = (node: AST.ClassRangesCharacterClassElement, flags: Flags): CodePoints =>
  node.type === 'CharacterClassRange' ? [node.min.value, node.max.value] : simplePoints(node, flags);

function simplePoints(node: AST.Character | AST.CharacterSet, flags: Flags): CodePoints {
  if (node.type === 'Character') return withCase([node.value, node.value], flags);
  if (node.kind === 'any') return flags.isDotAll ? ALL : complement(LINE_ENDS);
  if (node.kind === 'property') {
    const points = property(propertyName(node));
    return withCase(node.negate ? complement(points) : points, flags);
  }
  const points = { digit: DIGITS, space: SPACES, word: WORD }[node.kind];
  const isWide = node.kind === 'word' && flags.isUnicode;
  const cased = isWide ? withCase(points, flags) : points;
  return node.negate ? complement(cased) : cased;
}

/**
 * Without the flag u patterns may spell a character beyond U+FFFF as two surrogates, such as `[\ud800-\udbff][\udc00-\udfff]`. Returns the
 * characters that both sets form together; undefined if they do not.
 */
export function joined(high: CodePoints, low: CodePoints): CodePoints | undefined {
  if (!isWithin(high, HIGH) || !isWithin(low, LOW)) return undefined;
  const points = rangesOf(high).flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, index) => 0x10000 + (first + index - HIGH[0]) * 0x400),
  );
  return set(
    points.flatMap((point) =>
      rangesOf(low).map(([first, last]) => [point + first - LOW[0], point + last - LOW[0]] as const),
    ),
  );
}

/** A set in the syntax of RE2. */
export function toRe2(points: CodePoints): string {
  if (points === ALL) return '(?s:.)';
  if (points.length === 0) return `[^${range(0, 0x10ffff)}]`;
  if (points.length === 2 && points[0] === points[1]) return character(points[0] as number);
  return `[${rangesOf(points)
    .map(([first, last]) => range(first, last))
    .join('')}]`;
}

const character = (code: number) => {
  const text = String.fromCodePoint(code);
  return /^[A-Za-z0-9]$/.test(text) ? text : `\\x{${code.toString(16)}}`;
};
const range = (first: number, last: number) =>
  first === last ? character(first) : `${character(first)}-${character(last)}`;
