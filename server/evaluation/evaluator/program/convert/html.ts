import { load, type CheerioAPI } from 'cheerio';
import TurndownService from 'turndown';
import { setField } from '@/server/evaluation/expressions/scope';
import type { ConvertOptions, HtmlSelection } from '../../convert-job';
import { errorMessage, unreadableContent } from './failure';

/** A part of a document: an element, a text, a comment. */
type HtmlNode = NonNullable<ReturnType<CheerioAPI['root']>[0]>['children'][number];

/** What a match gives; null: nothing. */
const MATCH_READERS: Readonly<
  Record<NonNullable<HtmlSelection['read']>, ($: CheerioAPI, node: HtmlNode) => string | null>
> = {
  text: ($, node) => $(node).text().trim(),
  fullText: ($, node) => $(node).text(),
  html: ($, node) => $(node).html(),
  value: ($, node) => {
    const value = $(node).val();
    return Array.isArray(value) ? value.join(',') : (value ?? null);
  },
};

/** The fields of `select`: of each selector what it reads of the first match, null without one; with `all` a list. */
export function selectHtmlFields(html: string, select: ConvertOptions['select'] = {}): Record<string, unknown> {
  const $ = load(html);
  const result: Record<string, unknown> = {};
  for (const [name, selection] of Object.entries(select)) {
    const {
      css,
      read = 'text',
      attribute,
      all = false,
    }: HtmlSelection = typeof selection === 'string' ? { css: selection } : selection;
    const valueOf = (node: HtmlNode) => (attribute ? ($(node).attr(attribute) ?? null) : MATCH_READERS[read]($, node));
    const matches = findMatches(() => $(css), name);
    setField(result, name, all ? matches.toArray().map(valueOf) : matches[0] ? valueOf(matches[0]) : null);
  }
  return result;
}

function findMatches<Matches>(find: () => Matches, name: string): Matches {
  try {
    return find();
  } catch (error) {
    if (error instanceof RangeError) throw error;
    throw unreadableContent(`options.select.${name}: ${errorMessage(error)}`);
  }
}

/** Elements that contain no text for readers. */
const INVISIBLE_ELEMENTS = ['script', 'style', 'noscript', 'template', 'head'];
const BLOCK_ELEMENTS = new Set(
  'address article aside blockquote dd div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table tr ul'.split(
    ' ',
  ),
);

/** The text that a reader sees, with a line for each block. */
export function htmlToVisibleText(html: string): string {
  const $ = load(html);
  $(INVISIBLE_ELEMENTS.join(',')).remove();
  const parts: string[] = [];
  const read = (node: HtmlNode): void => {
    if (node.type === 'text') {
      parts.push(node.data.replace(/[ \t\r\n\f]+/g, ' '));
    } else if ('children' in node) {
      const name = 'name' in node ? node.name : '';
      if (name === 'br') parts.push('\n');
      if (name === 'td' || name === 'th') parts.push('\t');
      if (BLOCK_ELEMENTS.has(name)) parts.push('\n');
      node.children.forEach(read);
      if (BLOCK_ELEMENTS.has(name)) parts.push('\n');
    }
  };
  $.root()[0]?.children.forEach(read);
  const lines = parts
    .join('')
    .split('\n')
    .map((line) => line.trim());
  return lines
    .filter((line, index) => line !== '' || (lines[index - 1] ?? '') !== '')
    .join('\n')
    .trim();
}

export function htmlToMarkdown(html: string): string {
  const service = new TurndownService({ headingStyle: 'atx', codeBlockStyle: 'fenced', bulletListMarker: '-' });
  service.remove(['script', 'style', 'noscript']);
  return service.turndown(html);
}
