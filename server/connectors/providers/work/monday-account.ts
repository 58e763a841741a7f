import { getAtPath } from '@/server/evaluation/expressions/dotted-path';
import { defineSteppedOperation, type OperationDefinition } from '../../operation';
import { listedLineListParameter, listedLineParameter } from '../../parameters';
import { mondayBoardId, mondayGraphqlRequest, mondayItemId, mondayRateLimit } from './monday-parameters';

/** Operations of monday.com with workspaces and people. https://developer.monday.com/api-reference/reference/users */
export const mondayAccountOperations: OperationDefinition[] = [
  defineSteppedOperation({
    id: 'workspaces.list',
    title: 'List workspaces',
    help: 'Those that the account can see.',
    limits: mondayRateLimit,
    parameters: {},
    *steps() {
      const { body } = yield mondayGraphqlRequest('query { workspaces(limit: 100) { id name } }');
      return getAtPath(body, 'data.workspaces');
    },
    example: [{ id: '7', name: 'Sales' }],
  }),
  defineSteppedOperation({
    id: 'users.list',
    title: 'List people',
    help: 'Names and email addresses of the account.',
    limits: mondayRateLimit,
    parameters: {},
    *steps() {
      const { body } = yield mondayGraphqlRequest('query { users(limit: 1000) { id name email } }');
      return getAtPath(body, 'data.users');
    },
    example: [{ id: '4616627', name: 'Ada', email: 'ada@example.com' }],
  }),
  defineSteppedOperation({
    id: 'items.assign',
    title: 'Assign people to an item',
    help: 'Replaces those of a column of people.',
    limits: mondayRateLimit,
    parameters: {
      board: mondayBoardId,
      item: mondayItemId,
      column: listedLineParameter('Column', 'peopleColumns', ['board'], 100).describe('Id of a column of people'),
      people: listedLineListParameter('People', 'users').describe('Ids of people; an empty list removes all'),
    },
    *steps({ board, item, column, people }) {
      const source =
        'mutation($board: ID!, $item: ID!, $column: String!, $value: JSON!) { change_column_value(board_id: $board, item_id: $item, column_id: $column, value: $value) { id } }';
      const persons = people.map((id) => ({ id: Number(id), kind: 'person' }));
      const variables = { board, item, column, value: JSON.stringify({ personsAndTeams: persons }) };
      return getAtPath((yield mondayGraphqlRequest(source, variables)).body, 'data.change_column_value');
    },
    example: { id: '1234567890' },
  }),
];
