import { AuditExportQuery, AuditLines, AuditLinesQuery, AuditPage, AuditQuery, AuditVerdict } from '@/contract/audit';
import { pageOf, readCursor } from '@/server/api/cursor';
import { memberAccess, operation } from '@/server/api/operation';
import { contentReply, jsonReply, readEffect, writeEffect } from '@/server/api/operation-parts';
import { verifyChain } from '@/server/audit/verify';
import { FORMATS, streamOf } from '@/server/audit/export';
import { readGroups } from '@/server/audit/lines';
import { allEntries, positionOf, presentEntry, readEntries } from '@/server/audit/log';
import { invalidField } from '@/server/errors/problem';
import { namesOf } from './audit-names';

const tag = 'Audit';

const list = operation({
  id: 'audit.list',
  method: 'GET',
  path: '/auth/audit',
  summary: 'Read the audit log',
  description: 'Newest first. `from` is included, `to` is not.',
  tag,
  access: memberAccess('audit', 'read'),
  effect: readEffect(),
  query: AuditQuery,
  reply: jsonReply(AuditPage),
  async run({ caller }, { query: { limit, offset, cursor, ...filter } }) {
    const position = readCursor(cursor, offset);
    if (position && !/^\d{1,18}$/.test(position.id)) throw invalidField('cursor', 'is not a cursor of this list');
    const before = position && { timestamp: position.at, sequence: position.id };
    const { rows, total } = await readEntries(caller.workspaceId, filter, { limit: limit + 1, offset, before });
    const page = pageOf(rows, limit, ({ timestamp: at, sequence: id }) => ({ at, id }));
    return { data: page.rows.map(presentEntry), total, limit, offset, nextCursor: page.nextCursor };
  },
});

const lines = operation({
  id: 'audit.lines',
  method: 'GET',
  path: '/auth/audit/lines',
  summary: 'Read the audit log with names',
  description:
    'Newest first. Names are those that the caller may read. Consecutive saves of a workflow by one user are one line; the ' +
    'log itself has each. A page may have fewer lines than `limit`; `next` leads to older ones.',
  tag,
  access: memberAccess('audit', 'read'),
  effect: readEffect(),
  query: AuditLinesQuery,
  reply: jsonReply(AuditLines),
  async run({ db, caller }, { query: { limit, before, grouped, ...filter } }) {
    const { workspaceId } = caller;
    const position = before === undefined ? undefined : await positionOf(workspaceId, before);
    if (before !== undefined && !position) throw invalidField('before', 'is not an entry of this log');
    const isGrouped = grouped === 'true';
    const { groups, last } = await readGroups(workspaceId, filter, { limit, before: position, isGrouped });
    const names = await namesOf(
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

const verify = operation({
  id: 'audit.verify',
  method: 'GET',
  path: '/auth/audit/verify',
  summary: 'Verify that no entry was changed, removed or moved',
  description: 'Walks the chain of hashes from the oldest entry kept to the newest.',
  tag,
  access: memberAccess('audit', 'read'),
  effect: readEffect(),
  reply: jsonReply(AuditVerdict),
  run: ({ caller }) => verifyChain(caller.workspaceId),
});

const exported = operation({
  id: 'audit.export',
  method: 'GET',
  path: '/auth/audit/export',
  summary: 'Export the audit log as CSV or JSON lines',
  description:
    'With the filters of the list. In CSV, cells that a spreadsheet would take for formulas begin with an apostrophe.',
  tag,
  access: memberAccess('audit', 'export'),
  effect: writeEffect('resource_access'),
  query: AuditExportQuery,
  reply: contentReply({
    status: 200,
    mediaTypes: ['text/csv', 'application/x-ndjson'],
    description: 'The entries, newest first',
  }),
  async run({ caller, note }, { query: { format, ...filter } }) {
    note({ metadata: { format, filter } });
    const name = `audit-${new Date().toISOString().slice(0, 10)}.${format}`;
    return new Response(streamOf(allEntries(caller.workspaceId, filter), format), {
      headers: {
        'Content-Type': FORMATS[format].mediaType,
        'Content-Disposition': `attachment; filename="${name}"`,
        'X-Content-Type-Options': 'nosniff',
      },
    });
  },
});

export const audit = [list, lines, verify, exported];
