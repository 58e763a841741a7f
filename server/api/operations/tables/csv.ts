import { z } from 'zod';
import { ImportRowsQuery, ImportRowsResult, ExportRowsQuery } from '@/contract/tables/table';
import { MAX_IMPORT_BYTES } from '@/contract/tables/table-columns';
import { memberAccess, defineOperation } from '@/server/api/operation/operation';
import { contentReply, jsonReply, submitEffect, uploadBody, writeEffect } from '@/server/api/operation/operation-parts';
import { appendAuditEntries } from '@/server/people/audit/record';
import { attachmentDisposition } from '@/server/platform/messages/content-disposition';
import { databasePool, prismaClient } from '@/server/platform/db/client';
import { onClientDisconnect } from '@/server/platform/messages/disconnect';
import { invalidRequestProblem } from '@/server/platform/errors/problem';
import { exportTableCsv } from '@/server/data/tables/csv-export';
import { importTableCsv } from '@/server/data/tables/csv-import';
import { createPgSql, createPrismaSql } from '@/server/data/tables/sql';
import { findDataTable } from '@/server/data/tables/table';
import { findUnreadableFiles } from './file-references';

const TABLE_CSV_TAG = 'Tables';
const TableCsvParams = z.strictObject({ id: z.string() });

const exportRowsOperation = defineOperation({
  id: 'rows.export',
  method: 'GET',
  path: '/api/tables/{id}/rows.csv',
  summary: 'Export rows as CSV',
  description:
    'With the filter and the sort of the list. Texts that a spreadsheet would take for formulas begin with an apostrophe, ' +
    'which an import removes.',
  tag: TABLE_CSV_TAG,
  access: memberAccess('table', 'read'),
  effect: writeEffect('resource_access'),
  params: TableCsvParams,
  query: ExportRowsQuery,
  reply: contentReply({ status: 200, mediaTypes: ['text/csv'], description: 'A header and a line for each row' }),
  async run({ db, caller: { workspaceId }, note }, { params: { id }, query }) {
    note({ resourceId: id, metadata: query });
    const table = await findDataTable(createPrismaSql(db), workspaceId, id);
    return new Response(await exportTableCsv(table, query), {
      headers: {
        'Content-Type': 'text/csv; charset=utf-8',
        'Content-Disposition': attachmentDisposition(`${table.name}.csv`),
        'X-Content-Type-Options': 'nosniff',
      },
    });
  },
});

/** Nobody reads this error; it only ends the import. */
const senderDisconnected = () => invalidRequestProblem([], 'The sender has disconnected. Nothing was imported.');

const importRowsOperation = defineOperation({
  id: 'rows.import',
  method: 'POST',
  path: '/api/tables/{id}/rows/import',
  summary: 'Import rows from CSV',
  description:
    'The first row that is not empty names columns, or `headerRow`; `id`, `createdAt` and `updatedAt` are passed over. All lines or none, unless `onError` is ' +
    '`skip`; `failed` says which lines do not fit. An empty cell has no value; an empty text has quotes. Times without a zone ' +
    'are UTC. At most 256 MiB. Delimiters and quotes are read as spreadsheet programs do.',
  tag: TABLE_CSV_TAG,
  access: memberAccess('table', 'write'),
  effect: submitEffect('resource_access'),
  params: TableCsvParams,
  query: ImportRowsQuery,
  body: uploadBody({ mediaType: 'text/csv', maxBytes: MAX_IMPORT_BYTES }),
  reply: jsonReply(ImportRowsResult),
  async run({ db, caller, headers, spool, note, auditEntry, connection }, { params: { id }, query }) {
    const table = await findDataTable(createPgSql(databasePool()), caller.workspaceId, id);
    const [type] = (headers.get('content-type') ?? '').split(';');
    if (type?.trim().toLowerCase() !== 'text/csv')
      throw invalidRequestProblem([], 'The body must be sent as text/csv.');
    if (!spool) throw invalidRequestProblem([], 'The body is missing.');
    const gone = new AbortController();
    const stop = connection && onClientDisconnect(connection, () => gone.abort(senderDisconnected()));
    const result = await importTableCsv(table, () => spool.stream(), {
      skips: query.onError === 'skip',
      format: query,
      refused: (rows) => findUnreadableFiles(prismaClient(), caller, table.columns, rows),
      signal: gone.signal,
    }).finally(() => stop?.());
    note({ resourceId: id, metadata: { inserted: result.inserted, failed: result.failed.length } });
    await appendAuditEntries(db, [auditEntry()]);
    return result;
  },
});

export const tableCsvOperations = [exportRowsOperation, importRowsOperation];
