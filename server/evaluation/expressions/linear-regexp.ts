import { RE2JS, type Matcher } from 're2js';
import { LruCache } from '@/server/platform/cache/lru';
import { parseLinearRegex } from './regex/check';
import type { RegexFlags } from './regex/sets';
import { translateRegex, type RegexTranslation } from './regex/translate';

/** A translated pattern, compiled. */
interface RegexProgram extends RegexTranslation {
  re2: RE2JS;
}

const OTHER_LINE_ENDS = /[\r\u2028\u2029]/;

/** The program for texts whose lines end with `\n` only, and the one for all others; each is compiled on first use. */
class RegexPrograms {
  private readonly tree: ReturnType<typeof parseLinearRegex>;
  private readonly flags: RegexFlags;
  private plain: RegexProgram | undefined;
  private other: RegexProgram | undefined;

  constructor(source: string, flags: string) {
    this.tree = parseLinearRegex(source, flags);
    this.flags = {
      isUnicode: flags.includes('u'),
      ignoresCase: flags.includes('i'),
      isMultiline: flags.includes('m'),
      isDotAll: flags.includes('s'),
    };
  }

  programFor(text: string): RegexProgram {
    if (this.flags.isMultiline && OTHER_LINE_ENDS.test(text)) return (this.other ??= this.compiled(true));
    return (this.plain ??= this.compiled(false));
  }

  private compiled(hasOtherLineEnds: boolean): RegexProgram {
    const translation = translateRegex(this.tree, this.flags, hasOtherLineEnds);
    return { ...translation, re2: RE2JS.compile(translation.source, RE2JS.LOOKBEHINDS) };
  }
}

/** Cache: expressions create the same pattern at every evaluation. */
const MAX_CACHED_PATTERNS = 500;
const MAX_CACHED_PATTERN_TEXT = 500_000;
const programCache = new LruCache<RegexPrograms>(MAX_CACHED_PATTERNS, MAX_CACHED_PATTERN_TEXT);

function cachedPrograms(source: string, flags: string): RegexPrograms {
  const key = `${flags}/${source}`;
  const cached = programCache.get(key);
  if (cached) return cached;
  const programs = new RegexPrograms(source, flags);
  programCache.set(key, programs, key.length);
  return programs;
}

/** A text that is searched, possibly several times. */
interface RegexSearch {
  text: string;
  program: RegexProgram;
  matcher: Matcher;
}

/** Longer texts are first searched by an automaton that only detects whether there is a match, many times as fast. */
const LONG_TEXT_CHARACTERS = 1000;

/**
 * A regular expression with the part of RegExp's interface that JSONata and Ajv use. It finds what RegExp finds, in a
 * time that is linear in the text for each match. Known differences:
 *
 * - without the flag `u` a character beyond U+FFFF is one character, not two halves;
 * - a repetition of a part that can match nothing, such as `(a|)*` or `(?:a*?)+`, may match less, and groups that match
 *   nothing inside a repetition may be empty instead of undefined;
 * - with the flag `m`, `$` before the end of the pattern knows no line end but `\n`;
 * - with the flags `i` and `u`, `\b` does not take U+017F and U+212A for letters.
 */
export class LinearRegExp {
  readonly source: string;
  readonly flags: string;
  readonly global: boolean;
  lastIndex = 0;
  private readonly programs: RegexPrograms;
  private search: RegexSearch | undefined;

  /** Throws RegexError if `regexProblem` finds an issue. */
  constructor(pattern: string | Pick<RegExp, 'source' | 'flags'>, flags?: string) {
    this.source = typeof pattern === 'string' ? pattern || '(?:)' : pattern.source;
    this.flags = [...(flags ?? (typeof pattern === 'string' ? '' : pattern.flags))].toSorted().join('');
    this.global = this.flags.includes('g');
    this.programs = cachedPrograms(this.source, this.flags);
  }

  /** `value`: JSONata passes any value. Like RegExp, it converts other values to text. */
  test(value: unknown): boolean {
    const text = String(value);
    return this.global ? this.exec(text) !== null : this.programs.programFor(text).re2.test(text);
  }

  exec(value: unknown): RegExpExecArray | null {
    const text = String(value);
    const from = this.global ? Math.max(0, Math.trunc(this.lastIndex) || 0) : 0;
    const found = from <= text.length ? this.find(text, from) : null;
    if (this.global) this.lastIndex = found ? found.index + found[0].length : 0;
    return found;
  }

  toString(): string {
    return `/${this.source}/${this.flags}`;
  }

  private find(text: string, from: number): RegExpExecArray | null {
    const { matcher, program } = this.searchOf(text);
    if (from === 0 && text.length > LONG_TEXT_CHARACTERS && !program.re2.test(text)) return null;
    return matcher.find(from) ? toRegExpMatch(text, program, matcher) : null;
  }

  /** The matcher is kept between matches of the same text. */
  private searchOf(text: string): RegexSearch {
    if (this.search?.text === text) return this.search;
    const program = this.programs.programFor(text);
    this.search = { text, program, matcher: program.re2.matcher(text) };
    return this.search;
  }
}

/** A match in RegExp's format. */
function toRegExpMatch(text: string, program: RegexProgram, matcher: Matcher): RegExpExecArray {
  const lineEnd = program.ends.map((group) => matcher.start(group)).find((start) => start >= 0);
  const end = lineEnd ?? matcher.end();
  const index = matcher.start();
  const resetGroups = findResetGroups(program, matcher);
  const captured = program.groups.map((group) => {
    const start = resetGroups.has(group) ? -1 : matcher.start(group);
    return start < 0 ? undefined : text.slice(start, Math.min(matcher.end(group), end));
  });
  const namedGroups = program.names.flatMap((name, group) => (name === null ? [] : [[name, captured[group]] as const]));
  const groups =
    namedGroups.length > 0 ? Object.assign(Object.create(null), Object.fromEntries(namedGroups)) : undefined;
  return Object.assign([text.slice(index, end), ...captured] as [string, ...string[]], { index, input: text, groups });
}

/** Groups whose captures JavaScript has reset. */
function findResetGroups({ rounds, optional }: RegexProgram, matcher: Matcher): Set<number> {
  const groups = new Set<number>();
  for (const [group, round] of rounds) {
    const start = matcher.start(group);
    const isOld = round > 0 && (groups.has(round) || start < matcher.start(round));
    if (isOld || (optional.has(group) && start === matcher.end(group))) groups.add(group);
  }
  return groups;
}
