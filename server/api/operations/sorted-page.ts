import type { NamedListSort } from '@/contract/list-sort';
import { Prisma } from '@/generated/prisma/client';
import type { DatabaseClient } from '@/server/platform/db/client';

/** The tables of objects with names. */
type NamedTable = 'workflow' | 'credential' | 'data_table';
type TimeColumn = 'createdAt' | 'updatedAt';
type SortDirection = 'asc' | 'desc';
type TimeOrder = ({ [Column in TimeColumn]?: SortDirection } | { id: SortDirection })[];

interface SortedPage {
  table: NamedTable;
  sort: NamedListSort;
  limit: number;
  offset: number;
}

interface PageReader<Row> {
  /** The ids of all rows that match. */
  listIds(): Promise<{ id: string }[]>;
  /** Rows that match, in this order. */
  readByTime(page: { orderBy: TimeOrder; take: number; skip: number }): Promise<Row[]>;
  /** The rows with these ids, in any order. */
  readByIds(ids: string[]): Promise<Row[]>;
}

/**
 * One page of a list in the wanted order. Names are sorted by the database, which has more than one core: sorting here would hold up
 * other calls.
 */
export async function readSortedPage<Row extends { id: string }>(
  db: DatabaseClient,
  { table, sort, limit, offset }: SortedPage,
  { listIds, readByTime, readByIds }: PageReader<Row>,
): Promise<Row[]> {
  const direction = sort.startsWith('-') ? 'desc' : 'asc';
  const column = sort.replace('-', '') as 'name' | TimeColumn;
  if (column !== 'name')
    return readByTime({ orderBy: [{ [column]: direction }, { id: direction }], take: limit, skip: offset });
  const ids = (await listIds()).map(({ id }) => id);
  const name = Prisma.raw(direction === 'asc' ? 'lower(name), name, id' : 'lower(name) DESC, name DESC, id DESC');
  const sorted = await db.$queryRaw<{ id: string }[]>`
    SELECT id FROM ${Prisma.raw(table)} WHERE id = ANY(${ids}) ORDER BY ${name} LIMIT ${limit} OFFSET ${offset}`;
  const found = new Map((await readByIds(sorted.map(({ id }) => id))).map((row) => [row.id, row]));
  return sorted.flatMap(({ id }) => found.get(id) ?? []);
}
