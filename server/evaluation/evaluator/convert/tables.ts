import { escapeText } from 'entities/escape';
import type { ConvertOptions } from '../../convert-job';
import { unreadable } from './failure';
import type { TextSink } from './sink';

/** A table with its columns: those of the option, else all that occur, in the order of their first row. */
export interface Table {
  columns: string[] | undefined;
  rows: unknown[][];
}

const isRecord = (row: unknown): row is Record<string, unknown> =>
  typeof row === 'object' && row !== null && !Array.isArray(row);

const MAX_COLUMNS = 16_384;

/** Rows as lists of cells. Without objects a table has no columns. A row that is neither object nor list is one cell. */
export function tableOf(rows: readonly unknown[], { columns }: ConvertOptions): Table {
  if (!columns && !rows.some(isRecord)) {
    return { columns: undefined, rows: rows.map((row) => (Array.isArray(row) ? (row as unknown[]) : [row])) };
  }
  const names = new Set(columns);
  if (!columns) for (const row of rows) if (isRecord(row)) for (const name of Object.keys(row)) names.add(name);
  if (names.size > MAX_COLUMNS) throw unreadable(`A table has at most ${MAX_COLUMNS} columns.`);
  const list = [...names];
  return { columns: list, rows: rows.map((row) => list.map((name, index) => cellAt(row, name, index))) };
}

function cellAt(row: unknown, name: string, index: number): unknown {
  if (isRecord(row)) return Object.hasOwn(row, name) ? row[name] : undefined;
  return Array.isArray(row) ? (row as unknown[])[index] : index === 0 ? row : undefined;
}

/** A cell as text: lists and objects as JSON, nothing as the empty text. */
export const cellText = (cell: unknown): string =>
  cell === null || cell === undefined ? '' : typeof cell === 'object' ? JSON.stringify(cell) : String(cell);

export function writeHtmlTable({ columns, rows }: Table, sink: TextSink): void {
  const line = (cells: readonly unknown[], tag: string) =>
    `<tr>${cells.map((cell) => `<${tag}>${escapeText(cellText(cell))}</${tag}>`).join('')}</tr>\n`;
  sink.write('<table>\n');
  if (columns) sink.write(`<thead>\n${line(columns, 'th')}</thead>\n`);
  sink.write('<tbody>\n');
  for (const row of rows) sink.write(line(row, 'td'));
  sink.write('</tbody>\n</table>\n');
}

/** Characters that would end a cell or begin markup. */
const inCell = (cell: unknown) =>
  cellText(cell)
    .replace(/[\\|`*_[\]<>#]/g, '\\$&')
    .replace(/\r\n|\r|\n/g, ' ');

export function writeMarkdownTable({ columns, rows }: Table, sink: TextSink): void {
  const width = rows.reduce((most, row) => Math.max(most, row.length), columns?.length ?? 0);
  const line = (cells: readonly unknown[]) =>
    `| ${Array.from({ length: width }, (_, index) => inCell(cells[index])).join(' | ')} |\n`;
  if (width === 0) return;
  sink.write(line(columns ?? []));
  sink.write(`|${' --- |'.repeat(width)}\n`);
  for (const row of rows) sink.write(line(row));
}
