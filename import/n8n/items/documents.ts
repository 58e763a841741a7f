import { asN8nObject, asN8nObjects } from '../file';
import type { ItemConversion, ItemNodes } from './item-conversion';
import { convertByOutsideNode } from './outside-node';

const MAX_SELECTED_FIELDS = 100;

/** What n8n reads of an element, by how the conversion reads it. Texts have another form from version 1.2 on. */
function chooseReading(returnValue: unknown, attribute: unknown, version: number): object | undefined {
  if (returnValue === 'text') return { read: version < 1.2 ? 'fullText' : 'text' };
  if (returnValue === 'html' || returnValue === 'value') return { read: returnValue };
  return returnValue === 'attribute' && typeof attribute === 'string' && attribute !== '' ? { attribute } : undefined;
}

/** The selectors of the values that are taken from a page; undefined: one of them has no counterpart. */
function readSelections({ node: { parameters, version } }: ItemConversion): Record<string, object> | undefined {
  const rows = asN8nObjects(asN8nObject(parameters['extractionValues'])['values']);
  const selections = rows.map(({ key, cssSelector, returnValue = 'text', attribute }, index) => {
    const isPlain = [key, cssSelector].every((one) => typeof one === 'string' && one !== '' && !/^=|\{\{/.test(one));
    const reading = chooseReading(returnValue, attribute, version);
    return isPlain && reading && ([`field${index}`, { css: cssSelector, all: true, ...reading }] as const);
  });
  const known = selections.flatMap((one) => (one ? [one] : []));
  const isWhole = known.length === rows.length && known.length > 0 && known.length <= MAX_SELECTED_FIELDS;
  return isWhole ? Object.fromEntries(known) : undefined;
}

/** Values of a page by CSS selectors. */
export function convertHtmlExtract(conversion: ItemConversion): ItemNodes {
  const { type, parameters, version } = conversion.node;
  const select = readSelections(conversion);
  if (!select) return conversion.placeholder('Enter the values that it takes in a convert node: one is computed.');
  const rows = asN8nObjects(asN8nObject(parameters['extractionValues'])['values']);
  if (version >= 1.2 && rows.some(({ returnValue = 'text' }) => returnValue === 'text'))
    conversion.addTodo('Check its texts: n8n also writes lists, images and the addresses of links.');
  const isFormer = type.endsWith('.htmlExtract');
  const isFile = parameters['sourceData'] === 'binary';
  const name = parameters['dataPropertyName'] ?? 'data';
  const value = isFile
    ? `{{ input.$files?.[${conversion.code(name)}] }}`
    : `{{ ${conversion.callPrelude('fieldText', { sourceProperty: name, isPage: true })} }}`;
  return convertByOutsideNode(
    conversion,
    { type: 'convert', config: { value, from: 'html', to: 'json', options: { select } } },
    { name: 'htmlFields', parameter: 'matches', more: { isFormer } },
  );
}

/** Markdown and HTML: other libraries write them than in n8n. */
export function convertMarkdown(conversion: ItemConversion): ItemNodes {
  const { mode = 'htmlToMarkdown', html = '', markdown = '' } = conversion.node.parameters;
  const isToHtml = mode === 'markdownToHtml';
  conversion.addTodo('Check its text: another library writes it, and its options are left out.');
  const value = conversion.text(isToHtml ? markdown : html) ?? '';
  const [from, to] = isToHtml ? ['markdown', 'html'] : ['html', 'markdown'];
  const config = { value, from, to };
  return convertByOutsideNode(conversion, { type: 'convert', config }, { name: 'markdown', parameter: 'text' });
}
