import type { z } from 'zod';
import { fieldsOf, listed, LONG_RUN, LONG_RUNS, mixedRuns, textsOf, type Family } from './texts';

/** Bodies by their names; the size of the largest one where it is not what the operation takes. */
export type Bodies = Record<string, { make: Family; largest?: number }>;

type Path = (string | number)[];

/** Stands for what is put in: a text that no example has. */
const HERE = '\u0001here';
const HERE_IN_JSON = JSON.stringify(HERE);

interface Place {
  path: Path;
  value: unknown;
}

const placesIn = (value: unknown, path: Path = []): Place[] => [
  { path, value },
  ...(typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, inner]) => placesIn(inner, [...path, name]))
    : []),
];

function withAt(value: unknown, [first, ...rest]: Path, put: unknown): unknown {
  if (first === undefined) return put;
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string | number, unknown>;
  copy[first] = withAt(copy[first], rest, put);
  return copy;
}

const nameOf = (path: Path) => (path.length === 0 ? 'the body' : path.join('.'));

/** The example with `put` at a place, and its JSON split there. */
function around(example: unknown, path: Path, put: unknown, mark: string): [string, string] {
  const [before = '', after = ''] = JSON.stringify(withAt(example, path, put)).split(mark);
  return [before, after];
}

const within = ([before, after]: [string, string], inner: Family, largest?: number) => ({
  make: (size: number) => before + inner(size) + after,
  largest,
});

const listOf = (item: string) => (size: number) => `[${listed(size, item, ',')}]`;
const mixed = (size: number) => JSON.stringify(mixedRuns(size));
const texts = (size: number) => `[${textsOf(size)}]`;

/** Hostile values in place of one value of the example. */
function bodiesAt(example: unknown, { path, value }: Place, isOpenToAll: boolean): Bodies {
  const name = nameOf(path);
  const instead = around(example, path, HERE, HERE_IN_JSON);
  if (typeof value === 'string') {
    const runs = isOpenToAll && path.length === 1 ? LONG_RUNS : {};
    return {
      [`mixed runs at ${name}`]: within(instead, mixed),
      ...Object.fromEntries(
        Object.entries(runs).map(([run, text]) => [
          `${run} at ${name}`,
          within(instead, (size) => JSON.stringify(text(size)), LONG_RUN),
        ]),
      ),
    };
  }
  if (Array.isArray(value)) {
    const item = JSON.stringify(value[0] ?? {});
    return {
      [`items at ${name}`]: within(instead, listOf(item)),
      [`wrong items at ${name}`]: within(instead, listOf('{"":0}')),
      [`texts at ${name}`]: within(instead, texts),
    };
  }
  if (typeof value === 'object' && value !== null) {
    const beside = around(example, path, { ...value, [HERE]: 0 }, `${HERE_IN_JSON}:0`);
    return { [`unknown fields in ${name}`]: within(beside, fieldsOf) };
  }
  return {};
}

/** A value of each kind for a field of the schema that the example does not have. */
function bodiesFor(example: object, field: string): Bodies {
  const at = around(example, [field], HERE, HERE_IN_JSON);
  return {
    [`mixed runs at ${field}`]: within(at, mixed),
    [`items at ${field}`]: within(at, listOf('{}')),
    [`texts at ${field}`]: within(at, texts),
    [`fields at ${field}`]: within(at, (size) => `{${fieldsOf(size)}}`),
    [`lists in lists at ${field}`]: within(at, listOf('['.repeat(100) + ']'.repeat(100))),
  };
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The schema of a field without what says that the field may be absent: operations that create and change an object
 * share these.
 */
export function innermost(schema: z.ZodType): z.ZodType {
  const { innerType } = schema.def as { innerType?: z.ZodType };
  return innerType ? innermost(innerType) : schema;
}

/**
 * Hostile bodies for a schema: changes of the example in each of its places, and of the fields that it does not have.
 * Fields whose schema is `known` are left out, the others become known.
 */
export function schemaBodies(
  schema: z.ZodType,
  example: unknown,
  { isOpenToAll, known }: { isOpenToAll: boolean; known: Set<z.ZodType> },
): Bodies {
  const base = isObject(example) ? example : {};
  const shape = 'shape' in schema ? (schema as z.ZodObject).shape : {};
  const isKnown = new Set<string | number | undefined>();
  for (const [field, type] of Object.entries(shape)) {
    const inner = innermost(type as z.ZodType);
    if (known.has(inner)) isKnown.add(field);
    known.add(inner);
  }
  return Object.assign(
    {},
    ...placesIn(base).flatMap((place) => (isKnown.has(place.path[0]) ? [] : [bodiesAt(base, place, isOpenToAll)])),
    ...Object.keys(shape).flatMap((field) => (field in base || isKnown.has(field) ? [] : [bodiesFor(base, field)])),
  ) as Bodies;
}
