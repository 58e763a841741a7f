import type { OperationDefinition } from '../../operation';
import { booleanParameter, jsonObjectParameter, valueLineParameter } from '../../parameters';
import {
  SLACK_TIER_2_LIMIT,
  SLACK_TIER_3_LIMIT,
  SLACK_TIER_4_LIMIT,
  slackPageSize,
  slackTokenPaging,
  slackUserId,
} from './slack-parameters';

const slackMemberExample = {
  id: 'U012A3CDE',
  name: 'ada',
  real_name: 'Ada Lovelace',
  profile: { email: 'ada@example.com' },
};
/** Operations of Slack with users. https://docs.slack.dev/reference/methods */
export const slackUserOperations: OperationDefinition[] = [
  {
    id: 'users.list',
    title: 'List users',
    help: 'Users of the workspace, also bots and deactivated ones.',
    limits: SLACK_TIER_2_LIMIT,
    method: 'GET',
    path: '/users.list',
    inQuery: { limit: slackPageSize },
    items: 'members',
    paging: slackTokenPaging,
    example: { ok: true, members: [slackMemberExample] },
    poll: {
      title: 'New user',
      words: 'slack trigger member user joined workspace',
      parameters: { allPages: true },
      items: 'input.body',
      key: 'item.id',
    },
  },
  {
    id: 'users.get',
    title: 'Get a user',
    help: 'Name, time zone and profile.',
    limits: SLACK_TIER_4_LIMIT,
    method: 'GET',
    path: '/users.info',
    inQuery: { user: slackUserId },
    example: { ok: true, user: slackMemberExample },
  },
  {
    id: 'users.find_by_email',
    title: 'Find a user by email address',
    help: 'Fails with users_not_found if no user has the address.',
    limits: SLACK_TIER_3_LIMIT,
    method: 'GET',
    path: '/users.lookupByEmail',
    inQuery: {
      email: valueLineParameter('Email address', 'address', 320).describe('As in the profile of the user'),
    },
    example: { ok: true, user: slackMemberExample },
  },
  {
    id: 'users.get_profile',
    title: 'Get the profile of a user',
    help: 'Names, title, phone, status and own fields. Needs users.profile:read.',
    limits: SLACK_TIER_4_LIMIT,
    method: 'GET',
    path: '/users.profile.get',
    inQuery: {
      user: slackUserId.optional().describe('Id of the user; default: whose token it is'),
      hasLabels: booleanParameter('With labels').optional().describe('Labels of the own fields'),
    },
    names: { hasLabels: 'include_labels' },
    example: { ok: true, profile: { ...slackMemberExample.profile, status_text: 'Away', status_emoji: ':palm_tree:' } },
  },
  {
    id: 'users.update_profile',
    title: 'Change a profile or a status',
    help: 'Changes what is given. Needs the token of a user with users.profile:write.',
    limits: SLACK_TIER_3_LIMIT,
    method: 'POST',
    path: '/users.profile.set',
    inBody: {
      profile: jsonObjectParameter('Profile').describe(
        'As JSON, e.g. {"status_text": "Away", "status_emoji": ":palm_tree:", "status_expiration": 0}',
      ),
      user: slackUserId.optional().describe('Id of another user, for administrators of paid workspaces'),
    },
    example: { ok: true, profile: { status_text: 'Away', status_emoji: ':palm_tree:' } },
  },
  {
    id: 'users.get_presence',
    title: 'Get whether a user is online',
    help: 'Gives active or away.',
    limits: SLACK_TIER_3_LIMIT,
    method: 'GET',
    path: '/users.getPresence',
    inQuery: { user: slackUserId },
    example: { ok: true, presence: 'active' },
  },
];
