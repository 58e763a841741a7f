import type { OperationDefinition } from '../../operation';
import { booleanParameter, contentLineParameter, listedJoinedParameter, listedLineParameter } from '../../parameters';
import { SLACK_TIER_2_LIMIT, slackUserIds } from './slack-parameters';

const slackGroupId = listedLineParameter('User group', 'user_groups').describe('Id of the group, e.g. S0604QSJC');
const slackGroupExample = { id: 'S0604QSJC', name: 'Support', handle: 'support', user_count: 2 };
const slackGroupDetails = {
  handle: contentLineParameter('Handle', 80).optional().describe('Word for mentions, e.g. support for @support'),
  description: contentLineParameter('Description', 140).optional().describe('What the group is for'),
  channels: listedJoinedParameter('Channels', 'channels', [], 4000)
    .optional()
    .describe('Ids of channels that the members are invited to'),
};

/** Operations of Slack with groups of users. https://docs.slack.dev/reference/methods?family=usergroups */
export const slackGroupOperations: OperationDefinition[] = [
  {
    id: 'user_groups.list',
    title: 'List user groups',
    help: 'All of them in one answer. Needs usergroups:read.',
    limits: SLACK_TIER_2_LIMIT,
    method: 'GET',
    path: '/usergroups.list',
    inQuery: { hasDisabled: booleanParameter('With disabled ones').optional().describe('Disabled groups, too') },
    names: { hasDisabled: 'include_disabled' },
    query: { include_count: 'true' },
    items: 'usergroups',
    example: { ok: true, usergroups: [slackGroupExample] },
  },
  {
    id: 'user_groups.create',
    title: 'Create a user group',
    help: 'On paid plans. Needs usergroups:write.',
    limits: SLACK_TIER_2_LIMIT,
    method: 'POST',
    path: '/usergroups.create',
    inBody: { name: contentLineParameter('Name', 80).describe('Unique in the workspace'), ...slackGroupDetails },
    example: { ok: true, usergroup: slackGroupExample },
  },
  {
    id: 'user_groups.update',
    title: 'Update a user group',
    help: 'Changes what is given. Needs usergroups:write.',
    limits: SLACK_TIER_2_LIMIT,
    method: 'POST',
    path: '/usergroups.update',
    inBody: {
      group: slackGroupId,
      name: contentLineParameter('Name', 80).optional().describe('Unique in the workspace'),
      ...slackGroupDetails,
    },
    names: { group: 'usergroup' },
    example: { ok: true, usergroup: slackGroupExample },
  },
  {
    id: 'user_groups.enable',
    title: 'Enable a user group',
    help: 'Needs usergroups:write.',
    limits: SLACK_TIER_2_LIMIT,
    method: 'POST',
    path: '/usergroups.enable',
    inBody: { group: slackGroupId },
    names: { group: 'usergroup' },
    example: { ok: true, usergroup: slackGroupExample },
  },
  {
    id: 'user_groups.disable',
    title: 'Disable a user group',
    help: 'It cannot be mentioned any more. Needs usergroups:write.',
    limits: SLACK_TIER_2_LIMIT,
    method: 'POST',
    path: '/usergroups.disable',
    inBody: { group: slackGroupId },
    names: { group: 'usergroup' },
    example: { ok: true, usergroup: slackGroupExample },
  },
  {
    id: 'user_groups.list_members',
    title: 'List the members of a user group',
    help: 'Ids of its users. Needs usergroups:read.',
    limits: SLACK_TIER_2_LIMIT,
    method: 'GET',
    path: '/usergroups.users.list',
    inQuery: { group: slackGroupId },
    names: { group: 'usergroup' },
    items: 'users',
    example: { ok: true, users: ['U023BECGF', 'U061F7AUR'] },
  },
  {
    id: 'user_groups.set_members',
    title: 'Set the members of a user group',
    help: 'Replaces all members. Needs usergroups:write.',
    limits: SLACK_TIER_2_LIMIT,
    method: 'POST',
    path: '/usergroups.users.update',
    inBody: { group: slackGroupId, users: slackUserIds.describe('Ids of all members') },
    names: { group: 'usergroup' },
    example: { ok: true, usergroup: slackGroupExample },
  },
];
