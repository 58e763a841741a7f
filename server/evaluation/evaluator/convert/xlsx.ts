import { zipSync } from 'fflate';
import { readSheet, SheetNotFoundError } from 'read-excel-file/universal';
import writeXlsxFile from 'write-excel-file/universal';
import type { ConvertOptions } from '../../convert-job';
import { messageOf, unreadable } from './failure';
import { bytesOf, type Source } from './source';
import { cellText, type Table } from './tables';
import { readEntries } from './zip';

/** The cells of one sheet. Dates are texts (ISO 8601), empty cells null. */
export async function readSheetRows(source: Source, { sheet = 1 }: ConvertOptions): Promise<unknown[][]> {
  // Unpacked here, because this limits what it expands to; the library gets the parts uncompressed.
  const parts = await readEntries(bytesOf(source), 'The spreadsheet', (name) => /\.(xml|rels)$/i.test(name));
  const plain = zipSync(Object.fromEntries(parts.map(({ name, content }) => [name, content])), { level: 0 });
  try {
    const rows = await sheetOf(plain.buffer as ArrayBuffer, sheet);
    return rows.map((row) => row.map(cellOf));
  } catch (error) {
    if (error instanceof SheetNotFoundError) throw unreadable(`options.sheet: the file has no sheet ${String(sheet)}.`);
    throw unreadable(`The file is not a spreadsheet (xlsx): ${messageOf(error)}`);
  }
}

/** The sheet of this name, or of this number. */
async function sheetOf(file: ArrayBuffer, sheet: string | number): Promise<unknown[][]> {
  try {
    return await readSheet(file, sheet, { trim: false });
  } catch (error) {
    if (!(error instanceof SheetNotFoundError) || !/^\d{1,4}$/.test(String(sheet)) || typeof sheet === 'number')
      throw error;
    return readSheet(file, Number(sheet), { trim: false });
  }
}

const cellOf = (cell: unknown): unknown => (cell instanceof Date ? cell.toISOString() : cell);

const MAX_ROWS = 1_048_576;
/** Longest text of a cell. */
const MAX_TEXT = 32_767;
const DATE = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?)?$/;

/** Writes one sheet. Texts stay texts: none becomes a formula. With `types`, dates as texts in ISO 8601 become dates. */
export async function writeSheet({ columns, rows }: Table, options: ConvertOptions): Promise<Buffer> {
  const { header = true, sheet = 'Sheet1', types = false } = options;
  if (rows.length >= MAX_ROWS) throw unreadable(`A sheet has at most ${MAX_ROWS - 1} rows.`);
  const head =
    header && columns ? [columns.map((value) => ({ value, type: String, fontWeight: 'bold' as const }))] : [];
  const body = rows.map((row) => row.map((cell) => written(cell, types)));
  const file = writeXlsxFile([...head, ...body], { sheet: sheetName(sheet), dateFormat: 'yyyy-mm-dd hh:mm:ss' });
  return Buffer.from(await (await file.toBlob()).arrayBuffer());
}

function written(cell: unknown, types: boolean) {
  if (cell === null || cell === undefined || cell === '') return null;
  if (typeof cell === 'number' && Number.isFinite(cell)) return cell;
  if (typeof cell === 'boolean') return cell;
  const text = cellText(cell);
  if (types && DATE.test(text)) {
    const date = new Date(text);
    if (!Number.isNaN(date.getTime())) return date;
  }
  if (text.length > MAX_TEXT) throw unreadable(`A cell of a sheet has at most ${MAX_TEXT} characters.`);
  return { value: text, type: String };
}

/** A name that Excel accepts: at most 31 characters, none of []:*?/\. */
const sheetName = (name: string | number) =>
  String(name)
    .replace(/[[\]:*?/\\]/g, ' ')
    .slice(0, 31)
    .trim() || 'Sheet1';
