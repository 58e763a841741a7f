import type { N8nItem } from '../items';
import type { N8nParameters } from '../parameters';
import { readTypedParameter } from './typed-parameters';

type Fields = Record<string, unknown>;

const BYTE_ORDER_MARK = '\uFEFF';

/** The values in an object, also those of objects in it, by their paths. */
function flattenFields(owner: Fields, before = ''): Fields {
  const flat: Fields = {};
  for (const [name, value] of Object.entries(owner)) {
    if (typeof value === 'object' && value !== null)
      Object.assign(flat, flattenFields(value as Fields, `${before}${name}.`));
    else flat[`${before}${name}`] = value;
  }
  return flat;
}

function writeCell(value: unknown, delimiter: string): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'boolean' ? String(value).toUpperCase() : String(value);
  return text.includes(delimiter) || /["\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The text of the file that the node `convertToFile` writes for a list. */
export function writeCsvText(parameters: N8nParameters, items: readonly N8nItem[]): string {
  const delimiter = readTypedParameter(parameters, 'options.delimiter', '') || ',';
  const hasHeader = readTypedParameter(parameters, 'options.headerRow', true);
  const rows = items.map(({ json }) => flattenFields(json));
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const lines = rows.map((row) => names.map((name) => writeCell(row[name], delimiter)));
  const all = hasHeader ? [names.map((name) => writeCell(name, delimiter)), ...lines] : lines;
  return BYTE_ORDER_MARK + all.map((line) => line.join(delimiter)).join('\n');
}
