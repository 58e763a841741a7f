import type { AST } from '@eslint-community/regexpp';
import {
  ALL_CODE_POINTS,
  invertCodePoints,
  DIGIT_CODE_POINTS,
  isWithinRange,
  LINE_END_CODE_POINTS,
  propertyCodePoints,
  codePointRanges,
  createCodePointSet,
  SPACE_CODE_POINTS,
  uniteCodePoints,
  addCaseVariants,
  WORD_CODE_POINTS,
  type CodePointSet,
} from './code-points';

export interface RegexFlags {
  isUnicode: boolean;
  ignoresCase: boolean;
  isMultiline: boolean;
  isDotAll: boolean;
}

const HIGH_SURROGATES = [0xd800, 0xdbff] as const;
const LOW_SURROGATES = [0xdc00, 0xdfff] as const;

type CharacterSetNode = AST.Character | AST.CharacterClass | AST.CharacterSet;

export const isCharacterSetNode = (node: AST.Element): node is CharacterSetNode =>
  node.type === 'Character' || node.type === 'CharacterClass' || node.type === 'CharacterSet';

/** The name in `\p{name}`. */
export const unicodePropertyName = ({ key, value }: AST.UnicodePropertyCharacterSet): string =>
  value === null ? key : `${key}=${value}`;

/** The set of code points that a part of a pattern matches. */
export function matchedCodePoints(node: CharacterSetNode, flags: RegexFlags): CodePointSet {
  if (node.type !== 'CharacterClass') return singleNodePoints(node, flags);
  const { elements } = node;
  const sets: CodePointSet[] = [];
  for (let index = 0; index < elements.length; index += 1) {
    const element = elements[index] as AST.ClassRangesCharacterClassElement;
    const next = elements[index + 1];
    // Without the flag u a character beyond U+FFFF arrives as its two surrogates.
    const pair =
      !flags.isUnicode &&
      element.type === 'Character' &&
      next?.type === 'Character' &&
      combineSurrogates(element, next);
    if (pair) index += 1;
    sets.push(pair ? [pair, pair] : classElementPoints(element, flags));
  }
  const points = applyCaseFlag(uniteCodePoints(sets), flags);
  return node.negate ? invertCodePoints(points) : points;
}

function combineSurrogates({ value: high }: AST.Character, { value: low }: AST.Character): number | undefined {
  const isPair = isWithinRange([high, high], HIGH_SURROGATES) && isWithinRange([low, low], LOW_SURROGATES);
  return isPair ? String.fromCharCode(high, low).codePointAt(0) : undefined;
}

const applyCaseFlag = (points: CodePointSet, { ignoresCase, isUnicode }: RegexFlags) =>
  ignoresCase ? addCaseVariants(points, isUnicode) : points;

const classElementPoints = (node: AST.ClassRangesCharacterClassElement, flags: RegexFlags): CodePointSet =>
  node.type === 'CharacterClassRange' ? [node.min.value, node.max.value] : singleNodePoints(node, flags);

function singleNodePoints(node: AST.Character | AST.CharacterSet, flags: RegexFlags): CodePointSet {
  if (node.type === 'Character') return applyCaseFlag([node.value, node.value], flags);
  if (node.kind === 'any') return flags.isDotAll ? ALL_CODE_POINTS : invertCodePoints(LINE_END_CODE_POINTS);
  if (node.kind === 'property') {
    const points = propertyCodePoints(unicodePropertyName(node));
    return applyCaseFlag(node.negate ? invertCodePoints(points) : points, flags);
  }
  const points = { digit: DIGIT_CODE_POINTS, space: SPACE_CODE_POINTS, word: WORD_CODE_POINTS }[node.kind];
  const isWide = node.kind === 'word' && flags.isUnicode;
  const cased = isWide ? applyCaseFlag(points, flags) : points;
  return node.negate ? invertCodePoints(cased) : cased;
}

/**
 * Without the flag u patterns may spell a character beyond U+FFFF as two surrogates, such as
 * `[\ud800-\udbff][\udc00-\udfff]`. Returns the characters that both sets form together; undefined if they do not.
 */
export function joinSurrogateSets(high: CodePointSet, low: CodePointSet): CodePointSet | undefined {
  if (!isWithinRange(high, HIGH_SURROGATES) || !isWithinRange(low, LOW_SURROGATES)) return undefined;
  const points = codePointRanges(high).flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, index) => 0x10000 + (first + index - HIGH_SURROGATES[0]) * 0x400),
  );
  return createCodePointSet(
    points.flatMap((point) =>
      codePointRanges(low).map(
        ([first, last]) => [point + first - LOW_SURROGATES[0], point + last - LOW_SURROGATES[0]] as const,
      ),
    ),
  );
}

/** A set in the syntax of RE2. */
export function writeRe2Set(points: CodePointSet): string {
  if (points === ALL_CODE_POINTS) return '(?s:.)';
  if (points.length === 0) return `[^${writeRe2Range(0, 0x10ffff)}]`;
  if (points.length === 2 && points[0] === points[1]) return writeRe2Character(points[0] as number);
  return `[${codePointRanges(points)
    .map(([first, last]) => writeRe2Range(first, last))
    .join('')}]`;
}

const writeRe2Character = (code: number) => {
  const text = String.fromCodePoint(code);
  return /^[A-Za-z0-9]$/.test(text) ? text : `\\x{${code.toString(16)}}`;
};
const writeRe2Range = (first: number, last: number) =>
  first === last ? writeRe2Character(first) : `${writeRe2Character(first)}-${writeRe2Character(last)}`;
