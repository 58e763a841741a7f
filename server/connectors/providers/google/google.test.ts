import { simpleParser } from 'mailparser';
import { describe, expect, it } from 'vitest';
import type { FileValue } from '@/contract/file-value';
import type { ApiResponse, ApiRequest } from '../../operation';
import { walk } from '../../testing/walk';
import { googleConnector } from './google';
import { extractDriveId } from './ids';
import { columnLetters } from './sheet-values';

const run = (id: string, values: Record<string, unknown>, ...answers: unknown[]) =>
  walk(
    googleConnector.operations,
    id,
    values,
    answers.map((body): Partial<ApiResponse> => ({ body })),
  );

const ID = '1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms';
const file: FileValue = {
  $file: 'file_1',
  name: 'Rechnung ü.pdf',
  contentType: 'application/pdf',
  size: 5,
  sha256: '',
};

const valueOf = ({ body }: ApiRequest): unknown => (body?.as === 'json' ? body.value : undefined);
const values = (request: ApiRequest | undefined) => (request ? (valueOf(request) as { values: unknown }).values : null);

it.each([
  [ID, ID],
  [`https://docs.google.com/spreadsheets/d/${ID}/edit#gid=0`, ID],
  [`https://drive.google.com/drive/folders/${ID}?usp=sharing`, ID],
])('the id in %j', (given, id) => {
  expect(extractDriveId(given)).toBe(id);
});

it('an address without an id is refused', () => {
  expect(() => extractDriveId('https://evil.example/../x')).toThrow('neither an id nor an address');
});

it('columns have letters', () => {
  expect([0, 25, 26, 51, 52, 701, 702].map(columnLetters)).toEqual(['A', 'Z', 'AA', 'AZ', 'BA', 'ZZ', 'AAA']);
});

describe('rows of a sheet', () => {
  const cells = [['Name', 'Email', '', 'Name'], ['Ada', 'ada@example.com', 7, 'x'], [], ['Bob']];
  const target = { spreadsheet: ID, sheet: "It's 1" };

  it('are objects by the names of the header, without empty rows', () => {
    const { requests, result } = run('sheets.read_rows', target, { values: cells });
    expect(requests[0]).toMatchObject({
      api: 'sheets',
      path: `/spreadsheets/${ID}/values/'It''s%201'`,
    });
    expect(result).toEqual([
      { row_number: 2, Name: 'Ada', Email: 'ada@example.com', C: 7, 'Name (D)': 'x' },
      { row_number: 4, Name: 'Bob', Email: '', C: '', 'Name (D)': '' },
    ]);
    expect(run('sheets.read_rows', { ...target, filter: { Name: 'Bob' } }, { values: cells }).result).toHaveLength(1);
    expect(run('sheets.read_rows', target, {}).result).toEqual([]);
  });

  it('are found by the number of the sheet, which its address has', () => {
    const sheets = [{ properties: { sheetId: 0, title: 'Sheet1' } }, { properties: { sheetId: 77, title: 'Leads' } }];
    const read = (sheet: string) => run('sheets.read_rows', { ...target, sheet }, { values: cells, sheets });
    expect(read('gid=77').requests.map(({ path }) => path)).toEqual([
      `/spreadsheets/${ID}`,
      `/spreadsheets/${ID}/values/'Leads'`,
    ]);
    expect(read('Sheet1').requests).toHaveLength(1);
    expect(() => read('gid=5')).toThrow('The spreadsheet has no sheet with the number 5.');
  });

  it('are appended in the order of the header, which gets the columns that it lacks', () => {
    const row = { Email: 'eve@example.com', City: 'Rome', extra: { a: 1 } };
    const { requests } = run('sheets.append_row', { ...target, row }, { values: [['Name', 'Email']] });
    expect(
      requests.map(({ method = 'GET', path }) => [method, decodeURIComponent(path.split('/values/')[1] ?? '')]),
    ).toEqual([
      ['GET', "'It''s 1'!1:1"],
      ['PUT', "'It''s 1'!C1:D1"],
      ['POST', "'It''s 1'!A1:D1:append"],
    ]);
    expect(values(requests[1])).toEqual([['City', 'extra']]);
    expect(values(requests[2])).toEqual([[null, 'eve@example.com', 'Rome', '{"a":1}']]);
  });

  it('begin a header in an empty sheet', () => {
    const { requests } = run('sheets.append_row', { ...target, row: { Name: 'Ada' } }, {});
    expect([values(requests[1]), values(requests[2])]).toEqual([[['Name']], [['Ada']]]);
  });

  it('are updated where the key column has the same value, and other cells stay', () => {
    const row = { Name: 'Bob', Email: 'bob@example.com' };
    const { requests } = run('sheets.upsert_row', { ...target, key: 'Name', row }, { values: cells });
    expect(requests).toHaveLength(2);
    expect(decodeURIComponent(requests[1]?.path ?? '')).toContain("'It''s 1'!A4:D4");
    expect(values(requests[1])).toEqual([['Bob', 'bob@example.com', null, null]]);
    const byNumber = { ...target, key: 'row_number', row: { row_number: 2, Email: 'new@example.com' } };
    expect(decodeURIComponent(run('sheets.update_row', byNumber, { values: cells }).requests[1]?.path ?? '')).toContain(
      'A2:D2',
    );
  });

  it('are appended by an upsert if no row has the key, and an update fails', () => {
    const values_ = { ...target, key: 'Name', row: { Name: 'Eve' } };
    const { requests } = run('sheets.upsert_row', values_, { values: cells });
    expect(requests.map(({ method = 'GET' }) => method)).toEqual(['GET', 'POST']);
    expect(() => run('sheets.update_row', values_, { values: cells })).toThrow(
      'No row has "Eve" in the column "Name".',
    );
    const noKey = { ...target, key: 'Nome', row: { Nome: 'Eve' } };
    expect(() => run('sheets.update_row', noKey, { values: cells })).toThrow('The sheet has no column "Nome".');
  });

  it('are cleared below the header', () => {
    const grid = { sheets: [{ properties: { title: "It's 1", sheetId: 7, gridProperties: { rowCount: 1000 } } }] };
    const { requests } = run('sheets.clear', { ...target, keepsHeader: true }, grid);
    expect(decodeURIComponent(requests[1]?.path ?? '')).toContain("'It''s 1'!2:1000:clear");
    const deleted = run('sheets.delete_rows', { ...target, from: 3, count: 2 }, grid).requests[1];
    expect(deleted && valueOf(deleted)).toMatchObject({
      requests: [{ deleteDimension: { range: { sheetId: 7, startIndex: 2, endIndex: 4 } } }],
    });
    expect(() => run('sheets.delete_rows', { ...target, sheet: 'None', from: 3 }, grid)).toThrow('has no sheet "None"');
  });
});

/** The mail of a request, with `content` in place of each file. */
async function mailOf({ body }: ApiRequest, content: string) {
  if (body?.as !== 'pieces') throw new Error('no pieces');
  const text = body.pieces
    .map((piece) => (typeof piece === 'string' ? piece : Buffer.from(content).toString('base64')))
    .join('');
  const [, facts = '', mail = ''] = text.split('--weft-mail-and-its-metadata');
  return {
    facts: JSON.parse(facts.slice(facts.indexOf('{'))) as Record<string, unknown>,
    mail: await simpleParser(mail.slice(mail.indexOf('\r\n\r\n') + 4)),
  };
}

describe('a mail', () => {
  it('has its texts, its addresses and its files, for another program', async () => {
    const { requests } = run('gmail.send', {
      to: 'Ada Löwe <ada@example.com>, bob@example.com',
      bcc: 'secret@example.com',
      subject: 'Grüße — и привет, a rather long subject that has to be folded into several lines of the header',
      text: 'Plain ü',
      html: '<p>Rich ü</p>',
      attachments: [file],
    });
    expect(requests[0]).toMatchObject({ api: 'gmail_upload', path: '/users/me/messages/send' });
    const { mail } = await mailOf(requests[0] as ApiRequest, '%PDF-');
    expect(mail.subject).toBe(
      'Grüße — и привет, a rather long subject that has to be folded into several lines of the header',
    );
    expect([mail.to, mail.bcc].map((each) => (each && 'text' in each ? each.text : null))).toEqual([
      '"Ada Löwe" <ada@example.com>, bob@example.com',
      'secret@example.com',
    ]);
    expect([mail.text?.trim(), mail.html]).toEqual(['Plain ü', '<p>Rich ü</p>']);
    expect(
      mail.attachments.map(({ filename, contentType, content }) => [filename, contentType, String(content)]),
    ).toEqual([['Rechnung ü.pdf', 'application/pdf', '%PDF-']]);
  });

  it('cannot get another header by a line break', () => {
    const to = 'ada@example.com\r\nBcc: eve@example.com';
    expect(() => run('gmail.send', { to, subject: 'x', text: 'y' })).toThrow('line break');
  });

  it('answers in its thread', async () => {
    const headers = [
      { name: 'From', value: 'Ada <ada@example.com>' },
      { name: 'To', value: 'me@example.com' },
      { name: 'Subject', value: 'Invoice' },
      { name: 'Message-ID', value: '<1@example.com>' },
      { name: 'References', value: '<0@example.com>' },
    ];
    const original = { id: 'm1', threadId: 't1', payload: { headers } };
    const { requests } = run('gmail.reply', { message: 'm1', text: 'Thanks', toAll: true }, original);
    const { facts, mail } = await mailOf(requests[1] as ApiRequest, '');
    expect(facts).toEqual({ threadId: 't1' });
    expect([mail.subject, mail.inReplyTo, mail.references]).toEqual([
      'Re: Invoice',
      '<1@example.com>',
      ['<0@example.com>', '<1@example.com>'],
    ]);
    expect([mail.to, mail.cc].map((each) => (each && 'text' in each ? each.text : null))).toEqual([
      '"Ada" <ada@example.com>',
      'me@example.com',
    ]);
  });

  it('is read with its texts and the ids of its attachments', () => {
    const data = (text: string) => Buffer.from(text).toString('base64url');
    const message = {
      id: 'm1',
      threadId: 't1',
      internalDate: '1769847330000',
      labelIds: ['INBOX'],
      snippet: 'Hi',
      payload: {
        mimeType: 'multipart/mixed',
        headers: [{ name: 'subject', value: 'Hello' }],
        parts: [
          {
            mimeType: 'multipart/alternative',
            parts: [
              { mimeType: 'text/plain', body: { data: data('Plain ü') } },
              { mimeType: 'text/html', body: { data: data('<p>Rich</p>') } },
            ],
          },
          { mimeType: 'application/pdf', filename: 'a.pdf', body: { attachmentId: 'A1', size: 9 } },
        ],
      },
    };
    expect(run('gmail.get', { message: 'm1' }, message).result).toMatchObject({
      subject: 'Hello',
      from: null,
      date: '2026-01-31T08:15:30.000Z',
      timestamp: 1_769_847_330,
      text: 'Plain ü',
      html: '<p>Rich</p>',
      attachments: [{ id: 'A1', name: 'a.pdf', contentType: 'application/pdf', size: 9 }],
    });
    expect(run('gmail.get', { message: 'm1' }, {}).result).toMatchObject({ subject: null, text: null, date: null });
  });

  it('gets labels by their names, and an unknown one fails', () => {
    const labels = { labels: [{ id: 'Label_1', name: 'Customers' }] };
    const { requests } = run('gmail.add_labels', { message: 'm1', labels: ['customers', 'Label_1'] }, labels);
    expect(requests[1] && valueOf(requests[1])).toEqual({ addLabelIds: ['Label_1', 'Label_1'] });
    expect(() => run('gmail.add_labels', { message: 'm1', labels: ['x'] }, labels)).toThrow('no label "x"');
  });
});

describe('files of Drive', () => {
  it('are searched by a query whose texts cannot end it', () => {
    const { requests, result } = run(
      'drive.search',
      { name: "it's \\", folder: ID, limit: 3 },
      { files: [{ id: '1' }, { id: '2' }], nextPageToken: 'next' },
      { files: [{ id: '3' }], nextPageToken: 'more' },
    );
    expect(requests[0]?.query?.['q']).toBe(
      String.raw`trashed = false and name contains 'it\'s \\' and '${ID}' in parents`,
    );
    expect(requests[1]?.query).toMatchObject({ pageToken: 'next', pageSize: 1 });
    expect(result).toEqual([{ id: '1' }, { id: '2' }, { id: '3' }]);
  });

  it('are uploaded to the address that the API gives', () => {
    const location = 'https://www.googleapis.com/upload/drive/v3/files?upload_id=1';
    const { requests } = walk(googleConnector.operations, 'drive.upload', { file, folder: ID, name: 'a.pdf' }, [
      { headers: { location } },
      { body: { id: '1' } },
    ]);
    expect(requests[0] && valueOf(requests[0])).toEqual({ name: 'a.pdf', parents: [ID] });
    expect(requests[1]).toMatchObject({ method: 'PUT', path: location, body: { as: 'file', file } });
  });

  it('are downloaded as they are, and documents of Google in another format', () => {
    const plain = run('drive.download', { file: ID }, { name: 'a.pdf', mimeType: 'application/pdf' }).requests[1];
    expect(plain).toMatchObject({ query: { alt: 'media' }, asFile: { name: 'a.pdf' } });
    const sheet = { name: 'Leads', mimeType: 'application/vnd.google-apps.spreadsheet' };
    expect(run('drive.download', { file: ID }, sheet).requests[1]).toMatchObject({ asFile: { name: 'Leads.xlsx' } });
    const csv = run('drive.download', { file: ID, format: 'csv' }, sheet).requests[1];
    expect(csv).toMatchObject({ query: { mimeType: 'text/csv' }, asFile: { name: 'Leads.csv' } });
  });

  it('are moved out of the folders that they are in', () => {
    const { requests } = run('drive.move', { file: ID, folder: `${ID}x` }, { parents: ['a', 'b'] });
    expect(requests[1]?.query).toMatchObject({ addParents: `${ID}x`, removeParents: 'a,b' });
  });
});

it('an event has times or whole days', () => {
  const event = { calendar: 'primary', title: 'Planning', attendees: ['ada@example.com'] };
  const times = run('calendar.create_event', {
    ...event,
    start: '2026-03-01T09:00:00',
    end: '2026-03-01T10:00:00',
    timeZone: 'Europe/Berlin',
  });
  expect(times.requests[0] && valueOf(times.requests[0])).toMatchObject({
    start: { dateTime: '2026-03-01T09:00:00', timeZone: 'Europe/Berlin' },
    attendees: [{ email: 'ada@example.com' }],
  });
  const days = run('calendar.create_event', { ...event, start: '2026-03-01', end: '2026-03-02', hasMeet: true });
  expect(days.requests[0] && valueOf(days.requests[0])).toMatchObject({
    start: { date: '2026-03-01' },
    end: { date: '2026-03-02' },
  });
  expect(days.requests[0]?.query).toMatchObject({ conferenceDataVersion: 1 });
});

it('a document has a text, with tables', () => {
  const paragraph = (content: string) => ({ paragraph: { elements: [{ textRun: { content } }] } });
  const cell = (content: string) => ({ content: [paragraph(`${content}\n`)] });
  const table = { table: { tableRows: [{ tableCells: [cell('a'), cell('b')] }] } };
  const body = { title: 'Minutes', body: { content: [{}, paragraph('Agenda\n'), table, paragraph('End\n')] } };
  expect(run('docs.get_text', { document: ID }, body).result).toMatchObject({ text: 'Agenda\na\tb\nEnd\n' });
  const { requests } = run('docs.create', { title: 'New', text: 'Hello' }, { documentId: 'd1' });
  expect(requests[1]?.path).toBe('/documents/d1:batchUpdate');
});
