import type { ConnectorChoiceSource } from '../../choices';
import type { ConnectorPaging } from '../../operation';
import {
  countParameter,
  jsonListParameter,
  lineParameter,
  multilineParameter,
  listedParameter,
} from '../../parameters';

// https://docs.slack.dev/apis/web-api/pagination
export const slackTokenPaging: ConnectorPaging = {
  kind: 'token',
  at: 'response_metadata.next_cursor',
  query: 'cursor',
};
export const slackChannelId = listedParameter(
  lineParameter('Channel').describe('Id of a channel or user, or the name of a public channel, e.g. C024BE91L'),
  'channels',
);
/** For methods that take no name. */
export const slackOwnChannelId = listedParameter(
  lineParameter('Channel').describe('Id of the channel, e.g. C024BE91L'),
  'channels',
);
export const slackUserIds = lineParameter('Users', 10_000);
export const slackUserId = listedParameter(lineParameter('User').describe('Id of the user, e.g. U0BPQUNTA'), 'users');

/** A page of a list may have at most 200 items. */
export const slackChoices: Record<string, ConnectorChoiceSource> = {
  channels: {
    operation: 'channels.list',
    // Private channels need a scope that not every bot has: without it the whole call would be refused.
    parameters: { limit: 100, excludeArchived: true },
    value: 'id',
    label: ['name'],
    hint: 'purpose.value',
  },
  users: {
    operation: 'users.list',
    parameters: { limit: 100 },
    value: 'id',
    label: ['profile.real_name', 'real_name', 'name'],
    hint: 'profile.email',
    unless: 'deleted',
  },
};
export const slackMessageTimestamp = lineParameter('Message').describe('Its timestamp `ts`, e.g. 1355517523.000005');
export const slackMessageContent = {
  text: multilineParameter('Text', 40_000).describe('Markdown of Slack; shown in notifications if there are blocks'),
  blocks: jsonListParameter('Blocks', 50).optional().describe('Blocks of Block Kit, as JSON'),
};
export const slackPageSize = countParameter('Items a page', 200).optional().describe('At most 200');

// https://docs.slack.dev/apis/web-api/rate-limits
export const SLACK_POSTING_LIMIT = 'One message a second in a channel, with short bursts.';
export const SLACK_TIER_2_LIMIT = 'About 20 calls a minute.';
export const SLACK_TIER_3_LIMIT = 'About 50 calls a minute.';
export const SLACK_TIER_4_LIMIT = 'About 100 calls a minute.';
