import { MAX_ROWS_PER_CALL } from '@/contract/tables/table-columns';
import { tableCsvHeader, tableCsvLine } from './csv-cells';
import { findTableRows } from './read';
import type { DataTableRecord } from './table';
import { readTables } from './transactions';

/**
 * The rows as CSV, page by page: the next page is read after the client has taken the one before. Throws 400 at once
 * for a wrong filter.
 */
export async function exportTableCsv(
  table: DataTableRecord,
  search: { filter?: unknown; sort?: unknown },
): Promise<ReadableStream<Uint8Array>> {
  const page = (cursor?: string) =>
    readTables(table.workspaceId, (sql) => findTableRows(sql, table, { ...search, limit: MAX_ROWS_PER_CALL, cursor }));
  const encoder = new TextEncoder();
  let next: Awaited<ReturnType<typeof page>> | null = await page();
  return new ReadableStream({
    start: (controller) => controller.enqueue(encoder.encode(tableCsvHeader(table))),
    async pull(controller) {
      if (!next) return controller.close();
      const { data, nextCursor } = next;
      if (data.length > 0) controller.enqueue(encoder.encode(data.map((row) => tableCsvLine(table, row)).join('')));
      next = nextCursor === null ? null : await page(nextCursor);
      if (!next) controller.close();
    },
  });
}
