import writeXlsxFile from 'write-excel-file/universal';
import type { ConvertOptions } from '../../convert-job';
import { unreadable } from './failure';
import { cellText, type Table } from './tables';
import { escaped } from './xlsx-values';

const MAX_ROWS = 1_048_576;
const MAX_COLUMNS = 16_384;
/** Longest text of a cell. */
const MAX_TEXT = 32_767;
const DATE = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?)?$/;

/** Writes one sheet. Texts stay texts: none becomes a formula. With `types`, dates as texts in ISO 8601 become dates. */
export async function writeSheet({ columns, rows }: Table, options: ConvertOptions): Promise<Buffer> {
  const { header = true, sheet = 'Sheet1', types = false } = options;
  if ((columns?.length ?? 0) > MAX_COLUMNS) throw unreadable(`A sheet has at most ${MAX_COLUMNS} columns.`);
  const head =
    header && columns
      ? [columns.map((name) => ({ value: escaped(name), type: String, fontWeight: 'bold' as const }))]
      : [];
  const body = Array.from(rows, (row) => row.map((cell) => written(cell, types)));
  if (body.length >= MAX_ROWS) throw unreadable(`A sheet has at most ${MAX_ROWS - 1} rows.`);
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
  return { value: escaped(text), type: String };
}

/** A name that Excel accepts: at most 31 characters, none of []:*?/\. */
const sheetName = (name: string | number) =>
  String(name)
    .replace(/[[\]:*?/\\]/g, ' ')
    .slice(0, 31)
    .trim() || 'Sheet1';
