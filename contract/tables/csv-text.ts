/**
 * A spreadsheet reads a text that begins so as a formula. An apostrophe before it makes it text. Texts that begin with apostrophes and then so
 * get one more, so that an import can take one away.
 */
const FORMULA = /^'*[=+\-@\t\r]/;

/** A text as a cell of CSV: no formula. */
export const withoutFormula = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);
