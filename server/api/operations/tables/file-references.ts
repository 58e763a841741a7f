import type { FieldIssue } from '@/contract/error-response';
import type { TableColumn } from '@/contract/tables/table';
import { findReadableFiles } from '@/server/people/access/files';
import type { WorkspaceCaller } from '@/server/people/access/caller';
import { YieldTimer } from '@/server/platform/timers/cooperative';
import type { DatabaseClient } from '@/server/platform/db/client';
import { invalidRequestProblem } from '@/server/platform/errors/problem';

/** The database uses the same pattern to find files in stored cells. */
const FILE_REFERENCE_PATTERN = /"\$file":"(file_[\w-]{1,64})"/g;

/** Number of ids that one statement takes. */
const FILES_PER_STATEMENT = 5000;

const fileIdsInCell = (value: unknown): string[] => {
  if (typeof value !== 'object' || value === null) return [];
  return [...JSON.stringify(value).matchAll(FILE_REFERENCE_PATTERN)].map(([, id = '']) => id);
};

/** Finds the files that JSON cells name and the caller may not read. Each of `rows` holds values by column. */
export async function findUnreadableFiles(
  db: DatabaseClient,
  caller: WorkspaceCaller,
  columns: readonly TableColumn[],
  rows: readonly Record<string, unknown>[],
): Promise<{ index: number; column: string; message: string }[]> {
  const json = columns.filter(({ type }) => type === 'json').map(({ name }) => name);
  const timer = new YieldTimer();
  const named: { index: number; column: string; id: string }[] = [];
  for (const [index, row] of rows.entries()) {
    for (const column of json) for (const id of fileIdsInCell(row[column])) named.push({ index, column, id });
    if (timer.isDue) await timer.take();
  }
  if (named.length === 0) return [];
  const ids = [...new Set(named.map(({ id }) => id))];
  const readable = new Set<string>();
  for (let from = 0; from < ids.length; from += FILES_PER_STATEMENT) {
    for (const id of await findReadableFiles(db, caller, ids.slice(from, from + FILES_PER_STATEMENT))) readable.add(id);
  }
  return named
    .filter(({ id }) => !readable.has(id))
    .map(({ index, column, id }) => ({ index, column, message: `names the file ${id}, which was not found` }));
}

/**
 * Throws 400 for rows that name files which the caller may not read: a row must not open a file to those who may read
 * its table.
 */
export async function requireReadableFiles(
  db: DatabaseClient,
  caller: WorkspaceCaller,
  columns: readonly TableColumn[],
  rows: readonly Record<string, unknown>[],
  fieldOf: (index: number, column: string) => string,
): Promise<void> {
  const refused = await findUnreadableFiles(db, caller, columns, rows);
  const errors: FieldIssue[] = refused.map(({ index, column, message }) => ({
    field: fieldOf(index, column),
    message,
  }));
  if (errors.length > 0) throw invalidRequestProblem(errors);
}
