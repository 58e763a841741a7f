import { expect, it } from 'vitest';
import type { ApiRequest } from '../operation';
import { runOperation, SAMPLE_PICTURE, sentValue } from '../testing/run-steps';

const file = SAMPLE_PICTURE;
const bodies = (...args: Parameters<typeof runOperation>) => runOperation(...args).requests.map(sentValue);

it('conditions of Supabase: a plain value has to be equal', () => {
  const filters = { id: 5, name: 'ilike.*ada*', city: 'in', gone: null, at: 'not.is.null' };
  const { requests } = runOperation('supabase', 'rows.list', { table: 'people', filters, limit: 3 });
  expect(requests[0]).toMatchObject({
    path: '/rest/v1/people',
    query: { id: 'eq.5', name: 'ilike.*ada*', city: 'eq.in', gone: 'is.null', at: 'not.is.null', limit: 3 },
  });
  const upsert = runOperation('supabase', 'rows.upsert', { table: 'people', row: { id: 1 }, key: 'id' }).requests[0];
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
    runOperation('jira', 'issues.transition', { issue: 'P-1', status }, { body: { transitions } });
  expect(move('done').requests.map(sentValue)[1]).toEqual({ transition: { id: '31' } });
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

it('an issue of Jira is created with the ids of its project and type', () => {
  expect(bodies('jira', 'issues.create', { project: '10001', type: '3', summary: 'S' })[0]).toMatchObject({
    fields: { project: { id: '10001' }, issuetype: { id: '3' } },
  });
});

it('a contact of Mailchimp is named by the hash of its address', () => {
  const { requests } = runOperation('mailchimp', 'members.upsert', { list: 'l1', email: 'Ada@Example.com' });
  expect(requests[0]?.path).toBe('/lists/l1/members/3e3417d7ef77d5932a6734b916515ed5');
  const lower = runOperation('mailchimp', 'members.get', { list: 'l1', email: 'ada@example.com' }).requests[0];
  expect(lower?.path).toBe(requests[0]?.path);
});

it('names of files at Dropbox are ASCII in the header', () => {
  const { requests } = runOperation('dropbox', 'files.upload', { file, path: '/Föto.png' });
  const header = requests[0]?.headers?.['Dropbox-API-Arg'] ?? '';
  expect(header).toMatch(/^[\x20-\x7e]+$/);
  expect(JSON.parse(header)).toMatchObject({ path: '/Föto.png', autorename: true });
});

it('a folder of Dropbox is listed to its end', () => {
  const page = (name: string, isLast: boolean) => ({ body: { entries: [{ name }], cursor: 'c1', has_more: !isLast } });
  const { requests, result } = runOperation('dropbox', 'files.list', { path: '/' }, page('a', false), page('b', true));
  expect(requests.map(sentValue)).toMatchObject([{ path: '' }, { cursor: 'c1' }]);
  expect(result).toEqual([{ name: 'a' }, { name: 'b' }]);
});

it('WhatsApp gets a file first, then the message with its id', () => {
  const { requests } = runOperation(
    'whatsapp',
    'messages.send_file',
    { phone: '1', to: '49', file, caption: 'Hi' },
    { body: { id: 'm1' } },
  );
  expect(requests[0]).toMatchObject({ path: '/1/media', body: { as: 'multipart', files: [{ name: 'file', file }] } });
  expect(sentValue(requests[1] as ApiRequest)).toMatchObject({ type: 'image', image: { id: 'm1', caption: 'Hi' } });
  const document = runOperation(
    'whatsapp',
    'messages.send_file',
    { phone: '1', to: '49', file: { ...file, contentType: 'application/pdf' } },
    { body: { id: 'm1' } },
  );
  expect(sentValue(document.requests[1] as ApiRequest)).toMatchObject({
    type: 'document',
    document: { filename: 'Foto ü.png' },
  });
});

it('queries of Linear and monday.com have their values as variables', () => {
  const title = '"} } evil {';
  const [linear] = bodies('linear', 'issues.create', { team: 't1', title }) as { query: string; variables: unknown }[];
  expect(linear?.query).not.toContain('evil');
  expect(linear?.variables).toEqual({ input: { teamId: 't1', title } });
  const { result } = runOperation(
    'monday',
    'items.list',
    { board: '1' },
    { body: { data: { boards: [{ items_page: { items: [{ id: '2' }] } }] } } },
  );
  expect(result).toEqual([{ id: '2' }]);
  expect(runOperation('monday', 'items.list', { board: '1' }, { body: { data: { boards: [] } } }).result).toEqual([]);
});

it('a note of Zendesk is internal, or public', () => {
  const comment = (isInternal?: boolean) =>
    bodies('zendesk', 'comments.create', { ticket: 1, text: 'x', isInternal })[0];
  expect(comment()).toEqual({ ticket: { comment: { body: 'x', public: true } } });
  expect(comment(true)).toEqual({ ticket: { comment: { body: 'x', public: false } } });
});

it('a mail of SendGrid has its parts in the order that is required', () => {
  const values = { to: ['a@example.com'], from: 'b@example.com', subject: 's', text: 't', html: 'h' };
  const { requests, result } = runOperation('sendgrid', 'mails.send', values, { headers: { 'x-message-id': 'm1' } });
  expect(sentValue(requests[0] as ApiRequest)).toMatchObject({
    content: [{ type: 'text/plain' }, { type: 'text/html' }],
  });
  expect(result).toEqual({ messageId: 'm1' });
});

it('a person of Pipedrive has lists of addresses', () => {
  expect(bodies('pipedrive', 'persons.create', { name: 'Ada', email: 'a@example.com' })[0]).toMatchObject({
    name: 'Ada',
    emails: [{ value: 'a@example.com', primary: true }],
  });
});

it('an upload to WordPress names its file in ASCII', () => {
  const { requests } = runOperation('wordpress', 'media.upload', { file });
  expect(requests[0]?.headers?.['Content-Disposition']).toBe("attachment; filename*=UTF-8''Foto%20%C3%BC.png");
});
