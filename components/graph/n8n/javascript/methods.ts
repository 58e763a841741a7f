import { asCondition, asText, atom, call, composed, element, not, part, quoted, type Code } from './code';

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
  parseJson: (value) => call('parseJson', 'any', value),
};

const texts = (value: Code) => atom(`$map(${value.code}, $string)`, 'list');

/** Methods with a function, such as `map`. `each`: the function as JSONata. */
export const LOOPS: Readonly<Record<string, (value: Code, each: Code) => Code>> = {
  map: (value, each) => atom(`[$map(${value.code}, ${each.code})]`, 'list'),
  filter: (value, each) => atom(`[$filter(${value.code}, ${each.code})]`, 'list'),
  find: (value, each) => atom(`$filter(${value.code}, ${each.code})[0]`),
  some: (value, each) => composed(`$count($filter(${value.code}, ${each.code})) > 0`, 'boolean'),
  every: (value, each) => composed(`$count($filter(${value.code}, ${each.code})) = $count(${value.code})`, 'boolean'),
};

type Function = (parameters: readonly Code[]) => Code;

/** Functions by their full names. */
export const FUNCTIONS: Readonly<Record<string, Function>> = {
  Number: ([value = atom('0')]) => call('number', 'number', value),
  parseInt: ([value = atom('0')]) => call('floor', 'number', call('number', 'number', value)),
  parseFloat: ([value = atom('0')]) => call('number', 'number', value),
  String: ([value = atom('""')]) => call('string', 'string', value),
  Boolean: ([value = atom('false')]) => asCondition(value),
  encodeURIComponent: ([value = atom('""')]) => call('urlEncode', 'string', asText(value)),
  'JSON.stringify': ([value = atom('null')]) => call('string', 'string', value),
  'JSON.parse': ([value = atom('""')]) => call('parseJson', 'any', value),
  'Math.round': ([value = atom('0')]) => call('floor', 'number', composed(`${part(value)} + 0.5`, 'number')),
  'Math.floor': ([value = atom('0')]) => call('floor', 'number', value),
  'Math.ceil': ([value = atom('0')]) => call('ceil', 'number', value),
  'Math.abs': ([value = atom('0')]) => call('abs', 'number', value),
  'Math.max': (values) => call('max', 'number', listed(values)),
  'Math.min': (values) => call('min', 'number', listed(values)),
  $max: (values) => call('max', 'number', listed(values)),
  $min: (values) => call('min', 'number', listed(values)),
  'Math.random': () => call('random', 'number'),
  'Object.keys': ([value = atom('{}')]) => call('keys', 'list', value),
  'Object.values': ([value = atom('{}')]) => atom(`$each(${value.code}, function($v) { $v })`, 'list'),
  'Array.isArray': ([value = atom('null')]) => composed(`$type(${value.code}) = "array"`, 'boolean'),
  'Date.now': () => call('toMillis', 'number', '$now()'),
  'DateTime.now': () => atom('$now()', 'time'),
  'DateTime.utc': () => atom('$now()', 'time'),
  'DateTime.fromISO': ([value = atom('""')]) => ({ ...value, type: 'time' }),
  'DateTime.fromJSDate': ([value = atom('""')]) => ({ ...value, type: 'time' }),
  'DateTime.fromMillis': ([value = atom('0')]) => call('fromMillis', 'time', value),
  'DateTime.fromFormat': ([value = atom('""'), pattern = atom('""')]) => call('parseDate', 'time', value, pattern),
  'crypto.randomUUID': () => call('uuid', 'string'),
  $if: ([test = atom('false'), yes = atom('null'), no = atom('null')]) =>
    composed(`${part(test)} ? ${part(yes)} : ${part(no)}`, 'any'),
  $ifEmpty: ([value = atom('null'), otherwise = atom('null')]) =>
    composed(`${part(value)} ? ${part(value)} : ${part(otherwise)}`, 'any'),
};

const listed = (values: readonly Code[]) => `[${values.map(({ code }) => code).join(', ')}]`;

/** `length` of a text or a list. */
export const lengthOf = (value: Code): Code =>
  value.type === 'string'
    ? call('length', 'number', value)
    : value.type === 'list' || value.type === 'items'
      ? call('count', 'number', value)
      : atom(`($type(${value.code}) = "string" ? $length(${value.code}) : $count(${value.code}))`, 'number');

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

export const literal = (value: string | number | boolean | null | undefined): Code => {
  if (typeof value === 'string') return atom(quoted(value), 'string');
  if (typeof value === 'number') return atom(String(value), 'number');
  if (typeof value === 'boolean') return atom(String(value), 'boolean');
  return atom('null', 'null');
};
