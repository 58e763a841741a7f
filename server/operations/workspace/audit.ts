import { AuditExportQuery, AuditPage, AuditQuery, AuditVerdict } from '@/contract/audit';
import { operation } from '@/server/api/operation';
import { verifyChain } from '@/server/audit/verify';
import { FORMATS, streamOf } from '@/server/audit/export';
import { allEntries, readEntries } from '@/server/audit/log';

const tag = 'Audit';

const list = operation({
  id: 'audit.list',
  method: 'GET',
  path: '/auth/audit',
  summary: 'Read the audit log',
  description: 'Newest first. `from` is included, `to` is not.',
  tag,
  access: { resource: 'audit', action: 'read' },
  effect: 'read',
  query: AuditQuery,
  output: AuditPage,
  async run({ caller }, { query: { limit, offset, ...filter } }) {
    return { ...(await readEntries(caller.workspaceId, filter, { limit, offset })), limit, offset };
  },
});

const verify = operation({
  id: 'audit.verify',
  method: 'GET',
  path: '/auth/audit/verify',
  summary: 'Verify that no entry was changed, removed or moved',
  description: 'Walks the chain of hashes from the oldest entry kept to the newest.',
  tag,
  access: { resource: 'audit', action: 'read' },
  effect: 'read',
  output: AuditVerdict,
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
  access: { resource: 'audit', action: 'export' },
  effect: 'write',
  audit: 'resource_access',
  query: AuditExportQuery,
  produces: { status: 200, mediaTypes: ['text/csv', 'application/x-ndjson'], description: 'The entries, newest first' },
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

export const audit = [list, verify, exported];
