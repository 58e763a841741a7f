import type { ConnectorPaging } from '../../operation';
import { countParameter, listedLineParameter } from '../../parameters';

// https://developers.notion.com/reference/intro#pagination
export const notionBodyPaging: ConnectorPaging = { kind: 'token', at: 'next_cursor', body: 'start_cursor' };
export const notionQueryPaging: ConnectorPaging = { kind: 'token', at: 'next_cursor', query: 'start_cursor' };
export const notionDatabaseId = listedLineParameter('Database', 'databases').describe(
  'Id of the database; it is in its address',
);
export const notionPageId = listedLineParameter('Page', 'pages').describe('Id of the page; it is in its address');
export const notionBlockId = listedLineParameter('Block', 'pages').describe('Id of a block or page');
export const notionPropertiesHelp =
  'Names and values: texts, numbers, lists of texts, or JSON of Notion such as {"title": [{"text": {"content": "Call Ada"}}]}';
export const notionPageSize = countParameter('Items a page', 100).optional().describe('At most 100');

// https://developers.notion.com/reference/request-limits
export const notionRateLimit = 'About 3 calls a second for each token.';
export const notionPageExample = {
  object: 'page',
  id: '59833787-2cf9-4fdf-8782-e53db20768a5',
  created_time: '2026-01-31T08:15:00.000Z',
  url: 'https://www.notion.so/Call-Ada-598337872cf94fdf8782e53db20768a5',
  properties: { Name: { id: 'title', type: 'title', title: [{ plain_text: 'Call Ada' }] } },
};
export const toNotionParagraph = (content: string) => ({
  object: 'block',
  type: 'paragraph',
  paragraph: { rich_text: [{ type: 'text', text: { content } }] },
});

/** Characters of one text of a block. */
const MAX_BLOCK_TEXT = 2000;

/** A text of any length, in parts of the length that Notion takes. */
export const toNotionText = (content: string) =>
  (content.match(new RegExp(`.{1,${MAX_BLOCK_TEXT}}`, 'gsu')) ?? []).map((part) => ({
    type: 'text',
    text: { content: part },
  }));

/** Lines of a text as blocks. */
export const toNotionParagraphs = (content: string) =>
  content
    .split(/\n+/)
    .flatMap((line) => (line.match(new RegExp(`.{1,${MAX_BLOCK_TEXT}}`, 'gs')) ?? []).map(toNotionParagraph));
