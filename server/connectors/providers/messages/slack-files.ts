import { stepped, type ConnectorOperation } from '../../operation';
import { file, text, word } from '../../parameters';
import { at } from '@/server/expressions/dotted-path';

/** Operations of Slack with files. https://docs.slack.dev/messaging/working-with-files */
export const slackFiles: ConnectorOperation[] = [
  stepped({
    id: 'files.upload',
    title: 'Upload a file',
    help: 'Uploads a file and shares it in a channel. Needs files:write and files:read.',
    limits: 'About 100 calls a minute.',
    parameters: {
      file: file('File'),
      channel: word('Channel').optional().describe('Id of a channel; empty: the file stays private'),
      comment: text('Comment', 10_000).optional().describe('Text of the message with the file'),
      title: word('Title', 255).optional().describe('Default: the name of the file'),
      thread: word('Thread').optional().describe('Timestamp `ts` of the message to reply to'),
    },
    // https://docs.slack.dev/messaging/working-with-files: ask for an address, send the file there, complete.
    *steps({ file: content, channel: to, comment, title, thread }) {
      const { name, size } = content;
      const asked = yield {
        path: '/files.getUploadURLExternal',
        query: { filename: name, length: size },
      };
      yield { method: 'POST', path: String(at(asked.body, 'upload_url')), body: { as: 'file', file: content } };
      const completed = yield {
        method: 'POST',
        path: '/files.completeUploadExternal',
        body: {
          as: 'json',
          value: {
            files: [{ id: at(asked.body, 'file_id'), title: title ?? name }],
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
  stepped({
    id: 'files.download',
    title: 'Download a file',
    help: 'Stores a file of Slack as a file of the run.',
    parameters: { url: word('Address', 4000).describe('`url_private_download` of the file') },
    *steps({ url }) {
      return (yield { path: url, asFile: {} }).body;
    },
    example: { $file: 'file_…', name: 'report.pdf', contentType: 'application/pdf', size: 53_072, sha256: '…' },
  }),
];
