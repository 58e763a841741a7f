import { escapeUTF8 } from 'entities/escape';
import { zipSync, strToU8 } from 'fflate';
import type { ConvertOptions } from '../../convert-job';
import { unreadable } from './failure';
import { TextSink } from './sink';
import { cellText, type Table } from './tables';
import { dateOfIso, escaped, serialOf } from './xlsx-values';

const MAX_ROWS = 1_048_576;
const MAX_COLUMNS = 16_384;
/** Longest text of a cell. */
const MAX_TEXT = 32_767;
const DATE = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?)?$/;

/** Styles of cells by their position in the part of styles. */
const STYLES = { bold: 1, time: 2, date: 3 };

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** The parts of a spreadsheet besides its sheet. */
const partsOf = (sheet: string): Record<string, string> => ({
  '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPE}.worksheet+xml"/></Types>`,
  '_rels/.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="r1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/workbook.xml': `<workbook ${MAIN} xmlns:r="${OFFICE}"><sheets><sheet name="${escapeUTF8(escaped(sheet))}" sheetId="1" r:id="r1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="r1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="r2" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
  'xl/styles.xml': `<styleSheet ${MAIN}><numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="4"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/><xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="165" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs></styleSheet>`,
});

/** Writes one sheet. Texts stay texts: none becomes a formula. With `types`, dates as texts in ISO 8601 become dates. */
export function writeSheet({ columns, rows }: Table, options: ConvertOptions): Buffer {
  const { header = true, sheet = 'Sheet1', types = false } = options;
  const sink = new TextSink(true);
  let count = 0;
  const write = (cells: readonly unknown[], xmlOf: (cell: unknown, reference: string) => string) => {
    if (cells.length > MAX_COLUMNS) throw unreadable(`A sheet has at most ${MAX_COLUMNS} columns.`);
    if (count === MAX_ROWS) throw unreadable(`A sheet has at most ${MAX_ROWS - 1} rows.`);
    count += 1;
    const xml = cells.map((cell, index) => xmlOf(cell, `${columnName(index)}${count}`)).join('');
    sink.write(`<row r="${count}">${xml}</row>`);
  };
  sink.write(`${XML}<worksheet ${MAIN}><sheetData>`);
  if (header && columns) write(columns, (name, reference) => textXml(String(name), reference, ` s="${STYLES.bold}"`));
  for (const row of rows) write(row, (cell, reference) => cellXml(cell, reference, types));
  sink.write('</sheetData></worksheet>');
  const parts = Object.entries(partsOf(sheetName(sheet))).map(
    ([name, xml]) => [name, strToU8(`${XML}${xml}`)] as const,
  );
  return Buffer.from(zipSync({ ...Object.fromEntries(parts), 'xl/worksheets/sheet1.xml': sink.end() }, { level: 6 }));
}

/** The letters of a column: A to XFD. */
function columnName(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : columnName(Math.floor(index / 26) - 1) + letter;
}

function cellXml(cell: unknown, reference: string, types: boolean): string {
  if (cell === null || cell === undefined || cell === '') return '';
  if (typeof cell === 'number' && Number.isFinite(cell)) return `<c r="${reference}"><v>${cell}</v></c>`;
  if (typeof cell === 'boolean') return `<c r="${reference}" t="b"><v>${cell ? 1 : 0}</v></c>`;
  const text = cellText(cell);
  const serial = types && DATE.test(text) ? serialOf(dateOfIso(text)) : undefined;
  if (serial === undefined) return textXml(text, reference);
  return `<c r="${reference}" s="${text.includes('T') ? STYLES.time : STYLES.date}"><v>${serial}</v></c>`;
}

function textXml(text: string, reference: string, style = ''): string {
  if (text.length > MAX_TEXT) throw unreadable(`A cell of a sheet has at most ${MAX_TEXT} characters.`);
  return `<c r="${reference}"${style} t="inlineStr"><is><t xml:space="preserve">${escapeUTF8(escaped(text))}</t></is></c>`;
}

/** A name that Excel accepts: at most 31 characters, none of []:*?/\, no apostrophe at its ends. */
const sheetName = (name: string | number) =>
  String(name)
    .replace(/[[\]:*?/\\]/g, ' ')
    .slice(0, 31)
    .trim()
    .replaceAll(/^'+|'+$/g, '') || 'Sheet1';
