import { defineSteppedOperation, type OperationDefinition } from '../../operation';
import { fileParameter, multilineParameter, lineParameter } from '../../parameters';
import { getAtPath } from '@/server/evaluation/expressions/dotted-path';

/** Operations of Slack with files. https://docs.slack.dev/messaging/working-with-files */
export const slackFileOperations: OperationDefinition[] = [
  defineSteppedOperation({
    id: 'files.upload',
    title: 'Upload a file',
    help: 'Uploads a file and shares it in a channel. Needs files:write and files:read.',
    limits: 'About 100 calls a minute.',
    parameters: {
      file: fileParameter('File'),
      channel: lineParameter('Channel').optional().describe('Id of a channel; empty: the file stays private'),
      comment: multilineParameter('Comment', 10_000).optional().describe('Text of the message with the file'),
      title: lineParameter('Title', 255).optional().describe('Default: the name of the file'),
      thread: lineParameter('Thread').optional().describe('Timestamp `ts` of the message to reply to'),
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
    parameters: { url: lineParameter('Address', 4000).describe('`url_private_download` of the file') },
    *steps({ url }) {
      return (yield { path: url, asFile: {} }).body;
    },
    example: { $file: 'file_…', name: 'report.pdf', contentType: 'application/pdf', size: 53_072, sha256: '…' },
  }),
];
