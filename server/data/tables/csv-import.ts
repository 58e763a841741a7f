import { CsvSyntaxError, CsvReader, type CsvRecord } from '@/contract/tables/csv-reader';
import { detectBinaryContent } from '@/contract/binary-content';
import type { FieldIssue } from '@/contract/error-response';
import type { ImportRowsQuery, ImportRowsResult, TableColumn } from '@/contract/tables/table';
import { MAX_REPORTED_LINES, MAX_ROWS_PER_CALL } from '@/contract/tables/table-columns';
import { YieldTimer } from '@/server/platform/timers/cooperative';
import { CallSemaphore } from '@/server/platform/db/semaphore';
import { invalidRequestProblem, MAX_PROBLEM_DETAILS } from '@/server/platform/errors/problem';
import { detectTextEncoding, TextByteDecoder, UnreadableTextError } from '@/server/platform/messages/text-encoding';
import { collectCells, type CellsByColumn } from './cells';
import { isServiceColumn, parseImportedCell } from './csv-cells';
import type { SqlClient } from './sql';
import type { DataTableRecord } from './table';
import { runWithinLimit, writeTables } from './transactions';
import { insertCheckedCells } from './write';

/** The limit of one line with all its cells, in UTF-16 units. */
const MAX_IMPORT_LINE_LENGTH = 2 * 1024 * 1024;
/** One line has at most as many cells as spreadsheet programs have columns. */
const MAX_IMPORT_LINE_CELLS = 16_384;
/**
 * The limits of concurrent imports of a process and of a workspace: each import holds a connection, for minutes if it
 * is long.
 */
const MAX_IMPORTS_PER_PROCESS = 4;
const MAX_IMPORTS_PER_WORKSPACE = 1;
const IMPORT_WAIT_MS = 30_000;

const importSemaphore = new CallSemaphore(MAX_IMPORTS_PER_PROCESS, IMPORT_WAIT_MS);

/** How a file is written. */
export type ImportFormat = Pick<ImportRowsQuery, 'delimiter' | 'headerRow' | 'encoding'>;

/** The encoding of a file is found from this many bytes. */
const ENCODING_SAMPLE_BYTES = 4096;

/** The file in parts, the first of which is long enough to find its encoding. */
async function* joinFirstChunks(source: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let first: Buffer | undefined = Buffer.alloc(0);
  for await (const chunk of source) {
    const bytes: Buffer = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    if (!first) {
      yield bytes;
      continue;
    }
    first = Buffer.concat([first, bytes]);
    if (first.length < ENCODING_SAMPLE_BYTES) continue;
    yield first;
    first = undefined;
  }
  if (first) yield first;
}

function createTextReader(beginning: Buffer, encoding: ImportFormat['encoding']): TextByteDecoder {
  const kind = detectBinaryContent(beginning);
  if (kind) throw invalidRequestProblem([], `The file is ${kind}, not CSV.`);
  return new TextByteDecoder(detectTextEncoding(beginning, { encoding }));
}

/** Characters that are split into records at once. */
const CSV_PIECE_CHARACTERS = 8 * 1024;

function* splitCsvText(text: string): Generator<string> {
  for (let at = 0; at < text.length; at += CSV_PIECE_CHARACTERS) yield text.slice(at, at + CSV_PIECE_CHARACTERS);
}

/** The records of a file, as a stream. What is no text or no CSV ends the import. */
async function* readCsvRecords(
  source: AsyncIterable<Uint8Array>,
  { delimiter, encoding }: ImportFormat,
): AsyncGenerator<CsvRecord> {
  let records: CsvRecord[] = [];
  const separator = delimiter === 'auto' ? undefined : delimiter === 'tab' ? '\t' : delimiter;
  const csv = new CsvReader(
    { delimiter: separator, maxRecord: MAX_IMPORT_LINE_LENGTH, maxCells: MAX_IMPORT_LINE_CELLS },
    (record) => records.push(record),
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
    let text: TextByteDecoder | undefined;
    for await (const part of joinFirstChunks(source)) {
      text ??= createTextReader(part, encoding);
      for (const piece of splitCsvText(text.write(part))) {
        csv.write(piece);
        yield* taken();
        if (timer.isDue) await timer.take();
      }
    }
    csv.write(text?.end() ?? '');
    csv.end();
    yield* taken();
  } catch (error) {
    if (error instanceof UnreadableTextError)
      throw invalidRequestProblem([], `${error.message} Save the file as UTF-8, or name its encoding.`);
    if (!(error instanceof CsvSyntaxError)) throw error;
    throw invalidRequestProblem([{ field: `line ${error.line}`, message: error.message }], 'The file is not CSV.');
  }
}

/** Says what a cell of a line is for: a column, nothing, or a column without a name, which must be empty. */
type ImportColumnTarget = TableColumn | 'passed over' | 'empty';

/** The columns that a header names, in its order. Throws 400. */
function readImportHeader({ columns }: DataTableRecord, { cells, line }: CsvRecord): ImportColumnTarget[] {
  const errors: FieldIssue[] = [];
  const byName = new Map(columns.map((column) => [column.name, column]));
  const used = new Set<string>();
  const targets: ImportColumnTarget[] = [];
  for (const cell of cells) {
    const name = cell.trim();
    const column = byName.get(name);
    targets.push(name === '' ? 'empty' : (column ?? 'passed over'));
    if (name === '') continue;
    if (used.has(name)) errors.push({ field: name, message: 'is in the header twice' });
    else if (!column && !isServiceColumn(name)) errors.push({ field: name, message: 'is not a column of this table' });
    used.add(name);
    // No answer lists more of them.
    if (errors.length > MAX_PROBLEM_DETAILS) break;
  }
  for (const { name, isRequired } of columns) {
    if (isRequired && !used.has(name)) errors.push({ field: name, message: 'is required, and not in the header' });
  }
  if (errors.length > 0) throw invalidRequestProblem(errors, `Line ${line} must name columns of the table.`);
  return targets;
}

/** Finds the rows of a batch, as values by column, that may not be stored, with the reason. */
type RowRefusalCheck = (
  rows: readonly Record<string, unknown>[],
) => Promise<{ index: number; column: string; message: string }[]>;

/** One import: collects lines to batches, and what is wrong with lines. */
class TableImport {
  inserted = 0;
  readonly failed: ImportRowsResult['failed'] = [];
  private batch: { cells: CellsByColumn; values: Record<string, unknown>; line: number }[] = [];
  private hasFailed = false;

  constructor(
    private readonly sql: SqlClient,
    private readonly table: DataTableRecord,
    private readonly options: { skips: boolean; refused: RowRefusalCheck },
  ) {}

  async add(header: readonly ImportColumnTarget[], record: CsvRecord): Promise<void> {
    const { line } = record;
    const row = this.read(header, record);
    // After a failure the other lines are only checked, unless it skips.
    if (!row || this.isLost) return;
    this.batch.push({ ...row, line });
    if (this.batch.length === MAX_ROWS_PER_CALL) await this.flush();
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
    const { rows, stored } = await insertCheckedCells(this.sql, this.table, cells, { skipClashes: true });
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
    header: readonly ImportColumnTarget[],
    { cells, isQuoted, line }: CsvRecord,
  ): { cells: CellsByColumn; values: Record<string, unknown> } | null {
    // Spreadsheet programs write delimiters for empty cells beside a table.
    if (cells.length < header.length || cells.slice(header.length).some((text) => text !== '')) {
      this.fail(line, `has ${cells.length} cells, and the header ${header.length}`);
      return null;
    }
    const errors: FieldIssue[] = [];
    const values: Record<string, unknown> = {};
    header.forEach((target, index) => {
      const cell = { text: cells[index] ?? '', isQuoted: isQuoted[index] ?? false };
      if (target === 'empty' && cell.text !== '')
        errors.push({ field: `cell ${index + 1}`, message: 'has a value, and no name in the header' });
      if (typeof target === 'string') return;
      const read = parseImportedCell(target.type, cell);
      if ('value' in read) values[target.name] = read.value;
      else errors.push({ field: target.name, message: read.message });
    });
    const row = errors.length > 0 ? {} : collectCells(this.table, values, { path: '', whole: true, errors });
    if (errors.length === 0) return { cells: row, values };
    this.fail(line, errors.map(({ field, message }) => `${field} ${message}`).join('; '));
    return null;
  }

  private fail(line: number, message: string): void {
    this.hasFailed = true;
    if (this.failed.length < MAX_REPORTED_LINES) this.failed.push({ line, message: message.slice(0, 500) });
  }
}

/** Undoes the transaction of an import. */
class NothingStoredError extends Error {}

/**
 * Inserts the lines of a CSV file in one transaction. Its first row names the columns, or `headerRow`. `skips`: lines
 * that do not fit are left out; otherwise one of them leaves the table as it was. Nothing is stored once `signal` is
 * aborted: nobody waits for the result. Throws 400 for what is no CSV or has another header, 403 if the quota is used
 * up.
 */
export async function importTableCsv(
  table: DataTableRecord,
  source: () => AsyncIterable<Uint8Array>,
  options: { skips: boolean; refused: RowRefusalCheck; format: ImportFormat; signal?: AbortSignal },
): Promise<ImportRowsResult> {
  let failed: ImportRowsResult['failed'] = [];
  try {
    return await runWithinLimit(`import ${table.workspaceId}`, MAX_IMPORTS_PER_WORKSPACE, () =>
      importSemaphore.run(() =>
        writeTables(table.workspaceId, async (sql) => {
          const run = new TableImport(sql, table, options);
          failed = run.failed;
          await importRecords(run, table, readCsvRecords(source(), options.format), options);
          options.signal?.throwIfAborted();
          failed.sort((one, other) => one.line - other.line);
          if (run.isLost) throw new NothingStoredError();
          return { inserted: run.inserted, failed };
        }),
      ),
    );
  } catch (error) {
    if (error instanceof NothingStoredError) return { inserted: 0, failed };
    throw error;
  }
}

async function importRecords(
  run: TableImport,
  table: DataTableRecord,
  records: AsyncIterable<CsvRecord>,
  { format: { headerRow }, signal }: { format: ImportFormat; signal?: AbortSignal },
): Promise<void> {
  const timer = new YieldTimer();
  let header: ImportColumnTarget[] | undefined;
  for await (const record of records) {
    signal?.throwIfAborted();
    if (header) await run.add(header, record);
    else if (headerRow === undefined || record.row === headerRow) header = readImportHeader(table, record);
    else if (record.row > headerRow) break;
    if (timer.isDue) await timer.take();
  }
  if (!header) {
    throw invalidRequestProblem(
      [],
      headerRow === undefined
        ? 'The file is empty: its first row must name columns of the table.'
        : `Row ${headerRow} of the file is empty, or there is none: it must name columns of the table.`,
    );
  }
  await run.flush();
}
