import { parse as parseRows, type Options } from 'csv-parse/sync';

/** Rows of one text. */
export const MAX_ROWS = 1_000_000;

/** How a CSV text is written. */
export interface CsvFormat {
  delimiter: string;
  /** The character around fields that contain special ones; false: none. Default: `"`. */
  quote?: string | false;
}

/**
 * Reads the rows of a CSV text, or of its UTF-8. With `onRow` no row is kept: large texts need little memory then. Throws the Error of the
 * parser, whose message names the line.
 */
export function readCsvRows(text: string | Buffer, { delimiter, quote }: CsvFormat, onRow?: (row: string[]) => void) {
  const options: Options = {
    delimiter,
    bom: true,
    skip_empty_lines: true,
    relax_column_count: true,
    to: MAX_ROWS,
    ...(quote === undefined ? {} : { quote }),
    ...(onRow
      ? {
          on_record: (row: unknown) => {
            onRow(row as string[]);
            return null;
          },
        }
      : {}),
  };
  return parseRows(text, options) as unknown as string[][];
}
