import type { ConnectorPaging } from '../../operation';
import { countParameter, jsonObjectParameter, lineParameter } from '../../parameters';

// https://developers.notion.com/reference/intro#pagination
export const notionBodyPaging: ConnectorPaging = { kind: 'token', at: 'next_cursor', body: 'start_cursor' };
export const notionQueryPaging: ConnectorPaging = { kind: 'token', at: 'next_cursor', query: 'start_cursor' };
export const notionDatabaseId = lineParameter('Database').describe('Id of the database; it is in its address');
export const notionPageId = lineParameter('Page').describe('Id of the page; it is in its address');
export const notionBlockId = lineParameter('Block').describe('Id of a block or page');
export const notionPageProperties = jsonObjectParameter('Properties').describe(
  'As JSON, e.g. {"Name": {"title": [{"text": {"content": "Call Ada"}}]}}',
);
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

/** Lines of a text as blocks. */
export const toNotionParagraphs = (content: string) =>
  content
    .split(/\n+/)
    .flatMap((line) => (line.match(new RegExp(`.{1,${MAX_BLOCK_TEXT}}`, 'gs')) ?? []).map(toNotionParagraph));
