import type { ConnectorDefinition } from '../../connector';
import { defineSteppedOperation } from '../../operation';
import {
  booleanParameter,
  columnsParameter,
  jsonListParameter,
  jsonObjectParameter,
  listedLineParameter,
  multilineParameter,
  someColumnsParameter,
  valueLineParameter,
} from '../../parameters';
import { notionBlockOperations } from './notion-blocks';
import { notionChoices } from './notion-choices';
import { notionDatabaseOperations } from './notion-databases';
import {
  notionBodyPaging,
  notionDatabaseId,
  notionPageExample,
  notionPageId,
  notionPropertiesHelp,
  notionPageSize,
  notionQueryPaging,
  notionRateLimit,
  toNotionParagraphs,
} from './notion-parameters';
import { toNotionProperties } from './notion-properties';

export const notionConnector: ConnectorDefinition = {
  id: 'notion',
  name: 'Notion',
  description: 'Databases, pages, blocks and comments.',
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
  // Three calls a second on average.
  limits: { perMinute: 180, source: 'https://developers.notion.com/reference/request-limits' },
  choices: notionChoices,
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
        properties: {
          Name: { id: 'title', name: 'Name', type: 'title', title: {} },
          Status: { id: 'a%3Ab', name: 'Status', type: 'select', select: { options: [{ id: '1', name: 'New' }] } },
        },
      },
    },
    ...notionDatabaseOperations,
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
        parent: listedLineParameter('Parent', 'parents', ['isInDatabase?']).describe('Id of a database or of a page'),
        isInDatabase: booleanParameter('Parent is a database').optional().describe('Default: yes'),
        properties: columnsParameter('Properties', 'columns', ['parent']).describe(notionPropertiesHelp),
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
          properties: yield* toNotionProperties(
            values,
            isInDatabase ? `/databases/${encodeURIComponent(parent)}` : { title: { type: 'title' } },
          ),
          // One call takes a hundred blocks.
          children: children.slice(0, 100),
        };
        return (yield { method: 'POST', path: '/pages', body: { as: 'json', value } }).body;
      },
      example: notionPageExample,
    }),
    defineSteppedOperation({
      id: 'pages.update',
      title: 'Update a page',
      help: 'Changes the properties that are given, or moves the page to the trash.',
      limits: notionRateLimit,
      parameters: {
        page: notionPageId,
        database: notionDatabaseId.optional().describe('Id of its database, only to show the properties that it has'),
        properties: someColumnsParameter('Properties', 'changed_columns', ['database'])
          .optional()
          .describe(notionPropertiesHelp),
        isArchived: booleanParameter('In the trash').optional().describe('false restores it'),
      },
      *steps({ page, properties: given, isArchived }) {
        const path = `/pages/${encodeURIComponent(page)}`;
        const properties = given && (yield* toNotionProperties(given, path));
        const value = { properties, archived: isArchived };
        return (yield { method: 'PATCH', path, body: { as: 'json', value } }).body;
      },
      example: notionPageExample,
    }),
    {
      id: 'pages.archive',
      title: 'Move a page to the trash',
      help: 'It can be restored for 30 days.',
      limits: notionRateLimit,
      method: 'PATCH',
      path: '/pages/{page}',
      inPath: { page: notionPageId },
      constants: { archived: true },
      example: { ...notionPageExample, archived: true },
    },
    {
      id: 'pages.restore',
      title: 'Restore a page from the trash',
      help: 'With its content.',
      limits: notionRateLimit,
      method: 'PATCH',
      path: '/pages/{page}',
      inPath: { page: notionPageId },
      constants: { archived: false },
      example: notionPageExample,
    },
    {
      id: 'pages.list',
      title: 'List pages',
      help: 'Pages that the integration may use, last changed first.',
      limits: notionRateLimit,
      method: 'POST',
      path: '/search',
      inBody: {
        query: valueLineParameter('Text', 'search').optional().describe('A part of the title'),
        limit: notionPageSize,
      },
      names: { limit: 'page_size' },
      constants: { filter: { property: 'object', value: 'page' } },
      items: 'results',
      paging: notionBodyPaging,
      example: { object: 'list', results: [notionPageExample], next_cursor: null },
    },
    {
      id: 'pages.get_property',
      title: 'Get a property of a page',
      help: 'All items of a long relation or list of people, which a page itself gives only in part.',
      limits: notionRateLimit,
      method: 'GET',
      path: '/pages/{page}/properties/{property}',
      inPath: {
        page: notionPageId,
        property: listedLineParameter('Property', 'page_properties', ['page']).describe('`id` of the property'),
      },
      inQuery: { limit: notionPageSize },
      names: { limit: 'page_size' },
      items: 'results',
      paging: notionQueryPaging,
      example: {
        object: 'list',
        results: [{ object: 'property_item', id: 'kjPO', type: 'relation' }],
        next_cursor: null,
      },
    },
    ...notionBlockOperations,
    {
      id: 'search',
      title: 'Search pages and databases',
      help: 'By title, among those that the integration may use.',
      limits: notionRateLimit,
      method: 'POST',
      path: '/search',
      inBody: {
        query: valueLineParameter('Text', 'search').optional().describe('A part of the title'),
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
  ],
};
