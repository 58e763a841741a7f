import type { NodeConversion, ConvertedNodes } from '../conversion';
import { parameterCode, parameterText } from '../conversion';
import { asN8nObject, cutWellFormed, asN8nObjects } from '../file';
import { atomicCode, fieldAccess } from '../javascript/code';
import { isN8nExpression } from '../n8n-expressions';
import type { NodeConverter } from './flow';

/** A conversion of one field. `path`: where n8n's node puts it. */
const convertFileField = (
  conversion: NodeConversion,
  from: string,
  to: string,
  field: unknown,
  options?: object,
): ConvertedNodes => {
  const name = typeof field === 'string' && field && !isN8nExpression(field) ? field : 'data';
  const isTable = to === 'json' && ['csv', 'xlsx'].includes(from);
  return conversion.forEachItem(({ scope }) => {
    const field = fieldAccess({ code: scope.json, type: 'any', isAtom: true }, name).code;
    // A page that is requested is a text here, but a field in n8n.
    const isBody = scope.json.endsWith('.body');
    const value = isBody ? `{{ $type(${scope.json}) = "string" ? ${scope.json} : ${field} }}` : `{{ ${field} }}`;
    return { type: 'convert', config: { value, from, to, options } };
  }, isTable);
};

const EXTRACTED_FORMATS: Readonly<Record<string, readonly [string, string]>> = {
  csv: ['csv', 'json'],
  xlsx: ['xlsx', 'json'],
  xls: ['xlsx', 'json'],
  fromJson: ['text', 'json'],
  xml: ['xml', 'json'],
  html: ['html', 'text'],
  pdf: ['pdf', 'text'],
  text: ['file', 'text'],
  binaryToPropery: ['file', 'base64'],
};

const convertExtractFile: NodeConverter = (conversion) => {
  const { operation = 'csv', binaryPropertyName = 'data' } = conversion.node.parameters;
  const pair = Object.hasOwn(EXTRACTED_FORMATS, String(operation)) ? EXTRACTED_FORMATS[String(operation)] : undefined;
  if (!pair) return conversion.placeholder('Choose formats in a convert node.');
  conversion.addTodo('Choose the file that it reads: n8n keeps files apart from fields.');
  return convertFileField(conversion, pair[0], pair[1], binaryPropertyName);
};

const WRITTEN_FORMATS: Readonly<Record<string, string>> = {
  csv: 'csv',
  xlsx: 'xlsx',
  xls: 'xlsx',
  toJson: 'text',
  html: 'html',
  toText: 'text',
};

const convertIntoFile: NodeConverter = (conversion) => {
  const { operation = 'csv', fileFormat } = conversion.node.parameters;
  if (operation === 'toBinary') return convertBase64File(conversion);
  const to = WRITTEN_FORMATS[String(fileFormat ?? operation)];
  if (!to) return conversion.placeholder('Choose formats in a convert node.');
  conversion.addTodo('Check what comes after it: its output is the value of the file.');
  const { fileName } = asN8nObject(conversion.node.parameters['options']);
  const name = conversion.limitText(parameterText(fileName, conversion.expressions(conversion.json)), 200);
  const options = { ...(to === 'xlsx' ? {} : { asFile: true }), ...(name ? { name } : {}) };
  return conversion.asSingleNode({
    type: 'convert',
    config: { value: `{{ ${conversion.items} }}`, from: 'json', to, options },
  });
};

/** Base64 in a field as a file. */
function convertBase64File(conversion: NodeConversion): ConvertedNodes {
  const { sourceProperty, options } = conversion.node.parameters;
  conversion.addTodo('Check what comes after it: its output is the value of the file.');
  const name = typeof sourceProperty === 'string' && sourceProperty !== '' ? sourceProperty : 'data';
  return conversion.forEachItem((expressions) => {
    const own = conversion.limitText(parameterText(asN8nObject(options)['fileName'], expressions), 200);
    const field = isN8nExpression(name)
      ? parameterCode(name, expressions)
      : name.split('.').slice(0, 10).reduce(fieldAccess, atomicCode(expressions.scope.json)).code;
    const config = { value: `{{ ${field} }}`, from: 'base64', to: 'file', options: own ? { name: own } : undefined };
    return { type: 'convert', config };
  });
}

/** The node that moved data between fields and files before `convertToFile` and `extractFromFile`. */
const convertMoveBinaryData: NodeConverter = (conversion) => {
  const {
    mode = 'binaryToJson',
    convertAllData = true,
    sourceKey = 'data',
    setAllData = true,
  } = conversion.node.parameters;
  if (mode === 'binaryToJson') {
    conversion.addTodo('Choose the file that it reads: n8n keeps files apart from fields.');
    return convertFileField(conversion, 'text', setAllData === true ? 'json' : 'text', sourceKey);
  }
  if (convertAllData !== true) return conversion.placeholder('Choose formats in a convert node.');
  conversion.addTodo('Check what comes after it: its output is the value of the file.');
  return conversion.forEachItem(({ scope }) => ({
    type: 'convert',
    config: { value: `{{ ${scope.json} }}`, from: 'json', to: 'text', options: { asFile: true } },
  }));
};

const convertSpreadsheet: NodeConverter = (conversion) =>
  conversion.node.parameters['operation'] === 'toFile' ? convertIntoFile(conversion) : convertExtractFile(conversion);

const convertXmlNode: NodeConverter = (conversion) => {
  const { mode = 'xmlToJson', dataPropertyName = 'data' } = conversion.node.parameters;
  if (mode === 'jsonToxml') {
    return conversion.forEachItem(({ scope }) => ({
      type: 'convert',
      config: { value: `{{ ${scope.json} }}`, from: 'json', to: 'xml' },
    }));
  }
  conversion.addRemark('Attributes are named @name.');
  return convertFileField(conversion, 'xml', 'json', dataPropertyName);
};

const convertHtmlNode: NodeConverter = (conversion) => {
  const { parameters } = conversion.node;
  const { operation = 'extractHtmlContent', dataPropertyName = 'data' } = parameters;
  if (operation === 'generateHtmlTemplate') {
    return (
      conversion.mapItems(
        (expressions) =>
          `{ "html": ${parameterCode(String(parameters['html'] ?? '').startsWith('=') ? parameters['html'] : `=${String(parameters['html'] ?? '')}`, expressions)} }`,
      ) ?? conversion.placeholder('Write its text in a transform.')
    );
  }
  if (operation !== 'extractHtmlContent') return conversion.placeholder('Choose formats in a convert node.');
  const wanted = asN8nObjects(asN8nObject(parameters['extractionValues'])['values'])
    .slice(0, 100)
    .flatMap(({ key, cssSelector, returnValue, attribute, returnArray }) => {
      if (typeof key !== 'string' || typeof cssSelector !== 'string' || !key || !cssSelector) return [];
      if (cssSelector.length > 1000 || isN8nExpression(cssSelector)) return [];
      const options = {
        css: cssSelector.replaceAll('{{', '{ {'),
        ...(returnValue === 'attribute' && typeof attribute === 'string' && attribute
          ? { attribute: cutWellFormed(attribute, 100).replaceAll('{{', '{ {') }
          : {}),
        ...(returnArray === true ? { all: true } : {}),
      };
      return [[key.replaceAll('{{', '{ {'), options] as const];
    });
  if (wanted.length === 0) conversion.addTodo('Enter the fields to select.');
  const options = wanted.length > 0 ? { select: Object.fromEntries(wanted) } : {};
  return convertFileField(conversion, 'html', 'json', dataPropertyName, options);
};

const convertMarkdownNode: NodeConverter = (conversion) => {
  const { mode = 'htmlToMarkdown', html: source, markdown: text, destinationKey = 'data' } = conversion.node.parameters;
  const isToHtml = mode === 'markdownToHtml';
  conversion.addRemark(`Its output is the text itself, not a field “${cutWellFormed(String(destinationKey), 60)}”.`);
  return conversion.forEachItem((expressions) => ({
    type: 'convert',
    config: {
      value: parameterText(isToHtml ? text : source, expressions) ?? '',
      from: isToHtml ? 'markdown' : 'html',
      to: isToHtml ? 'html' : 'markdown',
    },
  }));
};

export const FILE_CONVERTERS: Readonly<Record<string, NodeConverter>> = {
  extractFromFile: convertExtractFile,
  convertToFile: convertIntoFile,
  spreadsheetFile: convertSpreadsheet,
  moveBinaryData: convertMoveBinaryData,
  xml: convertXmlNode,
  html: convertHtmlNode,
  htmlExtract: convertHtmlNode,
  markdown: convertMarkdownNode,
};
