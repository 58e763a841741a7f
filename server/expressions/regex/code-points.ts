/** A set of code points: first and last of each range, ascending and disjoint. */
export type CodePoints = readonly number[];

const LAST = 0x10ffff;

export const ALL: CodePoints = [0, LAST];
export const DIGITS: CodePoints = [0x30, 0x39];
export const WORD = set([
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
]);
export const LINE_ENDS: CodePoints = [0x0a, 0x0a, 0x0d, 0x0d, 0x2028, 0x2029];
/** WhiteSpace and LineTerminator of ECMAScript: `\s`. */
export const SPACES = set([
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
export function set(ranges: readonly (readonly [number, number])[]): CodePoints {
  const result: number[] = [];
  for (const [first, last] of ranges.toSorted(([one], [other]) => one - other)) {
    const end = result.at(-1) ?? -2;
    if (first <= end + 1) result[result.length - 1] = Math.max(end, last);
    else result.push(first, last);
  }
  return result;
}

export function rangesOf(points: CodePoints): [number, number][] {
  return Array.from({ length: points.length / 2 }, (_, index) => [
    points[index * 2] as number,
    points[index * 2 + 1] as number,
  ]);
}

export const union = (sets: readonly CodePoints[]): CodePoints => set(sets.flatMap(rangesOf));

export function complement(points: CodePoints): CodePoints {
  const result: number[] = [];
  let next = 0;
  for (const [first, last] of rangesOf(points)) {
    if (first > next) result.push(next, first - 1);
    next = last + 1;
  }
  return next > LAST ? result : [...result, next, LAST];
}

export const isWithin = (points: CodePoints, [first, last]: readonly [number, number]): boolean =>
  points.length > 0 && (points[0] as number) >= first && (points.at(-1) as number) <= last;

function has(points: CodePoints, code: number): boolean {
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
export function withoutCase(points: CodePoints, isUnicode: boolean): CodePoints {
  const groups = groupsByCase(isUnicode);
  const size = rangesOf(points).reduce((sum, [first, last]) => sum + last - first + 1, 0);
  const met =
    size > 64
      ? [...new Set(groups.values())].filter((group) => group.some((code) => has(points, code)))
      : rangesOf(points).flatMap(([first, last]) =>
          Array.from({ length: last - first + 1 }, (_, index) => groups.get(first + index) ?? []),
        );
  return union([points, ...met.map((group) => set(group.map((code) => [code, code] as const)))]);
}

const byCase = new Map<boolean, Map<number, number[]>>();

/** The code points that differ in case only from a code point, itself included. */
function groupsByCase(isUnicode: boolean): Map<number, number[]> {
  const cached = byCase.get(isUnicode);
  if (cached) return cached;
  const canonical = new Map<string, number[]>();
  for (let code = 0; code <= (isUnicode ? LAST_CASED : LAST_UNIT); code += 1) {
    const character = String.fromCodePoint(code);
    if (character.toUpperCase() === character && character.toLowerCase() === character) continue;
    const key = isUnicode ? folded(character) : capital(character);
    canonical.set(key, [...(canonical.get(key) ?? []), code]);
  }
  const groups = new Map([...canonical.values()].flatMap((group) => group.map((code) => [code, group] as const)));
  byCase.set(isUnicode, groups);
  return groups;
}

const LAST_UNIT = 0xffff;
const LAST_CASED = 0x1ffff;
/** The dotless small i: its capital is I, but it is the small letter of I in Turkish only. */
const DOTLESS = '\u0131';

/** ECMAScript's Canonicalize without the flag `u`. */
function capital(character: string): string {
  const upper = character.toUpperCase();
  return upper.length !== 1 || (upper < '\u0080' && character >= '\u0080') ? character : upper;
}

/** The code points that ECMAScript's Canonicalize with the flag `u` (Unicode's simple case folding) treats as equal. */
const folded = (character: string): string =>
  character === DOTLESS ? character : character.toUpperCase().toLowerCase().toUpperCase();

const properties = new Map<string, CodePoints>();
/** Beyond this, a plane is uniform, except for its last two code points and the tags and selectors of plane 14. */
const LAST_MIXED = 0x3ffff;
const TAGS = [0xe0000, 0xe0fff] as const;

const isKnown = new Map<string, boolean>();

/** Whether the JavaScript engine supports a property. */
export function isProperty(name: string): boolean {
  const isSupported = isKnown.get(name) ?? canMake(`\\p{${name}}`);
  isKnown.set(name, isSupported);
  return isSupported;
}

function canMake(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u').unicode;
  } catch {
    return false;
  }
}

/** The code points of `\p{name}` from the JavaScript engine's tables, so that both agree. Throws SyntaxError for unknown names. */
export function property(name: string): CodePoints {
  const cached = properties.get(name);
  if (cached) return cached;
  const pattern = new RegExp(`\\p{${name}}`, 'u');
  const ranges: [number, number][] = [];
  const add = (first: number, last = first) => {
    if (pattern.test(String.fromCodePoint(first))) ranges.push([first, last]);
  };
  for (let code = 0; code <= LAST_MIXED; code += 1) add(code);
  for (let code = TAGS[0]; code <= TAGS[1]; code += 1) add(code);
  for (let plane = LAST_MIXED + 1; plane <= LAST; plane += 0x10000) {
    add(plane === TAGS[0] ? TAGS[1] + 1 : plane, plane + 0xfffd);
    add(plane + 0xfffe);
    add(plane + 0xffff);
  }
  const points = set(ranges);
  properties.set(name, points);
  return points;
}
