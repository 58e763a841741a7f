import type { OperationDefinition } from '../../operation';
import { choiceParameter, multilineParameter, valueLineParameter } from '../../parameters';
import { microsoftGraphPaging, TEAMS_RATE_LIMIT } from './graph-parts';
import { teamChannelId, teamId, teamsMemberExample } from './teams-parts';

const teamExample = {
  id: '172b0cce-e65d-44ce-9a49-91d9f2e8491e',
  displayName: 'Sales',
  description: 'All about customers',
};
const channelExample = {
  id: '19:4a95f7d8db4c4e7f857bcebe0623e6e9@thread.tacv2',
  createdDateTime: '2026-01-31T08:15:30.035Z',
  displayName: 'General',
  membershipType: 'standard',
  webUrl: 'https://teams.microsoft.com/l/channel/19%3a4a95…',
};
const channelName = valueLineParameter('Name', 'new name', 50).describe('Name of the channel');
const channelDescription = multilineParameter('Description', 1024).describe('Shown with the channel');

/** Operations with teams and channels. */
export const teamsChannelOperations: OperationDefinition[] = [
  {
    id: 'teams.list',
    title: 'List teams',
    help: 'Teams that the account is a member of, with their ids.',
    limits: TEAMS_RATE_LIMIT,
    method: 'GET',
    path: '/me/joinedTeams',
    items: 'value',
    paging: microsoftGraphPaging,
    example: { value: [teamExample] },
  },
  {
    id: 'teams.get',
    title: 'Get a team',
    help: 'Name, description and settings.',
    limits: TEAMS_RATE_LIMIT,
    method: 'GET',
    path: '/teams/{teamId}',
    inPath: { teamId },
    example: teamExample,
  },
  {
    id: 'teams.list_members',
    title: 'List the members of a team',
    help: 'With their roles.',
    limits: TEAMS_RATE_LIMIT,
    method: 'GET',
    path: '/teams/{teamId}/members',
    inPath: { teamId },
    items: 'value',
    paging: microsoftGraphPaging,
    example: { value: [teamsMemberExample] },
    poll: {
      title: 'New member of a team',
      words: 'microsoft teams trigger member joined added',
      parameters: { allPages: true },
      items: 'input.body',
      key: 'item.id',
    },
  },
  {
    id: 'channels.list',
    title: 'List channels',
    help: 'Channels of a team, with their ids.',
    limits: TEAMS_RATE_LIMIT,
    method: 'GET',
    path: '/teams/{teamId}/channels',
    inPath: { teamId },
    items: 'value',
    paging: microsoftGraphPaging,
    example: { value: [channelExample] },
    poll: {
      title: 'New channel',
      words: 'microsoft teams trigger channel created',
      parameters: { allPages: true },
      items: 'input.body',
      key: 'item.id',
    },
  },
  {
    id: 'channels.get',
    title: 'Get a channel',
    help: 'Name, description and address.',
    limits: TEAMS_RATE_LIMIT,
    method: 'GET',
    path: '/teams/{teamId}/channels/{channelId}',
    inPath: { teamId, channelId: teamChannelId },
    example: channelExample,
  },
  {
    id: 'channels.list_members',
    title: 'List the members of a channel',
    help: 'With their roles.',
    limits: TEAMS_RATE_LIMIT,
    method: 'GET',
    path: '/teams/{teamId}/channels/{channelId}/members',
    inPath: { teamId, channelId: teamChannelId },
    items: 'value',
    paging: microsoftGraphPaging,
    example: { value: [teamsMemberExample] },
  },
  {
    id: 'channels.create',
    title: 'Create a channel',
    help: 'For all members of a team, or for some of them.',
    limits: TEAMS_RATE_LIMIT,
    method: 'POST',
    path: '/teams/{teamId}/channels',
    inPath: { teamId },
    inBody: {
      name: channelName,
      description: channelDescription.optional(),
      kind: choiceParameter('Kind', ['standard', 'private', 'shared'])
        .optional()
        .describe('Default standard: all members of the team see it'),
    },
    names: { name: 'displayName', kind: 'membershipType' },
    example: channelExample,
  },
  {
    id: 'channels.update',
    title: 'Update a channel',
    help: 'Changes its name or description.',
    limits: TEAMS_RATE_LIMIT,
    method: 'PATCH',
    path: '/teams/{teamId}/channels/{channelId}',
    inPath: { teamId, channelId: teamChannelId },
    inBody: { name: channelName.optional(), description: channelDescription.optional() },
    names: { name: 'displayName' },
    example: null,
  },
  {
    id: 'channels.delete',
    title: 'Delete a channel',
    help: 'It can be restored for 30 days.',
    limits: TEAMS_RATE_LIMIT,
    method: 'DELETE',
    path: '/teams/{teamId}/channels/{channelId}',
    inPath: { teamId, channelId: teamChannelId },
    example: null,
  },
];
