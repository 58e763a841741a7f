/** How a table is read, in the options of n8n. */
export interface CsvOptions {
  delimiter: string;
  /** Whether the first row has the names of the columns. */
  hasNames: boolean;
  /** The first line that counts. */
  fromLine: number;
  /** The most rows; -1: all. */
  most: number;
  /** Quotes inside of a field without quotes are a part of it. */
  relaxesQuotes: boolean;
  /** Faulty rows are left out. */
  skipsFaults: boolean;
}

/** A row with the line that it begins at, and what is wrong with it. */
interface CsvRecord {
  cells: string[];
  line: number;
  fault?: string;
}

const QUOTE = '"';
/** Signs of which the first counts. */
const signPattern = (...signs: string[]): RegExp =>
  new RegExp(signs.map((sign) => sign.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)).join('|'), 'g');

/** Reads the fields of a text one after another. Each sign is visited a bounded number of times. */
class CsvScanner {
  private at = 0;
  private line = 1;
  private readonly sign: RegExp;
  /** What ends a line: the first end of a line in the text. */
  private readonly lineEnd: string;

  constructor(
    private readonly text: string,
    private readonly options: CsvOptions,
  ) {
    this.lineEnd = /\r\n|\n|\r/.exec(text)?.[0] ?? '\n';
    this.sign = signPattern(QUOTE, options.delimiter, this.lineEnd);
  }

  /** The records that are not empty. */
  *records(): Generator<CsvRecord> {
    while (this.at < this.text.length) {
      const start = this.at;
      const record = this.readRecord();
      const isEmpty = record.cells.length === 1 && record.cells[0] === '' && this.text[start] !== QUOTE;
      if (!isEmpty && record.line >= this.options.fromLine) yield record;
    }
  }

  private readRecord(): CsvRecord {
    const cells: string[] = [];
    const { line } = this;
    let fault: string | undefined;
    for (;;) {
      const [cell, ending, found] = this.text[this.at] === QUOTE ? this.readQuoted() : this.readPlain();
      cells.push(cell);
      fault ??= found;
      if (ending === this.options.delimiter) continue;
      this.line += 1;
      return fault === undefined ? { cells, line } : { cells, line, fault };
    }
  }

  /** A field without quotes around it, and what ends it. */
  private readPlain(): [cell: string, end: string, fault?: string] {
    const start = this.at;
    let fault: string | undefined;
    this.sign.lastIndex = start;
    for (let match = this.sign.exec(this.text); match; match = this.sign.exec(this.text)) {
      const [sign] = match;
      if (sign === QUOTE && !this.options.relaxesQuotes)
        fault ??= `Invalid Opening Quote: a quote is found on field 0 at line ${this.line}`;
      if (sign === QUOTE) continue;
      this.at = match.index + sign.length;
      return [this.text.slice(start, match.index), sign, fault];
    }
    this.at = this.text.length;
    return [this.text.slice(start), '', fault];
  }

  /** A field in quotes, and what ends it. */
  private readQuoted(): [cell: string, end: string, fault?: string] {
    const start = this.at;
    const parts: string[] = [];
    for (let from = start + 1; ;) {
      const quote = this.text.indexOf(QUOTE, from);
      if (quote === -1) {
        this.at = this.text.length;
        return ['', '', `Quote Not Closed: the parsing is finished with an opening quote at line ${this.line}`];
      }
      const part = this.text.slice(from, quote);
      if (part.includes(this.lineEnd)) this.line += part.split(this.lineEnd).length - 1;
      parts.push(part);
      const after = quote + 1;
      if (this.text[after] === QUOTE) {
        parts.push(QUOTE);
        from = after + 1;
        continue;
      }
      const end = [this.options.delimiter, this.lineEnd].find((sign) => this.text.startsWith(sign, after));
      if (end !== undefined || after === this.text.length) {
        this.at = after + (end?.length ?? 0);
        return [parts.join(''), end ?? ''];
      }
      if (this.options.relaxesQuotes) {
        this.at = start;
        return this.readPlain();
      }
      this.at = after;
      const [, stop] = this.readPlain();
      return [parts.join(''), stop, `Invalid Closing Quote: got "${this.text[after] ?? ''}" at line ${this.line}`];
    }
  }
}

function nameCells(names: readonly string[], cells: readonly string[]): Record<string, string> {
  if (names.includes('__proto__')) return Object.fromEntries(cells.map((cell, at) => [names[at] ?? '', cell]));
  const row: Record<string, string> = {};
  for (let at = 0; at < names.length; at += 1) row[names[at] ?? ''] = cells[at] ?? '';
  return row;
}

/** The rows of a table: objects by the names of the first row, or lists of cells. Throws for a faulty row. */
export function readN8nCsvRows(text: string, options: CsvOptions): unknown[] {
  const rows: unknown[] = [];
  let names: string[] | undefined;
  let width: number | undefined;
  for (const { cells, line, fault } of new CsvScanner(text, options).records()) {
    if (options.most > -1 && rows.length >= options.most) break;
    const expected = names?.length ?? width;
    const found = fault ?? (expected !== undefined && expected !== cells.length ? 'length' : undefined);
    if (found !== undefined) {
      if (options.skipsFaults) continue;
      const length = names
        ? `Invalid Record Length: columns length is ${expected}, got ${cells.length} on line ${line}`
        : `Invalid Record Length: expect ${expected}, got ${cells.length} on line ${line}`;
      throw new Error(found === 'length' ? length : found);
    }
    if (options.hasNames && !names) {
      names = cells;
      continue;
    }
    width = cells.length;
    rows.push(names ? nameCells(names, cells) : cells);
  }
  return rows;
}

/**
 * The rows of a file that is given in Base64. The encoding is one of Node.js, as in n8n; a byte order mark is a part of
 * the first name or cell unless it is to be left out. Throws for a faulty row.
 */
export function readN8nCsvFile(
  content: string,
  { encoding, leavesMarkOut, ...options }: CsvOptions & { encoding: string; leavesMarkOut: boolean },
): unknown[] {
  if (!Buffer.isEncoding(encoding)) throw new Error(`Unknown encoding: ${encoding}`);
  if (options.delimiter === '') throw new Error('The delimiter is empty');
  const text = Buffer.from(content, 'base64').toString(encoding);
  return readN8nCsvRows(leavesMarkOut && text.startsWith('\uFEFF') ? text.slice(1) : text, options);
}
