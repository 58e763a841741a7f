import { parseExactJson } from '@/contract/exact-json';
import { ColumnNames, CsvError, type CsvRecord } from '@/contract/tables/csv-reader';
import type { ConvertOptions } from '../../convert-job';
import { readCsvRows } from '../../functions/csv';
import { unreadable } from './failure';
import { parseJsonRows } from './json';
import { Columns, NamedRow } from './named-row';
import { textOf, textPartsOf, type Source } from './source';

/** Gets the rows of a table one by one: by the names of the columns, or as lists of cells. */
export type TakeRow = (row: unknown) => void;

/** Reads the rows of a table in any format. Throws NodeFailure. */
export async function readRows(source: Source, options: ConvertOptions, take: TakeRow): Promise<void> {
  switch (source.format) {
    case 'csv':
      return readCsv(textPartsOf(source), options, take);
    case 'ndjson':
      return readLines(textOf(source), take);
    case 'xlsx': {
      const { readSheetRows } = await import('./xlsx-reader');
      return takeSheet(await readSheetRows(source, options), options, take);
    }
    default:
      return readList(source, take);
  }
}

/** Columns of a sheet without any value are no columns of its table, which may begin anywhere. */
function takeSheet(rows: readonly ReadRow[], options: ConvertOptions, take: TakeRow): void {
  const maker = new RowMaker(options, take, (cell) => cell ?? null);
  const used = new Set<number>();
  for (const { cells, row } of rows)
    if (row >= (options.headerRow ?? 0)) cells.forEach((cell, column) => cell !== '' && used.add(column));
  const columns = [...used].toSorted((one, other) => one - other);
  const width = (columns.at(-1) ?? -1) + 1;
  for (const { cells, row } of rows) {
    const whole = options.header === false;
    maker.take({
      row,
      cells: whole ? Array.from({ length: width }, (_, at) => cells[at]) : columns.map((at) => cells[at]),
    });
  }
  maker.end();
}

/** A list, or one item, as a value or as the text of its JSON. */
function readList(source: Source, take: TakeRow): void {
  const value = givenValue(source);
  const rows =
    value === undefined
      ? parsed(() => parseJsonRows(textOf(source)), 'The text')
      : Array.isArray(value)
        ? value
        : [value];
  for (const row of rows as unknown[]) take(row);
}

/** A value that is no text. Undefined: its JSON must be read. */
function givenValue({ content, format }: Source): unknown {
  return format === 'json' && 'value' in content && typeof content.value !== 'string' ? content.value : undefined;
}

/** The value of JSON: itself, or what its text says. */
export const jsonOf = (source: Source): unknown => {
  const value = givenValue(source);
  return value === undefined ? parsed(() => parseExactJson(textOf(source)), 'The text') : value;
};

function parsed<Value>(parse: () => Value, what: string): Value {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw unreadable(`${what} is not JSON: ${error.message}`);
  }
}

function readLines(text: string, take: TakeRow): void {
  let start = 0;
  for (let line = 1; start < text.length; line += 1) {
    const end = text.indexOf('\n', start);
    const part = text.slice(start, end < 0 ? text.length : end).trim();
    start = end < 0 ? text.length : end + 1;
    if (part !== '') take(parsed(() => rowOfLine(part), `Line ${line}`));
  }
}

/** A list is one row here, not several. */
const rowOfLine = (text: string): unknown => (text.startsWith('[') ? parseExactJson(text) : parseJsonRows(text)[0]);

function readCsv(parts: Iterable<string>, options: ConvertOptions, take: TakeRow): void {
  const { delimiter = 'auto', quote, types } = options;
  const format = { delimiter: delimiter === 'auto' ? undefined : delimiterOf(delimiter), quote };
  const maker = new RowMaker(options, take, types ? typed : (cell) => cell ?? '');
  try {
    readCsvRows(parts, format, (record) => maker.take(record));
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw unreadable(`The text is not CSV: ${error.message}`);
  }
  maker.end();
}

/** The delimiter that an option names. */
export const delimiterOf = (option: string): string => (option === 'tab' ? '\t' : option);

/** A row as its reader gives it; `row`: its number, from 1. */
export type ReadRow = Pick<CsvRecord, 'row'> & { cells: readonly unknown[]; isQuoted?: readonly boolean[] };

/** Makes rows of cells: with a header, by the names of the header's row. Rows above the header are passed over. */
class RowMaker {
  private header: { names: ColumnNames; columns: Columns } | undefined;
  private readonly headerRow: number | undefined;
  private readonly hasHeader: boolean;

  constructor(
    { header = true, headerRow }: ConvertOptions,
    private readonly give: TakeRow,
    private readonly cellOf: (cell: unknown) => unknown,
  ) {
    if (!header && headerRow !== undefined)
      throw unreadable('options.headerRow: without options.header there is none.');
    this.hasHeader = header;
    this.headerRow = headerRow;
  }

  take({ cells, isQuoted, row }: ReadRow): void {
    if (!this.hasHeader) return this.give(cells.map(this.cellOf));
    if (this.header) return this.give(this.namedRow(this.header, cells));
    if (this.headerRow !== undefined && row < this.headerRow) return;
    if (this.headerRow !== undefined && row > this.headerRow) throw this.missing();
    const names = new ColumnNames({ cells: cells.map((cell) => String(cell ?? '')), isQuoted });
    this.header = { names, columns: new Columns(names.names) };
  }

  /** After the last row. */
  end(): void {
    if (this.hasHeader && this.headerRow !== undefined && !this.header) throw this.missing();
  }

  private namedRow({ names, columns }: NonNullable<typeof this.header>, cells: readonly unknown[]): NamedRow {
    names.extend(cells.length);
    return new NamedRow(
      columns,
      names.names.map((_, index) => this.cellOf(cells[index])),
    );
  }

  private missing() {
    return unreadable(`options.headerRow: row ${this.headerRow} is empty, or there is none.`);
  }
}

const NUMBER = /^-?(?:0|[1-9]\d{0,20})(?:\.\d{1,30})?(?:[eE][+-]?\d{1,3})?$/;

/** A text as the number or boolean that it stands for. Texts that would not come back as they were stay texts: 007, -0, 1e400, long ids. */
export function typed(cell: unknown): unknown {
  if (cell === undefined || cell === '') return null;
  if (typeof cell !== 'string') return cell;
  if (/^true$/i.test(cell)) return true;
  if (/^false$/i.test(cell)) return false;
  if (!NUMBER.test(cell)) return cell;
  const number = Number(cell);
  if (Object.is(number, -0)) return cell;
  return Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number)) ? number : cell;
}
