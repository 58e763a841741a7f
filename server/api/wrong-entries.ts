import { z } from 'zod';
import { explain } from '@/server/errors/zod-issues';
import { YieldTimer } from '@/server/cooperative';

type Issue = z.core.$ZodIssue;
type Path = readonly (string | number)[];

/** Entries of a list or a record that are checked at once. */
const WINDOW = 64;

/** Schemas around another one that accept what it accepts, and more. */
const WRAPPERS = new Set(['optional', 'nullable', 'default', 'prefault', 'nonoptional', 'readonly', 'catch']);

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
  if (inner instanceof z.ZodObject) return withinObject(inner, value as Record<string, unknown>, path, timer);
  const isList = inner instanceof z.ZodArray && Array.isArray(value);
  if (!isList && !(inner instanceof z.ZodRecord)) return undefined;
  const entries = Object.entries(value);
  if (entries.length > WINDOW) {
    const issues = await inWindows(inner, entries, path, timer);
    if (issues) return issues;
  }
  const entrySchema = isList ? inner.def.element : (inner as z.ZodRecord).def.valueType;
  if (!mayHoldLists(entrySchema)) return undefined;
  for (const [key, entry] of entries) {
    const issues = await within(entrySchema, entry, [...path, isList ? Number(key) : key], timer);
    if (issues) return issues;
  }
  return undefined;
}

async function withinObject(
  { def: { shape } }: z.ZodObject,
  value: Record<string, unknown>,
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
  entries: [string, unknown][],
  path: Path,
  timer: YieldTimer,
): Promise<Issue[] | undefined> {
  const isList = schema instanceof z.ZodArray;
  const ofSome = isList ? z.array(schema.def.element) : z.record(schema.def.keyType, schema.def.valueType);
  for (let start = 0; start < entries.length; start += WINDOW) {
    const some = entries.slice(start, start + WINDOW);
    const issues = issuesOfSome(ofSome, isList ? some.map(([, entry]) => entry) : Object.fromEntries(some));
    if (issues === 'unknown') return undefined;
    if (issues.length > 0)
      return issues.map((issue) => {
        const [first, ...rest] = issue.path;
        const place = isList ? [Number(first) + start] : first === undefined ? [] : [first];
        return { ...issue, path: [...path, ...place, ...rest] };
      });
    if (timer.isDue) await timer.take();
  }
  return undefined;
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
