import { MAX_ROWS } from '@/contract/tables/table-columns';
import { csvHeader, csvLine } from './csv-cells';
import { findRows } from './read';
import type { DataTable } from './table';
import { readingTables } from './transactions';

/** The rows as CSV, page by page: the next page is read after the client has taken the one before. Throws 400 at once for a wrong filter. */
export async function exportCsv(
  table: DataTable,
  search: { filter?: unknown; sort?: unknown },
): Promise<ReadableStream<Uint8Array>> {
  const page = (cursor?: string) =>
    readingTables(table.workspaceId, (sql) => findRows(sql, table, { ...search, limit: MAX_ROWS, cursor }));
  const encoder = new TextEncoder();
  let next: Awaited<ReturnType<typeof page>> | null = await page();
  return new ReadableStream({
    start: (controller) => controller.enqueue(encoder.encode(csvHeader(table))),
    async pull(controller) {
      if (!next) return controller.close();
      const { data, nextCursor } = next;
      if (data.length > 0) controller.enqueue(encoder.encode(data.map((row) => csvLine(table, row)).join('')));
      next = nextCursor === null ? null : await page(nextCursor);
      if (!next) controller.close();
    },
  });
}
