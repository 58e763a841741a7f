import { parseExactJson } from '@/contract/exact-json';
import { UniqueColumnNames, CsvSyntaxError } from '@/contract/tables/csv-reader';
import type { ConvertOptions } from '../../convert-job';
import { readCsvRows } from '../../functions/csv';
import { unreadableContent } from './failure';
import { parseJsonRows } from './json';
import { RowColumns, NamedRow, type NumberedRow } from './named-row';
import { sourceText, sourceTextParts, type ConversionSource } from './source';

/** Receives the rows of a table one by one, by the names of the columns or as lists of cells. */
export type RowConsumer = (row: unknown) => void;

/** Reads the rows of a table in any format. Throws NodeFailure. */
export async function readTableRows(
  source: ConversionSource,
  options: ConvertOptions,
  take: RowConsumer,
): Promise<void> {
  switch (source.format) {
    case 'csv':
      return readCsvTable(sourceTextParts(source), options, take);
    case 'ndjson':
      return readJsonLines(sourceText(source), take);
    case 'xlsx': {
      const { readSheetRows } = await import('./xlsx-reader');
      return readSheetTable(await readSheetRows(source, options), options, take);
    }
    default:
      return readJsonList(source, take);
  }
}

/** Columns of a sheet without any value are no columns of its table, which may begin anywhere. */
function readSheetTable(rows: readonly NumberedRow[], options: ConvertOptions, take: RowConsumer): void {
  const maker = new RowAssembler(options, take, (cell) => cell ?? null);
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
function readJsonList(source: ConversionSource, take: RowConsumer): void {
  const value = parsedSourceValue(source);
  const rows =
    value === undefined
      ? parseOrExplain(() => parseJsonRows(sourceText(source)), 'The text')
      : Array.isArray(value)
        ? value
        : [value];
  for (const row of rows as unknown[]) take(row);
}

/** The value of a source that holds one; undefined if its JSON has to be parsed first. */
function parsedSourceValue({ content, format }: ConversionSource): unknown {
  return format === 'json' && 'value' in content && typeof content.value !== 'string' ? content.value : undefined;
}

/** The value of JSON: itself, or what its text says. */
export const readSourceJson = (source: ConversionSource): unknown => {
  const value = parsedSourceValue(source);
  return value === undefined ? parseOrExplain(() => parseExactJson(sourceText(source)), 'The text') : value;
};

function parseOrExplain<Value>(parse: () => Value, what: string): Value {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw unreadableContent(`${what} is not JSON: ${error.message}`);
  }
}

function readJsonLines(text: string, take: RowConsumer): void {
  let start = 0;
  for (let line = 1; start < text.length; line += 1) {
    const end = text.indexOf('\n', start);
    const part = text.slice(start, end < 0 ? text.length : end).trim();
    start = end < 0 ? text.length : end + 1;
    if (part !== '') take(parseOrExplain(() => parseJsonLine(part), `Line ${line}`));
  }
}

/** A list is one row here, not several. */
const parseJsonLine = (text: string): unknown => (text.startsWith('[') ? parseExactJson(text) : parseJsonRows(text)[0]);

function readCsvTable(parts: Iterable<string>, options: ConvertOptions, take: RowConsumer): void {
  const { delimiter = 'auto', quote, types } = options;
  const format = { delimiter: delimiter === 'auto' ? undefined : csvDelimiter(delimiter), quote };
  const maker = new RowAssembler(options, take, types ? inferCellType : (cell) => cell ?? '');
  try {
    readCsvRows(parts, format, (record) => maker.take(record));
  } catch (error) {
    if (!(error instanceof CsvSyntaxError)) throw error;
    throw unreadableContent(`The text is not CSV: ${error.message}`);
  }
  maker.end();
}

/** The delimiter that an option names. */
export const csvDelimiter = (option: string): string => (option === 'tab' ? '\t' : option);

/** Makes rows of cells: with a header, by the names of the header's row. Rows above the header are passed over. */
class RowAssembler {
  private header: { names: UniqueColumnNames; columns: RowColumns } | undefined;
  private readonly headerRow: number | undefined;
  private readonly hasHeader: boolean;

  constructor(
    { header = true, headerRow }: ConvertOptions,
    private readonly give: RowConsumer,
    private readonly cellOf: (cell: unknown) => unknown,
  ) {
    if (!header && headerRow !== undefined)
      throw unreadableContent('options.headerRow: without options.header there is none.');
    this.hasHeader = header;
    this.headerRow = headerRow;
  }

  take({ cells, isQuoted, row }: NumberedRow): void {
    if (!this.hasHeader) return this.give(cells.map(this.cellOf));
    if (this.header) return this.give(this.namedRow(this.header, cells));
    if (this.headerRow !== undefined && row < this.headerRow) return;
    if (this.headerRow !== undefined && row > this.headerRow) throw this.missing();
    const names = new UniqueColumnNames({ cells: cells.map((cell) => String(cell ?? '')), isQuoted });
    this.header = { names, columns: new RowColumns(names.names) };
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
    return unreadableContent(`options.headerRow: row ${this.headerRow} is empty, or there is none.`);
  }
}

const EXACT_NUMBER = /^-?(?:0|[1-9]\d{0,20})(?:\.\d{1,30})?(?:[eE][+-]?\d{1,3})?$/;

/**
 * A text as the number or boolean that it stands for. Texts that would not come back as they were stay texts: 007, -0,
 * 1e400, long ids.
 */
export function inferCellType(cell: unknown): unknown {
  if (cell === undefined || cell === '') return null;
  if (typeof cell !== 'string') return cell;
  if (/^true$/i.test(cell)) return true;
  if (/^false$/i.test(cell)) return false;
  if (!EXACT_NUMBER.test(cell)) return cell;
  const number = Number(cell);
  if (Object.is(number, -0)) return cell;
  return Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number)) ? number : cell;
}
