import type { ConvertOptions } from '../../convert-job';
import { unreadableContent } from './failure';
import type { NumberedRow } from './named-row';
import type { ConversionSource } from './source';
import { SpreadsheetParts } from './xlsx-parts';
import {
  builtInFormatKind,
  customFormatKind,
  parseCellNumber,
  unescapeXlsxText,
  convertIsoCell,
  convertCellNumber,
  type CellNumberKind,
} from './xlsx-values';

const MAX_SHEET_COLUMNS = 16_384;
const MAX_SHEET_ROWS = 1_000_000;

/** The parts of a workbook that cells refer to. */
interface WorkbookContext {
  texts: readonly string[];
  /** The kinds of numbers by the number of a style. */
  kinds: readonly CellNumberKind[];
  is1904: boolean;
}

/** The rows of one sheet that have values, with their numbers. Dates and times are texts, empty cells undefined. */
export async function readSheetRows(source: ConversionSource, { sheet = 1 }: ConvertOptions): Promise<NumberedRow[]> {
  const parts = await SpreadsheetParts.open(source);
  const name = parts.workbook();
  const relations = parts.relationsOf(name);
  const sheets: { name: string; part: string }[] = [];
  let is1904 = false;
  parts.read(name, {
    open(tag, attributes) {
      if (tag === 'workbookPr') is1904 = /^(1|true|on)$/i.test(attributes['date1904'] ?? '');
      if (tag !== 'sheet') return;
      const id = Object.entries(attributes).find(([key]) => /^(\w+:)?id$/.test(key))?.[1] ?? '';
      const relation = relations.get(id);
      if (relation?.type === 'worksheet') sheets.push({ name: attributes['name'] ?? '', part: relation.target });
    },
  });
  const partOf = (type: string) => [...relations.values()].find((relation) => relation.type === type)?.target;
  const [styles, texts] = [partOf('styles'), partOf('sharedStrings')];
  const workbook = {
    is1904,
    kinds: styles && parts.has(styles) ? readStyleKinds(parts, styles) : [],
    texts: texts && parts.has(texts) ? readSharedTexts(parts, texts) : [],
  };
  return parseSheetRows(parts, findSheetPart(sheets, sheet), workbook);
}

/** The part of the sheet with this name or number. */
function findSheetPart(sheets: readonly { name: string; part: string }[], sheet: string | number): string {
  const found =
    sheets.find(({ name }) => name === sheet) ??
    (/^\d{1,4}$/.test(String(sheet)) ? sheets[Number(sheet) - 1] : undefined);
  if (found) return found.part;
  const names = sheets.slice(0, 20).map(({ name }) => name);
  throw unreadableContent(`options.sheet: the file has no sheet ${String(sheet)}. Its sheets: ${names.join(', ')}.`);
}

function readStyleKinds(parts: SpreadsheetParts, part: string): CellNumberKind[] {
  const codes = new Map<number, string>();
  const ids: number[] = [];
  let isCells = false;
  parts.read(part, {
    open(tag, { numFmtId, formatCode = '' }) {
      if (tag === 'numFmt') codes.set(Number(numFmtId), formatCode);
      else if (tag === 'cellXfs') isCells = true;
      else if (tag === 'xf' && isCells) ids.push(Number(numFmtId ?? 0));
    },
    close(tag) {
      if (tag === 'cellXfs') isCells = false;
    },
  });
  return ids.map((id) => {
    const code = codes.get(id);
    return code === undefined ? builtInFormatKind(id) : customFormatKind(code);
  });
}

/** Collects the text of `t` elements, without the readings of Japanese words. */
class RichTextCollector {
  private text = '';
  private isText = false;
  private isReading = false;

  open(tag: string): void {
    if (tag === 'rPh') this.isReading = true;
    this.isText = tag === 't' && !this.isReading;
  }

  add(text: string): void {
    if (this.isText) this.text += text;
  }

  close(tag: string): void {
    if (tag === 'rPh') this.isReading = false;
    if (tag === 't') this.isText = false;
  }

  take(): string {
    const { text } = this;
    this.text = '';
    return unescapeXlsxText(text);
  }
}

function readSharedTexts(parts: SpreadsheetParts, part: string): string[] {
  const texts: string[] = [];
  const rich = new RichTextCollector();
  parts.read(part, {
    open: (tag) => rich.open(tag),
    text: (text) => rich.add(text),
    close(tag) {
      rich.close(tag);
      if (tag === 'si') texts.push(rich.take());
    },
  });
  return texts;
}

/** The column of a reference such as AB12, from 0. */
function parseColumnReference(reference: string): number {
  let column = 0;
  for (const letter of /^[A-Z]+/i.exec(reference)?.[0].toUpperCase() ?? '')
    column = column * 26 + letter.charCodeAt(0) - 64;
  if (column < 1 || column > MAX_SHEET_COLUMNS)
    throw unreadableContent(`The spreadsheet is damaged: "${reference.slice(0, 20)}" names no cell.`);
  return column - 1;
}

/** A cell that is being read. */
interface PartialCell {
  column: number;
  attributes: Record<string, string>;
  value: string | undefined;
}

/** Reads rows and cells of a sheet. Both may lack their numbers: then they follow the ones before. */
class SheetRowParser {
  readonly rows: NumberedRow[] = [];
  private row = 0;
  private column = -1;
  private cells: unknown[] = [];
  private hasValue = false;
  private cell: PartialCell | undefined;
  private isValue = false;
  private readonly rich = new RichTextCollector();

  constructor(private readonly workbook: WorkbookContext) {}

  open(tag: string, attributes: Record<string, string>): void {
    this.isValue = false;
    if (tag === 'row') {
      this.row = /^\d{1,7}$/.test(attributes['r'] ?? '') ? Number(attributes['r']) : this.row + 1;
      [this.column, this.cells, this.hasValue] = [-1, [], false];
    } else if (tag === 'c') {
      this.column = attributes['r'] ? parseColumnReference(attributes['r']) : this.column + 1;
      this.cell = { column: this.column, attributes, value: undefined };
    } else if (this.cell) {
      this.isValue = tag === 'v';
      if (this.isValue) this.cell.value = '';
      this.rich.open(tag);
    }
  }

  text(text: string): void {
    if (this.isValue && this.cell) this.cell.value += text;
    else this.rich.add(text);
  }

  close(tag: string): void {
    this.isValue = false;
    if (tag === 'c' && this.cell) this.endCell(this.cell);
    else if (tag === 'row' && this.hasValue) {
      if (this.rows.push({ cells: this.cells, row: this.row }) >= MAX_SHEET_ROWS)
        throw unreadableContent(`A table has at most ${MAX_SHEET_ROWS - 1} rows.`);
    } else this.rich.close(tag);
  }

  private endCell(cell: PartialCell): void {
    const value = this.valueOf(cell);
    this.cell = undefined;
    if (value === undefined) return;
    this.cells[cell.column] = value;
    this.hasValue ||= value !== '';
  }

  private valueOf({ attributes: { t = 'n', s, r }, value }: PartialCell): unknown {
    if (t === 'inlineStr') return this.rich.take();
    if (value === undefined || (value === '' && t !== 'str')) return undefined;
    const place = r ?? `in row ${this.row}`;
    switch (t) {
      case 's': {
        const text = this.workbook.texts[Number(value)];
        if (text === undefined)
          throw unreadableContent(`The spreadsheet is damaged: the text of cell ${place} is missing.`);
        return text;
      }
      case 'b':
        return value === '1' || value.toLowerCase() === 'true';
      case 'd':
        return convertIsoCell(value);
      case 'n': {
        const number = parseCellNumber(value, place);
        if (typeof number === 'string') return number;
        return convertCellNumber(number, this.workbook.kinds[Number(s ?? 0)] ?? 'number', this.workbook.is1904);
      }
      default:
        // Other cells have the text of a formula, or an error such as #N/A.
        return unescapeXlsxText(value);
    }
  }
}

function parseSheetRows(parts: SpreadsheetParts, part: string, workbook: WorkbookContext): NumberedRow[] {
  const sheet = new SheetRowParser(workbook);
  parts.read(part, {
    open: (tag, attributes) => sheet.open(tag, attributes),
    text: (text) => sheet.text(text),
    close: (tag) => sheet.close(tag),
  });
  return sheet.rows;
}
