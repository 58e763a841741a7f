import { z } from 'zod';
import { explainMissingValue } from '@/server/platform/errors/zod-issues';
import { YieldTimer } from '@/server/platform/timers/cooperative';

type SchemaIssue = z.core.$ZodIssue;
type IssuePath = readonly (string | number)[];
type UnknownRecord = Record<string, unknown>;

/** Entries of a list or a record that are checked at once. */
const ENTRIES_PER_TURN = 64;

/** Schemas around another one that accept what it accepts, and more. */
const WRAPPER_TYPES = new Set(['optional', 'nullable', 'default', 'prefault', 'nonoptional', 'readonly']);

/**
 * The issues of the first wrong entries in a list or record of more than 64 entries; undefined if there are none. Zod
 * checks a value at once and makes an issue of each wrong entry, which takes long for thousands of them: entries are
 * checked in turns here, between which others are answered, and the first turn with a wrong entry ends it. Lists within
 * unions and behind asynchronous checks are not looked at.
 */
export async function findWrongEntries(schema: z.ZodType, value: unknown): Promise<SchemaIssue[] | undefined> {
  return findIssuesWithin(schema, value, [], new YieldTimer());
}

async function findIssuesWithin(
  schema: z.core.$ZodType,
  value: unknown,
  path: IssuePath,
  timer: YieldTimer,
): Promise<SchemaIssue[] | undefined> {
  if (typeof value !== 'object' || value === null) return undefined;
  const inner = unwrapSchema(schema);
  const isList = Array.isArray(value);
  if (inner instanceof z.ZodArray && isList) return findIssuesInEntries(inner, inner.def.element, value, path, timer);
  if (isList) return undefined;
  if (inner instanceof z.ZodObject) return findIssuesInObject(inner, value as UnknownRecord, path, timer);
  if (inner instanceof z.ZodRecord)
    return findIssuesInEntries(inner, inner.def.valueType, value as UnknownRecord, path, timer);
  return undefined;
}

async function findIssuesInEntries(
  schema: z.ZodArray | z.ZodRecord,
  entrySchema: z.core.$ZodType,
  value: unknown[] | UnknownRecord,
  path: IssuePath,
  timer: YieldTimer,
): Promise<SchemaIssue[] | undefined> {
  const keys = Array.isArray(value) ? value.keys() : recordKeys(value);
  const count = Array.isArray(value) ? value.length : (keys as string[]).length;
  const issues = count > ENTRIES_PER_TURN ? await checkEntriesInTurns(schema, value, path, timer) : undefined;
  if (issues || !mayContainLists(entrySchema)) return issues;
  for (const key of keys) {
    const found = await findIssuesWithin(entrySchema, (value as UnknownRecord)[key], [...path, key], timer);
    if (found) return found;
    if (timer.isDue) await timer.take();
  }
  return undefined;
}

async function findIssuesInObject(
  { def: { shape } }: z.ZodObject,
  value: UnknownRecord,
  path: IssuePath,
  timer: YieldTimer,
): Promise<SchemaIssue[] | undefined> {
  for (const [key, field] of Object.entries(shape)) {
    const issues = Object.hasOwn(value, key)
      ? await findIssuesWithin(field, value[key], [...path, key], timer)
      : undefined;
    if (issues) return issues;
  }
  return undefined;
}

/** Checks entries of a list or a record in turns. The schema of the whole may ask for more, which is checked later. */
async function checkEntriesInTurns(
  schema: z.ZodArray | z.ZodRecord,
  value: unknown[] | UnknownRecord,
  path: IssuePath,
  timer: YieldTimer,
): Promise<SchemaIssue[] | undefined> {
  const ofSome =
    schema instanceof z.ZodArray ? z.array(schema.def.element) : z.record(schema.def.keyType, schema.def.valueType);
  for (const { start, some } of splitEntries(value)) {
    const issues = checkSomeEntries(ofSome, some);
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
const recordKeys = (value: UnknownRecord): string[] => Object.keys(value).filter((key) => key !== '__proto__');

/** Some entries at a time. `start`: the index of the first of them in a list. */
function* splitEntries(value: unknown[] | UnknownRecord): Generator<{ start: number; some: unknown }> {
  if (Array.isArray(value)) {
    for (let start = 0; start < value.length; start += ENTRIES_PER_TURN)
      yield { start, some: value.slice(start, start + ENTRIES_PER_TURN) };
    return;
  }
  const keys = recordKeys(value);
  for (let start = 0; start < keys.length; start += ENTRIES_PER_TURN)
    yield {
      start: 0,
      some: Object.fromEntries(keys.slice(start, start + ENTRIES_PER_TURN).map((key) => [key, value[key]])),
    };
}

/** 'unknown': the schema needs to wait for something. */
function checkSomeEntries(schema: z.ZodType, some: unknown): SchemaIssue[] | 'unknown' {
  try {
    return schema.safeParse(some, { error: explainMissingValue }).error?.issues ?? [];
  } catch (error) {
    if (error instanceof z.core.$ZodAsyncError) return 'unknown';
    throw error;
  }
}

function unwrapSchema(schema: z.core.$ZodType): z.core.$ZodType {
  const { type } = schema._zod.def;
  if (WRAPPER_TYPES.has(type)) return unwrapSchema((schema as z.ZodOptional).def.innerType);
  if (schema instanceof z.ZodLazy) return unwrapSchema(schema.def.getter());
  return schema instanceof z.ZodPipe ? unwrapSchema(schema.def.in) : schema;
}

const mayContainLists = (schema: z.core.$ZodType): boolean => {
  const inner = unwrapSchema(schema);
  return inner instanceof z.ZodObject || inner instanceof z.ZodArray || inner instanceof z.ZodRecord;
};
