import { stripVTControlCharacters } from 'node:util';
import { EXIT_CODES } from './failure.js';

export const printLine = (text: string): void => void process.stdout.write(`${text}\n`);
export const printErrorLine = (text: string): void => void process.stderr.write(`${text}\n`);
export const printJson = (value: unknown): void => printLine(JSON.stringify(value, null, 2));

/** Ends the program once its output can not be written: quietly if the reader, such as `head`, has enough. */
export function exitOnClosedOutput(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', ({ code, message }: NodeJS.ErrnoException) => {
      if (code === 'EPIPE') process.exit(EXIT_CODES.ok);
      printErrorLine(message);
      process.exit(EXIT_CODES.failed);
    });
}

/** A value from the service as text of one line, without what a terminal would carry out. */
export const toPlainLine = (value: unknown): string =>
  stripVTControlCharacters(value === null || value === undefined ? '' : String(value)).replace(/[\p{Cc}\p{Cf}]/gu, ' ');

/** Rows in columns; the first row is the heading. */
export function printTextTable(rows: unknown[][]): void {
  const texts = rows.map((row) => row.map(toPlainLine));
  const widths = texts.reduce<number[]>(
    (widest, row) => row.map((cell, n) => Math.max(widest[n] ?? 0, cell.length)),
    [],
  );
  for (const row of texts)
    printLine(
      row
        .map((cell, n) => cell.padEnd(widths[n] ?? 0))
        .join('  ')
        .trimEnd(),
    );
}
