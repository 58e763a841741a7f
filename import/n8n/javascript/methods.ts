import {
  asConditionCode,
  asTextCode,
  atomicCode,
  jsonataCall,
  composedCode,
  elementAtIndex,
  negateCode,
  operandCode,
  type JsonataCode,
} from './code';
import { lengthCode } from './functions';

const parameterOrDefault = (
  parameters: readonly JsonataCode[],
  index: number,
  otherwise: string,
): JsonataCode | string => parameters[index] ?? otherwise;

type MethodConverter = (value: JsonataCode, parameters: readonly JsonataCode[]) => JsonataCode;

/** The end of a part of a text as JSONata wants it: its length. */
const substringBetween: MethodConverter = (value, [from = atomicCode('0', 'number'), to]) =>
  to
    ? jsonataCall(
        'substring',
        'string',
        asTextCode(value),
        from,
        composedCode(`${operandCode(to)} - ${operandCode(from)}`, 'number'),
      )
    : jsonataCall('substring', 'string', asTextCode(value), from);

const isNegativeNumber = ({ code }: JsonataCode) => code.startsWith('-');

/** Methods of texts, lists and numbers, by name and number of parameters. */
export const METHOD_CONVERTERS: Readonly<Record<string, MethodConverter>> = {
  toUpperCase: (value) => jsonataCall('uppercase', 'string', value),
  toLowerCase: (value) => jsonataCall('lowercase', 'string', value),
  trim: (value) => jsonataCall('trim', 'string', value),
  toString: (value: JsonataCode) => jsonataCall('string', 'string', value),
  toNumber: (value) => jsonataCall('number', 'number', value),
  toFixed: (value, parameters) =>
    jsonataCall('string', 'string', jsonataCall('round', 'number', value, parameterOrDefault(parameters, 0, '0'))),
  toDateTime: (value) => ({ ...value, type: 'time' }),
  includes: (value, [wanted = atomicCode('null')]) =>
    value.type === 'string'
      ? jsonataCall('contains', 'boolean', value, asTextCode(wanted))
      : composedCode(
          `${operandCode(wanted)} in ${operandCode(value)} or ($type(${value.code}) = "string" and $contains(${value.code}, ${asTextCode(wanted).code}))`,
          'boolean',
        ),
  contains: (value, [wanted = atomicCode('null')]) =>
    jsonataCall('contains', 'boolean', asTextCode(value), asTextCode(wanted)),
  startsWith: (value, [wanted = atomicCode('""', 'string')]) =>
    composedCode(
      `$substring(${asTextCode(value).code}, 0, $length(${asTextCode(wanted).code})) = ${operandCode(wanted)}`,
      'boolean',
    ),
  endsWith: (value, [wanted = atomicCode('""', 'string')]) =>
    composedCode(
      `$substring(${asTextCode(value).code}, -$length(${asTextCode(wanted).code})) = ${operandCode(wanted)}`,
      'boolean',
    ),
  split: (value, parameters) =>
    jsonataCall('split', 'list', asTextCode(value), parameterOrDefault(parameters, 0, '""')),
  join: (value, parameters) =>
    jsonataCall('join', 'string', textListCode(value), parameterOrDefault(parameters, 0, '","')),
  replace: (value, [from = atomicCode('""'), to = atomicCode('""')]) =>
    jsonataCall('replace', 'string', asTextCode(value), from, to, '1'),
  replaceAll: (value, [from = atomicCode('""'), to = atomicCode('""')]) =>
    jsonataCall('replace', 'string', asTextCode(value), from, to),
  substring: substringBetween,
  substr: (value, parameters) => jsonataCall('substring', 'string', asTextCode(value), ...parameters),
  slice: (value, parameters) => {
    const [from = atomicCode('0', 'number'), to] = parameters;
    if (value.type === 'string' && !isNegativeNumber(from) && !(to && isNegativeNumber(to)))
      return substringBetween(value, parameters);
    const length = to ? `, ${operandCode(to)} - ${operandCode(from)}` : '';
    const end = to ? ` and $k < ${operandCode(to)}` : '';
    const list = `[$filter(${value.code}, function($v, $k) { $k >= ${operandCode(from)}${end} })]`;
    return atomicCode(`($type(${value.code}) = "string" ? $substring(${value.code}, ${from.code}${length}) : ${list})`);
  },
  concat: (value, [other = atomicCode('[]')]) =>
    value.type === 'string'
      ? composedCode(`${operandCode(value)} & ${operandCode(other)}`, 'string')
      : jsonataCall('append', 'list', value, other),
  reverse: (value) => jsonataCall('reverse', 'list', value),
  flat: (value) => atomicCode(`$reduce(${value.code}, $append, [])`, 'list'),
  at: (value, [index = atomicCode('0')]) => elementAtIndex(value, index.code),
  first: (value) => elementAtIndex(value, '0'),
  last: (value) => elementAtIndex(value, '-1'),
  unique: (value) => jsonataCall('distinct', 'list', value),
  removeDuplicates: (value) => jsonataCall('distinct', 'list', value),
  sum: (value) => jsonataCall('sum', 'number', value),
  isEmpty: negateCode,
  isNotEmpty: asConditionCode,
  toJsonString: (value) => jsonataCall('string', 'string', value),
  keys: (value) => jsonataCall('keys', 'list', value),
  hasField: (value, [name = atomicCode('""')]) =>
    jsonataCall('exists', 'boolean', jsonataCall('lookup', 'any', value, name)),
  urlEncode: (value) => jsonataCall('urlEncode', 'string', value),
  base64Encode: (value) => jsonataCall('base64encode', 'string', value),
  base64Decode: (value) => jsonataCall('base64decode', 'string', value),
  charAt: (value, parameters) =>
    jsonataCall('substring', 'string', asTextCode(value), parameterOrDefault(parameters, 0, '0'), '1'),
  padStart: (value, [width = atomicCode('0'), fill = atomicCode('" "')]) =>
    jsonataCall('pad', 'string', asTextCode(value), composedCode(`-${operandCode(width)}`, 'number'), fill),
  padEnd: (value, [width = atomicCode('0'), fill = atomicCode('" "')]) =>
    jsonataCall('pad', 'string', asTextCode(value), width, fill),
  trimStart: (value) => jsonataCall('replace', 'string', asTextCode(value), String.raw`/^\s+/`, '""'),
  trimEnd: (value) => jsonataCall('replace', 'string', asTextCode(value), String.raw`/\s+$/`, '""'),
  removeTags: (value) => jsonataCall('replace', 'string', asTextCode(value), '/<[^>]*>/', '""'),
  extractEmail: (value) => firstPatternMatch(value, String.raw`/[\w.+-]+@[\w-]+(?:\.[\w-]+)+/`, 'match'),
  extractUrl: (value) => firstPatternMatch(value, String.raw`/https?:[\x2f]{2}[^\s\x22\x27<>]+/i`, 'match'),
  extractDomain: (value) =>
    firstPatternMatch(value, String.raw`/(?:[a-z]+:[\x2f]{2})?(?:[^\s@\x2f]*@)?([^\s\x2f:?#]+)/i`, 'groups[0]'),
  isEmail: (value) =>
    jsonataCall('contains', 'boolean', asTextCode(value), String.raw`/^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$/`),
  isUrl: (value) => jsonataCall('contains', 'boolean', asTextCode(value), String.raw`/^https?:[\x2f]{2}\S+$/i`),
  indexOf: (value, [wanted = atomicCode('""')]) => {
    const places = `[$map(${value.code}, function($v, $k) { $v = ${wanted.code} ? $k })]`;
    const inText = `$contains(${value.code}, ${asTextCode(wanted).code}) ? $length($substringBefore(${value.code}, ${asTextCode(wanted).code})) : -1`;
    if (value.type === 'string') return atomicCode(`(${inText})`, 'number');
    return atomicCode(
      `($type(${value.code}) = "string" ? (${inText}) : ($k := ${places}; $count($k) > 0 ? $k[0] : -1))`,
      'number',
    );
  },
  pop: (value) => elementAtIndex(value, '-1'),
  shift: (value) => elementAtIndex(value, '0'),
  sort: (value) => atomicCode(`[$sort(${value.code})]`, 'list'),
  toSorted: (value) => atomicCode(`[$sort(${value.code})]`, 'list'),
  compact: (value) => atomicCode(`[$filter(${value.code}, function($v) { $v ? true : false })]`, 'list'),
  length: lengthCode,
  round: (value, parameters) => jsonataCall('round', 'number', value, ...parameters),
  floor: (value) => jsonataCall('floor', 'number', value),
  ceil: (value) => jsonataCall('ceil', 'number', value),
  abs: (value) => jsonataCall('abs', 'number', value),
  toInt: (value) => jsonataCall('floor', 'number', jsonataCall('number', 'number', value)),
  toFloat: (value) => jsonataCall('number', 'number', value),
  toBoolean: (value) => atomicCode(`($lowercase($string(${value.code})) in ["true", "yes", "1"])`, 'boolean'),
  hash: (value, [algorithm]) => jsonataCall('hash', 'string', asTextCode(value), algorithm ?? '"md5"'),
  hasOwnProperty: (value: JsonataCode, [name = atomicCode('""')]: readonly JsonataCode[]) =>
    jsonataCall('exists', 'boolean', jsonataCall('lookup', 'any', value, asTextCode(name))),
  parseJson: (value) => jsonataCall('parseJson', 'any', value),
};

/** A part of what a pattern finds first. */
const firstPatternMatch = (value: JsonataCode, pattern: string, field: string): JsonataCode =>
  atomicCode(`$match(${asTextCode(value).code}, ${pattern}, 1).${field}`, 'string');

const textListCode = (value: JsonataCode) => atomicCode(`$map(${value.code}, $string)`, 'list');

export const equalityCode = (left: JsonataCode, right: JsonataCode, isNot: boolean): JsonataCode => {
  const value = left.type === 'null' ? right : right.type === 'null' ? left : undefined;
  // Null and a missing value are the same for most expressions, but not in JSONata.
  if (value) {
    const known = jsonataCall('exists', 'boolean', value);
    return isNot
      ? composedCode(`${known.code} and ${operandCode(value)} != null`, 'boolean')
      : composedCode(`$not(${known.code}) or ${operandCode(value)} = null`, 'boolean');
  }
  return isNot
    ? jsonataCall('not', 'boolean', composedCode(`${operandCode(left)} = ${operandCode(right)}`, 'boolean'))
    : composedCode(`${operandCode(left)} = ${operandCode(right)}`, 'boolean');
};
