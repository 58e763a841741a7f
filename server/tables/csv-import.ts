import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import type { FieldError } from '@/contract/error';
import type { ImportResult, TableColumn } from '@/contract/tables/table';
import { MAX_FAILED_LINES, MAX_ROWS } from '@/contract/tables/table-columns';
import { YieldTimer } from '@/server/cooperative';
import { Semaphore } from '@/server/db/semaphore';
import { invalid } from '@/server/errors/problem';
import { readCells, type Cells } from './cells';
import { isOwnColumn, valueOfCell, type CsvCell } from './csv-cells';
import type { Sql } from './sql';
import type { DataTable } from './table';
import { inTurn, writingTables } from './transactions';
import { insertCells } from './write';

/** UTF-16 units of one line with all its cells. */
const MAX_RECORD = 2 * 1024 * 1024;
/** Imports of a process at a time, and of one workspace: each holds a connection, for minutes if it is long. */
const AT_A_TIME = 4;
const OF_WORKSPACE = 1;
const WAIT_MS = 30_000;

const imports = new Semaphore(AT_A_TIME, WAIT_MS);

interface CsvRecord {
  cells: CsvCell[];
  line: number;
}

/** A chunk that is no UTF-8 ends the import. */
async function* decoded(source: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const chunk of source) yield decoder.decode(chunk, { stream: true });
    yield decoder.decode();
  } catch (error) {
    throw error instanceof TypeError ? invalid([], 'The file is not UTF-8.') : error;
  }
}

/** The records of a file, as a stream, with the lines at which they begin. */
async function* recordsOf(source: AsyncIterable<Uint8Array>): AsyncGenerator<CsvRecord> {
  const parser = parse({
    bom: true,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: MAX_RECORD,
    cast: (text, { quoting }): CsvCell => ({ text, isQuoted: quoting }),
  });
  const text = Readable.from(decoded(source));
  text.once('error', (error) => parser.destroy(error));
  text.pipe(parser);
  try {
    for await (const one of parser) {
      const { record, info } = one as { record: CsvCell[]; info: { lines: number } };
      const inner = record.reduce((sum, cell) => sum + (cell.text.match(/\r\n|\n|\r/g)?.length ?? 0), 0);
      yield { cells: record, line: info.lines - inner };
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw invalid(
      [{ field: `line ${String(error['lines'] ?? '?')}`, message: error.message.slice(0, 200) }],
      'The file is not CSV.',
    );
  } finally {
    text.destroy();
    parser.destroy();
  }
}

/** The columns that a header names, in its order; null: a column to pass over. Throws 400. */
function readHeader({ columns }: DataTable, header: readonly CsvCell[]): (TableColumn | null)[] {
  const errors: FieldError[] = [];
  const byName = new Map(columns.map((column) => [column.name, column]));
  const names = new Set<string>();
  const found = header.map(({ text }) => {
    const name = text.trim();
    const column = byName.get(name) ?? null;
    if (names.has(name)) errors.push({ field: name, message: 'is in the header twice' });
    else if (!column && !isOwnColumn(name)) errors.push({ field: name, message: 'is not a column of this table' });
    names.add(name);
    return column;
  });
  for (const column of columns) {
    if (column.isRequired && !names.has(column.name))
      errors.push({ field: column.name, message: 'is required, and not in the header' });
  }
  if (errors.length > 0) throw invalid(errors, 'The first line must name columns of the table.');
  return found;
}

/** Rows of a batch, as values by column, that may not be stored, with the reason. */
type Refusals = (
  rows: readonly Record<string, unknown>[],
) => Promise<{ index: number; column: string; message: string }[]>;

/** One import: collects lines to batches, and what is wrong with lines. */
class Import {
  inserted = 0;
  readonly failed: ImportResult['failed'] = [];
  private batch: { cells: Cells; values: Record<string, unknown>; line: number }[] = [];
  private hasFailed = false;

  constructor(
    private readonly sql: Sql,
    private readonly table: DataTable,
    private readonly options: { skips: boolean; refused: Refusals },
  ) {}

  async add(header: readonly (TableColumn | null)[], { cells, line }: CsvRecord): Promise<void> {
    const row = this.read(header, cells, line);
    // After a failure the other lines are only checked, unless it skips.
    if (!row || this.isLost) return;
    this.batch.push({ ...row, line });
    if (this.batch.length === MAX_ROWS) await this.flush();
  }

  /** Nothing of the file will be stored. */
  get isLost(): boolean {
    return this.hasFailed && !this.options.skips;
  }

  async flush(): Promise<void> {
    const batch = await this.permitted(this.batch);
    this.batch = [];
    if (batch.length === 0 || this.isLost) return;
    const cells = batch.map((one) => one.cells);
    const { rows, stored } = await insertCells(this.sql, this.table, cells, { skipClashes: true });
    this.inserted += stored.length;
    if (stored.length === rows.length) return;
    const ids = new Set(stored.map(({ id }) => id));
    const unique = this.table.columns.flatMap(({ name, isUnique }) => (isUnique ? name : [])).join(', ');
    rows.forEach(({ id }, index) => {
      if (!ids.has(id)) this.fail(batch[index]?.line ?? 0, `another row has this value already: ${unique}`);
    });
  }

  private async permitted(batch: typeof this.batch): Promise<typeof this.batch> {
    const refused = await this.options.refused(batch.map(({ values }) => values));
    for (const { index, column, message } of refused) this.fail(batch[index]?.line ?? 0, `${column} ${message}`);
    const indexes = new Set(refused.map(({ index }) => index));
    return batch.filter((_, index) => !indexes.has(index));
  }

  private read(
    header: readonly (TableColumn | null)[],
    cells: readonly CsvCell[],
    line: number,
  ): { cells: Cells; values: Record<string, unknown> } | null {
    if (cells.length !== header.length) {
      this.fail(line, `has ${cells.length} cells, and the header ${header.length}`);
      return null;
    }
    const errors: FieldError[] = [];
    const values: Record<string, unknown> = {};
    header.forEach((column, index) => {
      const cell = cells[index];
      if (!column || !cell) return;
      const read = valueOfCell(column.type, cell);
      if ('value' in read) values[column.name] = read.value;
      else errors.push({ field: column.name, message: read.message });
    });
    const row = errors.length > 0 ? {} : readCells(this.table, values, { path: '', whole: true, errors });
    if (errors.length === 0) return { cells: row, values };
    this.fail(line, errors.map(({ field, message }) => `${field} ${message}`).join('; '));
    return null;
  }

  private fail(line: number, message: string): void {
    this.hasFailed = true;
    if (this.failed.length < MAX_FAILED_LINES) this.failed.push({ line, message: message.slice(0, 500) });
  }
}

/** Undoes the transaction of an import. */
class NothingStored extends Error {}

/**
 * Inserts the lines of a CSV file in one transaction. Its first line names the columns. `skips`: lines that do not fit are left out; otherwise
 * one of them leaves the table as it was. Throws 400 for what is no CSV or has another header, 403 if the quota is used up.
 */
export async function importCsv(
  table: DataTable,
  source: () => AsyncIterable<Uint8Array>,
  options: { skips: boolean; refused: Refusals },
): Promise<ImportResult> {
  let failed: ImportResult['failed'] = [];
  try {
    return await inTurn(`import ${table.workspaceId}`, OF_WORKSPACE, () =>
      imports.run(() =>
        writingTables(table.workspaceId, async (sql) => {
          const run = new Import(sql, table, options);
          failed = run.failed;
          await insertAll(run, table, source());
          failed.sort((one, other) => one.line - other.line);
          if (run.isLost) throw new NothingStored();
          return { inserted: run.inserted, failed };
        }),
      ),
    );
  } catch (error) {
    if (error instanceof NothingStored) return { inserted: 0, failed };
    throw error;
  }
}

async function insertAll(run: Import, table: DataTable, source: AsyncIterable<Uint8Array>): Promise<void> {
  const timer = new YieldTimer();
  let header: (TableColumn | null)[] | undefined;
  for await (const record of recordsOf(source)) {
    if (header) await run.add(header, record);
    else header = readHeader(table, record.cells);
    if (timer.isDue) await timer.take();
  }
  if (!header) throw invalid([], 'The file is empty: its first line must name columns of the table.');
  await run.flush();
}
