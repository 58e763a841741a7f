import {
  asConditionCode,
  asTextCode,
  atomicCode,
  jsonataCall,
  composedCode,
  operandCode,
  jsonataString,
  type JsonataCode,
} from './code';

type FunctionConverter = (parameters: readonly JsonataCode[]) => JsonataCode;

/** Functions by their full names. */
export const FUNCTION_CONVERTERS: Readonly<Record<string, FunctionConverter>> = {
  Number: ([value = atomicCode('0')]) => jsonataCall('number', 'number', value),
  parseInt: ([value = atomicCode('0')]) => jsonataCall('floor', 'number', jsonataCall('number', 'number', value)),
  parseFloat: ([value = atomicCode('0')]) => jsonataCall('number', 'number', value),
  String: ([value = atomicCode('""')]) => jsonataCall('string', 'string', value),
  Boolean: ([value = atomicCode('false')]) => asConditionCode(value),
  encodeURI: ([value = atomicCode('""')]) => jsonataCall('encodeUrl', 'string', asTextCode(value)),
  decodeURIComponent: ([value = atomicCode('""')]) => jsonataCall('decodeUrlComponent', 'string', asTextCode(value)),
  encodeURIComponent: ([value = atomicCode('""')]) => jsonataCall('urlEncode', 'string', asTextCode(value)),
  'JSON.stringify': ([value = atomicCode('null')]) => jsonataCall('string', 'string', value),
  'JSON.parse': ([value = atomicCode('""')]) => jsonataCall('parseJson', 'any', value),
  'Math.round': ([value = atomicCode('0')]) =>
    jsonataCall('floor', 'number', composedCode(`${operandCode(value)} + 0.5`, 'number')),
  'Math.floor': ([value = atomicCode('0')]) => jsonataCall('floor', 'number', value),
  'Math.ceil': ([value = atomicCode('0')]) => jsonataCall('ceil', 'number', value),
  'Math.abs': ([value = atomicCode('0')]) => jsonataCall('abs', 'number', value),
  'Math.max': (values) => jsonataCall('max', 'number', listLiteralCode(values)),
  'Math.min': (values) => jsonataCall('min', 'number', listLiteralCode(values)),
  $max: (values) => jsonataCall('max', 'number', listLiteralCode(values)),
  $min: (values) => jsonataCall('min', 'number', listLiteralCode(values)),
  'Math.pow': (values) => jsonataCall('power', 'number', ...values),
  'Math.sqrt': (values) => jsonataCall('sqrt', 'number', ...values),
  'Math.trunc': ([value = atomicCode('0')]) =>
    atomicCode(`(${operandCode(value)} < 0 ? $ceil(${value.code}) : $floor(${value.code}))`, 'number'),
  'Math.random': () => jsonataCall('random', 'number'),
  'Object.keys': ([value = atomicCode('{}')]) => jsonataCall('keys', 'list', value),
  'Object.values': ([value = atomicCode('{}')]) => atomicCode(`$each(${value.code}, function($v) { $v })`, 'list'),
  'Object.entries': ([value = atomicCode('{}')]) =>
    atomicCode(`[$each(${value.code}, function($v, $k) { [$k, $v] })[]]`, 'list'),
  'Object.fromEntries': ([value = atomicCode('[]')]) =>
    atomicCode(`$merge($map(${value.code}, function($pair) { { $string($pair[0]): $pair[1] } }))`),
  'Object.assign': (values) => jsonataCall('merge', 'any', listLiteralCode(values)),
  Object: ([value = atomicCode('{}')]) => value,
  'Array.from': ([value = atomicCode('[]')]) => value,
  'Array.isArray': ([value = atomicCode('null')]) => composedCode(`$type(${value.code}) = "array"`, 'boolean'),
  'Date.now': () => jsonataCall('toMillis', 'number', '$now()'),
  'DateTime.now': () => atomicCode('$now()', 'time'),
  'DateTime.local': () => atomicCode('$now()', 'time'),
  'DateTime.fromSeconds': ([value = atomicCode('0')]) =>
    jsonataCall('fromMillis', 'time', composedCode(`${operandCode(value)} * 1000`, 'number')),
  'DateTime.utc': () => atomicCode('$now()', 'time'),
  'DateTime.fromISO': ([value = atomicCode('""')]) => ({ ...value, type: 'time' }),
  'DateTime.fromJSDate': ([value = atomicCode('""')]) => ({ ...value, type: 'time' }),
  'DateTime.fromMillis': ([value = atomicCode('0')]) => jsonataCall('fromMillis', 'time', value),
  'DateTime.fromFormat': ([value = atomicCode('""'), pattern = atomicCode('""')]) =>
    jsonataCall('parseDate', 'time', value, pattern),
  'crypto.randomUUID': () => jsonataCall('uuid', 'string'),
  $if: ([test = atomicCode('false'), yes = atomicCode('null'), no = atomicCode('null')]) =>
    composedCode(`${operandCode(test)} ? ${operandCode(yes)} : ${operandCode(no)}`, 'any'),
  $ifEmpty: ([value = atomicCode('null'), otherwise = atomicCode('null')]) =>
    composedCode(`${operandCode(value)} ? ${operandCode(value)} : ${operandCode(otherwise)}`, 'any'),
};

const listLiteralCode = (values: readonly JsonataCode[]) => `[${values.map(({ code }) => code).join(', ')}]`;

export const literalCode = (value: string | number | boolean | null | undefined): JsonataCode => {
  if (typeof value === 'string') return atomicCode(jsonataString(value), 'string');
  if (typeof value === 'number') return atomicCode(String(value), 'number');
  if (typeof value === 'boolean') return atomicCode(String(value), 'boolean');
  return atomicCode('null', 'null');
};

/** `length` of a text or a list. */
export const lengthCode = (value: JsonataCode): JsonataCode =>
  value.type === 'string'
    ? jsonataCall('length', 'number', value)
    : value.type === 'list' || value.type === 'items'
      ? jsonataCall('count', 'number', value)
      : atomicCode(`($type(${value.code}) = "string" ? $length(${value.code}) : $count(${value.code}))`, 'number');
