import { asCondition, asText, atom, call, composed, part, quoted, type Code } from './code';

type Function = (parameters: readonly Code[]) => Code;

/** Functions by their full names. */
export const FUNCTIONS: Readonly<Record<string, Function>> = {
  Number: ([value = atom('0')]) => call('number', 'number', value),
  parseInt: ([value = atom('0')]) => call('floor', 'number', call('number', 'number', value)),
  parseFloat: ([value = atom('0')]) => call('number', 'number', value),
  String: ([value = atom('""')]) => call('string', 'string', value),
  Boolean: ([value = atom('false')]) => asCondition(value),
  encodeURI: ([value = atom('""')]) => call('encodeUrl', 'string', asText(value)),
  decodeURIComponent: ([value = atom('""')]) => call('decodeUrlComponent', 'string', asText(value)),
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
  'Math.pow': (values) => call('power', 'number', ...values),
  'Math.sqrt': (values) => call('sqrt', 'number', ...values),
  'Math.trunc': ([value = atom('0')]) =>
    atom(`(${part(value)} < 0 ? $ceil(${value.code}) : $floor(${value.code}))`, 'number'),
  'Math.random': () => call('random', 'number'),
  'Object.keys': ([value = atom('{}')]) => call('keys', 'list', value),
  'Object.values': ([value = atom('{}')]) => atom(`$each(${value.code}, function($v) { $v })`, 'list'),
  'Object.entries': ([value = atom('{}')]) => atom(`[$each(${value.code}, function($v, $k) { [$k, $v] })[]]`, 'list'),
  'Object.fromEntries': ([value = atom('[]')]) =>
    atom(`$merge($map(${value.code}, function($pair) { { $string($pair[0]): $pair[1] } }))`),
  'Object.assign': (values) => call('merge', 'any', listed(values)),
  Object: ([value = atom('{}')]) => value,
  'Array.from': ([value = atom('[]')]) => value,
  'Array.isArray': ([value = atom('null')]) => composed(`$type(${value.code}) = "array"`, 'boolean'),
  'Date.now': () => call('toMillis', 'number', '$now()'),
  'DateTime.now': () => atom('$now()', 'time'),
  'DateTime.local': () => atom('$now()', 'time'),
  'DateTime.fromSeconds': ([value = atom('0')]) =>
    call('fromMillis', 'time', composed(`${part(value)} * 1000`, 'number')),
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

export const literal = (value: string | number | boolean | null | undefined): Code => {
  if (typeof value === 'string') return atom(quoted(value), 'string');
  if (typeof value === 'number') return atom(String(value), 'number');
  if (typeof value === 'boolean') return atom(String(value), 'boolean');
  return atom('null', 'null');
};

/** `length` of a text or a list. */
export const lengthOf = (value: Code): Code =>
  value.type === 'string'
    ? call('length', 'number', value)
    : value.type === 'list' || value.type === 'items'
      ? call('count', 'number', value)
      : atom(`($type(${value.code}) = "string" ? $length(${value.code}) : $count(${value.code}))`, 'number');
