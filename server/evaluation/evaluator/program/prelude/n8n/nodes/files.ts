import { readItem, type N8nItem } from '../items';
import type { N8nParameters } from '../parameters';
import { assignField, copyValue, getField } from './paths';
import { readTypedParameter } from './typed-parameters';

type Fields = Record<string, unknown>;

/**
 * The item with a value that was read from a file. The import adds `value`, and `source`: the item that has the file.
 */
export function addFileValue(parameters: N8nParameters): N8nItem {
  const source = readItem(parameters['source']);
  const keep = readTypedParameter(parameters, 'options.keepSource', '');
  const json = keep !== '' && keep !== 'binary' ? copyValue(source.json) : {};
  assignField(json, readTypedParameter(parameters, 'destinationKey', 'data'), parameters['value']);
  if (keep === 'binary' || keep === 'both') return { json, binary: source.binary };
  const { [readTypedParameter(parameters, 'binaryPropertyName', 'data')]: _, ...others } = source.binary ?? {};
  return { json, binary: others };
}

/** The items of the rows of a table that was read from a file, which the import adds as `rows`. */
export function listTableRows(parameters: N8nParameters): N8nItem[] {
  const all = Array.isArray(parameters['rows']) ? (parameters['rows'] as unknown[]) : [];
  const most = readTypedParameter(parameters, 'options.maxRowCount', -1);
  const rows = most > -1 ? all.slice(0, most) : all;
  const keepsEmpty = readTypedParameter(parameters, 'options.includeEmptyCells', false);
  const isNamed = readTypedParameter(parameters, 'options.headerRow', true);
  return rows.map((row) => {
    const cells = keepsEmpty ? row : Object.fromEntries(Object.entries(row as Fields).filter(([, one]) => one !== ''));
    return { json: isNamed ? (cells as Fields) : { row: cells } };
  });
}

/** The item of a file, which the import adds as `file`. */
export const wrapFile = (parameters: N8nParameters): N8nItem => ({
  json: {},
  binary: { [readTypedParameter(parameters, 'binaryPropertyName', 'data')]: parameters['file'] },
});

/** The field of an item that becomes a file, as a text. */
export function readFieldText(parameters: N8nParameters, { json }: N8nItem): string {
  const name = readTypedParameter(parameters, 'sourceProperty', '');
  const value = getField(json, name);
  if (value === undefined) throw new Error(`The value in "${name}" is not set`);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
