import { refuseCall } from './extensions/extension';
import { LIST_EXTENSIONS } from './extensions/lists';

const isNothing = (value: unknown): boolean => {
  if (value === undefined || value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
};

const not = (value: unknown): boolean => !value;
const average = (...values: unknown[]): unknown => LIST_EXTENSIONS['average']?.(values);

function ifEmpty(...given: unknown[]): unknown {
  if (given.length !== 2) refuseCall('expected two arguments (value, defaultValue) for this function');
  const [value, otherwise] = given;
  return isNothing(value) ? otherwise : value;
}

/** The numbers from one to another, up or down. */
function numberList(first: number, last: number): number[] {
  const step = first < last ? 1 : -1;
  return Array.from({ length: Math.abs(first - last) + 1 }, (_, at) => first + at * step);
}

function zip(names: unknown, values: unknown): Record<string, unknown> {
  if (!Array.isArray(names) || !Array.isArray(values)) return refuseCall('keys and values must be arrays');
  if (names.length !== values.length) return refuseCall('keys and values not of equal length');
  return Object.fromEntries(names.map((name, at) => [String(name), values[at] as unknown]));
}

function toPathSegment(value: unknown): string {
  if (value === undefined || value === null) return refuseCall('Invalid identifier: a value is required');
  const text = String(value);
  if (['', '.', '..'].includes(text)) return refuseCall(`Invalid identifier: "${text}" is not allowed`);
  return encodeURIComponent(text);
}

/** The functions of n8n that belong to no value. */
export const SHORT_FUNCTIONS = {
  $ifEmpty: ifEmpty,
  $not: not,
  $min: Math.min,
  $max: Math.max,
  $average: average,
  min: Math.min,
  max: Math.max,
  not,
  average,
  numberList,
  zip,
  toPathSegment,
};
