import { z } from 'zod';
import { ImportQuery, ImportResult, RowExportQuery } from '@/contract/tables/table';
import { MAX_IMPORT_BYTES } from '@/contract/tables/table-columns';
import { memberAccess, operation } from '@/server/api/operation';
import { contentReply, jsonReply, submitEffect, uploadBody, writeEffect } from '@/server/api/operation-parts';
import { record } from '@/server/audit/record';
import { attachment } from '@/server/content-disposition';
import { pool, prisma } from '@/server/db/client';
import { onDisconnect } from '@/server/disconnect';
import { invalid } from '@/server/errors/problem';
import { exportCsv } from '@/server/tables/csv-export';
import { importCsv } from '@/server/tables/csv-import';
import { sqlOfPg, sqlOfPrisma } from '@/server/tables/sql';
import { findTable } from '@/server/tables/table';
import { unreadableFiles } from './named-files';

const tag = 'Tables';
const Id = z.strictObject({ id: z.string() });

const exported = operation({
  id: 'rows.export',
  method: 'GET',
  path: '/api/tables/{id}/rows.csv',
  summary: 'Export rows as CSV',
  description:
    'With the filter and the sort of the list. Texts that a spreadsheet would take for formulas begin with an apostrophe, ' +
    'which an import removes.',
  tag,
  access: memberAccess('table', 'read'),
  effect: writeEffect('resource_access'),
  params: Id,
  query: RowExportQuery,
  reply: contentReply({ status: 200, mediaTypes: ['text/csv'], description: 'A header and a line for each row' }),
  async run({ db, caller: { workspaceId }, note }, { params: { id }, query }) {
    note({ resourceId: id, metadata: query });
    const table = await findTable(sqlOfPrisma(db), workspaceId, id);
    return new Response(await exportCsv(table, query), {
      headers: {
        'Content-Type': 'text/csv; charset=utf-8',
        'Content-Disposition': attachment(`${table.name}.csv`),
        'X-Content-Type-Options': 'nosniff',
      },
    });
  },
});

/** Nobody reads it: it ends the import. */
const senderGone = () => invalid([], 'The sender has disconnected. Nothing was imported.');

const imported = operation({
  id: 'rows.import',
  method: 'POST',
  path: '/api/tables/{id}/rows/import',
  summary: 'Import rows from CSV',
  description:
    'The first row that is not empty names columns, or `headerRow`; `id`, `createdAt` and `updatedAt` are passed over. All lines or none, unless `onError` is ' +
    '`skip`; `failed` says which lines do not fit. An empty cell has no value; an empty text has quotes. Times without a zone ' +
    'are UTC. At most 256 MiB. Delimiters and quotes are read as spreadsheet programs do.',
  tag,
  access: memberAccess('table', 'write'),
  effect: submitEffect('resource_access'),
  params: Id,
  query: ImportQuery,
  body: uploadBody({ mediaType: 'text/csv', maxBytes: MAX_IMPORT_BYTES }),
  reply: jsonReply(ImportResult),
  async run({ db, caller, headers, spool, note, auditEntry, connection }, { params: { id }, query }) {
    const table = await findTable(sqlOfPg(pool()), caller.workspaceId, id);
    const [type] = (headers.get('content-type') ?? '').split(';');
    if (type?.trim().toLowerCase() !== 'text/csv') throw invalid([], 'The body must be sent as text/csv.');
    if (!spool) throw invalid([], 'The body is missing.');
    const gone = new AbortController();
    const stop = connection && onDisconnect(connection, () => gone.abort(senderGone()));
    const result = await importCsv(table, () => spool.stream(), {
      skips: query.onError === 'skip',
      format: query,
      refused: (rows) => unreadableFiles(prisma(), caller, table.columns, rows),
      signal: gone.signal,
    }).finally(() => stop?.());
    note({ resourceId: id, metadata: { inserted: result.inserted, failed: result.failed.length } });
    await record(db, [auditEntry()]);
    return result;
  },
});

export const tableCsv = [exported, imported];
