import { asCondition, asText, atom, call, composed, element, not, part, type Code } from './code';
import { lengthOf } from './functions';

const one = (parameters: readonly Code[], index: number, otherwise: string): Code | string =>
  parameters[index] ?? otherwise;

type Method = (value: Code, parameters: readonly Code[]) => Code;

/** The end of a part of a text as JSONata wants it: its length. */
const between: Method = (value, [from = atom('0', 'number'), to]) =>
  to
    ? call('substring', 'string', asText(value), from, composed(`${part(to)} - ${part(from)}`, 'number'))
    : call('substring', 'string', asText(value), from);

const isNegative = ({ code }: Code) => code.startsWith('-');

/** Methods of texts, lists and numbers, by name and number of parameters. */
export const METHODS: Readonly<Record<string, Method>> = {
  toUpperCase: (value) => call('uppercase', 'string', value),
  toLowerCase: (value) => call('lowercase', 'string', value),
  trim: (value) => call('trim', 'string', value),
  toString: (value: Code) => call('string', 'string', value),
  toNumber: (value) => call('number', 'number', value),
  toFixed: (value, parameters) => call('string', 'string', call('round', 'number', value, one(parameters, 0, '0'))),
  toDateTime: (value) => ({ ...value, type: 'time' }),
  includes: (value, [wanted = atom('null')]) =>
    value.type === 'string'
      ? call('contains', 'boolean', value, asText(wanted))
      : composed(
          `${part(wanted)} in ${part(value)} or ($type(${value.code}) = "string" and $contains(${value.code}, ${asText(wanted).code}))`,
          'boolean',
        ),
  contains: (value, [wanted = atom('null')]) => call('contains', 'boolean', asText(value), asText(wanted)),
  startsWith: (value, [wanted = atom('""', 'string')]) =>
    composed(`$substring(${asText(value).code}, 0, $length(${asText(wanted).code})) = ${part(wanted)}`, 'boolean'),
  endsWith: (value, [wanted = atom('""', 'string')]) =>
    composed(`$substring(${asText(value).code}, -$length(${asText(wanted).code})) = ${part(wanted)}`, 'boolean'),
  split: (value, parameters) => call('split', 'list', asText(value), one(parameters, 0, '""')),
  join: (value, parameters) => call('join', 'string', texts(value), one(parameters, 0, '","')),
  replace: (value, [from = atom('""'), to = atom('""')]) => call('replace', 'string', asText(value), from, to, '1'),
  replaceAll: (value, [from = atom('""'), to = atom('""')]) => call('replace', 'string', asText(value), from, to),
  substring: between,
  substr: (value, parameters) => call('substring', 'string', asText(value), ...parameters),
  slice: (value, parameters) => {
    const [from = atom('0', 'number'), to] = parameters;
    if (value.type === 'string' && !isNegative(from) && !(to && isNegative(to))) return between(value, parameters);
    const length = to ? `, ${part(to)} - ${part(from)}` : '';
    const end = to ? ` and $k < ${part(to)}` : '';
    const list = `[$filter(${value.code}, function($v, $k) { $k >= ${part(from)}${end} })]`;
    return atom(`($type(${value.code}) = "string" ? $substring(${value.code}, ${from.code}${length}) : ${list})`);
  },
  concat: (value, [other = atom('[]')]) =>
    value.type === 'string'
      ? composed(`${part(value)} & ${part(other)}`, 'string')
      : call('append', 'list', value, other),
  reverse: (value) => call('reverse', 'list', value),
  flat: (value) => atom(`$reduce(${value.code}, $append, [])`, 'list'),
  at: (value, [index = atom('0')]) => element(value, index.code),
  first: (value) => element(value, '0'),
  last: (value) => element(value, '-1'),
  unique: (value) => call('distinct', 'list', value),
  removeDuplicates: (value) => call('distinct', 'list', value),
  sum: (value) => call('sum', 'number', value),
  isEmpty: not,
  isNotEmpty: asCondition,
  toJsonString: (value) => call('string', 'string', value),
  keys: (value) => call('keys', 'list', value),
  hasField: (value, [name = atom('""')]) => call('exists', 'boolean', call('lookup', 'any', value, name)),
  urlEncode: (value) => call('urlEncode', 'string', value),
  base64Encode: (value) => call('base64encode', 'string', value),
  base64Decode: (value) => call('base64decode', 'string', value),
  charAt: (value, parameters) => call('substring', 'string', asText(value), one(parameters, 0, '0'), '1'),
  padStart: (value, [width = atom('0'), fill = atom('" "')]) =>
    call('pad', 'string', asText(value), composed(`-${part(width)}`, 'number'), fill),
  padEnd: (value, [width = atom('0'), fill = atom('" "')]) => call('pad', 'string', asText(value), width, fill),
  trimStart: (value) => call('replace', 'string', asText(value), String.raw`/^\s+/`, '""'),
  trimEnd: (value) => call('replace', 'string', asText(value), String.raw`/\s+$/`, '""'),
  removeTags: (value) => call('replace', 'string', asText(value), '/<[^>]*>/', '""'),
  extractEmail: (value) => found(value, String.raw`/[\w.+-]+@[\w-]+(?:\.[\w-]+)+/`, 'match'),
  extractUrl: (value) => found(value, String.raw`/https?:[\x2f]{2}[^\s\x22\x27<>]+/i`, 'match'),
  extractDomain: (value) =>
    found(value, String.raw`/(?:[a-z]+:[\x2f]{2})?(?:[^\s@\x2f]*@)?([^\s\x2f:?#]+)/i`, 'groups[0]'),
  isEmail: (value) => call('contains', 'boolean', asText(value), String.raw`/^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$/`),
  isUrl: (value) => call('contains', 'boolean', asText(value), String.raw`/^https?:[\x2f]{2}\S+$/i`),
  indexOf: (value, [wanted = atom('""')]) => {
    const places = `[$map(${value.code}, function($v, $k) { $v = ${wanted.code} ? $k })]`;
    const inText = `$contains(${value.code}, ${asText(wanted).code}) ? $length($substringBefore(${value.code}, ${asText(wanted).code})) : -1`;
    if (value.type === 'string') return atom(`(${inText})`, 'number');
    return atom(
      `($type(${value.code}) = "string" ? (${inText}) : ($k := ${places}; $count($k) > 0 ? $k[0] : -1))`,
      'number',
    );
  },
  pop: (value) => element(value, '-1'),
  shift: (value) => element(value, '0'),
  sort: (value) => atom(`[$sort(${value.code})]`, 'list'),
  toSorted: (value) => atom(`[$sort(${value.code})]`, 'list'),
  compact: (value) => atom(`[$filter(${value.code}, function($v) { $v ? true : false })]`, 'list'),
  length: lengthOf,
  round: (value, parameters) => call('round', 'number', value, ...parameters),
  floor: (value) => call('floor', 'number', value),
  ceil: (value) => call('ceil', 'number', value),
  abs: (value) => call('abs', 'number', value),
  toInt: (value) => call('floor', 'number', call('number', 'number', value)),
  toFloat: (value) => call('number', 'number', value),
  toBoolean: (value) => atom(`($lowercase($string(${value.code})) in ["true", "yes", "1"])`, 'boolean'),
  hash: (value, [algorithm]) => call('hash', 'string', asText(value), algorithm ?? '"md5"'),
  hasOwnProperty: (value: Code, [name = atom('""')]: readonly Code[]) =>
    call('exists', 'boolean', call('lookup', 'any', value, asText(name))),
  parseJson: (value) => call('parseJson', 'any', value),
};

/** A part of what a pattern finds first. */
const found = (value: Code, pattern: string, field: string): Code =>
  atom(`$match(${asText(value).code}, ${pattern}, 1).${field}`, 'string');

const texts = (value: Code) => atom(`$map(${value.code}, $string)`, 'list');

export const isEqual = (left: Code, right: Code, isNot: boolean): Code => {
  const value = left.type === 'null' ? right : right.type === 'null' ? left : undefined;
  // Null and nothing are the same for most expressions, but not in JSONata.
  if (value) {
    const known = call('exists', 'boolean', value);
    return isNot
      ? composed(`${known.code} and ${part(value)} != null`, 'boolean')
      : composed(`$not(${known.code}) or ${part(value)} = null`, 'boolean');
  }
  return isNot
    ? call('not', 'boolean', composed(`${part(left)} = ${part(right)}`, 'boolean'))
    : composed(`${part(left)} = ${part(right)}`, 'boolean');
};
