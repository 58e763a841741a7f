import {
  ExportAuditQuery,
  ListAuditLinesResponse,
  ListAuditLinesQuery,
  ListAuditResponse,
  ListAuditQuery,
  AuditChainCheck,
} from '@/contract/audit';
import { sliceCursorPage, parseCursor } from '@/server/api/operation/cursor';
import { memberAccess, defineOperation } from '@/server/api/operation/operation';
import { contentReply, jsonReply, readEffect, writeEffect } from '@/server/api/operation/operation-parts';
import { verifyAuditChain } from '@/server/people/audit/verify';
import { AUDIT_EXPORT_FORMATS, streamAuditExport } from '@/server/people/audit/export';
import { readEntryGroups } from '@/server/people/audit/entry-groups';
import { readAllEntries, findAuditPosition, toAuditResponse, readAuditEntries } from '@/server/people/audit/log';
import { invalidFieldProblem } from '@/server/platform/errors/problem';
import { findObjectNames } from './object-names';

const AUDIT_TAG = 'Audit';

const listAuditEntriesOperation = defineOperation({
  id: 'audit.list',
  method: 'GET',
  path: '/auth/audit',
  summary: 'Read the audit log',
  description: 'Newest first. `from` is included, `to` is not.',
  tag: AUDIT_TAG,
  access: memberAccess('audit', 'read'),
  effect: readEffect(),
  query: ListAuditQuery,
  reply: jsonReply(ListAuditResponse),
  async run({ caller }, { query: { limit, offset, cursor, ...filter } }) {
    const position = parseCursor(cursor, offset);
    if (position && !/^\d{1,18}$/.test(position.id))
      throw invalidFieldProblem('cursor', 'is not a cursor of this list');
    const before = position && { timestamp: position.at, sequence: position.id };
    const { rows, total } = await readAuditEntries(caller.workspaceId, filter, { limit: limit + 1, offset, before });
    const page = sliceCursorPage(rows, limit, ({ timestamp: at, sequence: id }) => ({ at, id }));
    return { data: page.rows.map(toAuditResponse), total, limit, offset, nextCursor: page.nextCursor };
  },
});

const listAuditLinesOperation = defineOperation({
  id: 'audit.lines',
  method: 'GET',
  path: '/auth/audit/lines',
  summary: 'Read the audit log with names',
  description:
    'Newest first. Names are those that the caller may read. Consecutive saves of a workflow by one user are one line; the ' +
    'log itself has each. A page may have fewer lines than `limit`; `next` leads to older ones.',
  tag: AUDIT_TAG,
  access: memberAccess('audit', 'read'),
  effect: readEffect(),
  query: ListAuditLinesQuery,
  reply: jsonReply(ListAuditLinesResponse),
  async run({ db, caller }, { query: { limit, before, grouped, ...filter } }) {
    const { workspaceId } = caller;
    const position = before === undefined ? undefined : await findAuditPosition(workspaceId, before);
    if (before !== undefined && !position) throw invalidFieldProblem('before', 'is not an entry of this log');
    const isGrouped = grouped === 'true';
    const { groups, last } = await readEntryGroups(workspaceId, filter, { limit, before: position, isGrouped });
    const names = await findObjectNames(
      db,
      caller,
      groups.flatMap(({ entry }) => [entry.actor.id, entry.resource.id]),
    );
    const nameOf = (id: string | null) => (id === null ? null : (names.get(id) ?? null));
    const data = groups.map((group) => ({
      ...group,
      actorName: nameOf(group.entry.actor.id),
      resourceName: nameOf(group.entry.resource.id),
    }));
    return { data, next: last };
  },
});

const verifyAuditOperation = defineOperation({
  id: 'audit.verify',
  method: 'GET',
  path: '/auth/audit/verify',
  summary: 'Verify that no entry was changed, removed or moved',
  description: 'Walks the chain of hashes from the oldest entry kept to the newest.',
  tag: AUDIT_TAG,
  access: memberAccess('audit', 'read'),
  effect: readEffect(),
  reply: jsonReply(AuditChainCheck),
  run: ({ caller }) => verifyAuditChain(caller.workspaceId),
});

const exportAuditOperation = defineOperation({
  id: 'audit.export',
  method: 'GET',
  path: '/auth/audit/export',
  summary: 'Export the audit log as CSV or JSON lines',
  description:
    'With the filters of the list. In CSV, cells that a spreadsheet would take for formulas begin with an apostrophe.',
  tag: AUDIT_TAG,
  access: memberAccess('audit', 'export'),
  effect: writeEffect('resource_access'),
  query: ExportAuditQuery,
  reply: contentReply({
    status: 200,
    mediaTypes: ['text/csv', 'application/x-ndjson'],
    description: 'The entries, newest first',
  }),
  async run({ caller, note }, { query: { format, ...filter } }) {
    note({ metadata: { format, filter } });
    const name = `audit-${new Date().toISOString().slice(0, 10)}.${format}`;
    return new Response(streamAuditExport(readAllEntries(caller.workspaceId, filter), format), {
      headers: {
        'Content-Type': AUDIT_EXPORT_FORMATS[format].mediaType,
        'Content-Disposition': `attachment; filename="${name}"`,
        'X-Content-Type-Options': 'nosniff',
      },
    });
  },
});

export const auditOperations = [
  listAuditEntriesOperation,
  listAuditLinesOperation,
  verifyAuditOperation,
  exportAuditOperation,
];
