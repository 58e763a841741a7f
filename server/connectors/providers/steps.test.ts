import { expect, it } from 'vitest';
import type { FileValue } from '@/contract/file-value';
import { findBuiltInConnector } from '../index';
import type { ApiResponse, ApiRequest } from '../operation';
import { walk } from '../testing/walk';

const file: FileValue = { $file: 'file_1', name: 'Foto ü.png', contentType: 'image/png', size: 5, sha256: '' };

function run(id: string, operation: string, values: Record<string, unknown>, ...answers: Partial<ApiResponse>[]) {
  const connector = findBuiltInConnector(id);
  if (!connector) throw new Error(`no connector ${id}`);
  return walk(connector.operations, operation, values, answers);
}
const sent = ({ body }: ApiRequest): unknown => (body?.as === 'json' ? body.value : body);
const bodies = (...args: Parameters<typeof run>) => run(...args).requests.map(sent);

it('Airtable takes ten records in a call; all of them are returned', () => {
  const rows = Array.from({ length: 23 }, (_, index) => ({ Name: index }));
  const answers = [10, 10, 3].map((length) => ({ body: { records: Array.from({ length }, () => ({ id: 'rec' })) } }));
  const { requests, result } = run(
    'airtable',
    'records.upsert',
    { base: 'app1', table: 'A/B', rows, keys: ['Name'] },
    ...answers,
  );
  expect(requests.map(({ method, path }) => [method, path])).toEqual(
    Array.from({ length: 3 }, () => ['PATCH', '/app1/A%2FB']),
  );
  expect(requests.map((request) => (sent(request) as { records: unknown[] }).records.length)).toEqual([10, 10, 3]);
  expect(sent(requests[0] as ApiRequest)).toMatchObject({ performUpsert: { fieldsToMergeOn: ['Name'] } });
  expect((result as { records: unknown[] }).records).toHaveLength(23);
});

it('a long text becomes paragraphs of Notion, a hundred in a call', () => {
  const text = Array.from({ length: 150 }, (_, index) => `Line ${index}`).join('\n');
  const [first, second] = bodies('notion', 'blocks.append_text', { block: 'b1', text }) as { children: unknown[] }[];
  expect([first?.children.length, second?.children.length]).toEqual([100, 50]);
  const [page] = bodies('notion', 'pages.create', { parent: 'd1', properties: {}, text: 'x'.repeat(4500) }) as {
    parent: unknown;
    children: unknown[];
  }[];
  expect([page?.parent, page?.children.length]).toEqual([{ database_id: 'd1' }, 3]);
});

it('conditions of Supabase: a plain value has to be equal', () => {
  const filters = { id: 5, name: 'ilike.*ada*', city: 'in', gone: null, at: 'not.is.null' };
  const { requests } = run('supabase', 'rows.list', { table: 'people', filters, limit: 3 });
  expect(requests[0]).toMatchObject({
    path: '/rest/v1/people',
    query: { id: 'eq.5', name: 'ilike.*ada*', city: 'eq.in', gone: 'is.null', at: 'not.is.null', limit: 3 },
  });
  const upsert = run('supabase', 'rows.upsert', { table: 'people', row: { id: 1 }, key: 'id' }).requests[0];
  expect(upsert).toMatchObject({
    query: { on_conflict: 'id' },
    headers: { Prefer: 'return=representation,resolution=merge-duplicates' },
  });
});

it('an issue of Jira moves by the name of the status', () => {
  const transitions = [
    { id: '11', name: 'Start', to: { name: 'In Progress' } },
    { id: '31', name: 'Finish', to: { name: 'Done' } },
  ];
  const move = (status: string) =>
    run('jira', 'issues.transition', { issue: 'P-1', status }, { body: { transitions } });
  expect(move('done').requests.map(sent)[1]).toEqual({ transition: { id: '31' } });
  expect(move('start').result).toEqual({ key: 'P-1', status: 'In Progress' });
  expect(() => move('Closed')).toThrow('cannot move to "Closed", only to In Progress, Done');
});

it('an issue of Jira is created with its project and type', () => {
  const values = { project: 'P', type: 'Bug', summary: 'S', assignee: 'u1', others: { customfield_1: 2 } };
  expect(bodies('jira', 'issues.create', values)[0]).toEqual({
    fields: {
      project: { key: 'P' },
      issuetype: { name: 'Bug' },
      summary: 'S',
      assignee: { accountId: 'u1' },
      customfield_1: 2,
    },
  });
});

it('a contact of Mailchimp is named by the hash of its address', () => {
  const { requests } = run('mailchimp', 'members.upsert', { list: 'l1', email: 'Ada@Example.com' });
  expect(requests[0]?.path).toBe('/lists/l1/members/3e3417d7ef77d5932a6734b916515ed5');
  const lower = run('mailchimp', 'members.get', { list: 'l1', email: 'ada@example.com' }).requests[0];
  expect(lower?.path).toBe(requests[0]?.path);
});

it('names of files at Dropbox are ASCII in the header', () => {
  const { requests } = run('dropbox', 'files.upload', { file, path: '/Föto.png' });
  const header = requests[0]?.headers?.['Dropbox-API-Arg'] ?? '';
  expect(header).toMatch(/^[\x20-\x7e]+$/);
  expect(JSON.parse(header)).toMatchObject({ path: '/Föto.png', autorename: true });
});

it('a folder of Dropbox is listed to its end', () => {
  const page = (name: string, isLast: boolean) => ({ body: { entries: [{ name }], cursor: 'c1', has_more: !isLast } });
  const { requests, result } = run('dropbox', 'files.list', { path: '/' }, page('a', false), page('b', true));
  expect(requests.map(sent)).toMatchObject([{ path: '' }, { cursor: 'c1' }]);
  expect(result).toEqual([{ name: 'a' }, { name: 'b' }]);
});

it('WhatsApp gets a file first, then the message with its id', () => {
  const { requests } = run(
    'whatsapp',
    'messages.send_file',
    { phone: '1', to: '49', file, caption: 'Hi' },
    { body: { id: 'm1' } },
  );
  expect(requests[0]).toMatchObject({ path: '/1/media', body: { as: 'multipart', files: [{ name: 'file', file }] } });
  expect(sent(requests[1] as ApiRequest)).toMatchObject({ type: 'image', image: { id: 'm1', caption: 'Hi' } });
  const document = run(
    'whatsapp',
    'messages.send_file',
    { phone: '1', to: '49', file: { ...file, contentType: 'application/pdf' } },
    { body: { id: 'm1' } },
  );
  expect(sent(document.requests[1] as ApiRequest)).toMatchObject({
    type: 'document',
    document: { filename: 'Foto ü.png' },
  });
});

it('queries of Linear and monday.com have their values as variables', () => {
  const title = '"} } evil {';
  const [linear] = bodies('linear', 'issues.create', { team: 't1', title }) as { query: string; variables: unknown }[];
  expect(linear?.query).not.toContain('evil');
  expect(linear?.variables).toEqual({ input: { teamId: 't1', title } });
  const { result } = run(
    'monday',
    'items.list',
    { board: '1' },
    { body: { data: { boards: [{ items_page: { items: [{ id: '2' }] } }] } } },
  );
  expect(result).toEqual([{ id: '2' }]);
  expect(run('monday', 'items.list', { board: '1' }, { body: { data: { boards: [] } } }).result).toEqual([]);
});

it('a text file of GitHub is decoded, and encoded when it is written', () => {
  const repository = { owner: 'o', repo: 'r', path: 'docs/a b.md' };
  const content = Buffer.from('# Über').toString('base64');
  const { requests, result } = run('github', 'files.get', repository, {
    body: { path: 'docs/a b.md', sha: 's', content },
  });
  expect(requests[0]?.path).toBe('/repos/o/r/contents/docs/a%20b.md');
  expect(result).toEqual({ path: 'docs/a b.md', sha: 's', text: '# Über' });
  expect(bodies('github', 'files.write', { ...repository, text: '# Über', message: 'm' })[0]).toMatchObject({
    content,
  });
});

it('a note of Zendesk is internal, or public', () => {
  const comment = (isInternal?: boolean) =>
    bodies('zendesk', 'comments.create', { ticket: 1, text: 'x', isInternal })[0];
  expect(comment()).toEqual({ ticket: { comment: { body: 'x', public: true } } });
  expect(comment(true)).toEqual({ ticket: { comment: { body: 'x', public: false } } });
});

it('a mail of SendGrid has its parts in the order that is required', () => {
  const values = { to: ['a@example.com'], from: 'b@example.com', subject: 's', text: 't', html: 'h' };
  const { requests, result } = run('sendgrid', 'mails.send', values, { headers: { 'x-message-id': 'm1' } });
  expect(sent(requests[0] as ApiRequest)).toMatchObject({ content: [{ type: 'text/plain' }, { type: 'text/html' }] });
  expect(result).toEqual({ messageId: 'm1' });
});

it('a person of Pipedrive has lists of addresses', () => {
  expect(bodies('pipedrive', 'persons.create', { name: 'Ada', email: 'a@example.com' })[0]).toMatchObject({
    name: 'Ada',
    emails: [{ value: 'a@example.com', primary: true }],
  });
});

it('an upload to WordPress names its file in ASCII', () => {
  const { requests } = run('wordpress', 'media.upload', { file });
  expect(requests[0]?.headers?.['Content-Disposition']).toBe("attachment; filename*=UTF-8''Foto%20%C3%BC.png");
});

it('Slack does not give its page for signing in as a file', () => {
  const download = (url: string, contentType: string) =>
    run('slack', 'files.download', { url }, { headers: { 'content-type': contentType }, body: file }).result;
  expect(download('https://files.slack.com/a/report.pdf', 'application/pdf')).toEqual(file);
  expect(download('https://files.slack.com/a/page.html?t=1', 'text/html')).toEqual(file);
  expect(() => download('https://files.slack.com/a/report.pdf', 'text/html; charset=utf-8')).toThrow('files:read');
});

it('an album of Telegram names its files, each of its own kind', () => {
  const video = { ...file, contentType: 'video/mp4' };
  const { requests } = run('telegram', 'messages.send_album', { chat: '1', files: [file, video], caption: 'Trip' });
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
  expect(run('telegram', 'chats.list', {}, { body: { ok: true, result: updates } }).result).toEqual([
    { id: 7, type: 'private', name: 'Ada Lovelace' },
    { id: -5, type: 'group', name: '<b>New</b>' },
  ]);
});
