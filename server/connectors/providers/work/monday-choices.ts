import { getAtPath } from '@/server/evaluation/expressions/dotted-path';
import type { ColumnPaths, ConnectorChoiceSource } from '../../choices';
import type { ApiRequest, ApiResponse } from '../../operation';
import { mondayGraphqlRequest } from './monday-parameters';

/** Types of columns whose values are plain, and those that cannot be written; others take objects. */
const MONDAY_COLUMN_TYPES: ColumnPaths['types'] = {
  text: 'text',
  long_text: 'text',
  numbers: 'number',
  status: 'options',
  dropdown: 'options',
  date: 'date',
  people: 'json',
  timeline: 'json',
  board_relation: 'json',
  dependency: 'json',
  checkbox: 'json',
  file: 'json',
  location: 'json',
  tags: 'json',
  hour: 'json',
  week: 'json',
  link: 'json',
  phone: 'json',
  email: 'json',
  name: null,
  subtasks: null,
  formula: null,
  auto_number: null,
  creation_log: null,
  last_updated: null,
  item_id: null,
  mirror: null,
  button: null,
};

function* readMondayColumns(board: string): Generator<ApiRequest, unknown[], ApiResponse> {
  const source = 'query($ids: [ID!]) { boards(ids: $ids) { columns { id title type settings_str } } }';
  const { body } = yield mondayGraphqlRequest(source, { ids: [board] });
  const [found] = (getAtPath(body, 'data.boards') ?? []) as unknown[];
  return (getAtPath(found, 'columns') ?? []) as unknown[];
}

/**
 * The labels of a column are in its settings, a text of JSON: `{"labels": {"1": "Done"}}` of a status, `{"labels":
 * [{"id": 1, "name": "Done"}]}` of a dropdown. https://developer.monday.com/api-reference/reference/status
 */
function addColumnOptions(column: unknown): unknown {
  const text = getAtPath(column, 'settings_str');
  if (typeof text !== 'string') return column;
  let settings: unknown;
  try {
    settings = JSON.parse(text);
  } catch {
    // Without its labels the column takes any text.
    return column;
  }
  const labels = getAtPath(settings, 'labels');
  const names = Object.values((labels ?? {}) as Record<string, unknown>).map((label) =>
    typeof label === 'string' ? label : getAtPath(label, 'name'),
  );
  return { ...(column as object), options: names.flatMap((name) => (name === '' ? [] : { name })) };
}

/** What the parameters of monday.com are picked from. */
export const mondayChoices: Record<string, ConnectorChoiceSource> = {
  boards: { operation: 'boards.list', parameters: { limit: 500 }, value: 'id', label: ['name'] },
  groups: {
    operation: 'boards.list',
    parameters: { limit: 500 },
    within: { field: 'board', by: ['id'], items: 'groups' },
    value: 'id',
    label: ['title'],
  },
  columns: {
    dependsOn: ['board'],
    *steps({ values: { board = '' } }) {
      return { items: (yield* readMondayColumns(board)).map(addColumnOptions) };
    },
    value: 'id',
    label: ['title'],
    hint: 'type',
    column: {
      type: 'type',
      types: MONDAY_COLUMN_TYPES,
      options: { at: ['options'], value: 'name', label: ['name'] },
    },
  },
  peopleColumns: {
    dependsOn: ['board'],
    *steps({ values: { board = '' } }) {
      return { items: yield* readMondayColumns(board) };
    },
    where: { at: 'type', is: ['people'] },
    value: 'id',
    label: ['title'],
  },
  workspaces: { operation: 'workspaces.list', value: 'id', label: ['name'] },
  users: { operation: 'users.list', value: 'id', label: ['name'], hint: 'email' },
  items: {
    operation: 'items.list',
    parameters: { limit: 500 },
    parametersFrom: { board: 'board' },
    value: 'id',
    label: ['name'],
    hint: 'group.title',
  },
};
