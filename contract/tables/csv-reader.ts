/** A row of a CSV text. */
export interface CsvRecord {
  cells: string[];
  /** Whether a cell had quotes: an empty text has, an absent value has not. */
  isQuoted: boolean[];
  /** The line at which it begins, from 1. */
  line: number;
  /** Its number among all rows, empty ones too, from 1. */
  row: number;
}

/** The syntax of a CSV text, and the limits of its rows. */
export interface CsvReaderOptions {
  /** Default: what a first line such as `sep=;` says, else the one that divides the first rows most evenly. */
  delimiter?: string | undefined;
  /** The character around cells; the empty text: none. Default: `"`. */
  quote?: string | undefined;
  /** Most characters of a row. */
  maxRecord?: number | undefined;
  /** Most cells of a row. */
  maxCells?: number | undefined;
}

/** A text that is not CSV. */
export class CsvSyntaxError extends Error {
  constructor(
    message: string,
    readonly line: number,
  ) {
    super(`${message} (line ${line})`);
  }
}

const LINE_FEED_CODE = 10;
const CARRIAGE_RETURN_CODE = 13;

/** The delimiter is detected in this many characters at the start of the text. */
const DELIMITER_SAMPLE_LENGTH = 16 * 1024;
const MAX_SAMPLED_RECORDS = 30;
/** The delimiters that the reader can detect by itself. */
export const CSV_DELIMITERS = [',', ';', '\t', '|'] as const;

/** The line by which a file tells Excel its delimiter. */
const SEPARATOR_LINE = /^sep=([^\r\n])(?:\r\n|\r|\n|$)/i;

type CsvCellState = 'start' | 'plain' | 'quoted';

/**
 * Reads CSV as spreadsheet programs do, in parts and in linear time. A quote opens a quoted cell only at its beginning; what follows the closing
 * quote belongs to the cell, and quotes elsewhere are characters. Lines end with LF, CR LF or CR. Rows without any value are passed over.
 */
export class CsvReader {
  private readonly quote: string;
  private readonly maxRecord: number;
  private readonly maxCells: number;
  private delimiter: string;
  private hasBegun = false;
  private unread = '';
  private state: CsvCellState = 'start';
  private cell = '';
  private isCellQuoted = false;
  private cells: string[] = [];
  private isQuoted: boolean[] = [];
  private hasValue = false;
  private size = 0;
  private line = 1;
  private firstLine = 1;
  private quoteLine = 1;
  private row = 0;

  constructor(
    format: CsvReaderOptions,
    private readonly onRecord: (record: CsvRecord) => void,
  ) {
    this.delimiter = format.delimiter ?? '';
    this.quote = format.quote ?? '"';
    this.maxRecord = format.maxRecord ?? Infinity;
    this.maxCells = format.maxCells ?? Infinity;
  }

  write(text: string): void {
    this.unread += text;
    if (!this.hasBegun) {
      if (this.unread.length <= DELIMITER_SAMPLE_LENGTH) return;
      this.passOverEmptyLines();
      if (this.unread.length <= DELIMITER_SAMPLE_LENGTH) return;
      this.begin(true);
    }
    // What follows a character decides what it means: CR before LF, a quote before a quote, the characters of a delimiter.
    this.read(this.unread.length - this.delimiter.length);
  }

  end(): void {
    if (!this.hasBegun) {
      this.passOverEmptyLines();
      this.begin(false);
    }
    this.read(this.unread.length);
    if (this.state === 'quoted') throw new CsvSyntaxError('A quote is opened and never closed', this.quoteLine);
    if (this.cells.length > 0 || this.cell !== '' || this.isCellQuoted) this.endRecord();
  }

  /** Empty lines at the beginning tell nothing about the delimiter, however many they are. */
  private passOverEmptyLines(): void {
    const text = this.unread;
    let at = this.row === 0 && text.startsWith('\ufeff') ? 1 : 0;
    // The last character may be the first half of CR LF.
    for (; at < text.length - 1; at += 1) {
      const code = text.charCodeAt(at);
      if (code !== LINE_FEED_CODE && code !== CARRIAGE_RETURN_CODE) break;
      if (code === CARRIAGE_RETURN_CODE && text.charCodeAt(at + 1) === LINE_FEED_CODE) at += 1;
      this.row += 1;
      this.line += 1;
    }
    this.firstLine = this.line;
    this.unread = text.slice(at);
  }

  /** Leaves out the byte order mark and the line that names the delimiter. */
  private begin(isCut: boolean): void {
    this.hasBegun = true;
    const [line, separator] = (this.row === 0 && SEPARATOR_LINE.exec(this.unread)) || [];
    if (line !== undefined) {
      this.unread = this.unread.slice(line.length);
      this.line = this.firstLine = 2;
    }
    this.delimiter ||=
      separator ?? detectCsvDelimiter(this.unread.slice(0, DELIMITER_SAMPLE_LENGTH), this.quote, isCut);
  }

  /** Parses the text that was received but not yet parsed, up to a position. */
  private read(end: number): void {
    const text = this.unread;
    let at = 0;
    while (at < end) {
      if (this.state === 'start') {
        this.state = 'plain';
        if (this.quote !== '' && text.startsWith(this.quote, at)) {
          this.state = 'quoted';
          this.isCellQuoted = true;
          this.quoteLine = this.line;
          at += 1;
        }
      } else if (this.state === 'plain') at = this.readPlain(text, at, end);
      else at = this.readQuoted(text, at, end);
    }
    this.unread = text.slice(at);
  }

  private readPlain(text: string, start: number, end: number): number {
    const { delimiter } = this;
    const first = delimiter.charCodeAt(0);
    let at = start;
    let code = 0;
    for (; at < end; at += 1) {
      code = text.charCodeAt(at);
      if (code === LINE_FEED_CODE || code === CARRIAGE_RETURN_CODE) break;
      if (code === first && (delimiter.length === 1 || text.startsWith(delimiter, at))) break;
    }
    this.add(text.slice(start, at));
    if (at >= end) return at;
    if (code === first && code !== LINE_FEED_CODE && code !== CARRIAGE_RETURN_CODE) {
      this.endCell();
      return at + delimiter.length;
    }
    this.endRecord();
    this.line += 1;
    this.firstLine = this.line;
    return at + (code === CARRIAGE_RETURN_CODE && text.charCodeAt(at + 1) === LINE_FEED_CODE ? 2 : 1);
  }

  private readQuoted(text: string, start: number, end: number): number {
    const found = text.indexOf(this.quote, start);
    const at = found < 0 || found > end ? end : found;
    for (let index = start; index < at; index += 1) {
      const code = text.charCodeAt(index);
      if (code === LINE_FEED_CODE || (code === CARRIAGE_RETURN_CODE && text.charCodeAt(index + 1) !== LINE_FEED_CODE))
        this.line += 1;
    }
    this.add(text.slice(start, at));
    if (at >= end) return at;
    if (text.startsWith(this.quote, at + 1)) {
      this.add(this.quote);
      return at + 2;
    }
    this.state = 'plain';
    return at + 1;
  }

  private add(text: string): void {
    this.cell += text;
    this.size += text.length;
    if (this.size > this.maxRecord)
      throw new CsvSyntaxError(`A row has more than ${this.maxRecord} characters`, this.firstLine);
  }

  private endCell(): void {
    this.hasValue ||= this.isCellQuoted || this.cell !== '';
    if (this.cells.length >= this.maxCells)
      throw new CsvSyntaxError(`A row has more than ${this.maxCells} cells`, this.firstLine);
    this.cells.push(this.cell);
    this.isQuoted.push(this.isCellQuoted);
    this.size += 1;
    this.cell = '';
    this.isCellQuoted = false;
    this.state = 'start';
  }

  private endRecord(): void {
    this.endCell();
    const { cells, isQuoted, hasValue, firstLine: line } = this;
    this.cells = [];
    this.isQuoted = [];
    this.hasValue = false;
    this.size = 0;
    this.row += 1;
    if (hasValue) this.onRecord({ cells, isQuoted, line, row: this.row });
  }
}

/** Measures how evenly a delimiter divides the rows of a sample. */
interface DelimiterScore {
  delimiter: string;
  /**
   * Counts rows that have the most frequent number of delimiters: without quotes inside cells (`clean`), in total (`all`), and without decimal
   * commas (`plain`). `count` is that number of delimiters.
   */
  scores: readonly [clean: number, all: number, plain: number, count: number];
}

function scoreDelimiter(sample: string, delimiter: string, quote: string, isCut: boolean): DelimiterScore {
  const records: CsvRecord[] = [];
  const enough = new Error('enough');
  try {
    const reader = new CsvReader({ delimiter, quote }, (record) => {
      if (records.push(record) > MAX_SAMPLED_RECORDS) throw enough;
    });
    reader.write(sample);
    reader.end();
    // The last row of a cut sample is incomplete.
    if (isCut && records.length > 1) records.pop();
  } catch (error) {
    if (error !== enough && !(error instanceof CsvSyntaxError)) throw error;
  }
  const counts = new Map<number, number>();
  for (const { cells } of records) {
    const count = cells.length - 1;
    if (count > 0) counts.set(count, (counts.get(count) ?? 0) + 1);
  }
  const [count, all] = [...counts].reduce((best, one) => (one[1] > best[1] ? one : best), [0, 0]);
  const divided = records.filter(({ cells }) => cells.length - 1 === count && count > 0);
  const clean = divided.filter(
    ({ cells, isQuoted }) => quote === '' || cells.every((cell, index) => isQuoted[index] || !cell.includes(quote)),
  );
  const plain = divided.filter(({ cells }) =>
    cells.some((cell, index) => index > 0 && !(/^\d/.test(cell) && /\d$/.test(cells[index - 1] ?? ''))),
  );
  return { delimiter, scores: [clean.length, all, delimiter === ',' ? plain.length : all, count] };
}

/** The delimiter that divides the most rows into the same number of cells. */
function detectCsvDelimiter(sample: string, quote: string, isCut: boolean): string {
  // Empty lines say nothing about the delimiter, and a sample with thousands of them would be parsed slowly four times.
  const lines = sample.replace(/(?:\r\n?|\n)+/g, '\n');
  const divisions = CSV_DELIMITERS.map((one) => scoreDelimiter(lines, one, quote, isCut));
  return divisions.reduce((best, one) => (isBetterDelimiter(one, best) ? one : best)).delimiter;
}

function isBetterDelimiter(one: DelimiterScore, best: DelimiterScore): boolean {
  const differing = one.scores.findIndex((score, index) => score !== best.scores[index]);
  return differing >= 0 && (one.scores[differing] ?? 0) > (best.scores[differing] ?? 0);
}

/** Makes the names of columns unique in linear time: an empty one becomes `column_2`, a repeated one `name_2`. */
export class UniqueColumnNames {
  readonly names: string[] = [];
  private readonly used = new Set<string>();
  private readonly numbers = new Map<string, number>();

  /** Names of cells that had no quotes lose the spaces around them. */
  constructor({ cells, isQuoted }: { cells: readonly string[]; isQuoted?: readonly boolean[] | undefined }) {
    cells.forEach((cell, index) => this.add(isQuoted?.[index] ? cell : cell.trim()));
  }

  /** Adds names up to this number of columns. */
  extend(count: number): void {
    while (this.names.length < count) this.add('');
  }

  private add(given: string): void {
    const name = given === '' ? `column_${this.names.length + 1}` : given;
    let number = this.numbers.get(name) ?? 1;
    let free = name;
    while (this.used.has(free)) free = `${name}_${(number += 1)}`;
    this.numbers.set(name, number);
    this.used.add(free);
    this.names.push(free);
  }
}
