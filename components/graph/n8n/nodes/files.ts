import type { Conversion, Piece } from '../conversion';
import { codeOf, textOf } from '../conversion';
import { bag, cut, list } from '../file';
import { atom, stepped } from '../javascript/code';
import { isExpression } from '../text';
import type { Convert } from './flow';

/** A conversion of one field. `path`: where n8n's node puts it. */
const converted = (conversion: Conversion, from: string, to: string, field: unknown, options?: object): Piece => {
  const name = typeof field === 'string' && field && !isExpression(field) ? field : 'data';
  const isTable = to === 'json' && ['csv', 'xlsx'].includes(from);
  return conversion.each(({ scope }) => {
    const field = stepped({ code: scope.json, type: 'any', isAtom: true }, name).code;
    // A page that is requested is a text here, but a field in n8n.
    const isBody = scope.json.endsWith('.body');
    const value = isBody ? `{{ $type(${scope.json}) = "string" ? ${scope.json} : ${field} }}` : `{{ ${field} }}`;
    return { type: 'convert', config: { value, from, to, options } };
  }, isTable);
};

const FILES: Readonly<Record<string, readonly [string, string]>> = {
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

const extract: Convert = (conversion) => {
  const { operation = 'csv', binaryPropertyName = 'data' } = conversion.node.parameters;
  const pair = Object.hasOwn(FILES, String(operation)) ? FILES[String(operation)] : undefined;
  if (!pair) return conversion.placeholder('Choose formats in a convert node.');
  conversion.todo('Choose the file that it reads: n8n keeps files apart from fields.');
  return converted(conversion, pair[0], pair[1], binaryPropertyName);
};

const TARGETS: Readonly<Record<string, string>> = {
  csv: 'csv',
  xlsx: 'xlsx',
  xls: 'xlsx',
  toJson: 'text',
  html: 'html',
  toText: 'text',
};

const intoFile: Convert = (conversion) => {
  const { operation = 'csv', fileFormat } = conversion.node.parameters;
  if (operation === 'toBinary') return decoded(conversion);
  const to = TARGETS[String(fileFormat ?? operation)];
  if (!to) return conversion.placeholder('Choose formats in a convert node.');
  conversion.say('Its output is the value of the file.');
  const { fileName } = bag(conversion.node.parameters['options']);
  const name = conversion.limited(textOf(fileName, conversion.expressions(conversion.json)), 200);
  const options = { ...(to === 'xlsx' ? {} : { asFile: true }), ...(name ? { name } : {}) };
  return conversion.whole({
    type: 'convert',
    config: { value: `{{ ${conversion.items} }}`, from: 'json', to, options },
  });
};

/** Base64 in a field as a file. */
function decoded(conversion: Conversion): Piece {
  const { sourceProperty, options } = conversion.node.parameters;
  conversion.say('Its output is the value of the file.');
  const name = typeof sourceProperty === 'string' && sourceProperty !== '' ? sourceProperty : 'data';
  return conversion.each((expressions) => {
    const own = conversion.limited(textOf(bag(options)['fileName'], expressions), 200);
    const field = isExpression(name)
      ? codeOf(name, expressions)
      : name.split('.').slice(0, 10).reduce(stepped, atom(expressions.scope.json)).code;
    const config = { value: `{{ ${field} }}`, from: 'base64', to: 'file', options: own ? { name: own } : undefined };
    return { type: 'convert', config };
  });
}

/** The node that moved data between fields and files before `convertToFile` and `extractFromFile`. */
const moved: Convert = (conversion) => {
  const {
    mode = 'binaryToJson',
    convertAllData = true,
    sourceKey = 'data',
    setAllData = true,
  } = conversion.node.parameters;
  if (mode === 'binaryToJson') {
    conversion.todo('Choose the file that it reads: n8n keeps files apart from fields.');
    return converted(conversion, 'text', setAllData === true ? 'json' : 'text', sourceKey);
  }
  if (convertAllData !== true) return conversion.placeholder('Choose formats in a convert node.');
  conversion.say('Its output is the value of the file.');
  return conversion.each(({ scope }) => ({
    type: 'convert',
    config: { value: `{{ ${scope.json} }}`, from: 'json', to: 'text', options: { asFile: true } },
  }));
};

const spreadsheet: Convert = (conversion) =>
  conversion.node.parameters['operation'] === 'toFile' ? intoFile(conversion) : extract(conversion);

const xml: Convert = (conversion) => {
  const { mode = 'xmlToJson', dataPropertyName = 'data' } = conversion.node.parameters;
  if (mode === 'jsonToxml') {
    return conversion.each(({ scope }) => ({
      type: 'convert',
      config: { value: `{{ ${scope.json} }}`, from: 'json', to: 'xml' },
    }));
  }
  conversion.say('Attributes are named @name.');
  return converted(conversion, 'xml', 'json', dataPropertyName);
};

const html: Convert = (conversion) => {
  const { parameters } = conversion.node;
  const { operation = 'extractHtmlContent', dataPropertyName = 'data' } = parameters;
  if (operation === 'generateHtmlTemplate') {
    return (
      conversion.mapped(
        (expressions) =>
          `{ "html": ${codeOf(String(parameters['html'] ?? '').startsWith('=') ? parameters['html'] : `=${String(parameters['html'] ?? '')}`, expressions)} }`,
      ) ?? conversion.placeholder('Write its text in a transform.')
    );
  }
  if (operation !== 'extractHtmlContent') return conversion.placeholder('Choose formats in a convert node.');
  const wanted = list(bag(parameters['extractionValues'])['values'])
    .slice(0, 100)
    .flatMap(({ key, cssSelector, returnValue, attribute, returnArray }) => {
      if (typeof key !== 'string' || typeof cssSelector !== 'string' || !key || !cssSelector) return [];
      if (cssSelector.length > 1000 || isExpression(cssSelector)) return [];
      const options = {
        css: cssSelector.replaceAll('{{', '{ {'),
        ...(returnValue === 'attribute' && typeof attribute === 'string' && attribute
          ? { attribute: cut(attribute, 100).replaceAll('{{', '{ {') }
          : {}),
        ...(returnArray === true ? { all: true } : {}),
      };
      return [[key.replaceAll('{{', '{ {'), options] as const];
    });
  if (wanted.length === 0) conversion.todo('Enter the fields to select.');
  const options = wanted.length > 0 ? { select: Object.fromEntries(wanted) } : {};
  return converted(conversion, 'html', 'json', dataPropertyName, options);
};

const markdown: Convert = (conversion) => {
  const { mode = 'htmlToMarkdown', html: source, markdown: text, destinationKey = 'data' } = conversion.node.parameters;
  const isToHtml = mode === 'markdownToHtml';
  conversion.say(`Its output is the text itself, not a field “${cut(String(destinationKey), 60)}”.`);
  return conversion.each((expressions) => ({
    type: 'convert',
    config: {
      value: textOf(isToHtml ? text : source, expressions) ?? '',
      from: isToHtml ? 'markdown' : 'html',
      to: isToHtml ? 'html' : 'markdown',
    },
  }));
};

export const FILE_NODES: Readonly<Record<string, Convert>> = {
  extractFromFile: extract,
  convertToFile: intoFile,
  spreadsheetFile: spreadsheet,
  moveBinaryData: moved,
  xml,
  html,
  htmlExtract: html,
  markdown,
};
