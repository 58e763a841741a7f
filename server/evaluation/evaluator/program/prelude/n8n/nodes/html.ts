import type { N8nItem } from '../items';
import type { N8nParameters } from '../parameters';
import { evaluateParameter } from '../parameters';
import { readTypedParameter } from './typed-parameters';

const TABLE_STYLE = "style='border-spacing:0; font-family:helvetica,arial,sans-serif'";
const CELL_STYLE = "style='margin:0; padding:7px 20px 7px 0px; border-bottom:1px solid #eee";
const HEADER_STYLE = `${CELL_STYLE}; text-align:left; color:#888; font-weight:normal'`;

const capitalizeWords = (name: string): string =>
  name
    .split('_')
    .filter((word) => word !== '')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase())
    .join(' ');

function cellContent(value: unknown): string {
  if (typeof value === 'boolean') return `<input type="checkbox" ${value ? 'checked="checked"' : ''}/>`;
  return String(value);
}

/** The item with the table that the node `html` makes of a list. */
export function writeItemTable(parameters: N8nParameters, items: N8nItem[]): N8nItem[] {
  if (items.length === 0) return [];
  const option = (name: string) => String(readTypedParameter<unknown>(parameters, `options.${name}`, ''));
  const isStyled = !readTypedParameter(parameters, 'options.customStyling', false);
  const style = (text: string) => (isStyled ? text : '');
  const isCapitalized = readTypedParameter(parameters, 'options.capitalize', false);
  const names = [...new Set(items.flatMap(({ json }) => Object.keys(json)))];
  const caption = option('caption');
  const header = names.map((name) => `<th>${isCapitalized ? capitalizeWords(name) : name}</th>`).join('');
  const cell = `<td ${style(`${CELL_STYLE}'`)} ${option('cellAttributes')}>`;
  const row = ({ json }: N8nItem) =>
    `<tr  ${option('rowAttributes')}>${names.map((name) => `${cell}${cellContent(json[name])}</td>`).join('')}</tr>`;
  const table = [
    `<table ${style(TABLE_STYLE)} ${option('tableAttributes')}>`,
    caption ? `<caption>${caption}</caption>` : '',
    `<thead ${style(HEADER_STYLE)} ${option('headerAttributes')}><tr>${header}</tr></thead>`,
    `<tbody>${items.map(row).join('')}</tbody></table>`,
  ].join('');
  return [{ json: { table } }];
}

/** The item with the text of a template, whose parts are texts and values by turns. */
export function fillHtmlTemplate(parameters: N8nParameters): N8nItem {
  const parts = evaluateParameter(parameters['html']);
  const html = Array.isArray(parts) ? parts.map((part) => String(part)).join('') : String(parts ?? '');
  return { json: { html } };
}
