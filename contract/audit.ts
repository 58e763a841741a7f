import { z } from 'zod';
import { AuditCategory, AuditResult } from './access/security';
import { digits, CursorQuery, Timestamp, cursorPage, text } from './text';

/** Who did what, from where and with which result. Entries are immutable. */
export const AuditEntry = z
  .object({
    id: z.string(),
    timestamp: Timestamp,
    category: AuditCategory,
    action: z.string(),
    actor: z.looseObject({ type: z.string(), id: z.string().nullable(), email: z.string().nullable() }),
    resource: z.looseObject({ type: z.string(), id: z.string().nullable() }),
    result: AuditResult,
    metadata: z.looseObject({ ipAddress: z.string(), userAgent: z.string(), requestId: z.string() }),
  })
  .meta({ id: 'AuditEntry' });
export type AuditEntry = z.infer<typeof AuditEntry>;

export const AuditPage = cursorPage(AuditEntry).meta({ id: 'AuditPage' });

const filters = {
  category: AuditCategory.optional(),
  action: text(1, 100).optional().meta({ description: 'An operation, e.g. workflows.create' }),
  actorId: text(1, 100).optional().meta({ description: 'Id of the user or API key that acted' }),
  resourceId: text(1, 100).optional().meta({ description: 'Id of the object that the action concerns' }),
  result: AuditResult.optional(),
  from: Timestamp.optional(),
  to: Timestamp.optional().meta({ description: 'Exclusive' }),
};

export const AuditQuery = CursorQuery.extend(filters);
export const AuditFilter = z.strictObject(filters);
export type AuditFilter = z.infer<typeof AuditFilter>;

export const AuditExportQuery = AuditFilter.extend({ format: z.enum(['csv', 'jsonl']).default('jsonl') });

/** An entry as a line of a page: with names in place of ids, and consecutive saves as one. */
export const AuditLine = z
  .object({
    entry: AuditEntry.meta({ description: 'The newest entry of the line' }),
    count: z.number().int().meta({ description: 'Number of entries: consecutive saves of one workflow by one user' }),
    since: Timestamp.meta({ description: 'Time of the oldest entry' }),
    actorName: z.string().nullable().meta({ description: 'Null: deleted, or not readable for the caller' }),
    resourceName: z
      .string()
      .nullable()
      .meta({ description: 'Current name. Null: deleted, or not readable for the caller' }),
  })
  .meta({ id: 'AuditLine' });
export type AuditLine = z.infer<typeof AuditLine>;

export const AuditLines = z
  .object({
    data: z.array(AuditLine),
    next: z.string().nullable().meta({ description: '`before` of the next request; null: there are no older entries' }),
  })
  .meta({ id: 'AuditLines' });
export type AuditLines = z.infer<typeof AuditLines>;

export const AuditLinesQuery = z.strictObject({
  ...filters,
  limit: digits
    .pipe(z.number().int().min(1).max(100))
    .default(50)
    .meta({ type: 'integer', minimum: 1, maximum: 100, default: 50, description: 'Lines of a page' }),
  before: text(1, 100).optional().meta({ description: 'Id of an entry: only older ones' }),
  grouped: z.enum(['true', 'false']).default('true').meta({ description: 'Whether consecutive saves are one line' }),
});

/** Whether the hash chain of entries is intact. */
export const AuditVerdict = z
  .object({
    valid: z.boolean(),
    entries: z.number().int().meta({ description: 'Number of checked entries' }),
    firstBroken: z.string().nullable().meta({ description: 'Id of the first entry that was changed or follows a gap' }),
    reason: z.string().nullable(),
    head: z
      .object({ position: z.number().int(), hash: z.string() })
      .nullable()
      .meta({ description: 'The last entry of the chain. Store it elsewhere to detect truncation later' }),
  })
  .meta({ id: 'AuditVerdict' });
export type AuditVerdict = z.infer<typeof AuditVerdict>;
