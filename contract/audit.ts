import { z } from 'zod';
import { ObjectId } from './shared-fields';
import { AuditCategory, AuditResult } from './access/security';
import { queryInteger, CursorPaginationQuery, Timestamp, cursorPageSchema, boundedText } from './text';

/** Who did what, from where and with which result. Entries are immutable. */
export const AuditEntryResponse = z
  .object({
    id: ObjectId,
    timestamp: Timestamp.describe('When it was'),
    category: AuditCategory,
    action: z.string().describe('Id of the operation, such as `workflows.update`'),
    actor: z
      .looseObject({
        type: z.string().describe('Such as `user` or `workflow`'),
        id: z.string().nullable().describe('Null: no single object'),
        email: z.string().nullable().describe('Where mail to the person goes'),
      })
      .describe('Who did it'),
    resource: z
      .looseObject({
        type: z.string().describe('Such as `user` or `workflow`'),
        id: z.string().nullable().describe('Null: no single object'),
      })
      .describe('What it was done to'),
    result: AuditResult,
    metadata: z
      .looseObject({
        ipAddress: z.string().describe('The address of the caller'),
        userAgent: z.string().describe('The program of the caller'),
        requestId: z.string().describe('The id of the request, as in `X-Request-Id`'),
      })
      .describe('Further data of the action'),
  })
  .meta({ id: 'AuditEntry', description: 'An action or refusal. Entries form a hash chain.' });
export type AuditEntryResponse = z.infer<typeof AuditEntryResponse>;

export const ListAuditResponse = cursorPageSchema(AuditEntryResponse).meta({ id: 'AuditPage' });

const auditFilterFields = {
  category: AuditCategory.optional().describe('Only entries of this kind'),
  action: boundedText(1, 100).optional().meta({ description: 'An operation, e.g. workflows.create' }),
  actorId: boundedText(1, 100).optional().meta({ description: 'Id of the user or API key that acted' }),
  resourceId: boundedText(1, 100).optional().meta({ description: 'Id of the object that the action concerns' }),
  result: AuditResult.optional().describe('Only entries with this result'),
  from: Timestamp.optional().describe('Only those at this time or later'),
  to: Timestamp.optional().meta({ description: 'Exclusive' }),
};

export const ListAuditQuery = CursorPaginationQuery.extend(auditFilterFields);
export const AuditFilter = z.strictObject(auditFilterFields);
export type AuditFilter = z.infer<typeof AuditFilter>;

export const ExportAuditQuery = AuditFilter.extend({
  format: z.enum(['csv', 'jsonl']).default('jsonl').describe('The format of the file'),
});

/** An entry as a line of a page: with names in place of ids, and consecutive saves as one. */
export const AuditLogLine = z
  .object({
    entry: AuditEntryResponse.meta({ description: 'The newest entry of the line' }),
    count: z.number().int().meta({ description: 'Number of entries: consecutive saves of one workflow by one user' }),
    since: Timestamp.meta({ description: 'Time of the oldest entry' }),
    actorName: z.string().nullable().meta({ description: 'Null: deleted, or not readable for the caller' }),
    resourceName: z
      .string()
      .nullable()
      .meta({ description: 'Current name. Null: deleted, or not readable for the caller' }),
  })
  .meta({
    id: 'AuditLine',
    description: 'One entry of the audit log, or consecutive saves of one workflow by one user',
  });
export type AuditLogLine = z.infer<typeof AuditLogLine>;

export const ListAuditLinesResponse = z
  .object({
    data: z.array(AuditLogLine).describe('The items'),
    next: z.string().nullable().meta({ description: '`before` of the next request; null: there are no older entries' }),
  })
  .meta({ id: 'AuditLines', description: 'Lines of the audit log, newest first' });
export type ListAuditLinesResponse = z.infer<typeof ListAuditLinesResponse>;

export const ListAuditLinesQuery = z.strictObject({
  ...auditFilterFields,
  limit: queryInteger
    .pipe(z.number().int().min(1).max(100))
    .default(50)
    .meta({ type: 'integer', minimum: 1, maximum: 100, default: 50, description: 'Lines of a page' }),
  before: boundedText(1, 100).optional().meta({ description: 'Id of an entry: only older ones' }),
  grouped: z.enum(['true', 'false']).default('true').meta({ description: 'Whether consecutive saves are one line' }),
});

/** Whether the hash chain of entries is intact. */
export const AuditChainCheck = z
  .object({
    valid: z.boolean().describe('False: an entry was changed or removed'),
    entries: z.number().int().meta({ description: 'Number of checked entries' }),
    firstBroken: z.string().nullable().meta({ description: 'Id of the first entry that was changed or follows a gap' }),
    reason: z.string().nullable().describe('The reason; null: none'),
    head: z
      .object({
        position: z.number().int().describe('Number of the entry in the chain'),
        hash: z.string().describe('The hash of the entry'),
      })
      .nullable()
      .meta({ description: 'The last entry of the chain. Store it elsewhere to detect truncation later' }),
  })
  .meta({ id: 'AuditVerdict', description: 'Whether the hash chain of the audit log is whole' });
export type AuditChainCheck = z.infer<typeof AuditChainCheck>;
