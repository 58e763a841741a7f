import { asN8nObject } from '../file';
import type { ItemConversion, ItemNodes } from './item-conversion';
import { convertByOutsideListNode, convertByOutsideNode } from './outside-node';

type FileConverter = (conversion: ItemConversion) => ItemNodes;

/** The file of an item, as the source of a conversion. */
function fileSource(conversion: ItemConversion): string {
  const name = conversion.node.parameters['binaryPropertyName'] ?? 'data';
  return `{{ input.$files?.[${conversion.code(name)}] }}`;
}

/** Values that files are read as: the formats of the conversion. Texts are read as they are, whatever the operation. */
const VALUE_FORMATS: Readonly<Record<string, readonly [from: string, to: string]>> = {
  fromJson: ['text', 'json'],
  text: ['file', 'text'],
  xml: ['file', 'text'],
  binaryToPropery: ['file', 'base64'],
};

function readTable(conversion: ItemConversion, from: 'csv' | 'xlsx'): ItemNodes {
  const { delimiter, fromLine, headerRow, encoding, relaxQuotes, skipRecordsWithErrors, range, sheetName } =
    asN8nObject(conversion.node.parameters['options']);
  const isSheet = from === 'xlsx';
  if (isSheet) conversion.addTodo('Check its cells: dates and formats may be written in another way.');
  if (range !== undefined) conversion.addTodo('Check its rows: all of the sheet are read, not a range of it.');
  if (encoding !== undefined || relaxQuotes === true || skipRecordsWithErrors !== undefined)
    conversion.addTodo('Check the options of its table: encoding, quotes and faulty rows are read in another way.');
  const options = {
    ...(!isSheet && typeof delimiter === 'string' && /^[^{]{1,10}$/.test(delimiter) ? { delimiter } : {}),
    ...(isSheet && typeof sheetName === 'string' && /^[^{=][^{]{0,99}$/.test(sheetName) ? { sheet: sheetName } : {}),
    ...(headerRow === false ? { header: false } : {}),
    ...(typeof fromLine === 'number' && fromLine > 1 ? { headerRow: Math.min(Math.round(fromLine), 1_048_576) } : {}),
  };
  return convertByOutsideNode(
    conversion,
    { type: 'convert', config: { value: fileSource(conversion), from, to: 'json', options } },
    { name: 'fileRows', parameter: 'rows', isList: true },
  );
}

const NO_FORMAT = 'Choose formats in a convert node.';

/** The text of a document. n8n also gives how many pages it has, and who wrote it. */
function readDocument(conversion: ItemConversion): ItemNodes {
  if (conversion.parts.isNamedElsewhere(conversion.node, /\b(?:numpages|numrender|info|metadata|version)\b/))
    conversion.addTodo('Check what reads it: it gives the text alone.');
  else conversion.addRemark('It gives the text alone, in n8n also its pages and authors.');
  return convertByOutsideNode(
    conversion,
    { type: 'convert', config: { value: fileSource(conversion), from: 'pdf', to: 'text' } },
    { name: 'fileValue', parameter: 'value', more: { destinationKey: 'text' } },
  );
}

const convertExtractFromFile: FileConverter = (conversion) => {
  const { operation = 'csv', options } = conversion.node.parameters;
  if (operation === 'csv') return readTable(conversion, 'csv');
  if (operation === 'xlsx') return readTable(conversion, 'xlsx');
  if (operation === 'pdf') return readDocument(conversion);
  const formats = Object.hasOwn(VALUE_FORMATS, String(operation)) ? VALUE_FORMATS[String(operation)] : undefined;
  if (!formats) return conversion.placeholder(NO_FORMAT);
  if (asN8nObject(options)['encoding'] !== undefined) conversion.addTodo('Check the encoding of its file.');
  const [from, to] = formats;
  return convertByOutsideNode(
    conversion,
    { type: 'convert', config: { value: fileSource(conversion), from, to } },
    { name: 'fileValue', parameter: 'value' },
  );
};

const FILES_APART = '({ $files: _, ...json }) => json';

/** The name of a file, or the one that n8n gives it. */
function fileName(conversion: ItemConversion, otherwise: string): string {
  const { fileName: given } = asN8nObject(conversion.node.parameters['options']);
  return (typeof given === 'string' && given !== '' ? conversion.text(given) : undefined) ?? otherwise;
}

function checkWriting(conversion: ItemConversion): void {
  const { encoding, addBOM } = asN8nObject(conversion.node.parameters['options']);
  if (encoding !== undefined || addBOM === true) conversion.addTodo('Check the encoding of its file.');
}

function writeJsonFile(conversion: ItemConversion): ItemNodes {
  const { mode = 'once', options } = conversion.node.parameters;
  const indent = asN8nObject(options)['format'] === true ? 2 : 0;
  const name = fileName(conversion, 'file.json');
  const value = mode === 'once' ? `input.map(${FILES_APART})` : `(${FILES_APART})(input)`;
  const text = `{{ JSON.stringify(${value}, null, ${indent}) }}`;
  const config = {
    value: text,
    from: 'text',
    to: 'file',
    options: { name, contentType: 'application/json' },
  };
  const convert = mode === 'once' ? convertByOutsideListNode : convertByOutsideNode;
  return convert(conversion, { type: 'convert', config }, { name: 'file', parameter: 'file' });
}

function writeSheet(conversion: ItemConversion): ItemNodes {
  const { sheetName } = asN8nObject(conversion.node.parameters['options']);
  if (sheetName !== undefined && sheetName !== 'Sheet') conversion.addTodo('Check the name of its sheet.');
  const options = { name: fileName(conversion, 'spreadsheet.xlsx') };
  const config = { value: `{{ input.map(${FILES_APART}) }}`, from: 'json', to: 'xlsx', options };
  return convertByOutsideListNode(conversion, { type: 'convert', config }, { name: 'file', parameter: 'file' });
}

/** The node for tables that came before `extractFromFile` and `convertToFile`. */
const convertSpreadsheetFile: FileConverter = (conversion) => {
  const { operation = 'fromFile', fileFormat } = conversion.node.parameters;
  if (operation === 'toFile') {
    if (fileFormat === 'csv') return convertToFile(conversion);
    return (fileFormat ?? 'xls') === 'xlsx' ? writeSheet(conversion) : conversion.placeholder(NO_FORMAT);
  }
  if (fileFormat === 'csv') return readTable(conversion, 'csv');
  if (fileFormat === undefined || fileFormat === 'autodetect')
    conversion.addTodo('Choose the format of its file: a workbook of Excel is expected.');
  return ['autodetect', 'xlsx'].includes(String(fileFormat ?? 'autodetect'))
    ? readTable(conversion, 'xlsx')
    : conversion.placeholder(NO_FORMAT);
};

/** The node that moved data between fields and files before them. */
const convertMoveBinaryData: FileConverter = (conversion) => {
  const { mode = 'binaryToJson', setAllData = true, convertAllData = true, options } = conversion.node.parameters;
  const { destinationKey = 'data', sourceKey = 'data' } = conversion.node.parameters;
  if (Object.keys(asN8nObject(options)).length > 0) conversion.addTodo('Check its options: they are left out.');
  if (mode === 'jsonToBinary') {
    if (convertAllData !== true) return conversion.placeholder(NO_FORMAT);
    const value = `{{ JSON.stringify((${FILES_APART})(input)) }}`;
    const file = { name: 'file.json', contentType: 'application/json' };
    const config = { value, from: 'text', to: 'file', options: file };
    const more = { binaryPropertyName: destinationKey };
    return convertByOutsideNode(conversion, { type: 'convert', config }, { name: 'file', parameter: 'file', more });
  }
  const value = `{{ input.$files?.[${conversion.code(sourceKey)}] }}`;
  if (setAllData === true)
    return convertByOutsideNode(
      conversion,
      { type: 'convert', config: { value, from: 'text', to: 'json' } },
      { name: 'answerItems', parameter: 'output', isList: true, more: { path: '', isList: false } },
    );
  return convertByOutsideNode(
    conversion,
    { type: 'convert', config: { value, from: 'file', to: 'text' } },
    { name: 'fileValue', parameter: 'value', more: { binaryPropertyName: sourceKey } },
  );
};

const convertToFile: FileConverter = (conversion) => {
  const { operation = 'csv', options } = conversion.node.parameters;
  const { mimeType } = asN8nObject(options);
  checkWriting(conversion);
  const result = { name: 'file', parameter: 'file' };
  if (operation === 'toJson') return writeJsonFile(conversion);
  if (operation === 'csv')
    return convertByOutsideListNode(
      conversion,
      {
        type: 'convert',
        config: {
          value: `{{ ${conversion.callPrelude('csvText')} }}`,
          from: 'text',
          to: 'file',
          options: { name: fileName(conversion, 'File.csv'), contentType: 'text/csv' },
        },
      },
      result,
    );
  if (operation === 'toText')
    return convertByOutsideNode(
      conversion,
      {
        type: 'convert',
        config: {
          value: `{{ ${conversion.callPrelude('fieldText')} }}`,
          from: 'text',
          to: 'file',
          options: { name: fileName(conversion, 'file.txt'), contentType: 'text/plain' },
        },
      },
      result,
    );
  if (operation === 'xlsx') return writeSheet(conversion);
  if (operation !== 'toBinary') return conversion.placeholder(NO_FORMAT);
  const contentType = typeof mimeType === 'string' && mimeType !== '' ? { contentType: conversion.text(mimeType) } : {};
  return convertByOutsideNode(
    conversion,
    {
      type: 'convert',
      config: {
        value: `{{ ${conversion.callPrelude('fieldText')} }}`,
        from: 'base64',
        to: 'file',
        options: { name: fileName(conversion, 'file'), ...contentType },
      },
    },
    result,
  );
};

/** How nodes that read and write files are converted, by the short name of the type. */
export const FILE_ITEM_CONVERTERS: Readonly<Record<string, FileConverter>> = {
  extractFromFile: convertExtractFromFile,
  convertToFile,
  spreadsheetFile: convertSpreadsheetFile,
  moveBinaryData: convertMoveBinaryData,
};
