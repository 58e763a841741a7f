import type { Connector } from '../../connector';
import { stepped, type Paging } from '../../operation';
import { count, fields, flag, objects, text, word } from '../../parameters';

// https://developers.notion.com/reference/intro#pagination
const inBody: Paging = { kind: 'token', at: 'next_cursor', body: 'start_cursor' };
const inQuery: Paging = { kind: 'token', at: 'next_cursor', query: 'start_cursor' };
const database = word('Database').describe('Id of the database; it is in its address');
const page = word('Page').describe('Id of the page; it is in its address');
const block = word('Block').describe('Id of a block or page');
const properties = fields('Properties').describe(
  'As JSON, e.g. {"Name": {"title": [{"text": {"content": "Call Ada"}}]}}',
);
const limit = count('Items a page', 100).optional().describe('At most 100');

// https://developers.notion.com/reference/request-limits
const limits = 'About 3 calls a second for each token.';
const one = {
  object: 'page',
  id: '59833787-2cf9-4fdf-8782-e53db20768a5',
  created_time: '2026-01-31T08:15:00.000Z',
  url: 'https://www.notion.so/Call-Ada-598337872cf94fdf8782e53db20768a5',
  properties: { Name: { id: 'title', type: 'title', title: [{ plain_text: 'Call Ada' }] } },
};
const paragraph = (content: string) => ({
  object: 'block',
  type: 'paragraph',
  paragraph: { rich_text: [{ type: 'text', text: { content } }] },
});

/** Characters of one text of a block. */
const MAX_TEXT = 2000;

/** Lines of a text as blocks. */
const paragraphs = (content: string) =>
  content.split(/\n+/).flatMap((line) => (line.match(new RegExp(`.{1,${MAX_TEXT}}`, 'gs')) ?? []).map(paragraph));

export const notion: Connector = {
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
      limits,
      method: 'POST',
      path: '/databases/{database}/query',
      inPath: { database },
      inBody: {
        filter: fields('Filter')
          .optional()
          .describe('As JSON, e.g. {"property": "Done", "checkbox": {"equals": false}}'),
        sorts: objects('Sorts', 100)
          .optional()
          .describe('As JSON, e.g. [{"property": "Due", "direction": "ascending"}]'),
        limit,
      },
      names: { limit: 'page_size' },
      items: 'results',
      paging: inBody,
      example: { object: 'list', results: [one], next_cursor: null, has_more: false },
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
      limits,
      method: 'GET',
      path: '/databases/{database}',
      inPath: { database },
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
      limits,
      method: 'GET',
      path: '/pages/{page}',
      inPath: { page },
      example: one,
    },
    stepped({
      id: 'pages.create',
      title: 'Create a page',
      help: 'In a database or below another page, with a text as its content.',
      limits,
      parameters: {
        parent: word('Parent').describe('Id of a database or of a page'),
        isInDatabase: flag('Parent is a database').optional().describe('Default: yes'),
        properties,
        text: text('Content', 100_000).optional().describe('Plain text; each line becomes a paragraph'),
        children: objects('Blocks', 100).optional().describe('Blocks as JSON, in place of the content'),
      },
      *steps({ parent, isInDatabase = true, properties: values, text: content = '', children = paragraphs(content) }) {
        const value = {
          parent: isInDatabase ? { database_id: parent } : { page_id: parent },
          properties: values,
          // One call takes a hundred blocks.
          children: children.slice(0, 100),
        };
        return (yield { method: 'POST', path: '/pages', body: { as: 'json', value } }).body;
      },
      example: one,
    }),
    {
      id: 'pages.update',
      title: 'Update a page',
      help: 'Changes the properties that are given, or moves the page to the trash.',
      limits,
      method: 'PATCH',
      path: '/pages/{page}',
      inPath: { page },
      inBody: {
        properties: properties.optional(),
        isArchived: flag('In the trash').optional().describe('false restores it'),
      },
      names: { isArchived: 'archived' },
      example: one,
    },
    {
      id: 'blocks.list',
      title: 'List the blocks of a page',
      help: 'The content of a page or block, without what is inside of its blocks.',
      limits,
      method: 'GET',
      path: '/blocks/{block}/children',
      inPath: { block },
      inQuery: { limit },
      names: { limit: 'page_size' },
      items: 'results',
      paging: inQuery,
      example: { object: 'list', results: [{ id: 'c02fc1d3', ...paragraph('Hello') }], next_cursor: null },
    },
    {
      id: 'blocks.append',
      title: 'Append blocks to a page',
      help: 'Adds blocks at the end, at most 100 in a call.',
      limits,
      method: 'PATCH',
      path: '/blocks/{block}/children',
      inPath: { block },
      inBody: { children: objects('Blocks', 100).describe('Blocks as JSON') },
      example: { object: 'list', results: [{ id: 'c02fc1d3', ...paragraph('Hello') }] },
    },
    stepped({
      id: 'blocks.append_text',
      title: 'Append a text to a page',
      help: 'Adds each line of a text as a paragraph.',
      limits,
      parameters: { block, text: text('Text', 100_000).describe('Plain text') },
      *steps({ block: of, text: content }) {
        const all = paragraphs(content);
        let body: unknown = null;
        for (let from = 0; from < all.length; from += 100) {
          const value = { children: all.slice(from, from + 100) };
          const path = `/blocks/${encodeURIComponent(of)}/children`;
          body = (yield { method: 'PATCH', path, body: { as: 'json', value } }).body;
        }
        return body;
      },
      example: { object: 'list', results: [{ id: 'c02fc1d3', ...paragraph('Hello') }] },
    }),
    {
      id: 'blocks.delete',
      title: 'Delete a block',
      help: 'Moves a block or page to the trash.',
      limits,
      method: 'DELETE',
      path: '/blocks/{block}',
      inPath: { block },
      example: { object: 'block', id: 'c02fc1d3', archived: true },
    },
    {
      id: 'search',
      title: 'Search pages and databases',
      help: 'By title, among those that the integration may use.',
      limits,
      method: 'POST',
      path: '/search',
      inBody: {
        query: word('Text').optional().describe('A part of the title'),
        filter: fields('Filter').optional().describe('As JSON: {"property": "object", "value": "database"}, or "page"'),
        limit,
      },
      names: { limit: 'page_size' },
      items: 'results',
      paging: inBody,
      example: { object: 'list', results: [one], next_cursor: null },
    },
    {
      id: 'comments.create',
      title: 'Comment on a page',
      help: 'The integration needs the capability to insert comments.',
      limits,
      method: 'POST',
      path: '/comments',
      inBody: {
        parent: fields('Parent').describe('As JSON: {"page_id": "…"}'),
        richText: objects('Text', 100).describe('As JSON: [{"text": {"content": "Done"}}]'),
      },
      names: { richText: 'rich_text' },
      example: { object: 'comment', id: '94cc56ab', rich_text: [{ plain_text: 'Done' }] },
    },
    {
      id: 'users.list',
      title: 'List users',
      help: 'Members of the workspace and integrations.',
      limits,
      method: 'GET',
      path: '/users',
      inQuery: { limit },
      names: { limit: 'page_size' },
      items: 'results',
      paging: inQuery,
      example: {
        object: 'list',
        results: [{ object: 'user', id: 'e79a0b74', name: 'Ada', type: 'person' }],
        next_cursor: null,
      },
    },
  ],
};
