/**
 * A spreadsheet reads a text that begins so as a formula. An apostrophe before it makes it text. Texts that begin with
 * apostrophes and then so get one more, so that an import can take one away.
 */
const FORMULA_START = /^'*[=+\-@\t\r]/;

/** Escapes a text so that a spreadsheet program does not read it as a formula. */
export const escapeCsvFormula = (text: string): string => (FORMULA_START.test(text) ? `'${text}` : text);

/**
 * Cells need quotes if a reader would split or trim them or detect another delimiter. An empty text gets quotes, a
 * missing value none.
 */
const NEEDS_CSV_QUOTES = /^$|[",;|\t\r\n]|^[\s\ufeff]|\s$|^sep=/i;

const formatCsvCell = (text: string | null, delimiter: string): string => {
  if (text === null) return '';
  return NEEDS_CSV_QUOTES.test(text) || text.includes(delimiter) ? `"${text.replaceAll('"', '""')}"` : text;
};

/**
 * A row as CSV (RFC 4180), without the end of its line; null: no value. A row without any value has quotes, because
 * readers pass over empty rows.
 */
export function formatCsvRow(cells: readonly (string | null)[], delimiter = ','): string {
  const row = cells.map((cell) => formatCsvCell(cell, delimiter)).join(delimiter);
  return cells.every((cell) => cell === null) ? `""${row}` : row;
}
