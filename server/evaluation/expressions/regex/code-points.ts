/** A set of code points: first and last of each range, ascending and disjoint. */
export type CodePointSet = readonly number[];

const LAST_CODE_POINT = 0x10ffff;

export const ALL_CODE_POINTS: CodePointSet = [0, LAST_CODE_POINT];
export const DIGIT_CODE_POINTS: CodePointSet = [0x30, 0x39];
export const WORD_CODE_POINTS = createCodePointSet([
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
]);
export const LINE_END_CODE_POINTS: CodePointSet = [0x0a, 0x0a, 0x0d, 0x0d, 0x2028, 0x2029];
/** WhiteSpace and LineTerminator of ECMAScript: `\s`. */
export const SPACE_CODE_POINTS = createCodePointSet([
  [0x09, 0x0d],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
]);

/** The set of these ranges, which may overlap and come in any order. */
export function createCodePointSet(ranges: readonly (readonly [number, number])[]): CodePointSet {
  const result: number[] = [];
  for (const [first, last] of ranges.toSorted(([one], [other]) => one - other)) {
    const end = result.at(-1) ?? -2;
    if (first <= end + 1) result[result.length - 1] = Math.max(end, last);
    else result.push(first, last);
  }
  return result;
}

export function codePointRanges(points: CodePointSet): [number, number][] {
  return Array.from({ length: points.length / 2 }, (_, index) => [
    points[index * 2] as number,
    points[index * 2 + 1] as number,
  ]);
}

export const uniteCodePoints = (sets: readonly CodePointSet[]): CodePointSet =>
  createCodePointSet(sets.flatMap(codePointRanges));

export function invertCodePoints(points: CodePointSet): CodePointSet {
  const result: number[] = [];
  let next = 0;
  for (const [first, last] of codePointRanges(points)) {
    if (first > next) result.push(next, first - 1);
    next = last + 1;
  }
  return next > LAST_CODE_POINT ? result : [...result, next, LAST_CODE_POINT];
}

export const isWithinRange = (points: CodePointSet, [first, last]: readonly [number, number]): boolean =>
  points.length > 0 && (points[0] as number) >= first && (points.at(-1) as number) <= last;

function containsCodePoint(points: CodePointSet, code: number): boolean {
  let low = 0;
  let high = points.length / 2;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((points[middle * 2 + 1] as number) < code) low = middle + 1;
    else high = middle;
  }
  return low * 2 < points.length && (points[low * 2] as number) <= code;
}

/** Adds all code points that differ in case only, for the flag `i`. */
export function addCaseVariants(points: CodePointSet, isUnicode: boolean): CodePointSet {
  const groups = codePointsByCase(isUnicode);
  const size = codePointRanges(points).reduce((sum, [first, last]) => sum + last - first + 1, 0);
  const met =
    size > 64
      ? [...new Set(groups.values())].filter((group) => group.some((code) => containsCodePoint(points, code)))
      : codePointRanges(points).flatMap(([first, last]) =>
          Array.from({ length: last - first + 1 }, (_, index) => groups.get(first + index) ?? []),
        );
  return uniteCodePoints([
    points,
    ...met.map((group) => createCodePointSet(group.map((code) => [code, code] as const))),
  ]);
}

const caseGroupsCache = new Map<boolean, Map<number, number[]>>();

/** The code points that differ in case only from a code point, itself included. */
function codePointsByCase(isUnicode: boolean): Map<number, number[]> {
  const cached = caseGroupsCache.get(isUnicode);
  if (cached) return cached;
  const canonical = new Map<string, number[]>();
  for (let code = 0; code <= (isUnicode ? LAST_CASED_CODE_POINT : LAST_UTF16_UNIT); code += 1) {
    const character = String.fromCodePoint(code);
    if (character.toUpperCase() === character && character.toLowerCase() === character) continue;
    const key = isUnicode ? foldUnicodeCase(character) : canonicalizeCodeUnit(character);
    canonical.set(key, [...(canonical.get(key) ?? []), code]);
  }
  const groups = new Map([...canonical.values()].flatMap((group) => group.map((code) => [code, group] as const)));
  caseGroupsCache.set(isUnicode, groups);
  return groups;
}

const LAST_UTF16_UNIT = 0xffff;
const LAST_CASED_CODE_POINT = 0x1ffff;
/** The dotless small i: its capital is I, but it is the small letter of I in Turkish only. */
const DOTLESS_SMALL_I = '\u0131';

/** ECMAScript's Canonicalize without the flag `u`. */
function canonicalizeCodeUnit(character: string): string {
  const upper = character.toUpperCase();
  return upper.length !== 1 || (upper < '\u0080' && character >= '\u0080') ? character : upper;
}

/** The code points that ECMAScript's Canonicalize with the flag `u` (Unicode's simple case folding) treats as equal. */
const foldUnicodeCase = (character: string): string =>
  character === DOTLESS_SMALL_I ? character : character.toUpperCase().toLowerCase().toUpperCase();

const propertyCache = new Map<string, CodePointSet>();
/** Beyond this, a plane is uniform, except for its last two code points and the tags and selectors of plane 14. */
const LAST_MIXED_CODE_POINT = 0x3ffff;
const TAG_RANGE = [0xe0000, 0xe0fff] as const;

const knownProperties = new Map<string, boolean>();

/** Whether the JavaScript engine supports a property. */
export function isUnicodeProperty(name: string): boolean {
  const isSupported = knownProperties.get(name) ?? isValidPattern(`\\p{${name}}`);
  knownProperties.set(name, isSupported);
  return isSupported;
}

function isValidPattern(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u').unicode;
  } catch {
    return false;
  }
}

/**
 * The code points of `\p{name}` from the JavaScript engine's tables, so that both agree. Throws SyntaxError for unknown
 * names.
 */
export function propertyCodePoints(name: string): CodePointSet {
  const cached = propertyCache.get(name);
  if (cached) return cached;
  const pattern = new RegExp(`\\p{${name}}`, 'u');
  const ranges: [number, number][] = [];
  const add = (first: number, last = first) => {
    if (pattern.test(String.fromCodePoint(first))) ranges.push([first, last]);
  };
  for (let code = 0; code <= LAST_MIXED_CODE_POINT; code += 1) add(code);
  for (let code = TAG_RANGE[0]; code <= TAG_RANGE[1]; code += 1) add(code);
  for (let plane = LAST_MIXED_CODE_POINT + 1; plane <= LAST_CODE_POINT; plane += 0x10000) {
    add(plane === TAG_RANGE[0] ? TAG_RANGE[1] + 1 : plane, plane + 0xfffd);
    add(plane + 0xfffe);
    add(plane + 0xffff);
  }
  const points = createCodePointSet(ranges);
  propertyCache.set(name, points);
  return points;
}
