import type { OperationDefinition } from '../../operation';
import { lineParameter } from '../../parameters';
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
    inQuery: { email: lineParameter('Email address', 320).describe('As in the profile of the user') },
    example: { ok: true, user: slackMemberExample },
  },
];
