import { readItem, type N8nItem } from '../items';
import type { N8nParameters } from '../parameters';
import { assignField, copyValue } from './paths';
import { readParameterRows, readTypedParameter } from './typed-parameters';

type Fields = Record<string, unknown>;

const VALUE_DEFAULTS = { key: '', returnValue: 'text', returnArray: false };

/**
 * The item with the values that the node `html` takes from a page. The import adds `matches`: those of each selector,
 * and `isFormer` for the node `htmlExtract` that came before it.
 */
export function readHtmlFields(version: number, parameters: N8nParameters): N8nItem {
  const matches = parameters['matches'] as Record<string, (string | null)[]>;
  const isFormer = parameters['isFormer'] === true;
  const isTrimmed = readTypedParameter(parameters, 'options.trimValues', isFormer);
  const isCleaned = readTypedParameter(parameters, 'options.cleanUpText', false);
  const finish = (text: string | null | undefined) => {
    if (text === null || text === undefined) return undefined;
    const trimmed = isTrimmed ? text.trim() : text;
    return isCleaned
      ? trimmed
          .trim()
          .replace(/\r\n|\n|\r/g, '')
          .replace(/\s+/g, ' ')
      : trimmed;
  };
  const json: Fields = {};
  for (const [index, row] of readParameterRows(parameters, 'extractionValues.values', VALUE_DEFAULTS).entries()) {
    const { key, returnValue, returnArray } = row;
    const found = matches[`field${index}`] ?? [];
    // An element without content has no value, but for attributes, fields, and texts of some versions.
    const hasNoEmpty = returnValue === 'html' || (returnValue === 'text' && version < 1.2 && !isFormer);
    const read = (text: string | null | undefined) => finish(text === '' && hasNoEmpty ? undefined : text);
    json[key] = returnArray ? found.map(read) : read(returnValue === 'text' ? found.join('') : found[0]);
  }
  return { json };
}

/** The id that n8n's library gives a heading. */
const headingId = (html: string) =>
  html
    .replace(/<[^>]*>/g, '')
    .replace(/\W/g, '')
    .toLowerCase();

/** The item with the text that the node `markdown` makes. The import adds `text`, and `source`: the item before it. */
export function addMarkdown(parameters: N8nParameters): N8nItem {
  const json = copyValue(readItem(parameters['source']).json);
  const given = String(parameters['text'] ?? '').trimEnd();
  const isHtml = readTypedParameter(parameters, 'mode', 'htmlToMarkdown') === 'markdownToHtml';
  const hasIds = isHtml && !readTypedParameter(parameters, 'options.noHeaderId', false);
  const text = hasIds
    ? given.replace(
        /<h([1-6])>(.*?)<\/h\1>/g,
        (_, level: string, inner: string) => `<h${level} id="${headingId(inner)}">${inner}</h${level}>`,
      )
    : given;
  assignField(json, readTypedParameter(parameters, 'destinationKey', 'data'), text);
  return { json };
}
