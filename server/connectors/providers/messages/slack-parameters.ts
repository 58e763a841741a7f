import type { ConnectorPaging } from '../../operation';
import { countParameter, jsonListParameter, lineParameter, multilineParameter } from '../../parameters';

// https://docs.slack.dev/apis/web-api/pagination
export const slackTokenPaging: ConnectorPaging = {
  kind: 'token',
  at: 'response_metadata.next_cursor',
  query: 'cursor',
};
export const slackChannelId = lineParameter('Channel').describe(
  'Id of a channel or user, or the name of a public channel, e.g. C024BE91L',
);
/** For methods that take no name. */
export const slackOwnChannelId = lineParameter('Channel').describe('Id of the channel, e.g. C024BE91L');
export const slackUserIds = lineParameter('Users', 10_000);
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
