import { invalidField } from '@/server/errors/problem';

/** Where a row stands in a list that is ordered by time and id, newest first. */
export interface Position {
  at: Date;
  id: string;
}

/** The cursor of a row: opaque to callers. */
export const cursorOf = ({ at, id }: Position): string => Buffer.from(`${at.getTime()} ${id}`).toString('base64url');

/** The position that a cursor names; undefined without one. Throws 400 for what is none, and together with an offset. */
export function readCursor(cursor: string | undefined, offset: number): Position | undefined {
  if (cursor === undefined) return undefined;
  if (offset > 0) throw invalidField('offset', 'cannot be combined with a cursor');
  const [, time, id] = /^(\d{1,15}) ([\w-]{1,100})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (time === undefined || id === undefined) throw invalidField('cursor', 'is not a cursor of this list');
  return { at: new Date(Number(time)), id };
}

/** The filter for the rows after a position. The first condition alone bounds the scan of the index. */
export const after = <Column extends string>(column: Column, position: Position | undefined) =>
  position && {
    AND: [
      { [column]: { lte: position.at } } as Record<Column, { lte: Date }>,
      { OR: [{ [column]: { lt: position.at } } as Record<Column, { lt: Date }>, { id: { lt: position.id } }] },
    ],
  };

/** The cursor of the next page; null: this page is the last one. `rows` has one more than `limit` if there are more. */
export function pageOf<Row>(rows: Row[], limit: number, position: (row: Row) => Position) {
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  return { rows: rows.slice(0, limit), nextCursor: last === undefined ? null : cursorOf(position(last)) };
}
