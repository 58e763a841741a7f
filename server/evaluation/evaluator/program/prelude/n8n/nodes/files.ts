import { readItem, type N8nItem } from '../items';
import type { N8nParameters } from '../parameters';
import { assignField, copyValue, getField, unsetField } from './paths';
import { readTypedParameter } from './typed-parameters';

/** What the sandbox has for tables: it reads them outside of the sandbox, where a large one takes little time. */
declare const helpers: { readN8nCsvFile(content: string, options: object): unknown[] };

type Fields = Record<string, unknown>;

/** The files of an item but one. */
const leaveFileOut = ({ binary = {} }: N8nItem, name: string): Fields =>
  Object.fromEntries(Object.entries(binary).filter(([one]) => one !== name));

/**
 * The item with a value that was read from a file. The import adds `value`, or `text` with its JSON, and `source`: the
 * item that has the file.
 */
export function addFileValue(parameters: N8nParameters): N8nItem {
  const source = readItem(parameters['source']);
  const keep = readTypedParameter(parameters, 'options.keepSource', '');
  const json = keep !== '' && keep !== 'binary' ? copyValue(source.json) : {};
  const { text } = parameters;
  const value = typeof text === 'string' ? (JSON.parse(text === '' ? '{}' : text) as unknown) : parameters['value'];
  assignField(json, readTypedParameter(parameters, 'destinationKey', 'data'), value);
  if (keep === 'binary' || keep === 'both') return { json, binary: source.binary };
  return { json, binary: leaveFileOut(source, readTypedParameter(parameters, 'binaryPropertyName', 'data')) };
}

/** The item in which the content of a file, which the import adds as `value`, has become fields. */
export function moveFileToFields(parameters: N8nParameters): N8nItem {
  const source = readItem(parameters['source']);
  const text = String(parameters['value']);
  const isWhole = readTypedParameter(parameters, 'setAllData', true);
  const parses = isWhole || readTypedParameter(parameters, 'options.jsonParse', false);
  const value = parses ? (JSON.parse(text) as unknown) : text;
  const json = isWhole ? (value as Fields) : copyValue(source.json);
  if (!isWhole) assignField(json, readTypedParameter(parameters, 'destinationKey', 'data'), value);
  const name = readTypedParameter(parameters, 'sourceKey', 'data');
  const keepsFile = readTypedParameter(parameters, 'options.keepSource', false);
  return { json, binary: keepsFile ? source.binary : leaveFileOut(source, name) };
}

/** The item whose fields, or one of them, have become a file, which the import adds as `file`. */
export function moveFieldsToFile(parameters: N8nParameters): N8nItem {
  const source = readItem(parameters['source']);
  const json = copyValue(source.json);
  const isWhole = readTypedParameter(parameters, 'convertAllData', true);
  const keepsFields = readTypedParameter(parameters, 'options.keepSource', false);
  if (!keepsFields && !isWhole) unsetField(json, readTypedParameter(parameters, 'sourceKey', 'data'));
  const name = readTypedParameter(parameters, 'destinationKey', 'data');
  const binary = { ...source.binary, [name]: parameters['file'] };
  return { json: isWhole && !keepsFields ? {} : json, binary };
}

/** What `moveBinaryData` writes into a file of an item. */
export function writeMovedText(parameters: N8nParameters, { json }: N8nItem): string {
  const isWhole = readTypedParameter(parameters, 'convertAllData', true);
  const value = isWhole ? json : getField(json, readTypedParameter(parameters, 'sourceKey', 'data'));
  const isRaw = readTypedParameter(parameters, 'options.useRawData', false) && typeof value !== 'object';
  const isBase64 = readTypedParameter(parameters, 'options.dataIsBase64', false);
  return isRaw || isBase64 ? String(value) : JSON.stringify(value);
}

/** The rows of a table in CSV, whose file the import adds in Base64 as `content`. */
const readTable = (parameters: N8nParameters): unknown[] =>
  helpers.readN8nCsvFile(String(parameters['content']), {
    encoding: readTypedParameter(parameters, 'options.encoding', 'utf8'),
    leavesMarkOut: readTypedParameter(parameters, 'options.enableBOM', false),
    delimiter: readTypedParameter(parameters, 'options.delimiter', ','),
    hasNames: readTypedParameter(parameters, 'options.headerRow', true),
    fromLine: readTypedParameter(parameters, 'options.fromLine', 0),
    most: readTypedParameter(parameters, 'options.maxRowCount', -1),
    relaxesQuotes: readTypedParameter(parameters, 'options.relaxQuotes', false),
    skipsFaults: readTypedParameter(parameters, 'options.skipRecordsWithErrors.value.enabled', false),
  });

/** The items of the rows of a table in a file. The import adds those of a workbook as `rows`. */
export function listTableRows(parameters: N8nParameters): N8nItem[] {
  const { rows: given } = parameters;
  const most = readTypedParameter(parameters, 'options.maxRowCount', -1);
  const rows = Array.isArray(given) ? given.slice(0, most > -1 ? most : undefined) : readTable(parameters);
  const keepsEmpty = readTypedParameter(parameters, 'options.includeEmptyCells', false);
  const isNamed = readTypedParameter(parameters, 'options.headerRow', true);
  return rows.map((row) => {
    const isFull = keepsEmpty || (isNamed && !Object.values(row as Fields).includes(''));
    const cells = isFull ? row : Object.fromEntries(Object.entries(row as Fields).filter(([, one]) => one !== ''));
    return { json: isNamed ? (cells as Fields) : { row: cells } };
  });
}

/** The item of a file, which the import adds as `file`. */
export const wrapFile = (parameters: N8nParameters): N8nItem => ({
  json: {},
  binary: { [readTypedParameter(parameters, 'binaryPropertyName', 'data')]: parameters['file'] },
});

/** The field of an item that becomes a file, as a text. The import adds `isPage` for one that is read as HTML. */
export function readFieldText(parameters: N8nParameters, { json }: N8nItem): string {
  const name = readTypedParameter(parameters, 'sourceProperty', '');
  const found = getField(json, name);
  const isPage = parameters['isPage'] === true && Array.isArray(found);
  // n8n makes an item of each page of a list; here there is one.
  if (isPage && found.length !== 1)
    throw new Error(`The value in "${name}" is a list of ${found.length} pages, not one`);
  const value: unknown = isPage ? found[0] : found;
  if (value === undefined) throw new Error(`The value in "${name}" is not set`);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
