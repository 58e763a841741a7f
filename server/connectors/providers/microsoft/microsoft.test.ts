import { describe, expect, it } from 'vitest';
import type { FileValue } from '@/contract/file-value';
import type { ApiRequest, ApiResponse } from '../../operation';
import { walk } from '../../testing/walk';
import { microsoftGraphConnector } from './microsoft-graph';

const run = (id: string, values: Record<string, unknown>, ...answers: unknown[]) =>
  walk(
    microsoftGraphConnector.operations,
    id,
    values,
    answers.map((body): Partial<ApiResponse> => ({ body })),
  );

const valueOf = (request: ApiRequest | undefined): unknown =>
  request?.body?.as === 'json' ? request.body.value : undefined;
const pathsOf = (requests: ApiRequest[]) =>
  requests.map(({ method = 'GET', path }) => `${method} ${decodeURIComponent(path)}`);

const file: FileValue = { $file: 'file_1', name: 'a "b".pdf', contentType: 'application/pdf', size: 5, sha256: '' };

/** The JSON of a body of pieces, with a content in place of each file. */
const jsonOf = (request: ApiRequest | undefined): unknown => {
  if (request?.body?.as !== 'pieces') throw new Error('no pieces');
  return JSON.parse(request.body.pieces.map((piece) => (typeof piece === 'string' ? piece : 'Ynl0ZXM=')).join(''));
};

describe('an email', () => {
  it('has addresses with names, and files of the run', () => {
    const mail = {
      to: '"Löwe, Ada" <ada@example.com>, bob@example.com',
      subject: 'Hi',
      text: 'Plain',
      html: '<p>R</p>',
    };
    const { requests } = run('messages.send', { ...mail, attachments: [file, file] });
    const attachment = {
      '@odata.type': '#microsoft.graph.fileAttachment',
      name: 'a "b".pdf',
      contentType: 'application/pdf',
      contentBytes: 'Ynl0ZXM=',
    };
    expect(jsonOf(requests[0])).toEqual({
      message: {
        subject: 'Hi',
        body: { contentType: 'html', content: '<p>R</p>' },
        toRecipients: [
          { emailAddress: { address: 'ada@example.com', name: 'Löwe, Ada' } },
          { emailAddress: { address: 'bob@example.com' } },
        ],
        attachments: [attachment, attachment],
      },
    });
    const unsaved = run('messages.send', { ...mail, attachments: [file], isUnsaved: true }).requests[0];
    expect(jsonOf(unsaved)).toMatchObject({ saveToSentItems: false, message: { attachments: [attachment] } });
    expect(jsonOf(run('messages.create_draft', { attachments: [file] }).requests[0])).toEqual({
      attachments: [attachment],
    });
  });

  it('is sent as before if a whole message is given', () => {
    const message = { subject: 'Hi', toRecipients: [{ emailAddress: { address: 'ada@example.com' } }] };
    expect(valueOf(run('messages.send', { message }).requests[0])).toEqual({ message });
  });

  it.each([
    [{ subject: 'Hi' }, 'parameters.to: is required'],
    [{ to: 'Ada' }, '"Ada" is not an email address'],
    [{ to: 'ada@example.com', attachments: [{ ...file, size: 3 * 1024 * 1024 }] }, 'less than 3 MB'],
    [{ to: 'ada@example.com', attachments: Array.from({ length: 4 }, () => ({ ...file, size: 1e6 })) }, 'together'],
  ])('is refused: %j', (mail, said) => {
    expect(() => run('messages.send', mail)).toThrow(said);
  });

  it('is answered by a comment, or by a message with files', () => {
    const plain = run('messages.reply', { messageId: 'm/1', text: 'Thanks' }).requests[0];
    expect(plain).toMatchObject({ path: '/me/messages/m%2F1/reply' });
    expect(valueOf(plain)).toEqual({ comment: 'Thanks' });
    const rich = run('messages.reply', { messageId: 'm1', toAll: true, attachments: [file] }).requests[0];
    expect(rich).toMatchObject({ path: '/me/messages/m1/replyAll' });
    expect(jsonOf(rich)).toMatchObject({ message: { attachments: [{ contentBytes: 'Ynl0ZXM=' }] } });
  });

  it('is found by words that cannot end the search', () => {
    const { requests } = run('messages.search', { text: 'from:"Ada" \\' }, { value: [{ id: '1' }, { id: '2' }] });
    expect(requests[0]?.query).toMatchObject({ $search: String.raw`"from:\"Ada\" \\"` });
  });

  it.each(['', '.', '..'])('cannot have the id %j', (messageId) => {
    expect(() => run('messages.update', { messageId, isRead: true })).toThrow('not a valid id');
  });
});

it('items of all pages are collected up to a limit', () => {
  const next = 'https://graph.microsoft.com/v1.0/me/calendarView?$skip=2';
  const first = { value: [{ id: '1' }, { id: '2' }], '@odata.nextLink': next };
  const period = { from: '2026-03-01T00:00:00Z', to: '2026-03-08T00:00:00Z' };
  const all = run('events.list', period, first, { value: [{ id: '3' }] });
  expect(all.requests.map(({ path }) => path)).toEqual(['/me/calendar/calendarView', next]);
  expect(all.requests[1]?.query).toEqual({});
  expect(all.result).toEqual([{ id: '1' }, { id: '2' }, { id: '3' }]);
  expect(run('events.list', { ...period, limit: 1 }, first).result).toEqual([{ id: '1' }]);
  expect(run('events.list', { calendarId: 'c' }, { value: [] }).requests[0]?.path).toBe('/me/calendars/c/events');
  expect(() => run('events.list', { from: period.from })).toThrow('parameters.to: both times are needed');
});

it('times of an event with an offset are written in UTC, others in the time zone', () => {
  const times = { start: '2026-03-01T09:00:00+01:00', end: '2026-03-01T10:00:00', timeZone: 'Europe/Berlin' };
  const { requests } = run('events.create', { title: 'Planning', ...times });
  expect(valueOf(requests[0])).toMatchObject({
    start: { dateTime: '2026-03-01T08:00:00', timeZone: 'UTC' },
    end: { dateTime: '2026-03-01T10:00:00', timeZone: 'Europe/Berlin' },
  });
});

it('a message of Teams needs a content, and a chat is with one person or a group', () => {
  expect(() => run('chat_messages.send', { chatId: 'c' })).toThrow('parameters.text: is required');
  const one = run('chats.create', { people: ["o'neil@example.com"], topic: 'x' }, { id: 'me' }).requests[1];
  expect(valueOf(one)).toMatchObject({ chatType: 'oneOnOne', topic: undefined });
  expect(JSON.stringify(valueOf(one))).toContain("users('o''neil@example.com')");
  const group = run('chats.create', { people: ['a', 'b'], topic: 'Launch' }, { id: 'me' }).requests[1];
  expect(valueOf(group)).toMatchObject({ chatType: 'group', topic: 'Launch', members: [{}, {}, {}] });
});

describe('files', () => {
  it('are uploaded by their name, and too large ones are refused', () => {
    const upload = run('documents.upload', { driveId: 'b!1', folderId: 'root', file }).requests[0];
    expect(upload).toMatchObject({
      method: 'PUT',
      path: '/drives/b%211/items/root:/a%20%22b%22.pdf:/content',
      body: { as: 'file', file },
    });
    const large = { ...file, size: 250_000_001 };
    expect(() => run('files.upload', { folderId: 'root', file: large })).toThrow('at most 250 MB');
  });

  it('are copied into a folder of their drive', () => {
    const { requests, result } = walk(
      microsoftGraphConnector.operations,
      'files.copy',
      { fileId: 'f', folderId: 'd', name: 'x' },
      [{ body: { id: 'drive' } }, { status: 202, headers: { location: 'https://example.com/monitor' } }],
    );
    expect(valueOf(requests[1])).toEqual({ name: 'x', parentReference: { driveId: 'drive', id: 'd' } });
    expect(result).toEqual({ status: 'started', monitorUrl: 'https://example.com/monitor' });
    expect(run('files.copy', { fileId: 'f', name: 'y' }).requests).toHaveLength(1);
  });

  it('are told apart from folders', () => {
    const value = [
      { id: '1', file: {} },
      { id: '2', folder: {} },
    ];
    expect(run('folders.list', { folderId: 'root' }, { value }).result).toEqual([{ id: '2', folder: {} }]);
  });
});

describe('an item of a list', () => {
  const target = { siteId: 's', listId: 'l', key: 'Title' };

  it('is updated if one has its key, else created', () => {
    const fields = { Title: "it's", Priority: 'High' };
    const found = run('list_items.upsert', { ...target, fields }, { value: [{ id: '7' }] }, { Title: "it's" });
    expect(found.requests[0]?.query).toMatchObject({ $filter: "fields/Title eq 'it''s'" });
    expect(pathsOf(found.requests)[1]).toBe('PATCH /sites/s/lists/l/items/7/fields');
    expect(found.result).toEqual({ id: '7', fields: { Title: "it's" } });
    const made = run('list_items.upsert', { ...target, fields }, { value: [] });
    expect(valueOf(made.requests[1])).toEqual({ fields });
  });

  it('cannot change the condition', () => {
    const key = "Title eq 'a' or Title";
    expect(() => run('list_items.upsert', { ...target, key, fields: { [key]: 1 } })).toThrow('internal name');
    expect(() => run('list_items.upsert', { ...target, fields: { Title: '' } })).toThrow('no value for "Title"');
  });
});

describe('rows of a sheet of Excel', () => {
  const target = { workbookId: 'w', worksheet: "It's 1" };
  const used = {
    rowIndex: 1,
    columnIndex: 1,
    values: [
      ['Name', 'Email', ''],
      ['Ada', 'ada@example.com', ''],
      ['', '', ''],
      ['Bob', '', ''],
      ['', '', ''],
    ],
  };
  const head = { ...target, headerRow: 2 };

  it('are objects wherever the used cells begin', () => {
    const { requests, result } = run('worksheets.read_rows', head, used);
    expect(pathsOf(requests)).toEqual(["GET /me/drive/items/w/workbook/worksheets/It's 1/usedRange(valuesOnly=true)"]);
    expect(result).toEqual([
      { row_number: 3, A: '', Name: 'Ada', Email: 'ada@example.com' },
      { row_number: 5, A: '', Name: 'Bob', Email: '' },
    ]);
    expect(run('worksheets.read_rows', { ...head, filter: { Name: 'Bob' } }, used).result).toHaveLength(1);
    expect(run('worksheets.read_rows', target, { values: [['']] }).result).toEqual([]);
  });

  it('are appended below the last one, and new columns get a header', () => {
    const { requests, result } = run('worksheets.append_row', { ...head, row: { Name: 'Eve', City: 'Rome' } }, used);
    expect(pathsOf(requests).slice(1)).toEqual([
      "PATCH /me/drive/items/w/workbook/worksheets/It's 1/range(address='D2:D2')",
      "PATCH /me/drive/items/w/workbook/worksheets/It's 1/range(address='A6:D6')",
    ]);
    expect(requests.slice(1).map(valueOf)).toEqual([{ values: [['City']] }, { values: [[null, 'Eve', null, 'Rome']] }]);
    expect(result).toEqual({ updatedRows: 0, appendedRows: 1 });
    const empty = run('worksheets.append_row', { ...target, row: { Name: 'Ada' } }, { values: [['']] });
    expect(empty.requests.slice(1).map(valueOf)).toEqual([{ values: [['Name']] }, { values: [['Ada']] }]);
  });

  it('are written together, and rows between them stay', () => {
    const rows = [
      { Name: 'Bob', Email: 'bob@example.com' },
      { Name: 'Ada', Email: 'a@example.com' },
      { Name: 'Eve' },
      { Name: 'Eve', Email: 'e' },
    ];
    const { requests, result } = run('worksheets.upsert_rows', { ...head, key: 'Name', rows }, used);
    expect(pathsOf(requests).slice(1)).toEqual([
      "PATCH /me/drive/items/w/workbook/worksheets/It's 1/range(address='A3:C5')",
      "PATCH /me/drive/items/w/workbook/worksheets/It's 1/range(address='A6:C6')",
    ]);
    expect(requests.slice(1).map(valueOf)).toEqual([
      {
        values: [
          [null, 'Ada', 'a@example.com'],
          [null, null, null],
          [null, 'Bob', 'bob@example.com'],
        ],
      },
      { values: [[null, 'Eve', 'e']] },
    ]);
    expect(result).toEqual({ updatedRows: 2, appendedRows: 1 });
    expect(run('worksheets.upsert_rows', { ...head, key: 'Name', rows: [] }).requests).toEqual([]);
  });

  it('are not updated where none has the key', () => {
    const update = { ...head, key: 'Name', row: { Name: 'Eve' } };
    expect(() => run('worksheets.update_row', update, used)).toThrow('No row has "Eve" in the column "Name".');
    expect(() => run('worksheets.update_row', { ...update, key: 'Nome', row: { Nome: 'x' } }, used)).toThrow(
      'no column "Nome"',
    );
  });

  it('have checksums of the columns that count', () => {
    const checksums = (answer: unknown, columns?: string[]) =>
      (run('worksheets.read_row_versions', { ...head, columns }, answer).result as { checksum: string }[]).map(
        ({ checksum }) => checksum,
      );
    const changed = { ...used, values: used.values.map((row) => row.map((cell) => (cell === 'Bob' ? 'Rob' : cell))) };
    expect(checksums(changed)[0]).toBe(checksums(used)[0]);
    expect(checksums(changed)[1]).not.toBe(checksums(used)[1]);
    expect(checksums(changed, ['Email'])).toEqual(checksums(used, ['Email']));
    expect(() => checksums(used, ['Mail'])).toThrow('no column "Mail"');
  });

  it('are cleared below the header', () => {
    const cleared = run('worksheets.clear', { ...target, keepsHeader: true }, used);
    expect(cleared.result).toEqual({ cleared: 'A2:C5' });
    expect(run('worksheets.clear', { ...target, keepsHeader: true }, { values: [['']] }).result).toEqual({
      cleared: null,
    });
  });

  it('have no address that leads elsewhere', () => {
    expect(() => run('worksheets.read_range', { ...target, range: "A1')/delete" })).toThrow('not a range');
  });
});

describe('rows of a table of Excel', () => {
  const target = { workbookId: 'w', table: 'Table1', driveId: 'd' };
  const columns = { value: [{ name: 'Name' }, { name: 'Email' }] };
  const body = {
    values: [
      ['', ''],
      ['Ada', 'ada@example.com'],
    ],
  };

  it('have their places, without empty ones', () => {
    const { result } = run('tables.list_rows', target, columns, body);
    expect(result).toEqual([{ index: 1, Name: 'Ada', Email: 'ada@example.com' }]);
  });

  it('are updated at their place, or appended', () => {
    const change = { ...target, key: 'Name' };
    const updated = run('tables.upsert_row', { ...change, row: { Name: 'Ada', Email: 'new' } }, columns, body);
    expect(pathsOf(updated.requests)[2]).toBe('PATCH /drives/d/items/w/workbook/tables/Table1/rows/1');
    const added = run('tables.upsert_row', { ...change, row: { Name: 'Eve' } }, columns, body);
    expect(pathsOf(added.requests)[2]).toBe('POST /drives/d/items/w/workbook/tables/Table1/rows/add');
    expect(valueOf(added.requests[2])).toEqual({ index: null, values: [['Eve', null]] });
  });

  it('cannot have a column that the table lacks', () => {
    expect(() => run('tables.append_row', { ...target, row: { City: 'Rome' } }, columns)).toThrow('no column "City"');
    const search = { ...target, column: 'City', value: 'x' };
    expect(() => run('tables.find_row', search, columns, body)).toThrow('no column "City"');
    expect(run('tables.find_row', { ...search, column: 'Name' }, columns, body).result).toBeNull();
  });
});
