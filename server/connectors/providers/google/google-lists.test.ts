import { describe, expect, it } from 'vitest';
import type { ApiResponse } from '../../operation';
import { walk } from '../../testing/walk';
import { googleConnector } from './google';

const run = (id: string, values: Record<string, unknown>, ...answers: unknown[]) =>
  walk(
    googleConnector.operations,
    id,
    values,
    answers.map((body): Partial<ApiResponse> => ({ body })),
  );

const ID = '1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms';

describe('rows of a sheet', () => {
  const target = { spreadsheet: ID, sheet: 'Sheet1' };
  const cells = [['Name', 'Email'], ['Ada', 'a'], [], ['Bob', 'b']];

  it('are updated and appended by few calls, of equal keys the later fields', () => {
    const rows = [
      { Name: 'Bob', Email: 'new' },
      { Name: 'Eve', City: 'Rome' },
      { Name: 'Eve', Email: 'e' },
    ];
    const { requests, result } = run('sheets.upsert_rows', { ...target, key: 'Name', rows }, { values: cells });
    expect(requests.map(({ method = 'GET', path }) => [method, path.split('/').at(-1)])).toEqual([
      ['GET', "'Sheet1'"],
      ['PUT', "'Sheet1'!C1%3AC1"],
      ['POST', 'values:batchUpdate'],
      ['POST', "'Sheet1'!A1%3AC1:append"],
    ]);
    expect(requests[2]?.body).toMatchObject({
      value: { data: [{ range: "'Sheet1'!A4:C4", values: [['Bob', 'new', null]] }] },
    });
    expect(requests[3]?.body).toMatchObject({ value: { values: [['Eve', 'e', 'Rome']] } });
    expect(result).toEqual({ updatedRows: 1, appendedRows: 1 });
  });

  it('have another checksum when a column that counts changes', () => {
    const read = (values: unknown[][], columns?: string[]) =>
      run('sheets.read_row_versions', { ...target, columns }, { values }).result as Record<string, unknown>[];
    const changed = cells.map((row) => row.map((cell) => (cell === 'b' ? 'c' : cell)));
    expect(read(cells)[0]).toMatchObject({ row_number: 2, Name: 'Ada', checksum: read(changed)[0]?.['checksum'] });
    expect(read(changed)[1]?.['checksum']).not.toBe(read(cells)[1]?.['checksum']);
    expect(read(changed, ['Name'])[1]?.['checksum']).toBe(read(cells, ['Name'])[1]?.['checksum']);
    expect(() => read(cells, ['Nome'])).toThrow('no column "Nome"');
  });

  it('have columns with letters, which are deleted by name or letter', () => {
    expect(run('sheets.list_columns', target, { values: [['Name', '', 'Name']] }).result).toEqual([
      { name: 'Name', column: 'A' },
      { name: 'B', column: 'B' },
      { name: 'Name (C)', column: 'C' },
    ]);
    const grid = { sheets: [{ properties: { title: 'Sheet1', sheetId: 7 } }] };
    const startIndex = (from: string) => {
      const { requests } = run('sheets.delete_columns', { ...target, from }, grid, { values: [cells[0]] });
      return (JSON.stringify(requests[2]?.body).match(/"startIndex":(\d+)/) ?? [])[1];
    };
    expect([startIndex('Email'), startIndex('AB')]).toEqual(['1', '27']);
    expect(() => startIndex('E-Mail')).toThrow('no column "E-Mail"');
  });
});

describe('events of a calendar', () => {
  const event = (id: string, fields: object) => ({
    id,
    status: 'confirmed',
    created: '2026-01-01T00:00:00Z',
    ...fields,
  });
  const changes = [
    event('new', { updated: '2026-01-01T00:00:01Z' }),
    event('moved', { updated: '2026-01-02T00:00:00Z' }),
    event('gone', { updated: '2026-01-02T00:00:00Z', status: 'cancelled' }),
  ];
  const ids = (result: unknown) => (result as { id: string }[]).map(({ id }) => id);

  it('are told apart by what has happened to them, over all pages', () => {
    const since = '2026-01-01T00:00:00Z';
    const pages = [{ items: changes.slice(0, 1), nextPageToken: 'next' }, { items: changes.slice(1) }];
    const updated = run('calendar.list_updated_events', { calendar: 'primary', since }, ...pages);
    expect(ids(updated.result)).toEqual(['moved']);
    expect(updated.requests.map(({ query }) => query?.['pageToken'])).toEqual([undefined, 'next']);
    expect(ids(run('calendar.list_cancelled_events', { calendar: 'primary', since }, ...pages).result)).toEqual([
      'gone',
    ]);
  });

  it('begin or end between two times', () => {
    const items = [
      event('before', {
        start: { dateTime: '2026-03-01T08:00:00+01:00' },
        end: { dateTime: '2026-03-01T09:30:00+01:00' },
      }),
      event('within', {
        start: { dateTime: '2026-03-01T09:10:00+01:00' },
        end: { dateTime: '2026-03-01T12:00:00+01:00' },
      }),
      event('day', { start: { date: '2026-03-01' }, end: { date: '2026-03-02' } }),
    ];
    const between = { calendar: 'primary', from: '2026-03-01T08:00:00Z', to: '2026-03-01T09:00:00Z' };
    expect(ids(run('calendar.list_started_events', between, { items }).result)).toEqual(['within']);
    expect(ids(run('calendar.list_ended_events', between, { items }).result)).toEqual(['before']);
  });
});

it('the last email of a thread is answered', () => {
  const mail = (id: string) => ({
    threadId: 't1',
    payload: { headers: [{ name: 'From', value: `${id}@example.com` }] },
  });
  const { requests } = run(
    'gmail.reply_to_thread',
    { thread: 't1', text: 'Hi' },
    { messages: [mail('ada'), mail('bob')] },
  );
  const { body } = requests[1] ?? {};
  expect(body?.as === 'pieces' && body.pieces.join('')).toContain('To: bob@example.com');
  expect(() => run('gmail.reply_to_thread', { thread: 't1' }, { messages: [] })).toThrow('has no email');
});

it('changed files and folders are searched by their time', () => {
  const changed = run('drive.list_changed', { folder: ID, changedAfter: '2026-01-01T00:00:00Z' }, { files: [] });
  expect(changed.requests[0]?.query).toMatchObject({
    q: `trashed = false and '${ID}' in parents and modifiedTime >= '2026-01-01T00:00:00Z' and (mimeType != 'application/vnd.google-apps.folder')`,
    orderBy: 'modifiedTime desc',
  });
  const folders = run('drive.list_folders', { name: 'Inv' }, { files: [{ id: '1' }] });
  expect(folders.requests[0]?.query?.['q']).toContain("mimeType = 'application/vnd.google-apps.folder'");
  expect(folders.result).toEqual([{ id: '1' }]);
});

it('permissions of a file are read from all pages', () => {
  const pages = [{ permissions: [{ id: '1' }], nextPageToken: 'next' }, { permissions: [{ id: '2' }] }];
  const { requests, result } = run('drive.list_permissions', { file: ID }, ...pages);
  expect(requests[1]?.query).toMatchObject({ pageToken: 'next' });
  expect(result).toEqual({ permissions: [{ id: '1' }, { id: '2' }] });
});
