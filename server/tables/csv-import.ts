import { CsvError, CsvReader, type CsvRecord } from '@/contract/tables/csv-reader';
import { kindOfContent } from '@/contract/content-kind';
import type { FieldError } from '@/contract/error';
import type { ImportQuery, ImportResult, TableColumn } from '@/contract/tables/table';
import { MAX_FAILED_LINES, MAX_ROWS } from '@/contract/tables/table-columns';
import { YieldTimer } from '@/server/cooperative';
import { Semaphore } from '@/server/db/semaphore';
import { invalid, MAX_DETAILS } from '@/server/errors/problem';
import { encodingOfText, TextBytesReader, UnreadableText } from '@/server/text-encoding';
import { readCells, type Cells } from './cells';
import { isOwnColumn, valueOfCell } from './csv-cells';
import type { Sql } from './sql';
import type { DataTable } from './table';
import { inTurn, writingTables } from './transactions';
import { insertCells } from './write';

/** UTF-16 units of one line with all its cells. */
const MAX_RECORD = 2 * 1024 * 1024;
/** Cells of one line: as many as spreadsheet programs have columns. */
const MAX_CELLS = 16_384;
/** Imports of a process at a time, and of one workspace: each holds a connection, for minutes if it is long. */
const AT_A_TIME = 4;
const OF_WORKSPACE = 1;
const WAIT_MS = 30_000;

const imports = new Semaphore(AT_A_TIME, WAIT_MS);

/** How a file is written. */
export type FileFormat = Pick<ImportQuery, 'delimiter' | 'headerRow' | 'encoding'>;

/** Bytes of a file that its encoding is found from. */
const BEGINNING = 4096;

/** The file in parts, the first of which is long enough to find its encoding. */
async function* partsOf(source: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let first: Buffer | undefined = Buffer.alloc(0);
  for await (const chunk of source) {
    const bytes: Buffer = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    if (!first) {
      yield bytes;
      continue;
    }
    first = Buffer.concat([first, bytes]);
    if (first.length < BEGINNING) continue;
    yield first;
    first = undefined;
  }
  if (first) yield first;
}

function readerOf(beginning: Buffer, encoding: FileFormat['encoding']): TextBytesReader {
  const kind = kindOfContent(beginning);
  if (kind) throw invalid([], `The file is ${kind}, not CSV.`);
  return new TextBytesReader(encodingOfText(beginning, { encoding }));
}

/** Characters that are split into records at once. */
const PIECE = 8 * 1024;

function* piecesOf(text: string): Generator<string> {
  for (let at = 0; at < text.length; at += PIECE) yield text.slice(at, at + PIECE);
}

/** The records of a file, as a stream. What is no text or no CSV ends the import. */
async function* recordsOf(
  source: AsyncIterable<Uint8Array>,
  { delimiter, encoding }: FileFormat,
): AsyncGenerator<CsvRecord> {
  let records: CsvRecord[] = [];
  const separator = delimiter === 'auto' ? undefined : delimiter === 'tab' ? '\t' : delimiter;
  const csv = new CsvReader({ delimiter: separator, maxRecord: MAX_RECORD, maxCells: MAX_CELLS }, (record) =>
    records.push(record),
  );
  const timer = new YieldTimer();
  async function* taken(): AsyncGenerator<CsvRecord> {
    const complete = records;
    records = [];
    for (const record of complete) {
      // Consumers that never wait would take all of a part, thousands of short lines, in one turn.
      if (timer.isDue) await timer.take();
      yield record;
    }
  }
  try {
    let text: TextBytesReader | undefined;
    for await (const part of partsOf(source)) {
      text ??= readerOf(part, encoding);
      for (const piece of piecesOf(text.write(part))) {
        csv.write(piece);
        yield* taken();
        if (timer.isDue) await timer.take();
      }
    }
    csv.write(text?.end() ?? '');
    csv.end();
    yield* taken();
  } catch (error) {
    if (error instanceof UnreadableText)
      throw invalid([], `${error.message} Save the file as UTF-8, or name its encoding.`);
    if (!(error instanceof CsvError)) throw error;
    throw invalid([{ field: `line ${error.line}`, message: error.message }], 'The file is not CSV.');
  }
}

/** What a cell of a line is for: a column; nothing; or it has no name and must be empty. */
type Target = TableColumn | 'passed over' | 'empty';

/** The columns that a header names, in its order. Throws 400. */
function readHeader({ columns }: DataTable, { cells, line }: CsvRecord): Target[] {
  const errors: FieldError[] = [];
  const byName = new Map(columns.map((column) => [column.name, column]));
  const used = new Set<string>();
  const targets: Target[] = [];
  for (const cell of cells) {
    const name = cell.trim();
    const column = byName.get(name);
    targets.push(name === '' ? 'empty' : (column ?? 'passed over'));
    if (name === '') continue;
    if (used.has(name)) errors.push({ field: name, message: 'is in the header twice' });
    else if (!column && !isOwnColumn(name)) errors.push({ field: name, message: 'is not a column of this table' });
    used.add(name);
    // No answer lists more of them.
    if (errors.length > MAX_DETAILS) break;
  }
  for (const { name, isRequired } of columns) {
    if (isRequired && !used.has(name)) errors.push({ field: name, message: 'is required, and not in the header' });
  }
  if (errors.length > 0) throw invalid(errors, `Line ${line} must name columns of the table.`);
  return targets;
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

  async add(header: readonly Target[], record: CsvRecord): Promise<void> {
    const { line } = record;
    const row = this.read(header, record);
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
    header: readonly Target[],
    { cells, isQuoted, line }: CsvRecord,
  ): { cells: Cells; values: Record<string, unknown> } | null {
    // Spreadsheet programs write delimiters for empty cells beside a table.
    if (cells.length < header.length || cells.slice(header.length).some((text) => text !== '')) {
      this.fail(line, `has ${cells.length} cells, and the header ${header.length}`);
      return null;
    }
    const errors: FieldError[] = [];
    const values: Record<string, unknown> = {};
    header.forEach((target, index) => {
      const cell = { text: cells[index] ?? '', isQuoted: isQuoted[index] ?? false };
      if (target === 'empty' && cell.text !== '')
        errors.push({ field: `cell ${index + 1}`, message: 'has a value, and no name in the header' });
      if (typeof target === 'string') return;
      const read = valueOfCell(target.type, cell);
      if ('value' in read) values[target.name] = read.value;
      else errors.push({ field: target.name, message: read.message });
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
 * Inserts the lines of a CSV file in one transaction. Its first row names the columns, or `headerRow`. `skips`: lines that do not fit are left out; otherwise
 * one of them leaves the table as it was. Nothing is stored once `signal` is aborted: nobody waits for the result. Throws 400 for what is no CSV or has
 * another header, 403 if the quota is used up.
 */
export async function importCsv(
  table: DataTable,
  source: () => AsyncIterable<Uint8Array>,
  options: { skips: boolean; refused: Refusals; format: FileFormat; signal?: AbortSignal },
): Promise<ImportResult> {
  let failed: ImportResult['failed'] = [];
  try {
    return await inTurn(`import ${table.workspaceId}`, OF_WORKSPACE, () =>
      imports.run(() =>
        writingTables(table.workspaceId, async (sql) => {
          const run = new Import(sql, table, options);
          failed = run.failed;
          await insertAll(run, table, recordsOf(source(), options.format), options);
          options.signal?.throwIfAborted();
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

async function insertAll(
  run: Import,
  table: DataTable,
  records: AsyncIterable<CsvRecord>,
  { format: { headerRow }, signal }: { format: FileFormat; signal?: AbortSignal },
): Promise<void> {
  const timer = new YieldTimer();
  let header: Target[] | undefined;
  for await (const record of records) {
    signal?.throwIfAborted();
    if (header) await run.add(header, record);
    else if (headerRow === undefined || record.row === headerRow) header = readHeader(table, record);
    else if (record.row > headerRow) break;
    if (timer.isDue) await timer.take();
  }
  if (!header) {
    throw invalid(
      [],
      headerRow === undefined
        ? 'The file is empty: its first row must name columns of the table.'
        : `Row ${headerRow} of the file is empty, or there is none: it must name columns of the table.`,
    );
  }
  await run.flush();
}
