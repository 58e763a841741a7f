import { NodeFailure } from '@/server/platform/errors/node-failure';
import { defineSteppedOperation, type OperationDefinition } from '../../operation';
import {
  contentLineParameter,
  countParameter,
  fileParameter,
  listedJoinedParameter,
  listedLineParameter,
  multilineParameter,
  valueLineParameter,
} from '../../parameters';
import {
  SLACK_TIER_3_LIMIT,
  SLACK_TIER_4_LIMIT,
  slackOwnChannelId,
  slackThreadTimestamp,
  slackUserId,
} from './slack-parameters';
import { getAtPath } from '@/server/evaluation/expressions/dotted-path';

const slackFileId = listedLineParameter('File', 'files').describe('Id of the file, e.g. F2147483862');
const slackFileExample = {
  id: 'F0S43P1CZ',
  name: 'report.pdf',
  mimetype: 'application/pdf',
  created: 1_531_763_342,
  url_private_download: 'https://files.slack.com/files-pri/T061EG9R6-F0S43P1CZ/download/report.pdf',
};

/** Operations of Slack with files. https://docs.slack.dev/messaging/working-with-files */
export const slackFileOperations: OperationDefinition[] = [
  defineSteppedOperation({
    id: 'files.upload',
    title: 'Upload a file',
    help: 'Uploads a file and shares it in a channel. Needs files:write and files:read.',
    limits: 'About 100 calls a minute.',
    parameters: {
      file: fileParameter('File'),
      channel: slackOwnChannelId.optional().describe('Id of a channel; empty: the file stays private'),
      comment: multilineParameter('Comment', 10_000).optional().describe('Text of the message with the file'),
      title: contentLineParameter('Title', 255).optional().describe('Default: the name of the file'),
      thread: slackThreadTimestamp.optional(),
    },
    // https://docs.slack.dev/messaging/working-with-files: ask for an address, send the file there, complete.
    *steps({ file: content, channel: to, comment, title, thread }) {
      const { name, size } = content;
      const asked = yield {
        path: '/files.getUploadURLExternal',
        query: { filename: name, length: size },
      };
      yield { method: 'POST', path: String(getAtPath(asked.body, 'upload_url')), body: { as: 'file', file: content } };
      const completed = yield {
        method: 'POST',
        path: '/files.completeUploadExternal',
        body: {
          as: 'json',
          value: {
            files: [{ id: getAtPath(asked.body, 'file_id'), title: title ?? name }],
            channel_id: to,
            initial_comment: comment,
            thread_ts: thread,
          },
        },
      };
      return completed.body;
    },
    example: { ok: true, files: [{ id: 'F123ABC456', title: 'report.pdf' }] },
  }),
  defineSteppedOperation({
    id: 'files.download',
    title: 'Download a file',
    help: 'Stores a file of Slack as a file of the run.',
    parameters: {
      url: listedLineParameter('Address', 'file_addresses', [], 4000).describe('`url_private_download` of the file'),
    },
    *steps({ url }) {
      const { headers, body } = yield { path: url, asFile: {} };
      // Slack answers a token that may not read files with its page for signing in, and the status 200.
      if (/^text\/html/i.test(headers['content-type'] ?? '') && !/\.html?$/i.test(url.split('?')[0] ?? ''))
        throw new NodeFailure('API_REFUSED', 'Slack refused: the token may not read this file (files:read).', false);
      return body;
    },
    example: { $file: 'file_…', name: 'report.pdf', contentType: 'application/pdf', size: 53_072, sha256: '…' },
  }),
  {
    id: 'files.list',
    title: 'List files',
    help: 'Newest first. Needs files:read.',
    limits: SLACK_TIER_3_LIMIT,
    method: 'GET',
    path: '/files.list',
    inQuery: {
      channel: slackOwnChannelId.optional().describe('Only files of this channel'),
      user: slackUserId.optional().describe('Only files of this user'),
      from: valueLineParameter('From', 'quantity', 40)
        .optional()
        .describe('Only files since this time, Unix time in seconds'),
      types: listedJoinedParameter('Types', 'file_types', [], 100)
        .optional()
        .describe('Of spaces, snippets, images, gdocs, zips, pdfs'),
      limit: countParameter('Items a page', 200).optional().describe('Default 100'),
    },
    names: { from: 'ts_from', limit: 'count' },
    items: 'files',
    paging: { kind: 'page', query: 'page', first: 1, size: 'count', defaultSize: 100 },
    example: { ok: true, files: [slackFileExample], paging: { count: 100, total: 1, page: 1, pages: 1 } },
    poll: {
      title: 'New file',
      words: 'slack trigger file shared upload',
      // The first poll remembers the files of the last hour.
      parameters: { from: '{{ cursor ?? $string($floor($millis() / 1000) - 3600) }}', allPages: true },
      items: 'input.body',
      key: 'item.id',
      cursor: '$string($max(input.body.created))',
    },
  },
  {
    id: 'files.get',
    title: 'Get a file',
    help: 'Name, type and addresses of a file, without its content. Needs files:read.',
    limits: SLACK_TIER_4_LIMIT,
    method: 'GET',
    path: '/files.info',
    inQuery: { file: slackFileId },
    example: { ok: true, file: slackFileExample },
  },
  {
    id: 'files.delete',
    title: 'Delete a file',
    help: 'For good, in all channels. Needs files:write.',
    limits: SLACK_TIER_3_LIMIT,
    method: 'POST',
    path: '/files.delete',
    inBody: { file: slackFileId },
    example: { ok: true },
  },
];
