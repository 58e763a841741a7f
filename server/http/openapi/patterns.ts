import { RegExpParser, visitRegExpAST } from '@eslint-community/regexpp';
import type { z } from 'zod';
import { rangesOf, set, type CodePoints } from '@/server/expressions/regex/code-points';
import { pointsOf } from '@/server/expressions/regex/sets';
import type { JsonSchema } from './nullable';

const parser = new RegExpParser();

const LAST_UNIT = 0xffff;
const HIGH = 0xd800;
const LOW = 0xdc00;
const LAST_LOW = 0xdfff;

/**
 * The pattern as OpenAPI has it: ECMA-262 without flags. Sets that the flags `u` and `i` change are written out as ranges, characters beyond
 * U+FFFF as pairs of surrogates.
 */
export function portablePattern({ source, unicode: isUnicode, ignoreCase: ignoresCase }: RegExp): string {
  if (!isUnicode && !ignoresCase) return source;
  const flags = { isUnicode, ignoresCase, isMultiline: false, isDotAll: false };
  const changed: { start: number; end: number; text: string }[] = [];
  const pattern = parser.parsePattern(source, 0, source.length, { unicode: isUnicode });
  const visit = (node: Parameters<typeof pointsOf>[0]): void => {
    // The sets inside of a class are a part of it.
    if (node.parent.type.startsWith('CharacterClass')) return;
    const points = pointsOf(node, flags);
    const isSingle = points.length === 2 && points[0] === points[1];
    const isSame = isSingle ? node.raw.length === 1 : !ignoresCase && (points.at(-1) ?? 0) <= LAST_UNIT;
    if (!isSame || /\\[pPu]\{?/.test(node.raw))
      changed.push({ start: node.start, end: node.end, text: setText(points) });
  };
  visitRegExpAST(pattern, { onCharacterEnter: visit, onCharacterClassEnter: visit, onCharacterSetEnter: visit });
  return changed
    .toSorted((one, other) => other.start - one.start)
    .reduce((text, { start, end, text: inner }) => text.slice(0, start) + inner + text.slice(end), source);
}

const unitText = (unit: number): string => {
  const text = String.fromCharCode(unit);
  return /[A-Za-z0-9]/.test(text) ? text : `\\u${unit.toString(16).toUpperCase().padStart(4, '0')}`;
};
const rangeText = (first: number, last: number): string =>
  first === last ? unitText(first) : `${unitText(first)}-${unitText(last)}`;
const classText = (points: CodePoints): string => {
  const text = rangesOf(points)
    .map(([first, last]) => rangeText(first, last))
    .join('');
  return points.length === 2 && points[0] === points[1] ? text : `[${text}]`;
};

/** The part of a range between two points; none: an empty list. */
const within = ([first, last]: [number, number], from: number, to: number): [number, number][] =>
  first > to || last < from ? [] : [[Math.max(first, from), Math.min(last, to)]];

/** Lone surrogates are left out: no text of JSON has them. */
function setText(points: CodePoints): string {
  const ranges = rangesOf(points);
  const units = ranges.flatMap((range) => [...within(range, 0, HIGH - 1), ...within(range, LAST_LOW + 1, LAST_UNIT)]);
  const parts = [...(units.length > 0 ? [classText(set(units))] : []), ...pairTexts(ranges)];
  return parts.length === 1 ? (parts[0] as string) : `(?:${parts.join('|')})`;
}

/** Those beyond U+FFFF: high surrogates with the same low ones together. */
function pairTexts(ranges: [number, number][]): string[] {
  const lowsByHigh = new Map<number, [number, number][]>();
  for (const [first, last] of ranges.flatMap((range) => within(range, LAST_UNIT + 1, Infinity))) {
    const [firstHigh, lastHigh] = [highOf(first), highOf(last)];
    for (let high = firstHigh; high <= lastHigh; high += 1) {
      const from = high === firstHigh ? lowOf(first) : LOW;
      const to = high === lastHigh ? lowOf(last) : LAST_LOW;
      lowsByHigh.set(high, [...(lowsByHigh.get(high) ?? []), [from, to]]);
    }
  }
  const highsByLow = new Map<string, [number, number][]>();
  for (const [high, lows] of lowsByHigh) {
    const text = classText(set(lows));
    highsByLow.set(text, [...(highsByLow.get(text) ?? []), [high, high]]);
  }
  return [...highsByLow].map(([low, highs]) => classText(set(highs)) + low);
}

const highOf = (point: number): number => HIGH + ((point - LAST_UNIT - 1) >> 10);
const lowOf = (point: number): number => LOW + ((point - LAST_UNIT - 1) & 0x3ff);

/** The expressions that a schema checks texts with. */
export const expressionsIn = ({ _zod: { def } }: z.core.$ZodType): RegExp[] =>
  (def.checks ?? []).flatMap(({ _zod: check }) => {
    const { pattern } = check.def as { pattern?: unknown };
    return pattern instanceof RegExp ? [pattern] : [];
  });

/** Replaces the patterns of a schema, whose conversion drops their flags. */
export function withPortablePatterns(schema: JsonSchema, expressions: readonly RegExp[]): void {
  const { allOf = [] } = schema as { allOf?: JsonSchema[] };
  for (const part of [schema, ...allOf]) {
    const expression = expressions.find(({ source }) => source === part['pattern']);
    if (expression) part['pattern'] = portablePattern(expression);
  }
}
