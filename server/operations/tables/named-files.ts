import type { FieldError } from '@/contract/error';
import type { TableColumn } from '@/contract/tables/table';
import { readableFiles } from '@/server/access/files';
import type { Caller } from '@/server/access/caller';
import { YieldTimer } from '@/server/cooperative';
import type { Db } from '@/server/db/client';
import { invalid } from '@/server/errors/problem';

/** As the database finds them in the cells that it stores. */
const NAMED = /"\$file":"(file_[\w-]{1,64})"/g;

/** Ids of one statement. */
const AT_A_TIME = 5000;

const filesIn = (value: unknown): string[] => {
  if (typeof value !== 'object' || value === null) return [];
  return [...JSON.stringify(value).matchAll(NAMED)].map(([, id = '']) => id);
};

/** Files that a JSON cell names and the caller may not read, by the name of the column. `rows`: values by column. */
export async function unreadableFiles(
  db: Db,
  caller: Caller,
  columns: readonly TableColumn[],
  rows: readonly Record<string, unknown>[],
): Promise<{ index: number; column: string; message: string }[]> {
  const json = columns.filter(({ type }) => type === 'json').map(({ name }) => name);
  const timer = new YieldTimer();
  const named: { index: number; column: string; id: string }[] = [];
  for (const [index, row] of rows.entries()) {
    for (const column of json) for (const id of filesIn(row[column])) named.push({ index, column, id });
    if (timer.isDue) await timer.take();
  }
  if (named.length === 0) return [];
  const ids = [...new Set(named.map(({ id }) => id))];
  const readable = new Set<string>();
  for (let from = 0; from < ids.length; from += AT_A_TIME) {
    for (const id of await readableFiles(db, caller, ids.slice(from, from + AT_A_TIME))) readable.add(id);
  }
  return named
    .filter(({ id }) => !readable.has(id))
    .map(({ index, column, id }) => ({ index, column, message: `names the file ${id}, which was not found` }));
}

/** Throws 400 for rows that name files which the caller may not read: a row must not open a file to those who may read its table. */
export async function requireReadableFiles(
  db: Db,
  caller: Caller,
  columns: readonly TableColumn[],
  rows: readonly Record<string, unknown>[],
  fieldOf: (index: number, column: string) => string,
): Promise<void> {
  const refused = await unreadableFiles(db, caller, columns, rows);
  const errors: FieldError[] = refused.map(({ index, column, message }) => ({
    field: fieldOf(index, column),
    message,
  }));
  if (errors.length > 0) throw invalid(errors);
}
