import { stripVTControlCharacters } from 'node:util';
import { EXIT } from './failure.js';

export const print = (text: string): void => void process.stdout.write(`${text}\n`);
export const note = (text: string): void => void process.stderr.write(`${text}\n`);
export const printJson = (value: unknown): void => print(JSON.stringify(value, null, 2));

/** Ends the program once its output can not be written: quietly if the reader, such as `head`, has enough. */
export function exitOnClosedOutput(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', ({ code, message }: NodeJS.ErrnoException) => {
      if (code === 'EPIPE') process.exit(EXIT.ok);
      note(message);
      process.exit(EXIT.failed);
    });
}

/** A value from the service as text of one line, without what a terminal would carry out. */
export const clean = (value: unknown): string =>
  stripVTControlCharacters(value === null || value === undefined ? '' : String(value)).replace(/[\p{Cc}\p{Cf}]/gu, ' ');

/** Rows in columns; the first row is the heading. */
export function printTable(rows: unknown[][]): void {
  const texts = rows.map((row) => row.map(clean));
  const widths = texts.reduce<number[]>(
    (widest, row) => row.map((cell, n) => Math.max(widest[n] ?? 0, cell.length)),
    [],
  );
  for (const row of texts)
    print(
      row
        .map((cell, n) => cell.padEnd(widths[n] ?? 0))
        .join('  ')
        .trimEnd(),
    );
}
