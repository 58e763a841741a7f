/** A column to sort by. */
export interface SortColumn {
  column: string;
  isDescending: boolean;
}

/** The columns of a sort such as `-createdAt,name`. */
export const parseSortColumns = (text: string): SortColumn[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => ({ column: part.replace(/^-/, ''), isDescending: part.startsWith('-') }));

/** Columns as text; undefined: there are none. */
export const printSortColumns = (columns: readonly SortColumn[]): string | undefined =>
  columns.map(({ column, isDescending }) => `${isDescending ? '-' : ''}${column}`).join(',') || undefined;
