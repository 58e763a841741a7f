import { fixedChoices } from '../../fixed-choices';
import type { ConnectorChoiceSource } from '../../choices';
import type { ConnectorPaging } from '../../operation';
import {
  countParameter,
  jsonListParameter,
  listedJoinedParameter,
  listedLineParameter,
  multilineParameter,
} from '../../parameters';

// https://docs.slack.dev/apis/web-api/pagination
export const slackTokenPaging: ConnectorPaging = {
  kind: 'token',
  at: 'response_metadata.next_cursor',
  query: 'cursor',
};
export const slackChannelId = listedLineParameter('Channel', 'channels').describe(
  'Id of a channel or user, or the name of a public channel, e.g. C024BE91L',
);
/** For methods that take no name. */
export const slackOwnChannelId = listedLineParameter('Channel', 'channels').describe(
  'Id of the channel, e.g. C024BE91L',
);
export const slackUserIds = listedJoinedParameter('Users', 'users');
export const slackUserId = listedLineParameter('User', 'users').describe('Id of the user, e.g. U0BPQUNTA');

/** A page of a list may have at most 200 items. */
export const slackChoices: Record<string, ConnectorChoiceSource> = {
  channel_types: fixedChoices({
    public_channel: 'Public channels',
    private_channel: 'Private channels',
    mpim: 'Messages of a group',
    im: 'Direct messages',
  }),
  file_types: fixedChoices({
    images: 'Pictures',
    pdfs: 'PDFs',
    gdocs: 'Files of Google',
    snippets: 'Snippets',
    spaces: 'Posts',
    zips: 'Archives',
  }),
  channels: {
    operation: 'channels.list',
    parameters: { limit: 100, excludeArchived: true },
    // Private channels need groups:read, which not every bot has: without it the whole call is refused.
    more: { parameters: { types: 'public_channel,private_channel' }, unless: 'missing_scope' },
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
  messages: {
    operation: 'channels.history',
    parameters: { limit: 100 },
    parametersFrom: { channel: 'channel' },
    value: 'ts',
    label: ['text', 'attachments.0.fallback'],
    hint: 'user',
  },
  scheduled_messages: {
    operation: 'messages.list_scheduled',
    parameters: { limit: 100 },
    parametersFrom: { channel: 'channel' },
    value: 'id',
    label: ['text'],
    hint: 'post_at',
  },
  user_groups: { operation: 'user_groups.list', value: 'id', label: ['name'], hint: 'handle' },
  files: {
    operation: 'files.list',
    parameters: { limit: 100 },
    value: 'id',
    label: ['title', 'name'],
    hint: 'mimetype',
  },
  file_addresses: {
    operation: 'files.list',
    parameters: { limit: 100 },
    value: 'url_private_download',
    label: ['title', 'name'],
    hint: 'mimetype',
  },
};
export const slackMessageTimestamp = listedLineParameter('Message', 'messages', ['channel']).describe(
  'Its timestamp `ts`, e.g. 1355517523.000005',
);
/** The message that a thread begins with. */
export const slackThreadTimestamp = listedLineParameter('Thread', 'messages', ['channel']).describe(
  'Timestamp `ts` of the message to reply to',
);
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
