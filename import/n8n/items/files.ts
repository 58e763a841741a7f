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
  fromJson: ['file', 'text'],
  text: ['file', 'text'],
  xml: ['file', 'text'],
  binaryToPropery: ['file', 'base64'],
};

/** The encodings of Node.js, in which n8n reads a table. */
const TABLE_ENCODING = /^(?:utf-?8|utf-?16le|ucs-?2|latin1|binary|ascii)$/i;

/** A table in CSV: its text is read as in n8n. */
function readCsvTable(conversion: ItemConversion): ItemNodes {
  const { encoding, skipRecordsWithErrors } = asN8nObject(conversion.node.parameters['options']);
  const { maxSkippedRecords = -1 } = asN8nObject(asN8nObject(skipRecordsWithErrors)['value']);
  if (encoding !== undefined && !TABLE_ENCODING.test(String(encoding)))
    conversion.addTodo('Check the encoding of its file.');
  if (maxSkippedRecords !== -1) conversion.addTodo('Check its faulty rows: any number of them is left out.');
  return convertByOutsideNode(
    conversion,
    { type: 'convert', config: { value: fileSource(conversion), from: 'file', to: 'base64' } },
    { name: 'fileRows', parameter: 'content', isList: true },
  );
}

/** A workbook, or a table that n8n reads like one. */
function readSheet(conversion: ItemConversion, from: 'csv' | 'xlsx'): ItemNodes {
  const { headerRow, range, sheetName } = asN8nObject(conversion.node.parameters['options']);
  conversion.addTodo('Check its cells: dates and formats may be written in another way.');
  if (range !== undefined) conversion.addTodo('Check its rows: all of the sheet are read, not a range of it.');
  const isNamed = from === 'xlsx' && typeof sheetName === 'string' && /^[^{=][^{]{0,99}$/.test(sheetName);
  const options = { ...(isNamed ? { sheet: sheetName } : {}), ...(headerRow === false ? { header: false } : {}) };
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
  if (operation === 'csv') return readCsvTable(conversion);
  if (operation === 'xlsx') return readSheet(conversion, 'xlsx');
  if (operation === 'pdf') return readDocument(conversion);
  const formats = Object.hasOwn(VALUE_FORMATS, String(operation)) ? VALUE_FORMATS[String(operation)] : undefined;
  if (!formats) return conversion.placeholder(NO_FORMAT);
  if (asN8nObject(options)['encoding'] !== undefined) conversion.addTodo('Check the encoding of its file.');
  const [from, to] = formats;
  return convertByOutsideNode(
    conversion,
    { type: 'convert', config: { value: fileSource(conversion), from, to } },
    { name: 'fileValue', parameter: operation === 'fromJson' ? 'text' : 'value' },
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

const writeCsvTable = (conversion: ItemConversion, name: string): ItemNodes =>
  convertByOutsideListNode(
    conversion,
    {
      type: 'convert',
      config: {
        value: `{{ ${conversion.callPrelude('csvText')} }}`,
        from: 'text',
        to: 'file',
        options: { name: fileName(conversion, name), contentType: 'text/csv' },
      },
    },
    { name: 'file', parameter: 'file' },
  );

/** The node for tables that came before `extractFromFile` and `convertToFile`. */
const convertSpreadsheetFile: FileConverter = (conversion) => {
  const { operation = 'fromFile', fileFormat } = conversion.node.parameters;
  if (operation === 'toFile') {
    if (fileFormat === 'csv') return writeCsvTable(conversion, 'spreadsheet.csv');
    return (fileFormat ?? 'xls') === 'xlsx' ? writeSheet(conversion) : conversion.placeholder(NO_FORMAT);
  }
  if (fileFormat === 'csv')
    return conversion.node.version < 2 ? readSheet(conversion, 'csv') : readCsvTable(conversion);
  if (fileFormat === undefined || fileFormat === 'autodetect')
    conversion.addTodo('Choose the format of its file: a workbook of Excel is expected.');
  return ['autodetect', 'xlsx'].includes(String(fileFormat ?? 'autodetect'))
    ? readSheet(conversion, 'xlsx')
    : conversion.placeholder(NO_FORMAT);
};

/** The file that `moveBinaryData` makes of fields. */
function moveFieldsToFile(conversion: ItemConversion): ItemNodes {
  const { node } = conversion;
  const { convertAllData = true, options } = node.parameters;
  const { mimeType, useRawData, dataIsBase64, encoding, addBOM } = asN8nObject(options);
  if (encoding !== undefined || addBOM === true) conversion.addTodo('Check the encoding of its file.');
  const isJson = node.version < 1.1 || (dataIsBase64 !== true && (useRawData !== true || convertAllData === true));
  const type = typeof mimeType === 'string' && mimeType !== '' ? conversion.text(mimeType) : undefined;
  const contentType = type ?? (isJson ? 'application/json' : undefined);
  if (contentType === undefined) conversion.addTodo('Check the type of its file: n8n finds it by its content.');
  const otherwise = isJson ? 'file.json' : 'file';
  return convertByOutsideNode(
    conversion,
    {
      type: 'convert',
      config: {
        value: `{{ ${conversion.callPrelude('movedText')} }}`,
        from: dataIsBase64 === true ? 'base64' : 'text',
        to: 'file',
        options: { name: fileName(conversion, otherwise), ...(contentType ? { contentType } : {}) },
      },
    },
    { name: 'fileOfFields', parameter: 'file' },
  );
}

/** The node that moved data between fields and files before them. */
const convertMoveBinaryData: FileConverter = (conversion) => {
  const { mode = 'binaryToJson', setAllData = true, sourceKey = 'data', options } = conversion.node.parameters;
  if (mode === 'jsonToBinary') return moveFieldsToFile(conversion);
  const { encoding, stripBOM, keepAsBase64 } = asN8nObject(options);
  if (encoding !== undefined || stripBOM === false) conversion.addTodo('Check the encoding of its file.');
  const to = setAllData !== true && keepAsBase64 === true ? 'base64' : 'text';
  const value = `{{ input.$files?.[${conversion.code(sourceKey)}] }}`;
  return convertByOutsideNode(
    conversion,
    { type: 'convert', config: { value, from: 'file', to } },
    { name: 'fieldsOfFile', parameter: 'value' },
  );
};

const convertToFile: FileConverter = (conversion) => {
  const { operation = 'csv', options } = conversion.node.parameters;
  const { mimeType } = asN8nObject(options);
  checkWriting(conversion);
  const result = { name: 'file', parameter: 'file' };
  if (operation === 'toJson') return writeJsonFile(conversion);
  if (operation === 'csv') return writeCsvTable(conversion, 'File.csv');
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
