import type { ConnectorDefinition } from '../../connector';
import { defineSteppedOperation, type ConnectorPaging } from '../../operation';
import {
  countParameter,
  jsonObjectParameter,
  booleanParameter,
  jsonListParameter,
  multilineParameter,
  lineParameter,
} from '../../parameters';

// https://developers.notion.com/reference/intro#pagination
const notionBodyPaging: ConnectorPaging = { kind: 'token', at: 'next_cursor', body: 'start_cursor' };
const notionQueryPaging: ConnectorPaging = { kind: 'token', at: 'next_cursor', query: 'start_cursor' };
const notionDatabaseId = lineParameter('Database').describe('Id of the database; it is in its address');
const notionPageId = lineParameter('Page').describe('Id of the page; it is in its address');
const notionBlockId = lineParameter('Block').describe('Id of a block or page');
const notionPageProperties = jsonObjectParameter('Properties').describe(
  'As JSON, e.g. {"Name": {"title": [{"text": {"content": "Call Ada"}}]}}',
);
const notionPageSize = countParameter('Items a page', 100).optional().describe('At most 100');

// https://developers.notion.com/reference/request-limits
const notionRateLimit = 'About 3 calls a second for each token.';
const notionPageExample = {
  object: 'page',
  id: '59833787-2cf9-4fdf-8782-e53db20768a5',
  created_time: '2026-01-31T08:15:00.000Z',
  url: 'https://www.notion.so/Call-Ada-598337872cf94fdf8782e53db20768a5',
  properties: { Name: { id: 'title', type: 'title', title: [{ plain_text: 'Call Ada' }] } },
};
const toNotionParagraph = (content: string) => ({
  object: 'block',
  type: 'paragraph',
  paragraph: { rich_text: [{ type: 'text', text: { content } }] },
});

/** Characters of one text of a block. */
const MAX_BLOCK_TEXT = 2000;

/** Lines of a text as blocks. */
const toNotionParagraphs = (content: string) =>
  content
    .split(/\n+/)
    .flatMap((line) => (line.match(new RegExp(`.{1,${MAX_BLOCK_TEXT}}`, 'gs')) ?? []).map(toNotionParagraph));

export const notionConnector: ConnectorDefinition = {
  id: 'notion',
  name: 'Notion',
  description: 'Databases, pages and blocks.',
  synonyms: ['wiki', 'notes', 'database', 'docs', 'tasks', 'knowledge base'],
  flow: 'token',
  apiUrl: 'https://api.notion.com/v1',
  headers: { 'Notion-Version': '2022-06-28' },
  scopes: {},
  token: {
    title: 'Internal integration secret',
    setup:
      'At notion.so/profile/integrations create an internal integration and copy its secret. Then open each page or database that it may use, and add it under "Connections".',
    fields: [
      {
        name: 'token',
        title: 'Integration secret',
        hint: 'Begins with ntn_ or secret_',
        isSecret: true,
        pattern: /^(ntn|secret)_\w{20,200}$/,
        rule: 'must be the secret of an integration, such as ntn_…',
      },
    ],
    headers: { Authorization: 'Bearer {token}' },
  },
  setup: 'Nothing has to be registered: an internal integration has a secret of its own.',
  probe: { path: '/users/me' },
  operations: [
    {
      id: 'databases.query',
      title: 'Query a database',
      help: 'Pages of a database by a filter, sorted.',
      limits: notionRateLimit,
      method: 'POST',
      path: '/databases/{database}/query',
      inPath: { database: notionDatabaseId },
      inBody: {
        filter: jsonObjectParameter('Filter')
          .optional()
          .describe('As JSON, e.g. {"property": "Done", "checkbox": {"equals": false}}'),
        sorts: jsonListParameter('Sorts', 100)
          .optional()
          .describe('As JSON, e.g. [{"property": "Due", "direction": "ascending"}]'),
        limit: notionPageSize,
      },
      names: { limit: 'page_size' },
      items: 'results',
      paging: notionBodyPaging,
      example: { object: 'list', results: [notionPageExample], next_cursor: null, has_more: false },
      poll: {
        title: 'New page in a database',
        words: 'notion trigger page created database item task',
        // Times of Notion are whole minutes: those of the last minute are asked for again.
        parameters: {
          filter: '{{ cursor ? {"timestamp": "created_time", "created_time": {"on_or_after": cursor} } : null }}',
          allPages: true,
        },
        items: 'input.body',
        key: 'item.id',
        cursor: '$sort(input.body.created_time)[-1]',
      },
    },
    {
      id: 'databases.get',
      title: 'Get a database',
      help: 'Its title and the properties of its pages.',
      limits: notionRateLimit,
      method: 'GET',
      path: '/databases/{database}',
      inPath: { database: notionDatabaseId },
      example: {
        object: 'database',
        id: 'd9824bdc-8445-4327-be8b-5b47500af6ce',
        title: [{ plain_text: 'Tasks' }],
        properties: {},
      },
    },
    {
      id: 'pages.get',
      title: 'Get a page',
      help: 'Its properties, without its content.',
      limits: notionRateLimit,
      method: 'GET',
      path: '/pages/{page}',
      inPath: { page: notionPageId },
      example: notionPageExample,
    },
    defineSteppedOperation({
      id: 'pages.create',
      title: 'Create a page',
      help: 'In a database or below another page, with a text as its content.',
      limits: notionRateLimit,
      parameters: {
        parent: lineParameter('Parent').describe('Id of a database or of a page'),
        isInDatabase: booleanParameter('Parent is a database').optional().describe('Default: yes'),
        properties: notionPageProperties,
        text: multilineParameter('Content', 100_000).optional().describe('Plain text; each line becomes a paragraph'),
        children: jsonListParameter('Blocks', 100).optional().describe('Blocks as JSON, in place of the content'),
      },
      *steps({
        parent,
        isInDatabase = true,
        properties: values,
        text: content = '',
        children = toNotionParagraphs(content),
      }) {
        const value = {
          parent: isInDatabase ? { database_id: parent } : { page_id: parent },
          properties: values,
          // One call takes a hundred blocks.
          children: children.slice(0, 100),
        };
        return (yield { method: 'POST', path: '/pages', body: { as: 'json', value } }).body;
      },
      example: notionPageExample,
    }),
    {
      id: 'pages.update',
      title: 'Update a page',
      help: 'Changes the properties that are given, or moves the page to the trash.',
      limits: notionRateLimit,
      method: 'PATCH',
      path: '/pages/{page}',
      inPath: { page: notionPageId },
      inBody: {
        properties: notionPageProperties.optional(),
        isArchived: booleanParameter('In the trash').optional().describe('false restores it'),
      },
      names: { isArchived: 'archived' },
      example: notionPageExample,
    },
    {
      id: 'blocks.list',
      title: 'List the blocks of a page',
      help: 'The content of a page or block, without what is inside of its blocks.',
      limits: notionRateLimit,
      method: 'GET',
      path: '/blocks/{block}/children',
      inPath: { block: notionBlockId },
      inQuery: { limit: notionPageSize },
      names: { limit: 'page_size' },
      items: 'results',
      paging: notionQueryPaging,
      example: { object: 'list', results: [{ id: 'c02fc1d3', ...toNotionParagraph('Hello') }], next_cursor: null },
    },
    {
      id: 'blocks.append',
      title: 'Append blocks to a page',
      help: 'Adds blocks at the end, at most 100 in a call.',
      limits: notionRateLimit,
      method: 'PATCH',
      path: '/blocks/{block}/children',
      inPath: { block: notionBlockId },
      inBody: { children: jsonListParameter('Blocks', 100).describe('Blocks as JSON') },
      example: { object: 'list', results: [{ id: 'c02fc1d3', ...toNotionParagraph('Hello') }] },
    },
    defineSteppedOperation({
      id: 'blocks.append_text',
      title: 'Append a text to a page',
      help: 'Adds each line of a text as a paragraph.',
      limits: notionRateLimit,
      parameters: { block: notionBlockId, text: multilineParameter('Text', 100_000).describe('Plain text') },
      *steps({ block: of, text: content }) {
        const all = toNotionParagraphs(content);
        let body: unknown = null;
        for (let from = 0; from < all.length; from += 100) {
          const value = { children: all.slice(from, from + 100) };
          const path = `/blocks/${encodeURIComponent(of)}/children`;
          body = (yield { method: 'PATCH', path, body: { as: 'json', value } }).body;
        }
        return body;
      },
      example: { object: 'list', results: [{ id: 'c02fc1d3', ...toNotionParagraph('Hello') }] },
    }),
    {
      id: 'blocks.delete',
      title: 'Delete a block',
      help: 'Moves a block or page to the trash.',
      limits: notionRateLimit,
      method: 'DELETE',
      path: '/blocks/{block}',
      inPath: { block: notionBlockId },
      example: { object: 'block', id: 'c02fc1d3', archived: true },
    },
    {
      id: 'search',
      title: 'Search pages and databases',
      help: 'By title, among those that the integration may use.',
      limits: notionRateLimit,
      method: 'POST',
      path: '/search',
      inBody: {
        query: lineParameter('Text').optional().describe('A part of the title'),
        filter: jsonObjectParameter('Filter')
          .optional()
          .describe('As JSON: {"property": "object", "value": "database"}, or "page"'),
        limit: notionPageSize,
      },
      names: { limit: 'page_size' },
      items: 'results',
      paging: notionBodyPaging,
      example: { object: 'list', results: [notionPageExample], next_cursor: null },
    },
    {
      id: 'comments.create',
      title: 'Comment on a page',
      help: 'The integration needs the capability to insert comments.',
      limits: notionRateLimit,
      method: 'POST',
      path: '/comments',
      inBody: {
        parent: jsonObjectParameter('Parent').describe('As JSON: {"page_id": "…"}'),
        richText: jsonListParameter('Text', 100).describe('As JSON: [{"text": {"content": "Done"}}]'),
      },
      names: { richText: 'rich_text' },
      example: { object: 'comment', id: '94cc56ab', rich_text: [{ plain_text: 'Done' }] },
    },
    {
      id: 'users.list',
      title: 'List users',
      help: 'Members of the workspace and integrations.',
      limits: notionRateLimit,
      method: 'GET',
      path: '/users',
      inQuery: { limit: notionPageSize },
      names: { limit: 'page_size' },
      items: 'results',
      paging: notionQueryPaging,
      example: {
        object: 'list',
        results: [{ object: 'user', id: 'e79a0b74', name: 'Ada', type: 'person' }],
        next_cursor: null,
      },
    },
  ],
};
