import { DATE_EXTENSIONS } from './dates';
import { refuseCall, type MethodsByName } from './extension';
import { LIST_EXTENSIONS, OBJECT_EXTENSIONS } from './lists';
import { BOOLEAN_EXTENSIONS, NUMBER_EXTENSIONS } from './numbers';
import { TEXT_EXTENSIONS } from './texts';

declare const DateTime: { isDateTime(value: unknown): boolean };

/** The methods of a type, and the name of the type in messages. */
interface TypeExtensions {
  type: string;
  methods: MethodsByName<never>;
}

const LISTS: TypeExtensions = { type: 'Array', methods: LIST_EXTENSIONS };
const DATES: TypeExtensions = { type: 'Date', methods: DATE_EXTENSIONS };
const NUMBERS: TypeExtensions = { type: 'Number', methods: NUMBER_EXTENSIONS };
const OBJECTS: TypeExtensions = { type: 'Object', methods: OBJECT_EXTENSIONS };
const TEXTS: TypeExtensions = { type: 'String', methods: TEXT_EXTENSIONS };
const BOOLEANS: TypeExtensions = { type: 'Boolean', methods: BOOLEAN_EXTENSIONS };
/** In the order of messages. */
const ALL_EXTENSIONS = [LISTS, DATES, NUMBERS, OBJECTS, TEXTS, BOOLEANS];

/**
 * Whether a text is a date as JavaScript writes it: it has the methods of dates, which take it for none, and none of
 * those of texts, as n8n does.
 */
function isDateText(value: string): boolean {
  if (!/^(?:[-+]\d{2})?\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/.test(value)) return false;
  const date = new Date(value);
  return !Number.isNaN(date.getTime()) && date.toISOString() === value;
}

/** The methods that n8n adds to values of this type. */
function findExtensions(value: unknown, name: string): TypeExtensions | undefined {
  if (Array.isArray(value)) return LISTS;
  if (typeof value === 'string') return name !== 'toDate' && name !== 'toDateTime' && isDateText(value) ? DATES : TEXTS;
  if (typeof value === 'number') return NUMBERS;
  if (typeof value === 'boolean') return BOOLEANS;
  if (typeof value !== 'object' || value === null) return undefined;
  return value instanceof Date || DateTime.isDateTime(value) ? DATES : OBJECTS;
}

const isNothing = (value: unknown): value is null | undefined => value === null || value === undefined;

/** Says which types have the method. */
function refuseMethod(value: unknown, name: string): never {
  if (isNothing(value)) return refuseCall(`${name} can't be used on ${String(value)} value`);
  const types = ALL_EXTENSIONS.filter(({ methods }) => Object.hasOwn(methods, name)).map(({ type }) => `"${type}"`);
  const last = types.pop() ?? '';
  return refuseCall(
    types.length === 0
      ? `${name}() is only callable on type ${last}`
      : `${name}() is only callable on types ${types.join(', ')}, and ${last}`,
  );
}

/** Calls a method, or the extension of n8n that has its name. `isOptional`: no value gives none. */
export function callExtension(value: unknown, name: string, isOptional: boolean, ...given: unknown[]): unknown {
  if (isNothing(value) && isOptional) return undefined;
  const { methods } = findExtensions(value, name) ?? {};
  if (methods && Object.hasOwn(methods, name)) return methods[name]?.(value as never, ...given);
  const own: unknown = isNothing(value) ? undefined : (value as Record<string, unknown>)[name];
  if (typeof own === 'function') return (own as (...values: unknown[]) => unknown).apply(value, given);
  if (name === 'isEmpty') return !value;
  if (name === 'isNotEmpty') return Boolean(value);
  return refuseMethod(value, name);
}
