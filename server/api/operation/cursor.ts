import { invalidFieldProblem } from '@/server/platform/errors/problem';

/** Where a row stands in a list that is ordered by time and id, newest first. */
export interface CursorPosition {
  at: Date;
  id: string;
}

/** The cursor of a row: opaque to callers. */
export const encodeCursor = ({ at, id }: CursorPosition): string =>
  Buffer.from(`${at.getTime()} ${id}`).toString('base64url');

/**
 * The position that a cursor names; undefined without one. Throws 400 for what is none, and together with an offset.
 */
export function parseCursor(cursor: string | undefined, offset: number): CursorPosition | undefined {
  if (cursor === undefined) return undefined;
  if (offset > 0) throw invalidFieldProblem('offset', 'cannot be combined with a cursor');
  const [, time, id] = /^(\d{1,15}) ([\w-]{1,100})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (time === undefined || id === undefined) throw invalidFieldProblem('cursor', 'is not a cursor of this list');
  return { at: new Date(Number(time)), id };
}

/** The filter for the rows after a position. The first condition alone bounds the scan of the index. */
export const rowsAfterCursor = <Column extends string>(column: Column, position: CursorPosition | undefined) =>
  position && {
    AND: [
      { [column]: { lte: position.at } } as Record<Column, { lte: Date }>,
      { OR: [{ [column]: { lt: position.at } } as Record<Column, { lt: Date }>, { id: { lt: position.id } }] },
    ],
  };

/** The cursor of the next page; null: this page is the last one. `rows` has one more than `limit` if there are more. */
export function sliceCursorPage<Row>(rows: Row[], limit: number, position: (row: Row) => CursorPosition) {
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  return { rows: rows.slice(0, limit), nextCursor: last === undefined ? null : encodeCursor(position(last)) };
}
