import type { ConnectorChoiceSource } from '../choices';
import type { ConnectorDefinition } from '../connector';
import { trelloBoardSource, trelloListOperations } from './trello-lists';
import {
  booleanParameter,
  choiceParameter,
  contentLineParameter,
  listedJoinedParameter,
  listedLineParameter,
  timeParameter,
  valueLineParameter,
} from '../parameters';

const trelloBoardId = listedLineParameter('Board id', 'boards');
const trelloListId = (title: string) => listedLineParameter(title, 'lists');
const trelloCardId = listedLineParameter('Card id', 'cards');

const trelloCardNames = { listId: 'idList', description: 'desc', labels: 'idLabels', members: 'idMembers' };

/** What the parameters of Trello are picked from. */
const trelloChoices: Record<string, ConnectorChoiceSource> = {
  workspaces: { operation: 'workspaces.list', value: 'id', label: ['displayName'], hint: 'name' },
  boards: { operation: 'boards.list', parameters: { filter: 'open' }, value: 'id', label: ['name'] },
  lists: { operation: 'lists.list_all', value: 'id', label: ['name'], hint: 'board.name' },
  cards: { operation: 'cards.list_own', value: 'id', label: ['name'], hint: 'board.name' },
  labels: trelloBoardSource('lists', 'listId', 'labels'),
  members: trelloBoardSource('lists', 'listId', 'members'),
  labelsOfCard: trelloBoardSource('cards', 'cardId', 'labels'),
  membersOfCard: trelloBoardSource('cards', 'cardId', 'members'),
};

export const trelloConnector: ConnectorDefinition = {
  id: 'trello',
  name: 'Trello',
  description: 'Boards, lists and cards.',
  synonyms: ['board', 'kanban', 'task', 'tasks', 'todo'],
  flow: 'authorization_code',
  // https://developer.atlassian.com/cloud/trello/guides/rest-api/oauth-2-confidential-client-usage/: PKCE with a
  // secret; refresh tokens change at every use.
  authorizeUrl: 'https://auth.atlassian.com/authorize',
  tokenUrl: 'https://auth.atlassian.com/oauth/token',
  apiUrl: 'https://api.trello.com/1',
  // https://developer.atlassian.com/cloud/trello/scopes-for-oauth-2-3LO-and-forge-apps/: the three words are those of
  // the older tokens; these are the scopes that took their place.
  scopes: { read: 'read:board:trello', write: 'write:board:trello', account: 'read:member:trello' },
  impliedScopes: 'offline_access',
  authorizeParams: { prompt: 'consent' },
  clientAuthentication: 'form',
  defaultLifetime: 3600,
  setup:
    'At trello.com/power-ups/admin open your app, "OAuth 2.0": create a confidential client and add the redirect URL.',
  probe: { path: '/members/me' },
  // 100 calls in ten seconds for a token; of them those to /members at most 100 in 15 minutes.
  limits: { perMinute: 600, source: 'https://developer.atlassian.com/cloud/trello/guides/rest-api/rate-limits/' },
  choices: trelloChoices,
  operations: [
    {
      id: 'boards.list',
      title: 'List the own boards',
      method: 'GET',
      path: '/members/me/boards',
      inQuery: { filter: choiceParameter('Which', ['open', 'closed', 'all']).optional() },
      items: '',
      example: [{ id: '5abbe4b7ddc1b351ef961413', name: 'Sales', closed: false }],
    },
    {
      id: 'boards.get',
      title: 'Get a board',
      method: 'GET',
      path: '/boards/{boardId}',
      inPath: { boardId: trelloBoardId },
    },
    {
      id: 'lists.list',
      title: 'List the lists of a board',
      method: 'GET',
      path: '/boards/{boardId}/lists',
      inPath: { boardId: trelloBoardId },
      items: '',
    },
    {
      id: 'cards.list',
      title: 'List the cards of a list',
      method: 'GET',
      path: '/lists/{listId}/cards',
      inPath: { listId: trelloListId('List id') },
      items: '',
    },
    {
      id: 'cards.get',
      title: 'Get a card',
      method: 'GET',
      path: '/cards/{cardId}',
      inPath: { cardId: trelloCardId },
    },
    {
      id: 'cards.create',
      title: 'Create a card',
      method: 'POST',
      path: '/cards',
      inBody: {
        listId: trelloListId('List id'),
        name: contentLineParameter('Name', 16_384),
        description: contentLineParameter('Description', 16_384).optional(),
        due: timeParameter('Due').optional(),
        position: choiceParameter('Position', ['top', 'bottom']).optional(),
        labels: listedJoinedParameter('Labels', 'labels', ['listId']).optional(),
        members: listedJoinedParameter('Members', 'members', ['listId']).optional(),
      },
      names: { ...trelloCardNames, position: 'pos' },
    },
    {
      id: 'cards.update',
      title: 'Change or move a card',
      method: 'PUT',
      path: '/cards/{cardId}',
      inPath: { cardId: trelloCardId },
      inBody: {
        listId: trelloListId('To list').optional(),
        name: contentLineParameter('Name', 16_384).optional(),
        description: contentLineParameter('Description', 16_384).optional(),
        isArchived: booleanParameter('Archived').optional(),
        labels: listedJoinedParameter('Labels', 'labelsOfCard', ['cardId']).optional(),
        members: listedJoinedParameter('Members', 'membersOfCard', ['cardId']).optional(),
      },
      names: { ...trelloCardNames, isArchived: 'closed' },
    },
    {
      id: 'comments.create',
      title: 'Comment on a card',
      method: 'POST',
      path: '/cards/{cardId}/actions/comments',
      inPath: { cardId: trelloCardId },
      inBody: { text: contentLineParameter('Text', 16_384) },
    },
    {
      id: 'cards.search',
      title: 'Search cards',
      method: 'GET',
      path: '/search',
      inQuery: { text: valueLineParameter('Text', 'search') },
      names: { text: 'query' },
      query: { modelTypes: 'cards' },
      items: 'cards',
      example: { cards: [{ id: '5abbe4b7ddc1b351ef961414', name: 'Call Ada' }] },
    },
    ...trelloListOperations,
  ],
};
