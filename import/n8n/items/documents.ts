import { asN8nObject, asN8nObjects } from '../file';
import type { ItemConversion, ItemNodes } from './item-conversion';
import { convertByOutsideNode } from './outside-node';

const MAX_SELECTED_FIELDS = 100;

/** The selectors of the values that are taken from a page; undefined: one of them has no counterpart. */
function readSelections({ node: { parameters } }: ItemConversion): Record<string, object> | undefined {
  const rows = asN8nObjects(asN8nObject(parameters['extractionValues'])['values']);
  const selections = rows.map(({ key, cssSelector, returnValue = 'text', attribute }, index) => {
    const isPlain = [key, cssSelector].every((one) => typeof one === 'string' && one !== '' && !/^=|\{\{/.test(one));
    const isKnown = returnValue === 'text' || returnValue === 'value' || typeof attribute === 'string';
    if (!isPlain || (!isKnown && returnValue !== 'html')) return undefined;
    const name = returnValue === 'value' ? 'value' : returnValue === 'attribute' ? attribute : undefined;
    return [`field${index}`, { css: cssSelector, all: true, ...(name ? { attribute: name } : {}) }] as const;
  });
  const isWhole = selections.every((one) => one !== undefined);
  return isWhole && selections.length > 0 && selections.length <= MAX_SELECTED_FIELDS
    ? Object.fromEntries(selections)
    : undefined;
}

/** Values of a page by CSS selectors. */
export function convertHtmlExtract(conversion: ItemConversion): ItemNodes {
  const { parameters, version } = conversion.node;
  const select = readSelections(conversion);
  if (!select) return conversion.placeholder('Enter the values that it takes in a convert node: one is computed.');
  const { trimValues } = asN8nObject(parameters['options']);
  const rows = asN8nObjects(asN8nObject(parameters['extractionValues'])['values']);
  if (rows.some(({ returnValue }) => returnValue === 'html'))
    conversion.addTodo('Check its values: the HTML of elements is left out, their text is there.');
  const hasTexts = rows.some(({ returnValue = 'text' }) => returnValue === 'text');
  if (hasTexts && version >= 1.2)
    conversion.addTodo('Check its texts: n8n also writes lists, images and the addresses of links.');
  else if (hasTexts && trimValues !== true)
    conversion.addTodo('Check its texts: white space at their beginning and end is left out.');
  const isFile = parameters['sourceData'] === 'binary';
  const name = parameters['dataPropertyName'] ?? 'data';
  const value = isFile
    ? `{{ input.$files?.[${conversion.code(name)}] }}`
    : `{{ ${conversion.callPrelude('fieldText', { sourceProperty: name })} }}`;
  return convertByOutsideNode(
    conversion,
    { type: 'convert', config: { value, from: 'html', to: 'json', options: { select } } },
    { name: 'htmlFields', parameter: 'matches' },
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
