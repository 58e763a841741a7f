import { z } from 'zod';
import { AuditCategory, AuditResult } from './access/security';
import { PageQuery, Timestamp, page, text } from './text';

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

export const AuditPage = page(AuditEntry).meta({ id: 'AuditPage' });

const filters = {
  category: AuditCategory.optional(),
  action: text(1, 100).optional().meta({ description: 'An operation, e.g. workflows.create' }),
  actorId: text(1, 100).optional().meta({ description: 'Id of the user or API key that acted' }),
  resourceId: text(1, 100).optional().meta({ description: 'Id of the object that the action concerns' }),
  result: AuditResult.optional(),
  from: Timestamp.optional(),
  to: Timestamp.optional().meta({ description: 'Exclusive' }),
};

export const AuditQuery = PageQuery.extend(filters);
export const AuditFilter = z.strictObject(filters);
export type AuditFilter = z.infer<typeof AuditFilter>;

export const AuditExportQuery = AuditFilter.extend({ format: z.enum(['csv', 'jsonl']).default('jsonl') });

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
