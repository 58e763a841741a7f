import type { Connector } from '../../connector';
import { stepped, type ApiRequest } from '../../operation';
import { count, fields, text, word } from '../../parameters';
import { at } from '@/server/expressions/dotted-path';

// https://developer.monday.com/api-reference/docs/basics
const query = (source: string, variables: Record<string, unknown> = {}): ApiRequest => ({
  method: 'POST',
  path: '/v2',
  body: { as: 'json', value: { query: source, variables } },
});
const ITEM = 'id name created_at group { id title } column_values { id text }';
const board = word('Board', 30).describe('Id of the board; it is in its address');
const item = word('Item', 30).describe('Id of the item');
const values = fields('Columns')
  .optional()
  .describe('Values by ids of columns, as JSON, e.g. {"status": {"label": "Done"}}');
const limit = count('Items', 500).optional().describe('At most 500; default 100');

// https://developer.monday.com/api-reference/docs/rate-limits
const limits = '1,000 to 5,000 calls a minute, by plan; each has a complexity.';
const one = {
  id: '1234567890',
  name: 'Acme',
  created_at: '2026-01-31T08:15:30Z',
  group: { id: 'topics', title: 'New' },
  column_values: [],
};

export const monday: Connector = {
  id: 'monday',
  name: 'monday.com',
  description: 'Boards, items, columns and updates.',
  synonyms: ['monday', 'board', 'task', 'tasks', 'project', 'crm'],
  flow: 'token',
  apiUrl: 'https://api.monday.com',
  scopes: {},
  token: {
    title: 'Personal API token',
    setup: 'In monday.com open the picture of your account, "Developers" > "My access tokens", and copy the token.',
    fields: [
      {
        name: 'token',
        title: 'API token',
        hint: 'Begins with eyJ',
        isSecret: true,
        pattern: /^[\w.-]{20,2000}$/,
        rule: 'must be a token of monday.com',
      },
    ],
    headers: { Authorization: '{token}' },
  },
  headers: { 'API-Version': '2025-04' },
  refusal: { kind: 'errors', at: 'errors' },
  setup: 'Nothing has to be registered: a user has an API token.',
  probe: { path: '/v2', method: 'POST', body: { query: '{ me { id } }' } },
  operations: [
    stepped({
      id: 'boards.list',
      title: 'List boards',
      help: 'With their groups and columns.',
      limits,
      parameters: { limit },
      *steps({ limit: most = 100 }) {
        const source =
          'query($limit: Int) { boards(limit: $limit) { id name groups { id title } columns { id title type } } }';
        return at((yield query(source, { limit: most })).body, 'data.boards');
      },
      example: [
        { id: '1234', name: 'Leads', groups: [], columns: [{ id: 'status', title: 'Status', type: 'status' }] },
      ],
    }),
    stepped({
      id: 'items.list',
      title: 'List items of a board',
      help: 'With the texts of their columns.',
      limits,
      parameters: { board, limit },
      *steps({ board: id, limit: most = 100 }) {
        const source = `query($ids: [ID!], $limit: Int!) { boards(ids: $ids) { items_page(limit: $limit) { items { ${ITEM} } } } }`;
        const { body } = yield query(source, { ids: [id], limit: most });
        const [found] = (at(body, 'data.boards') ?? []) as unknown[];
        return at(found, 'items_page.items') ?? [];
      },
      example: [one],
      poll: {
        title: 'New item on a board',
        words: 'monday trigger item created board',
        parameters: { limit: 500 },
        items: 'input.body',
        key: 'item.id',
      },
    }),
    stepped({
      id: 'items.get',
      title: 'Get an item',
      help: 'With the texts of its columns.',
      limits,
      parameters: { item },
      *steps({ item: id }) {
        const { body } = yield query(`query($ids: [ID!]) { items(ids: $ids) { ${ITEM} } }`, { ids: [id] });
        const [found] = (at(body, 'data.items') ?? []) as unknown[];
        return found ?? null;
      },
      example: one,
    }),
    stepped({
      id: 'items.create',
      title: 'Create an item',
      help: 'On a board, in a group.',
      limits,
      parameters: {
        board,
        name: word('Name', 255).describe('One line'),
        group: word('Group', 100).optional().describe('Id of the group'),
        values,
      },
      *steps({ board: id, name, group, values: columns }) {
        const source = `mutation($board: ID!, $name: String!, $group: String, $values: JSON) { create_item(board_id: $board, item_name: $name, group_id: $group, column_values: $values) { ${ITEM} } }`;
        const written = columns === undefined ? undefined : JSON.stringify(columns);
        return at((yield query(source, { board: id, name, group, values: written })).body, 'data.create_item');
      },
      example: one,
    }),
    stepped({
      id: 'items.update',
      title: 'Update columns of an item',
      help: 'Changes the columns that are given.',
      limits,
      parameters: { board, item, values: fields('Columns').describe('Values by ids of columns, as JSON') },
      *steps({ board: id, item: which, values: columns }) {
        const source = `mutation($board: ID!, $item: ID!, $values: JSON!) { change_multiple_column_values(board_id: $board, item_id: $item, column_values: $values) { ${ITEM} } }`;
        const variables = { board: id, item: which, values: JSON.stringify(columns) };
        return at((yield query(source, variables)).body, 'data.change_multiple_column_values');
      },
      example: one,
    }),
    stepped({
      id: 'items.delete',
      title: 'Delete an item',
      help: 'It can be restored for 30 days.',
      limits,
      parameters: { item },
      *steps({ item: id }) {
        return at(
          (yield query('mutation($item: ID!) { delete_item(item_id: $item) { id } }', { item: id })).body,
          'data.delete_item',
        );
      },
      example: { id: '1234567890' },
    }),
    stepped({
      id: 'updates.create',
      title: 'Add an update to an item',
      help: 'A comment below the item.',
      limits,
      parameters: { item, text: text('Text', 65_000).describe('Plain text or HTML') },
      *steps({ item: id, text: body }) {
        const source =
          'mutation($item: ID!, $body: String!) { create_update(item_id: $item, body: $body) { id body } }';
        return at((yield query(source, { item: id, body })).body, 'data.create_update');
      },
      example: { id: '99', body: 'Called back' },
    }),
  ],
};
