import { escapeText } from 'entities/escape';
import type { ConvertOptions } from '../../convert-job';
import { NamedRow } from './named-row';
import type { TextSink } from './text-sink';

/** A table with its columns: those of the option, else all that occur, in the order of their first row. */
export interface CellTable {
  columns: string[] | undefined;
  rows: Iterable<unknown[]>;
}

const isRecordRow = (row: unknown): row is Record<string, unknown> =>
  typeof row === 'object' && row !== null && !Array.isArray(row);

const rowColumnNames = (row: unknown): readonly string[] =>
  row instanceof NamedRow ? row.names : isRecordRow(row) ? Object.keys(row) : [];

/**
 * Rows as lists of cells. Without objects a table has no columns. A row that is neither object nor list is one cell.
 */
export function toTable(rows: readonly unknown[], { columns }: ConvertOptions): CellTable {
  if (!columns && !rows.some(isRecordRow)) {
    return { columns: undefined, rows: rows.map((row) => (Array.isArray(row) ? (row as unknown[]) : [row])) };
  }
  const names = new Set(columns);
  if (!columns) {
    let last: readonly string[] = [];
    for (const row of rows) {
      // Most rows have the columns of the row before.
      if (row instanceof NamedRow && row.columns.names === last && row.cells.length <= names.size) continue;
      for (const name of rowColumnNames(row)) names.add(name);
      last = row instanceof NamedRow ? row.columns.names : [];
    }
  }
  const list = [...names];
  const positions = new Map(list.map((name, index) => [name, index]));
  return { columns: list, rows: { [Symbol.iterator]: () => alignRows(rows, list, positions) } };
}

/** The rows as lists, one at a time: rows with few of many columns would take much memory together. */
function* alignRows(rows: readonly unknown[], list: string[], positions: ReadonlyMap<string, number>) {
  for (const row of rows) yield alignCells(row, list, positions);
}

function alignCells(row: unknown, list: readonly string[], positions: ReadonlyMap<string, number>): unknown[] {
  if (row instanceof NamedRow) {
    const cells: unknown[] = Array.from({ length: list.length });
    for (const [index, cell] of row.cells.entries()) {
      const at = positions.get(row.columns.names[index] ?? '');
      if (at !== undefined) cells[at] = cell;
    }
    return cells;
  }
  if (isRecordRow(row)) return list.map((name) => (Object.hasOwn(row, name) ? row[name] : undefined));
  const cells: readonly unknown[] = Array.isArray(row) ? row : [row];
  return list.map((_, index) => cells[index]);
}

/** A cell as text: lists and objects as JSON, nothing as the empty text. */
export const formatCell = (cell: unknown): string =>
  cell === null || cell === undefined ? '' : typeof cell === 'object' ? JSON.stringify(cell) : String(cell);

export function writeHtmlTable({ columns, rows }: CellTable, sink: TextSink): void {
  const line = (cells: readonly unknown[], tag: string) =>
    `<tr>${cells.map((cell) => `<${tag}>${escapeText(formatCell(cell))}</${tag}>`).join('')}</tr>\n`;
  sink.write('<table>\n');
  if (columns) sink.write(`<thead>\n${line(columns, 'th')}</thead>\n`);
  sink.write('<tbody>\n');
  for (const row of rows) sink.write(line(row, 'td'));
  sink.write('</tbody>\n</table>\n');
}

/** Characters that would end a cell, or begin markup or a reference, have a backslash. */
const escapeMarkdownCell = (cell: unknown) =>
  formatCell(cell)
    .replaceAll(/[\\|`*_[\]<>#~]|&(?=#?\w+;)/g, '\\$&')
    .replaceAll(/\r\n|\r|\n/g, ' ');

export function writeMarkdownTable({ columns, rows }: CellTable, sink: TextSink): void {
  let width = columns?.length ?? 0;
  if (!columns) for (const row of rows) width = Math.max(width, row.length);
  const line = (cells: readonly unknown[]) =>
    `| ${Array.from({ length: width }, (_, index) => escapeMarkdownCell(cells[index])).join(' | ')} |\n`;
  if (width === 0) return;
  sink.write(line(columns ?? []));
  sink.write(`|${' --- |'.repeat(width)}\n`);
  for (const row of rows) sink.write(line(row));
}
