import { z } from 'zod';
import { explain } from '@/server/errors/zod-issues';
import { YieldTimer } from '@/server/cooperative';

type Issue = z.core.$ZodIssue;
type Path = readonly (string | number)[];
type JsonObject = Record<string, unknown>;

/** Entries of a list or a record that are checked at once. */
const WINDOW = 64;

/** Schemas around another one that accept what it accepts, and more. */
const WRAPPERS = new Set(['optional', 'nullable', 'default', 'prefault', 'nonoptional', 'readonly']);

/**
 * The issues of the first wrong entries in a list or record of more than 64 entries; undefined if there are none. Zod checks a value at
 * once and makes an issue of each wrong entry, which takes long for thousands of them: entries are checked in turns here, between which others are
 * answered, and the first turn with a wrong entry ends it. Lists within unions and behind asynchronous checks are not looked at.
 */
export async function findWrongEntries(schema: z.ZodType, value: unknown): Promise<Issue[] | undefined> {
  return within(schema, value, [], new YieldTimer());
}

async function within(
  schema: z.core.$ZodType,
  value: unknown,
  path: Path,
  timer: YieldTimer,
): Promise<Issue[] | undefined> {
  if (typeof value !== 'object' || value === null) return undefined;
  const inner = innerSchema(schema);
  const isList = Array.isArray(value);
  if (inner instanceof z.ZodArray && isList) return withinEntries(inner, inner.def.element, value, path, timer);
  if (isList) return undefined;
  if (inner instanceof z.ZodObject) return withinObject(inner, value as JsonObject, path, timer);
  if (inner instanceof z.ZodRecord) return withinEntries(inner, inner.def.valueType, value as JsonObject, path, timer);
  return undefined;
}

async function withinEntries(
  schema: z.ZodArray | z.ZodRecord,
  entrySchema: z.core.$ZodType,
  value: unknown[] | JsonObject,
  path: Path,
  timer: YieldTimer,
): Promise<Issue[] | undefined> {
  const keys = Array.isArray(value) ? value.keys() : recordKeys(value);
  const count = Array.isArray(value) ? value.length : (keys as string[]).length;
  const issues = count > WINDOW ? await inWindows(schema, value, path, timer) : undefined;
  if (issues || !mayHoldLists(entrySchema)) return issues;
  for (const key of keys) {
    const found = await within(entrySchema, (value as JsonObject)[key], [...path, key], timer);
    if (found) return found;
    if (timer.isDue) await timer.take();
  }
  return undefined;
}

async function withinObject(
  { def: { shape } }: z.ZodObject,
  value: JsonObject,
  path: Path,
  timer: YieldTimer,
): Promise<Issue[] | undefined> {
  for (const [key, field] of Object.entries(shape)) {
    const issues = Object.hasOwn(value, key) ? await within(field, value[key], [...path, key], timer) : undefined;
    if (issues) return issues;
  }
  return undefined;
}

/** Checks entries of a list or a record in turns. The schema of the whole may ask for more, which is checked later. */
async function inWindows(
  schema: z.ZodArray | z.ZodRecord,
  value: unknown[] | JsonObject,
  path: Path,
  timer: YieldTimer,
): Promise<Issue[] | undefined> {
  const ofSome =
    schema instanceof z.ZodArray ? z.array(schema.def.element) : z.record(schema.def.keyType, schema.def.valueType);
  for (const { start, some } of windowsOf(value)) {
    const issues = issuesOfSome(ofSome, some);
    if (issues === 'unknown') return undefined;
    if (issues.length > 0)
      return issues.map((issue) => {
        const [first, ...rest] = issue.path;
        const place = first === undefined ? [] : [typeof first === 'number' ? first + start : first];
        return { ...issue, path: [...path, ...place, ...rest] };
      });
    if (timer.isDue) await timer.take();
  }
  return undefined;
}

/** Zod passes over this one name. */
const recordKeys = (value: JsonObject): string[] => Object.keys(value).filter((key) => key !== '__proto__');

/** Some entries at a time. `start`: the index of the first of them in a list. */
function* windowsOf(value: unknown[] | JsonObject): Generator<{ start: number; some: unknown }> {
  if (Array.isArray(value)) {
    for (let start = 0; start < value.length; start += WINDOW)
      yield { start, some: value.slice(start, start + WINDOW) };
    return;
  }
  const keys = recordKeys(value);
  for (let start = 0; start < keys.length; start += WINDOW)
    yield { start: 0, some: Object.fromEntries(keys.slice(start, start + WINDOW).map((key) => [key, value[key]])) };
}

/** 'unknown': the schema needs to wait for something. */
function issuesOfSome(schema: z.ZodType, some: unknown): Issue[] | 'unknown' {
  try {
    return schema.safeParse(some, { error: explain }).error?.issues ?? [];
  } catch (error) {
    if (error instanceof z.core.$ZodAsyncError) return 'unknown';
    throw error;
  }
}

function innerSchema(schema: z.core.$ZodType): z.core.$ZodType {
  const { type } = schema._zod.def;
  if (WRAPPERS.has(type)) return innerSchema((schema as z.ZodOptional).def.innerType);
  if (schema instanceof z.ZodLazy) return innerSchema(schema.def.getter());
  return schema instanceof z.ZodPipe ? innerSchema(schema.def.in) : schema;
}

const mayHoldLists = (schema: z.core.$ZodType): boolean => {
  const inner = innerSchema(schema);
  return inner instanceof z.ZodObject || inner instanceof z.ZodArray || inner instanceof z.ZodRecord;
};
