import { z } from 'zod';
import './in-browsers';

/** A text column of PostgreSQL can't hold NUL, and UTF-8 can't hold half a surrogate pair. */
const isStorableText = (value: string) => !value.includes('\u0000') && value.isWellFormed();

/** Whether every text in a JSON value can be stored, names of fields included. */
export const isStorableJson = (value: unknown): boolean =>
  typeof value === 'string'
    ? isStorableText(value)
    : typeof value !== 'object' ||
      value === null ||
      Object.entries(value).every(([name, inner]) => isStorableText(name) && isStorableJson(inner));

/** One line or paragraph of user text, `min` to `max` UTF-16 units. Data, never code. */
export const boundedText = (min: number, max: number) =>
  z.string().min(min).max(max).refine(isStorableText, { error: 'must not contain NUL or lone surrogates' });

/** A timestamp: ISO 8601, UTC. PostgreSQL has no year 0. */
export const Timestamp = z.iso
  .datetime()
  .refine((value) => !value.startsWith('0000'), { error: 'must be after the year 0' })
  .meta({ example: '2026-01-31T08:15:30.000Z' });

/** A JSON object with any content, stored as sent. */
export const JsonObject = z.record(z.string(), z.unknown());
export type JsonObject = z.infer<typeof JsonObject>;

/**
 * A stored value in an answer. It was checked when it was stored; an answer does not look into it again, because that
 * takes as long as it is large, and it may come as text. Outermost: a schema that is derived from this one by `meta` or
 * `refine` looks again.
 */
export function asStored<Schema extends z.ZodType>(schema: Schema): Schema {
  const stored = z.core.clone(schema, schema.def, { parent: true });
  stored._zod.run = (payload) => payload;
  return stored;
}

/** A number in a query string: decimal digits only. */
export const queryInteger = z
  .string()
  .regex(/^\d{1,9}$/, { error: 'must be a whole number' })
  .transform(Number);

/** Pagination of all lists. Values out of range are refused, not clamped. */
export const PaginationQuery = z.strictObject({
  limit: queryInteger.pipe(z.number().int().min(1).max(100)).default(50).meta({
    type: 'integer',
    minimum: 1,
    maximum: 100,
    default: 50,
    description: 'Maximum number of objects in the answer',
  }),
  offset: queryInteger
    .pipe(z.number().int().min(0))
    .default(0)
    .meta({ type: 'integer', minimum: 0, default: 0, description: 'Number of objects to skip' }),
});
export type PaginationQuery = z.infer<typeof PaginationQuery>;

/** Pagination of lists that grow without end: pages by cursor stay in place while objects are added. */
export const CursorPaginationQuery = PaginationQuery.extend({
  cursor: boundedText(1, 300).optional().meta({ description: '`nextCursor` of the page before, in place of `offset`' }),
});

/** The envelope of all lists: newest first, `total` is the number of matches. */
export const pageSchema = <Item extends z.ZodType>(item: Item) =>
  z
    .object({
      data: z.array(item).describe('The items'),
      total: z.number().int().describe('The number of all items'),
      limit: z.number().int().describe('The maximum number of items'),
      offset: z.number().int().describe('The number of items before the first one'),
    })
    .describe('One page of the list');

/** The envelope of a list that also returns the cursor of its next page. */
export const cursorPageSchema = <Item extends z.ZodType>(item: Item) =>
  pageSchema(item)
    .extend({
      nextCursor: z.string().nullable().meta({ description: 'For the next page; null: the last page' }),
    })
    .describe('One page of the list');
