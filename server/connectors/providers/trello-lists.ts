import type { SteppedChoiceSource } from '../choices';
import { defineSteppedOperation, type OperationDefinition } from '../operation';
import { booleanParameter, contentLineParameter, listedLineParameter } from '../parameters';
import { getAtPath } from '@/server/evaluation/expressions/dotted-path';

const toBoard = (board: unknown) => ({ id: getAtPath(board, 'id'), name: getAtPath(board, 'name') });
const trelloBoardExample = { id: '5abbe4b7ddc1b351ef961413', name: 'Sales' };

const readList = (value: unknown): unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);

/** Operations of Trello that list over all boards, and those with workspaces. */
export const trelloListOperations: OperationDefinition[] = [
  {
    id: 'workspaces.list',
    title: 'List workspaces',
    method: 'GET',
    path: '/members/me/organizations',
    items: '',
    example: [{ id: '5abbe4b7ddc1b351ef961410', displayName: 'Acme', name: 'acme' }],
  },
  {
    id: 'boards.create',
    title: 'Create a board',
    method: 'POST',
    path: '/boards/',
    inBody: {
      name: contentLineParameter('Name', 16_384),
      workspace: listedLineParameter('Workspace', 'workspaces').optional(),
      description: contentLineParameter('Description', 16_384).optional(),
      hasLists: booleanParameter('With the usual lists').optional(),
    },
    names: { workspace: 'idOrganization', description: 'desc', hasLists: 'defaultLists' },
    example: { id: '5abbe4b7ddc1b351ef961413', name: 'Sales', url: 'https://trello.com/b/a1/sales' },
  },
  defineSteppedOperation({
    id: 'lists.list_all',
    title: 'List the lists of all boards',
    help: 'Open ones, with their boards.',
    parameters: {},
    // https://developer.atlassian.com/cloud/trello/guides/rest-api/nested-resources/
    *steps() {
      const query = { filter: 'open', fields: 'name', lists: 'open' };
      const boards = readList((yield { path: '/members/me/boards', query }).body);
      return boards.flatMap((board) =>
        readList(getAtPath(board, 'lists')).map((list) => ({ ...(list as object), board: toBoard(board) })),
      );
    },
    example: [{ id: '5abbe4b7ddc1b351ef961415', name: 'To do', board: trelloBoardExample }],
  }),
  defineSteppedOperation({
    id: 'cards.list_own',
    title: 'List the own cards',
    help: 'Open cards that the user is a member of, with their boards.',
    parameters: {},
    *steps() {
      const query = { filter: 'open', fields: 'name,idBoard,idList,due', board: true, board_fields: 'name' };
      return (yield { path: '/members/me/cards', query }).body;
    },
    example: [{ id: '5abbe4b7ddc1b351ef961414', name: 'Call Ada', board: trelloBoardExample }],
  }),
];

/** The labels or members of the board on which a list or card is. */
export const trelloBoardSource = (
  place: 'lists' | 'cards',
  field: 'listId' | 'cardId',
  kind: 'labels' | 'members',
): SteppedChoiceSource => ({
  dependsOn: [field],
  *steps({ values }) {
    const path = `/${place}/${encodeURIComponent(values[field] ?? '')}`;
    const board = getAtPath((yield { path, query: { fields: 'idBoard' } }).body, 'idBoard');
    const query = kind === 'labels' ? { limit: 1000 } : {};
    return { items: readList((yield { path: `/boards/${encodeURIComponent(String(board))}/${kind}`, query }).body) };
  },
  value: 'id',
  // Labels may have a colour alone.
  label: kind === 'labels' ? ['name', 'color'] : ['fullName', 'username'],
  hint: kind === 'labels' ? 'color' : 'username',
});
