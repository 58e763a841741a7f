import { escapeUTF8 } from 'entities/escape';
import { zipSync, strToU8 } from 'fflate';
import type { ConvertOptions } from '../../convert-job';
import { unreadableContent } from './failure';
import { TextSink } from './text-sink';
import { formatCell, type CellTable } from './tables';
import { parseIsoDate, escapeXlsxText, toSerialDay } from './xlsx-values';

const MAX_XLSX_ROWS = 1_048_576;
const MAX_XLSX_COLUMNS = 16_384;
/** The longest text that a cell may have. */
const MAX_XLSX_CELL_LENGTH = 32_767;
const ISO_DATE_TEXT = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?)?$/;

/** Styles of cells by their position in the part of styles. */
const STYLE_IDS = { bold: 1, time: 2, date: 3 };

const XLSX_XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN_NAMESPACE = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const PACKAGE_NAMESPACE = 'http://schemas.openxmlformats.org/package/2006';
const OFFICE_NAMESPACE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const XLSX_CONTENT_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** The parts of a spreadsheet besides its sheet. */
const workbookParts = (sheet: string): Record<string, string> => ({
  '[Content_Types].xml': `<Types xmlns="${PACKAGE_NAMESPACE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${XLSX_CONTENT_TYPE}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${XLSX_CONTENT_TYPE}.styles+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${XLSX_CONTENT_TYPE}.worksheet+xml"/></Types>`,
  '_rels/.rels': `<Relationships xmlns="${PACKAGE_NAMESPACE}/relationships"><Relationship Id="r1" Type="${OFFICE_NAMESPACE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/workbook.xml': `<workbook ${MAIN_NAMESPACE} xmlns:r="${OFFICE_NAMESPACE}"><sheets><sheet name="${escapeUTF8(escapeXlsxText(sheet))}" sheetId="1" r:id="r1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${PACKAGE_NAMESPACE}/relationships"><Relationship Id="r1" Type="${OFFICE_NAMESPACE}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="r2" Type="${OFFICE_NAMESPACE}/styles" Target="styles.xml"/></Relationships>`,
  'xl/styles.xml': `<styleSheet ${MAIN_NAMESPACE}><numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="4"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/><xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="165" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs></styleSheet>`,
});

/**
 * Writes one sheet. Texts stay texts: none becomes a formula. With `types`, dates as texts in ISO 8601 become dates.
 */
export function writeXlsxSheet({ columns, rows }: CellTable, options: ConvertOptions): Buffer {
  const { header = true, sheet = 'Sheet1', types = false } = options;
  const sink = new TextSink(true);
  let count = 0;
  const write = (cells: readonly unknown[], xmlOf: (cell: unknown, reference: string) => string) => {
    if (cells.length > MAX_XLSX_COLUMNS) throw unreadableContent(`A sheet has at most ${MAX_XLSX_COLUMNS} columns.`);
    if (count === MAX_XLSX_ROWS) throw unreadableContent(`A sheet has at most ${MAX_XLSX_ROWS - 1} rows.`);
    count += 1;
    const xml = cells.map((cell, index) => xmlOf(cell, `${sheetColumnLetters(index)}${count}`)).join('');
    sink.write(`<row r="${count}">${xml}</row>`);
  };
  sink.write(`${XLSX_XML_DECLARATION}<worksheet ${MAIN_NAMESPACE}><sheetData>`);
  if (header && columns)
    write(columns, (name, reference) => textCellElement(String(name), reference, ` s="${STYLE_IDS.bold}"`));
  for (const row of rows) write(row, (cell, reference) => cellElement(cell, reference, types));
  sink.write('</sheetData></worksheet>');
  const parts = Object.entries(workbookParts(validSheetName(sheet))).map(
    ([name, xml]) => [name, strToU8(`${XLSX_XML_DECLARATION}${xml}`)] as const,
  );
  return Buffer.from(zipSync({ ...Object.fromEntries(parts), 'xl/worksheets/sheet1.xml': sink.end() }, { level: 6 }));
}

/** The letters of a column: A to XFD. */
function sheetColumnLetters(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : sheetColumnLetters(Math.floor(index / 26) - 1) + letter;
}

function cellElement(cell: unknown, reference: string, types: boolean): string {
  if (cell === null || cell === undefined || cell === '') return '';
  if (typeof cell === 'number' && Number.isFinite(cell)) return `<c r="${reference}"><v>${cell}</v></c>`;
  if (typeof cell === 'boolean') return `<c r="${reference}" t="b"><v>${cell ? 1 : 0}</v></c>`;
  const text = formatCell(cell);
  const serial = types && ISO_DATE_TEXT.test(text) ? toSerialDay(parseIsoDate(text)) : undefined;
  if (serial === undefined) return textCellElement(text, reference);
  return `<c r="${reference}" s="${text.includes('T') ? STYLE_IDS.time : STYLE_IDS.date}"><v>${serial}</v></c>`;
}

function textCellElement(text: string, reference: string, style = ''): string {
  if (text.length > MAX_XLSX_CELL_LENGTH)
    throw unreadableContent(`A cell of a sheet has at most ${MAX_XLSX_CELL_LENGTH} characters.`);
  return `<c r="${reference}"${style} t="inlineStr"><is><t xml:space="preserve">${escapeUTF8(escapeXlsxText(text))}</t></is></c>`;
}

/** A name that Excel accepts: at most 31 characters, none of []:*?/\, no apostrophe at its ends. */
const validSheetName = (name: string | number) =>
  String(name)
    .replace(/[[\]:*?/\\]/g, ' ')
    .slice(0, 31)
    .trim()
    .replaceAll(/^'+|'+$/g, '') || 'Sheet1';
