import { expect, it } from 'vitest';
import { runOperation, SAMPLE_PICTURE } from '../../testing/run-steps';

const file = SAMPLE_PICTURE;

it('Slack does not give its page for signing in as a file', () => {
  const download = (url: string, contentType: string) =>
    runOperation('slack', 'files.download', { url }, { headers: { 'content-type': contentType }, body: file }).result;
  expect(download('https://files.slack.com/a/report.pdf', 'application/pdf')).toEqual(file);
  expect(download('https://files.slack.com/a/page.html?t=1', 'text/html')).toEqual(file);
  expect(() => download('https://files.slack.com/a/report.pdf', 'text/html; charset=utf-8')).toThrow('files:read');
});

it('an album of Telegram names its files, each of its own kind', () => {
  const video = { ...file, contentType: 'video/mp4' };
  const { requests } = runOperation('telegram', 'messages.send_album', {
    chat: '1',
    files: [file, video],
    caption: 'Trip',
  });
  expect(requests[0]?.body).toEqual({
    as: 'multipart',
    fields: {
      chat_id: '1',
      media: JSON.stringify([
        { type: 'photo', media: 'attach://file0', caption: 'Trip' },
        { type: 'video', media: 'attach://file1' },
      ]),
    },
    files: [
      { name: 'file0', file },
      { name: 'file1', file: video },
    ],
  });
});

it('chats of Telegram are those of updates, each one once with its newest name', () => {
  const group = { id: -5, type: 'group', title: 'Old' };
  const updates = [
    { update_id: 1, message: { chat: { id: 7, type: 'private', first_name: 'Ada', last_name: 'Lovelace' } } },
    { update_id: 2, my_chat_member: { chat: group } },
    { update_id: 3, callback_query: { message: { chat: { ...group, title: '<b>New</b>' } } } },
    { update_id: 4, poll: { id: 'p' } },
  ];
  expect(runOperation('telegram', 'chats.list', {}, { body: { ok: true, result: updates } }).result).toEqual([
    { id: 7, type: 'private', name: 'Ada Lovelace' },
    { id: -5, type: 'group', name: '<b>New</b>' },
  ]);
});

it('mentions of a bot of Slack are found by its id, page by page', () => {
  const page = (texts: string[], cursor: string) => ({
    body: { ok: true, messages: texts.map((text) => ({ text })), response_metadata: { next_cursor: cursor } },
  });
  const { requests, result } = runOperation(
    'slack',
    'messages.list_mentions',
    { channel: 'C1', oldest: '1' },
    { body: { ok: true, user_id: 'U1' } },
    page(['Hi', '<@U12> and <@U1> help', 'all <@U12>'], 'c1'),
    page(['and <@U1|weft>, too'], ''),
  );
  expect(requests.map(({ path, query }) => [path, query?.['cursor']])).toEqual([
    ['/auth.test', undefined],
    ['/conversations.history', undefined],
    ['/conversations.history', 'c1'],
  ]);
  expect(result).toEqual([{ text: '<@U12> and <@U1> help' }, { text: 'and <@U1|weft>, too' }]);
});

it('reactions in a channel of Slack are items of their own', () => {
  const messages = [
    { ts: '1.1', text: 'Hi', user: 'U1', reactions: [{ name: 'tada', users: ['U2', 'U3'], count: 2 }] },
    { ts: '1.2', text: 'Ho', user: 'U1' },
  ];
  const { result } = runOperation(
    'slack',
    'reactions.list_recent',
    { channel: 'C1' },
    { body: { ok: true, messages } },
  );
  expect(result).toEqual([
    { id: '1.1 tada U2', name: 'tada', user: 'U2', message: { ts: '1.1', text: 'Hi', user: 'U1' } },
    { id: '1.1 tada U3', name: 'tada', user: 'U3', message: { ts: '1.1', text: 'Hi', user: 'U1' } },
  ]);
});
