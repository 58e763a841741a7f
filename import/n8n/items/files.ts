import { asN8nObject } from '../file';
import type { ItemConversion, ItemNodes } from './item-conversion';
import { convertByOutsideListNode, convertByOutsideNode } from './outside-node';

type FileConverter = (conversion: ItemConversion) => ItemNodes | undefined;

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

function readTable(conversion: ItemConversion): ItemNodes {
  const { delimiter, fromLine, headerRow, encoding, relaxQuotes, skipRecordsWithErrors } = asN8nObject(
    conversion.node.parameters['options'],
  );
  if (encoding !== undefined || relaxQuotes === true || skipRecordsWithErrors !== undefined)
    conversion.addTodo('Check the options of its table: encoding, quotes and faulty rows are read in another way.');
  const options = {
    ...(typeof delimiter === 'string' && delimiter !== '' ? { delimiter } : {}),
    ...(headerRow === false ? { header: false } : {}),
    ...(typeof fromLine === 'number' && fromLine > 1 ? { headerRow: fromLine } : {}),
  };
  return convertByOutsideNode(
    conversion,
    { type: 'convert', config: { value: fileSource(conversion), from: 'csv', to: 'json', options } },
    { name: 'fileRows', parameter: 'rows', isList: true },
  );
}

const convertExtractFromFile: FileConverter = (conversion) => {
  const { operation = 'csv', options } = conversion.node.parameters;
  if (operation === 'csv') return readTable(conversion);
  const formats = Object.hasOwn(VALUE_FORMATS, String(operation)) ? VALUE_FORMATS[String(operation)] : undefined;
  if (!formats) return undefined;
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
  if (operation !== 'toBinary') return undefined;
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
};
