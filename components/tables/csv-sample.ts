import { COLUMN_NAME, OWN_COLUMNS, type ColumnType } from '@/contract/tables/table-columns';

/** Characters of a file that its columns are guessed from. */
const SAMPLE = 64 * 1024;

/** The lines of the beginning of a CSV file. A line that the sample cuts off is left out. */
export function sampleLines(text: string): string[][] {
  const lines: string[][] = [];
  let line: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (isQuoted) {
      if (char !== '"') cell += char;
      else if (text[at + 1] === '"') {
        cell += char;
        at += 1;
      } else isQuoted = false;
    } else if (char === '"' && cell === '') isQuoted = true;
    else if (char === ',' || char === '\n') {
      line.push(cell.replace(/\r$/, ''));
      cell = '';
      if (char === '\n') {
        lines.push(line);
        line = [];
      }
    } else cell += char;
  }
  return lines.filter((cells) => cells.length > 1 || cells[0] !== '');
}

const FITS: [ColumnType, (text: string) => boolean][] = [
  ['boolean', (text) => /^(true|false)$/i.test(text)],
  // Digits that begin with a zero or a plus are codes and telephone numbers.
  ['number', (text) => /^-?(0|[1-9]\d{0,14})(\.\d+)?(e[+-]?\d{1,3})?$/i.test(text)],
  ['timestamp', (text) => /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/.test(text)],
  ['json', (text) => /^[[{]/.test(text)],
];

/** The type that fits all values of a column. */
export function guessType(values: readonly string[]): ColumnType {
  const given = values.filter((value) => value !== '');
  if (given.length === 0) return 'text';
  return FITS.find(([, fits]) => given.every(fits))?.[0] ?? 'text';
}

export interface SampledColumn {
  name: string;
  type: ColumnType;
}

/** The columns of a CSV file, or why it can’t become a table. */
export async function sampleColumns(file: Blob): Promise<{ columns: SampledColumn[] } | { fault: string }> {
  const text = (await file.slice(0, SAMPLE).text()).replace(/^\ufeff/, '');
  const [header, ...lines] = sampleLines(file.size <= SAMPLE && !text.endsWith('\n') ? `${text}\n` : text);
  if (!header) return { fault: 'The first line of the file must name the columns.' };
  const names = header.map((name) => name.trim());
  const wrong = names.find((name) => !COLUMN_NAME.test(name));
  if (wrong !== undefined) {
    return {
      fault: `“${wrong.slice(0, 60)}” can’t be the name of a column. Names begin with a letter and have letters, digits, spaces, _ and -.`,
    };
  }
  const columns = names
    .map((name, index) => ({ name, type: guessType(lines.map((cells) => cells[index] ?? '')) }))
    .filter(({ name }) => !OWN_COLUMNS.some((own) => own === name));
  return { columns };
}
