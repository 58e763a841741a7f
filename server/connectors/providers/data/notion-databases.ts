import { defineSteppedOperation, type OperationDefinition } from '../../operation';
import {
  contentLineParameter,
  jsonObjectParameter,
  listedLineParameter,
  timeParameter,
  valueLineParameter,
} from '../../parameters';
import {
  notionBodyPaging,
  notionDatabaseId,
  notionPageExample,
  notionPageId,
  notionPageSize,
  notionRateLimit,
} from './notion-parameters';
import { toNotionFilter } from './notion-filter';
import { getAtPath } from '@/server/evaluation/expressions/dotted-path';

const notionDatabaseExample = {
  object: 'database',
  id: 'd9824bdc-8445-4327-be8b-5b47500af6ce',
  title: [{ plain_text: 'Tasks' }],
  properties: { Name: { id: 'title', type: 'title', title: {} } },
};
const toNotionTitle = (content: string | undefined) =>
  content === undefined ? {} : { title: [{ type: 'text', text: { content } }] };

/** Operations of Notion with databases. https://developers.notion.com/reference/database */
export const notionDatabaseOperations: OperationDefinition[] = [
  {
    id: 'databases.list',
    title: 'List databases',
    help: 'Databases that the integration may use, last changed first.',
    limits: notionRateLimit,
    method: 'POST',
    path: '/search',
    inBody: {
      query: valueLineParameter('Text', 'search').optional().describe('A part of the title'),
      limit: notionPageSize,
    },
    names: { limit: 'page_size' },
    constants: { filter: { property: 'object', value: 'database' } },
    items: 'results',
    paging: notionBodyPaging,
    example: { object: 'list', results: [notionDatabaseExample], next_cursor: null },
  },
  defineSteppedOperation({
    id: 'databases.find',
    title: 'Find pages of a database by a value',
    help: 'Pages whose property has exactly this value, or has it among several; at most 100.',
    limits: notionRateLimit,
    parameters: {
      database: notionDatabaseId,
      property: listedLineParameter('Property', 'properties', ['database']).describe('Name of the property'),
      value: listedLineParameter('Value', 'property_options', ['database', 'property']).describe(
        'A text, a number, true or false, a date, the name of an option, or the id of a person or page',
      ),
    },
    *steps({ database, property, value }) {
      const path = `/databases/${encodeURIComponent(database)}`;
      const properties = (getAtPath((yield { path }).body, 'properties') ?? {}) as Record<string, unknown>;
      const type = Object.hasOwn(properties, property) ? getAtPath(properties[property], 'type') : undefined;
      const query = { filter: toNotionFilter(property, type, value), page_size: 100 };
      return (yield { method: 'POST', path: `${path}/query`, body: { as: 'json', value: query } }).body;
    },
    example: { object: 'list', results: [notionPageExample], next_cursor: null },
  }),
  defineSteppedOperation({
    id: 'databases.list_changed',
    title: 'List changed pages of a database',
    help: 'New and changed pages since a time; without a time the 100 that changed last. Notion keeps whole minutes.',
    limits: notionRateLimit,
    parameters: { database: notionDatabaseId, since: timeParameter('Since').optional() },
    // https://developers.notion.com/reference/post-database-query-filter#timestamp
    *steps({ database, since }) {
      const filter =
        since === undefined
          ? {}
          : { filter: { timestamp: 'last_edited_time', last_edited_time: { on_or_after: since } } };
      const sorts = [{ timestamp: 'last_edited_time', direction: 'descending' }];
      const found: unknown[] = [];
      let cursor: unknown;
      do {
        const value = { ...filter, sorts, page_size: 100, start_cursor: cursor };
        const path = `/databases/${encodeURIComponent(database)}/query`;
        const { body } = yield { method: 'POST', path, body: { as: 'json', value } };
        const results = getAtPath(body, 'results');
        if (Array.isArray(results)) found.push(...(results as unknown[]));
        cursor = getAtPath(body, 'next_cursor');
      } while (since !== undefined && typeof cursor === 'string');
      return found;
    },
    example: [{ ...notionPageExample, last_edited_time: '2026-01-31T08:20:00.000Z' }],
    poll: {
      title: 'New or changed page in a database',
      words: 'notion trigger page updated edited database item task',
      parameters: { since: '{{ cursor }}' },
      items: 'input.body',
      key: 'item.id & " " & item.last_edited_time',
      cursor: '$sort(input.body.last_edited_time)[-1]',
    },
  }),
  defineSteppedOperation({
    id: 'databases.create',
    title: 'Create a database',
    help: 'Below a page, with the properties that its pages have.',
    limits: notionRateLimit,
    parameters: {
      page: notionPageId.describe('Id of the page above'),
      title: contentLineParameter('Title').describe('Plain text'),
      properties: jsonObjectParameter('Properties').describe(
        'As JSON, e.g. {"Name": {"title": {}}, "Due": {"date": {}}}; one must be the title',
      ),
    },
    *steps({ page, title, properties }) {
      const value = { parent: { type: 'page_id', page_id: page }, ...toNotionTitle(title), properties };
      return (yield { method: 'POST', path: '/databases', body: { as: 'json', value } }).body;
    },
    example: notionDatabaseExample,
  }),
  defineSteppedOperation({
    id: 'databases.update',
    title: 'Update a database',
    help: 'Changes its title, or adds and changes properties of its pages.',
    limits: notionRateLimit,
    parameters: {
      database: notionDatabaseId,
      title: contentLineParameter('Title').optional().describe('Plain text'),
      properties: jsonObjectParameter('Properties')
        .optional()
        .describe('As JSON, e.g. {"Done": {"checkbox": {}}}; null removes one'),
    },
    *steps({ database, title, properties }) {
      const value = { ...toNotionTitle(title), properties };
      const path = `/databases/${encodeURIComponent(database)}`;
      return (yield { method: 'PATCH', path, body: { as: 'json', value } }).body;
    },
    example: notionDatabaseExample,
  }),
];
