import type { ConnectorDefinition } from '../../connector';
import { defineSteppedOperation } from '../../operation';
import {
  columnsParameter,
  contentLineParameter,
  countParameter,
  listedLineParameter,
  multilineParameter,
  someColumnsParameter,
} from '../../parameters';
import { mondayAccountOperations } from './monday-account';
import { mondayChoices } from './monday-choices';
import { mondayBoardId, mondayGraphqlRequest, mondayItemId, mondayRateLimit } from './monday-parameters';
import { getAtPath } from '@/server/evaluation/expressions/dotted-path';

const MONDAY_ITEM_FIELDS = 'id name created_at group { id title } column_values { id text }';
const mondayItemPlace = {
  board: mondayBoardId.optional().describe('Only to pick the item'),
  item: mondayItemId,
};
const mondayColumnValues = columnsParameter('Columns', 'columns', ['board'])
  .optional()
  .describe('Values by ids of columns, as JSON, e.g. {"status": {"label": "Done"}}');
const mondayPageSize = countParameter('Items', 500).optional().describe('At most 500; default 100');

const mondayItemExample = {
  id: '1234567890',
  name: 'Acme',
  created_at: '2026-01-31T08:15:30Z',
  group: { id: 'topics', title: 'New' },
  column_values: [],
};

export const mondayConnector: ConnectorDefinition = {
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
  // On the smallest plans.
  limits: { perMinute: 1000, concurrent: 40, source: 'https://developer.monday.com/api-reference/docs/rate-limits' },
  choices: mondayChoices,
  operations: [
    defineSteppedOperation({
      id: 'boards.list',
      title: 'List boards',
      help: 'With their groups and columns.',
      limits: mondayRateLimit,
      parameters: {
        workspace: listedLineParameter('Workspace', 'workspaces', [], 30).optional().describe('Only boards in it'),
        limit: mondayPageSize,
      },
      *steps({ workspace, limit: most = 100 }) {
        const source =
          'query($limit: Int, $workspaces: [ID]) { boards(limit: $limit, workspace_ids: $workspaces) { id name groups { id title } columns { id title type } } }';
        return getAtPath(
          (yield mondayGraphqlRequest(source, {
            limit: most,
            workspaces: workspace === undefined ? undefined : [workspace],
          })).body,
          'data.boards',
        );
      },
      example: [
        {
          id: '1234',
          name: 'Leads',
          groups: [{ id: 'topics', title: 'New' }],
          columns: [{ id: 'status', title: 'Status', type: 'status' }],
        },
      ],
    }),
    defineSteppedOperation({
      id: 'items.list',
      title: 'List items of a board',
      help: 'With the texts of their columns.',
      limits: mondayRateLimit,
      parameters: { board: mondayBoardId, limit: mondayPageSize },
      *steps({ board: id, limit: most = 100 }) {
        const source = `query($ids: [ID!], $limit: Int!) { boards(ids: $ids) { items_page(limit: $limit) { items { ${MONDAY_ITEM_FIELDS} } } } }`;
        const { body } = yield mondayGraphqlRequest(source, { ids: [id], limit: most });
        const [found] = (getAtPath(body, 'data.boards') ?? []) as unknown[];
        return getAtPath(found, 'items_page.items') ?? [];
      },
      example: [mondayItemExample],
      poll: {
        title: 'New item on a board',
        words: 'monday trigger item created board',
        parameters: { limit: 500 },
        items: 'input.body',
        key: 'item.id',
      },
    }),
    defineSteppedOperation({
      id: 'items.get',
      title: 'Get an item',
      help: 'With the texts of its columns.',
      limits: mondayRateLimit,
      parameters: mondayItemPlace,
      *steps({ item: id }) {
        const { body } = yield mondayGraphqlRequest(
          `query($ids: [ID!]) { items(ids: $ids) { ${MONDAY_ITEM_FIELDS} } }`,
          { ids: [id] },
        );
        const [found] = (getAtPath(body, 'data.items') ?? []) as unknown[];
        return found ?? null;
      },
      example: mondayItemExample,
    }),
    defineSteppedOperation({
      id: 'items.create',
      title: 'Create an item',
      help: 'On a board, in a group.',
      limits: mondayRateLimit,
      parameters: {
        board: mondayBoardId,
        name: contentLineParameter('Name', 255).describe('One line'),
        group: listedLineParameter('Group', 'groups', ['board'], 100).optional().describe('Id of the group'),
        values: mondayColumnValues,
      },
      *steps({ board: id, name, group, values: columns }) {
        const source = `mutation($board: ID!, $name: String!, $group: String, $values: JSON) { create_item(board_id: $board, item_name: $name, group_id: $group, column_values: $values) { ${MONDAY_ITEM_FIELDS} } }`;
        const written = columns === undefined ? undefined : JSON.stringify(columns);
        return getAtPath(
          (yield mondayGraphqlRequest(source, { board: id, name, group, values: written })).body,
          'data.create_item',
        );
      },
      example: mondayItemExample,
    }),
    defineSteppedOperation({
      id: 'items.update',
      title: 'Update columns of an item',
      help: 'Changes the columns that are given.',
      limits: mondayRateLimit,
      parameters: {
        board: mondayBoardId,
        item: mondayItemId,
        values: someColumnsParameter('Columns', 'columns', ['board']).describe('Values by ids of columns, as JSON'),
      },
      *steps({ board: id, item: which, values: columns }) {
        const source = `mutation($board: ID!, $item: ID!, $values: JSON!) { change_multiple_column_values(board_id: $board, item_id: $item, column_values: $values) { ${MONDAY_ITEM_FIELDS} } }`;
        const variables = { board: id, item: which, values: JSON.stringify(columns) };
        return getAtPath((yield mondayGraphqlRequest(source, variables)).body, 'data.change_multiple_column_values');
      },
      example: mondayItemExample,
    }),
    defineSteppedOperation({
      id: 'items.delete',
      title: 'Delete an item',
      help: 'It can be restored for 30 days.',
      limits: mondayRateLimit,
      parameters: mondayItemPlace,
      *steps({ item: id }) {
        return getAtPath(
          (yield mondayGraphqlRequest('mutation($item: ID!) { delete_item(item_id: $item) { id } }', { item: id }))
            .body,
          'data.delete_item',
        );
      },
      example: { id: '1234567890' },
    }),
    defineSteppedOperation({
      id: 'updates.create',
      title: 'Add an update to an item',
      help: 'A comment below the item.',
      limits: mondayRateLimit,
      parameters: { ...mondayItemPlace, text: multilineParameter('Text', 65_000).describe('Plain text or HTML') },
      *steps({ item: id, text: body }) {
        const source =
          'mutation($item: ID!, $body: String!) { create_update(item_id: $item, body: $body) { id body } }';
        return getAtPath((yield mondayGraphqlRequest(source, { item: id, body })).body, 'data.create_update');
      },
      example: { id: '99', body: 'Called back' },
    }),
    ...mondayAccountOperations,
  ],
};
