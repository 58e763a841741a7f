import { detectBinaryContent } from '@/contract/binary-content';
import { CsvSyntaxError, CsvReader, type CsvRecord } from '@/contract/tables/csv-reader';
import type { ImportRowsQuery } from '@/contract/tables/table';
import { COLUMN_NAME_PATTERN, SYSTEM_COLUMNS, type TableColumnType } from '@/contract/tables/table-columns';
import { guessTextEncoding, decodeTextFile } from '@/components/client/text-file';

/** Bytes of a file that its columns are guessed from. */
const SAMPLE_BYTES = 64 * 1024;

/** How a CSV file is written, as far as a person has said it. */
export type CsvFormatChoices = Partial<Pick<ImportRowsQuery, 'delimiter' | 'headerRow' | 'encoding'>>;

/** The rows of the beginning of a CSV file, from the header on. A row that the sample cuts off is left out. */
export function parseSampleRows(
  text: string,
  isCut: boolean,
  { delimiter = 'auto', headerRow }: CsvFormatChoices,
): string[][] {
  const records: CsvRecord[] = [];
  const separator = delimiter === 'auto' ? undefined : delimiter === 'tab' ? '\t' : delimiter;
  const reader = new CsvReader({ delimiter: separator }, (record) => records.push(record));
  try {
    reader.write(text);
    reader.end();
    if (isCut) records.pop();
  } catch (error) {
    // The sample may end inside a quoted cell.
    if (!(error instanceof CsvSyntaxError) || !isCut) throw error;
  }
  return records.filter(({ row }) => row >= (headerRow ?? 1)).map(({ cells }) => cells);
}

const COLUMN_TYPE_CHECKS: [TableColumnType, (text: string) => boolean][] = [
  ['boolean', (text) => /^(true|false)$/i.test(text)],
  // Digits that begin with a zero or a plus are codes and telephone numbers.
  ['number', (text) => /^-?(0|[1-9]\d{0,14})(\.\d+)?(e[+-]?\d{1,3})?$/i.test(text)],
  ['timestamp', (text) => /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/.test(text)],
  ['json', (text) => /^[[{]/.test(text)],
];

/** The type that fits all values of a column. */
export function guessColumnType(values: readonly string[]): TableColumnType {
  const given = values.filter((value) => value !== '');
  if (given.length === 0) return 'text';
  return COLUMN_TYPE_CHECKS.find(([, fits]) => given.every(fits))?.[0] ?? 'text';
}

export interface SampledColumn {
  name: string;
  type: TableColumnType;
}

/** The encoding to propose for a file. Undefined if the service finds it by itself. */
export async function proposeEncoding(file: Blob): Promise<CsvFormatChoices['encoding']> {
  const found = guessTextEncoding(new Uint8Array(await file.slice(0, SAMPLE_BYTES).arrayBuffer()));
  return found.startsWith('utf-') ? undefined : found;
}

/** The columns of a CSV file, or why it can’t become a table. */
export async function sampleColumns(
  file: Blob,
  choices: CsvFormatChoices = {},
): Promise<{ columns: SampledColumn[] } | { fault: string }> {
  const beginning = file.slice(0, SAMPLE_BYTES);
  const kind = detectBinaryContent(new Uint8Array(await beginning.slice(0, 16).arrayBuffer()));
  if (kind) return { fault: `The file is ${kind}, not CSV.` };
  let rows: string[][];
  try {
    rows = parseSampleRows(await decodeTextFile(beginning, choices.encoding), file.size > SAMPLE_BYTES, choices);
  } catch (error) {
    if (!(error instanceof CsvSyntaxError)) throw error;
    return { fault: `The file is not CSV: ${error.message}.` };
  }
  return guessColumns(rows);
}

function guessColumns([header, ...rows]: string[][]): { columns: SampledColumn[] } | { fault: string } {
  if (!header) return { fault: 'The first row of the file must name the columns.' };
  const named = header.map((name, index) => ({ name: name.trim(), index })).filter(({ name }) => name !== '');
  const wrong = named.find(({ name }) => !COLUMN_NAME_PATTERN.test(name));
  if (wrong) {
    return {
      fault: `“${wrong.name.slice(0, 60)}” can’t be the name of a column. Names begin with a letter and have letters, digits, spaces, _ and -.`,
    };
  }
  const columns = named
    .map(({ name, index }) => ({ name, type: guessColumnType(rows.map((cells) => cells[index] ?? '')) }))
    .filter(({ name }) => !SYSTEM_COLUMNS.some((own) => own === name));
  return { columns };
}
