import { RegExpParser, visitRegExpAST } from '@eslint-community/regexpp';
import type { z } from 'zod';
import {
  codePointRanges,
  createCodePointSet,
  type CodePointSet,
} from '@/server/evaluation/expressions/regex/code-points';
import { matchedCodePoints } from '@/server/evaluation/expressions/regex/sets';
import type { OpenApiSchema } from './nullable';

const regExpParser = new RegExpParser();

const MAX_CODE_UNIT = 0xffff;
const FIRST_HIGH_SURROGATE = 0xd800;
const FIRST_LOW_SURROGATE = 0xdc00;
const LAST_LOW_SURROGATE = 0xdfff;

/**
 * The pattern as OpenAPI has it: ECMA-262 without flags. Sets that the flags `u` and `i` change are written out as
 * ranges, characters beyond U+FFFF as pairs of surrogates.
 */
export function toPortablePattern({ source, unicode: isUnicode, ignoreCase: ignoresCase }: RegExp): string {
  if (!isUnicode && !ignoresCase) return source;
  const flags = { isUnicode, ignoresCase, isMultiline: false, isDotAll: false };
  const changed: { start: number; end: number; text: string }[] = [];
  const pattern = regExpParser.parsePattern(source, 0, source.length, { unicode: isUnicode });
  const visit = (node: Parameters<typeof matchedCodePoints>[0]): void => {
    // The sets inside of a class are a part of it.
    if (node.parent.type.startsWith('CharacterClass')) return;
    const points = matchedCodePoints(node, flags);
    const isSingle = points.length === 2 && points[0] === points[1];
    const isSame = isSingle ? node.raw.length === 1 : !ignoresCase && (points.at(-1) ?? 0) <= MAX_CODE_UNIT;
    if (!isSame || /\\[pPu]\{?/.test(node.raw))
      changed.push({ start: node.start, end: node.end, text: codePointSetText(points) });
  };
  visitRegExpAST(pattern, { onCharacterEnter: visit, onCharacterClassEnter: visit, onCharacterSetEnter: visit });
  return changed
    .toSorted((one, other) => other.start - one.start)
    .reduce((text, { start, end, text: inner }) => text.slice(0, start) + inner + text.slice(end), source);
}

const codeUnitText = (unit: number): string => {
  const text = String.fromCharCode(unit);
  return /[A-Za-z0-9]/.test(text) ? text : `\\u${unit.toString(16).toUpperCase().padStart(4, '0')}`;
};
const codeUnitRangeText = (first: number, last: number): string =>
  first === last ? codeUnitText(first) : `${codeUnitText(first)}-${codeUnitText(last)}`;
const characterClassText = (points: CodePointSet): string => {
  const text = codePointRanges(points)
    .map(([first, last]) => codeUnitRangeText(first, last))
    .join('');
  return points.length === 2 && points[0] === points[1] ? text : `[${text}]`;
};

/** The part of a range between two points; none: an empty list. */
const intersectRange = ([first, last]: [number, number], from: number, to: number): [number, number][] =>
  first > to || last < from ? [] : [[Math.max(first, from), Math.min(last, to)]];

/** Lone surrogates are left out: no text of JSON has them. */
function codePointSetText(points: CodePointSet): string {
  const ranges = codePointRanges(points);
  const units = ranges.flatMap((range) => [
    ...intersectRange(range, 0, FIRST_HIGH_SURROGATE - 1),
    ...intersectRange(range, LAST_LOW_SURROGATE + 1, MAX_CODE_UNIT),
  ]);
  const parts = [
    ...(units.length > 0 ? [characterClassText(createCodePointSet(units))] : []),
    ...surrogatePairTexts(ranges),
  ];
  return parts.length === 1 ? (parts[0] as string) : `(?:${parts.join('|')})`;
}

/** The texts of code points beyond U+FFFF. High surrogates with the same low surrogates are put together. */
function surrogatePairTexts(ranges: [number, number][]): string[] {
  const lowsByHigh = new Map<number, [number, number][]>();
  for (const [first, last] of ranges.flatMap((range) => intersectRange(range, MAX_CODE_UNIT + 1, Infinity))) {
    const [firstHigh, lastHigh] = [highSurrogate(first), highSurrogate(last)];
    for (let high = firstHigh; high <= lastHigh; high += 1) {
      const from = high === firstHigh ? lowSurrogate(first) : FIRST_LOW_SURROGATE;
      const to = high === lastHigh ? lowSurrogate(last) : LAST_LOW_SURROGATE;
      lowsByHigh.set(high, [...(lowsByHigh.get(high) ?? []), [from, to]]);
    }
  }
  const highsByLow = new Map<string, [number, number][]>();
  for (const [high, lows] of lowsByHigh) {
    const text = characterClassText(createCodePointSet(lows));
    highsByLow.set(text, [...(highsByLow.get(text) ?? []), [high, high]]);
  }
  return [...highsByLow].map(([low, highs]) => characterClassText(createCodePointSet(highs)) + low);
}

const highSurrogate = (point: number): number => FIRST_HIGH_SURROGATE + ((point - MAX_CODE_UNIT - 1) >> 10);
const lowSurrogate = (point: number): number => FIRST_LOW_SURROGATE + ((point - MAX_CODE_UNIT - 1) & 0x3ff);

/** The expressions that a schema checks texts with. */
export const findCheckPatterns = ({ _zod: { def } }: z.core.$ZodType): RegExp[] =>
  (def.checks ?? []).flatMap(({ _zod: check }) => {
    const { pattern } = check.def as { pattern?: unknown };
    return pattern instanceof RegExp ? [pattern] : [];
  });

/** Replaces the patterns of a schema, whose conversion drops their flags. */
export function replacePatterns(schema: OpenApiSchema, expressions: readonly RegExp[]): void {
  const { allOf = [] } = schema as { allOf?: OpenApiSchema[] };
  for (const part of [schema, ...allOf]) {
    const expression = expressions.find(({ source }) => source === part['pattern']);
    if (expression) part['pattern'] = toPortablePattern(expression);
  }
}
