import { asTextCode, atomicCode, jsonataCall, composedCode, jsonataString, type JsonataCode } from './code';
import { UnsupportedSyntaxError, type ExpressionSyntax } from './syntax';

/** A regular expression in JavaScript. */
interface ScriptPattern {
  source: string;
  flags: string;
}

/** Weft's limits of patterns, at most: counts are multiplied as if all repetitions were nested. */
const MAX_REGEX_LENGTH = 1000;
const MAX_REGEX_REPEATS = 1000;
const MAX_REGEX_SIZE = 20_000;
const MAX_REGEX_GROUPS = 100;
const REPEAT_COUNT_PATTERN = /\{(\d+)(?:,(\d*))?\}/g;
/** Syntax that linear-time engines do not support. */
const UNSUPPORTED_REGEX = /\(\?(?!:)|\\[1-9kpPc]|\\u(?![\da-f]{4})/i;
/** Characters that are escaped because they would end a pattern, a text or an expression of JSONata. */
const ESCAPED_CHARACTERS: ReadonlySet<string> = new Set(['/', '"', "'", '`']);
const BRACKET_CHARACTERS: ReadonlySet<string> = new Set(['(', ')', '[', '{', '}']);
/** A count of repetitions; other braces are signs. */
const QUANTIFIER_PATTERN = /\{\d+(?:,\d*)?\}/y;

const hexEscape = (sign: string): string => String.raw`\x${sign.charCodeAt(0).toString(16).padStart(2, '0')}`;

/** A pattern as JSONata writes it. Throws Unsupported for what Weft can not match in linear time. */
export function patternCode({ source, flags }: ScriptPattern): string {
  if (/[^gimsu]/.test(flags) || UNSUPPORTED_REGEX.test(source)) throw new UnsupportedSyntaxError('this pattern');
  const counts = [...source.matchAll(REPEAT_COUNT_PATTERN)].map(([, least, most]) =>
    Math.max(Number(least), Number(most ?? 0), 1),
  );
  const repeats = counts.reduce((product, count) => product * count, 1);
  const groups = source.split('(').length - 1;
  if (
    source.length > MAX_REGEX_LENGTH ||
    repeats > MAX_REGEX_REPEATS ||
    source.length * repeats > MAX_REGEX_SIZE ||
    groups > MAX_REGEX_GROUPS
  ) {
    throw new UnsupportedSyntaxError('a pattern of this size');
  }
  // JSONata takes a match of nothing for an error.
  if (compileScriptPattern(source).test('')) throw new UnsupportedSyntaxError('a pattern that matches an empty text');
  const code = `/${rewritePattern(source, flags.includes('s'))}/${flags.replaceAll(/[^im]/g, '')}`;
  if (/\{\{|\}\}/.test(code)) throw new UnsupportedSyntaxError('this pattern');
  return code;
}

function compileScriptPattern(source: string): RegExp {
  try {
    return new RegExp(source);
  } catch {
    throw new UnsupportedSyntaxError('this pattern');
  }
}

/** The pattern without the signs that JSONata reads in another way. */
function rewritePattern(source: string, isDotAll: boolean): string {
  let result = '';
  let isInClass = false;
  for (let at = 0; at < source.length; at += 1) {
    const sign = source.charAt(at);
    if (sign === '\\') {
      const next = source.charAt(at + 1);
      at += 1;
      result += /[\w$^.*+?|-]/.test(next) ? sign + next : next.charCodeAt(0) < 256 ? hexEscape(next) : next;
    } else if (ESCAPED_CHARACTERS.has(sign) || (isInClass && BRACKET_CHARACTERS.has(sign))) result += hexEscape(sign);
    else if (sign === '.' && isDotAll && !isInClass) result += String.raw`[\s\S]`;
    else if (sign === '{' || sign === '}') {
      QUANTIFIER_PATTERN.lastIndex = at;
      const [count] = QUANTIFIER_PATTERN.exec(source) ?? [];
      result += count ?? hexEscape(sign);
      at += (count ?? sign).length - 1;
    } else if (sign === ']' && !isInClass) result += hexEscape(sign);
    else {
      isInClass = sign === '[' || (isInClass && sign !== ']');
      result += sign;
    }
  }
  return result;
}

const isGlobalPattern = ({ flags }: ScriptPattern): boolean => flags.includes('g');

/** `text.match(…)` and `pattern.exec(…)`. */
function patternMatchResult(text: JsonataCode, pattern: ScriptPattern): JsonataCode {
  const code = patternCode(pattern);
  if (isGlobalPattern(pattern))
    return atomicCode(`[${jsonataCall('match', 'any', asTextCode(text), code).code}.match]`, 'list');
  const first = jsonataCall('match', 'any', asTextCode(text), code, '1').code;
  return atomicCode(`($m := ${first}; $exists($m) ? $append([$m.match], $m.groups) : null)`, 'list');
}

/** The match of a text (0), or one of its groups. */
function patternGroupCode(text: JsonataCode, pattern: ScriptPattern, index: number): JsonataCode {
  const first = jsonataCall('match', 'any', asTextCode(text), patternCode(pattern), '1').code;
  return atomicCode(index === 0 ? `${first}.match` : `${first}.groups[${index - 1}]`, 'string');
}

/** A replacement that is written out: JSONata has other words for the whole match. */
const replacementCode = (text: string): string => {
  if (/\$[`'<]/.test(text)) throw new UnsupportedSyntaxError('this replacement');
  return jsonataString(text.replaceAll('$&', '$0'));
};

function patternReplaceCode(
  value: JsonataCode,
  pattern: ScriptPattern,
  [, to]: readonly ExpressionSyntax[],
  print: (syntax: ExpressionSyntax) => JsonataCode,
): JsonataCode {
  const by =
    to?.kind === 'literal' && typeof to.value === 'string' ? replacementCode(to.value) : to && asTextCode(print(to));
  if (!by) throw new UnsupportedSyntaxError('this replacement');
  const limit = isGlobalPattern(pattern) ? [] : ['1'];
  return jsonataCall('replace', 'string', asTextCode(value), patternCode(pattern), by, ...limit);
}

/** A method of a text whose first parameter is a pattern; undefined: it is none. */
export function patternMethodCode(
  value: JsonataCode,
  name: string,
  parameters: readonly ExpressionSyntax[],
  print: (syntax: ExpressionSyntax) => JsonataCode,
): JsonataCode | undefined {
  const [pattern] = parameters;
  if (pattern?.kind !== 'pattern') return undefined;
  if (name === 'match') return patternMatchResult(value, pattern);
  if (name === 'replace' || name === 'replaceAll') return patternReplaceCode(value, pattern, parameters, print);
  if (name === 'split') return jsonataCall('split', 'list', asTextCode(value), patternCode(pattern));
  if (name === 'search') {
    const first = jsonataCall('match', 'any', asTextCode(value), patternCode(pattern), '1').code;
    return composedCode(`$exists(${first}) ? ${first}.index : -1`, 'number');
  }
  throw new UnsupportedSyntaxError('this pattern');
}

/** `pattern.test(text)` and `pattern.exec(text)`. */
export function regexMethodCode(pattern: ScriptPattern, name: string, text: JsonataCode | undefined): JsonataCode {
  if (name === 'test' && text) return jsonataCall('contains', 'boolean', asTextCode(text), patternCode(pattern));
  if (name === 'exec' && text) return patternMatchResult(text, { ...pattern, flags: pattern.flags.replace('g', '') });
  throw new UnsupportedSyntaxError('this pattern');
}

/** `text.match(pattern)[1]` and `pattern.exec(text)[1]`; undefined: it is none of them. */
export function patternGroupAtIndex(
  syntax: ExpressionSyntax,
  index: number,
  print: (syntax: ExpressionSyntax) => JsonataCode,
): JsonataCode | undefined {
  if (syntax.kind !== 'call' || syntax.callee.kind !== 'member' || syntax.callee.key.kind !== 'literal')
    return undefined;
  const { object, key } = syntax.callee;
  const [first] = syntax.parameters;
  if (key.value === 'match' && first?.kind === 'pattern' && !isGlobalPattern(first))
    return patternGroupCode(print(object), first, index);
  return key.value === 'exec' && object.kind === 'pattern' && first
    ? patternGroupCode(print(first), object, index)
    : undefined;
}

/**
 * A pattern as a text, as the comparisons of n8n have it: bare, or with its slashes and flags; undefined: it is none.
 */
export function parsePatternText(text: string): JsonataCode | undefined {
  const [, source = text, flags = ''] = /^\/(.+)\/([a-z]*)$/s.exec(text) ?? [];
  try {
    return atomicCode(patternCode({ source, flags }), 'pattern');
  } catch (error) {
    if (!(error instanceof UnsupportedSyntaxError)) throw error;
    return undefined;
  }
}
