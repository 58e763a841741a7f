import { asText, atom, call, composed, quoted, type Code } from './code';
import { Unsupported, type Syntax } from './syntax';

/** A regular expression in JavaScript. */
interface Pattern {
  source: string;
  flags: string;
}

/** Weft's limits of patterns, at most: counts are multiplied as if all repetitions were nested. */
const MAX_LENGTH = 1000;
const MAX_REPEAT = 1000;
const MAX_SIZE = 20_000;
const MAX_GROUPS = 100;
const COUNT = /\{(\d+)(?:,(\d*))?\}/g;
/** What linear engines lack. */
const FOREIGN = /\(\?(?!:)|\\[1-9kpPc]|\\u(?![\da-f]{4})/i;
/** Signs that would end a pattern, a text or an expression of JSONata, or that it counts. */
const ESCAPED: ReadonlySet<string> = new Set(['/', '"', "'", '`']);
const BRACKETS: ReadonlySet<string> = new Set(['(', ')', '[', '{', '}']);
/** A count of repetitions; other braces are signs. */
const QUANTIFIER = /\{\d+(?:,\d*)?\}/y;

const hex = (sign: string): string => String.raw`\x${sign.charCodeAt(0).toString(16).padStart(2, '0')}`;

/** A pattern as JSONata writes it. Throws Unsupported for what Weft can not match in linear time. */
export function patternCode({ source, flags }: Pattern): string {
  if (/[^gimsu]/.test(flags) || FOREIGN.test(source)) throw new Unsupported('this pattern');
  const counts = [...source.matchAll(COUNT)].map(([, least, most]) => Math.max(Number(least), Number(most ?? 0), 1));
  const repeats = counts.reduce((product, count) => product * count, 1);
  const groups = source.split('(').length - 1;
  if (source.length > MAX_LENGTH || repeats > MAX_REPEAT || source.length * repeats > MAX_SIZE || groups > MAX_GROUPS) {
    throw new Unsupported('a pattern of this size');
  }
  // JSONata takes a match of nothing for an error.
  if (compiled(source).test('')) throw new Unsupported('a pattern that matches an empty text');
  const code = `/${written(source, flags.includes('s'))}/${flags.replaceAll(/[^im]/g, '')}`;
  if (/\{\{|\}\}/.test(code)) throw new Unsupported('this pattern');
  return code;
}

function compiled(source: string): RegExp {
  try {
    return new RegExp(source);
  } catch {
    throw new Unsupported('this pattern');
  }
}

/** The pattern without the signs that JSONata reads in another way. */
function written(source: string, isDotAll: boolean): string {
  let result = '';
  let isInClass = false;
  for (let at = 0; at < source.length; at += 1) {
    const sign = source.charAt(at);
    if (sign === '\\') {
      const next = source.charAt(at + 1);
      at += 1;
      result += /[\w$^.*+?|-]/.test(next) ? sign + next : next.charCodeAt(0) < 256 ? hex(next) : next;
    } else if (ESCAPED.has(sign) || (isInClass && BRACKETS.has(sign))) result += hex(sign);
    else if (sign === '.' && isDotAll && !isInClass) result += String.raw`[\s\S]`;
    else if (sign === '{' || sign === '}') {
      QUANTIFIER.lastIndex = at;
      const [count] = QUANTIFIER.exec(source) ?? [];
      result += count ?? hex(sign);
      at += (count ?? sign).length - 1;
    } else if (sign === ']' && !isInClass) result += hex(sign);
    else {
      isInClass = sign === '[' || (isInClass && sign !== ']');
      result += sign;
    }
  }
  return result;
}

const isGlobal = ({ flags }: Pattern): boolean => flags.includes('g');

/** `text.match(…)` and `pattern.exec(…)`. */
function matched(text: Code, pattern: Pattern): Code {
  const code = patternCode(pattern);
  if (isGlobal(pattern)) return atom(`[${call('match', 'any', asText(text), code).code}.match]`, 'list');
  const first = call('match', 'any', asText(text), code, '1').code;
  return atom(`($m := ${first}; $exists($m) ? $append([$m.match], $m.groups) : null)`, 'list');
}

/** The match of a text (0), or one of its groups. */
function groupOf(text: Code, pattern: Pattern, index: number): Code {
  const first = call('match', 'any', asText(text), patternCode(pattern), '1').code;
  return atom(index === 0 ? `${first}.match` : `${first}.groups[${index - 1}]`, 'string');
}

/** A replacement that is written out: JSONata has other words for the whole match. */
const replacementOf = (text: string): string => {
  if (/\$[`'<]/.test(text)) throw new Unsupported('this replacement');
  return quoted(text.replaceAll('$&', '$0'));
};

function replaced(value: Code, pattern: Pattern, [, to]: readonly Syntax[], print: (syntax: Syntax) => Code): Code {
  const by = to?.kind === 'literal' && typeof to.value === 'string' ? replacementOf(to.value) : to && asText(print(to));
  if (!by) throw new Unsupported('this replacement');
  const limit = isGlobal(pattern) ? [] : ['1'];
  return call('replace', 'string', asText(value), patternCode(pattern), by, ...limit);
}

/** A method of a text whose first parameter is a pattern; undefined: it is none. */
export function patternMethod(
  value: Code,
  name: string,
  parameters: readonly Syntax[],
  print: (syntax: Syntax) => Code,
): Code | undefined {
  const [pattern] = parameters;
  if (pattern?.kind !== 'pattern') return undefined;
  if (name === 'match') return matched(value, pattern);
  if (name === 'replace' || name === 'replaceAll') return replaced(value, pattern, parameters, print);
  if (name === 'split') return call('split', 'list', asText(value), patternCode(pattern));
  if (name === 'search') {
    const first = call('match', 'any', asText(value), patternCode(pattern), '1').code;
    return composed(`$exists(${first}) ? ${first}.index : -1`, 'number');
  }
  throw new Unsupported('this pattern');
}

/** `pattern.test(text)` and `pattern.exec(text)`. */
export function ofPattern(pattern: Pattern, name: string, text: Code | undefined): Code {
  if (name === 'test' && text) return call('contains', 'boolean', asText(text), patternCode(pattern));
  if (name === 'exec' && text) return matched(text, { ...pattern, flags: pattern.flags.replace('g', '') });
  throw new Unsupported('this pattern');
}

/** `text.match(pattern)[1]` and `pattern.exec(text)[1]`; undefined: it is none of them. */
export function groupAt(syntax: Syntax, index: number, print: (syntax: Syntax) => Code): Code | undefined {
  if (syntax.kind !== 'call' || syntax.callee.kind !== 'member' || syntax.callee.key.kind !== 'literal')
    return undefined;
  const { object, key } = syntax.callee;
  const [first] = syntax.parameters;
  if (key.value === 'match' && first?.kind === 'pattern' && !isGlobal(first))
    return groupOf(print(object), first, index);
  return key.value === 'exec' && object.kind === 'pattern' && first ? groupOf(print(first), object, index) : undefined;
}

/** A pattern as a text, as the comparisons of n8n have it: bare, or with its slashes and flags; undefined: it is none. */
export function patternIn(text: string): Code | undefined {
  const [, source = text, flags = ''] = /^\/(.+)\/([a-z]*)$/s.exec(text) ?? [];
  try {
    return atom(patternCode({ source, flags }), 'pattern');
  } catch (error) {
    if (!(error instanceof Unsupported)) throw error;
    return undefined;
  }
}
