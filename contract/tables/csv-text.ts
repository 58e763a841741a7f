/**
 * A spreadsheet reads a text that begins so as a formula. An apostrophe before it makes it text. Texts that begin with apostrophes and then so
 * get one more, so that an import can take one away.
 */
const FORMULA = /^'*[=+\-@\t\r]/;

/** A text as a cell of CSV: no formula. */
export const withoutFormula = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);

/** Cells that a reader would take apart, or that would tell it another delimiter, have quotes; an empty text has them, no value has not. */
const QUOTED = /^$|[",;|\t\r\n]|^[\s\ufeff]|\s$|^sep=/i;

const csvCell = (text: string | null, delimiter: string): string => {
  if (text === null) return '';
  return QUOTED.test(text) || text.includes(delimiter) ? `"${text.replaceAll('"', '""')}"` : text;
};

/**
 * A row as CSV (RFC 4180), without the end of its line; null: no value. A row without any value has quotes, because readers pass over empty
 * rows.
 */
export function csvRow(cells: readonly (string | null)[], delimiter = ','): string {
  const row = cells.map((cell) => csvCell(cell, delimiter)).join(delimiter);
  return cells.every((cell) => cell === null) ? `""${row}` : row;
}
