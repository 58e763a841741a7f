import { expect, it } from 'vitest';
import type { ApiRequest } from '../../operation';
import { runOperation, sentValue } from '../../testing/run-steps';

const bodies = (...args: Parameters<typeof runOperation>) => runOperation(...args).requests.map(sentValue);

it('Airtable takes ten records in a call; all of them are returned', () => {
  const rows = Array.from({ length: 23 }, (_, index) => ({ Name: index }));
  const answers = [10, 10, 3].map((length) => ({ body: { records: Array.from({ length }, () => ({ id: 'rec' })) } }));
  const { requests, result } = runOperation(
    'airtable',
    'records.upsert',
    { base: 'app1', table: 'A/B', rows, keys: ['Name'] },
    ...answers,
  );
  expect(requests.map(({ method, path }) => [method, path])).toEqual(
    Array.from({ length: 3 }, () => ['PATCH', '/app1/A%2FB']),
  );
  expect(requests.map((request) => (sentValue(request) as { records: unknown[] }).records.length)).toEqual([10, 10, 3]);
  expect(sentValue(requests[0] as ApiRequest)).toMatchObject({ performUpsert: { fieldsToMergeOn: ['Name'] } });
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

it('the text of a page of Notion has that of its blocks, page by page, without other pages', () => {
  const block = (id: string, type: string, text: string, hasChildren = false) => ({
    id,
    type,
    has_children: hasChildren,
    [type]: { rich_text: [{ plain_text: text }] },
  });
  const { requests, result } = runOperation(
    'notion',
    'blocks.get_text',
    { block: 'p1' },
    { body: { results: [block('b1', 'heading_1', 'List', true)], has_more: true, next_cursor: 'c1' } },
    { body: { results: [block('b2', 'to_do', 'Milk')], has_more: false } },
    { body: { results: [block('b3', 'paragraph', 'End'), block('b4', 'child_page', 'Other', true)], has_more: false } },
  );
  expect(requests.map(({ path, query }) => [path, query?.['start_cursor']])).toEqual([
    ['/blocks/p1/children', undefined],
    ['/blocks/b1/children', undefined],
    ['/blocks/p1/children', 'c1'],
  ]);
  expect(result).toEqual({ text: 'List\n  Milk\nEnd\nOther' });
  const endless = Array.from({ length: 200 }, () => ({ body: { results: [], has_more: true, next_cursor: 'c' } }));
  expect(() => runOperation('notion', 'blocks.get_text', { block: 'p1' }, ...endless)).toThrow(
    'more than 150 requests',
  );
});

it('changed pages of Notion are read to the end since a time, else only the newest', () => {
  const page = (id: string, next: string | null) => ({ body: { results: [{ id }], next_cursor: next } });
  const since = '2026-01-31T08:15:00.000Z';
  const all = runOperation(
    'notion',
    'databases.list_changed',
    { database: 'd1', since },
    page('a', 'c1'),
    page('b', null),
  );
  expect(all.result).toEqual([{ id: 'a' }, { id: 'b' }]);
  expect(all.requests.map(sentValue)).toMatchObject([
    { filter: { timestamp: 'last_edited_time', last_edited_time: { on_or_after: since } } },
    { start_cursor: 'c1' },
  ]);
  const first = runOperation('notion', 'databases.list_changed', { database: 'd1' }, page('a', 'c1'));
  expect([first.requests.length, first.result]).toEqual([1, [{ id: 'a' }]]);
});

it('values and names in formulas of Airtable cannot leave their place', () => {
  const place = { base: 'app1', table: 'T' };
  const { requests } = runOperation('airtable', 'records.find', { ...place, field: 'First name', value: 'a" & "\\' });
  expect(requests[0]?.query?.['filterByFormula']).toBe('{First name} & "" = "a\\" & \\"\\\\"');
  expect(() => runOperation('airtable', 'records.find', { ...place, field: '{a}', value: 'x' })).toThrow(
    'must not contain',
  );
  const rows = [{ id: 'rec1', fields: {} }, { fields: {} }];
  expect(() => runOperation('airtable', 'records.update_many', { ...place, rows })).toThrow('parameters.rows.1');
});

it('records of Airtable are deleted ten in a call', () => {
  const records = Array.from({ length: 12 }, (_, index) => `rec&${index}`);
  const { requests } = runOperation('airtable', 'records.delete_many', { base: 'app1', table: 'T', records });
  expect(requests.map(({ method, path }) => [method, path.split('?')[0], path.split('records[]=').length - 1])).toEqual(
    [
      ['DELETE', '/app1/T', 10],
      ['DELETE', '/app1/T', 2],
    ],
  );
  expect(requests[1]?.path).toBe('/app1/T?records[]=rec%2610&records[]=rec%2611');
});

it('changed records of Airtable begin with the newest one, then follow from its time', () => {
  const values = { base: 'app1', table: 'T', timeField: 'Modified' };
  const record = (id: string, at: string) => ({ id, createdTime: 'c', fields: { Modified: at } });
  const first = runOperation('airtable', 'records.list_changed', values, {
    body: { records: [record('r1', 't1')], offset: 'o' },
  });
  expect(first.requests.map(({ query }) => query)).toMatchObject([{ maxRecords: 1, 'sort[0][direction]': 'desc' }]);
  expect(first.result).toMatchObject([{ id: 'r1', changedAt: 't1' }]);
  const later = runOperation(
    'airtable',
    'records.list_changed',
    { ...values, since: 't1' },
    { body: { records: [record('r1', 't1')], offset: 'o' } },
    { body: { records: [{ id: 'r2', createdTime: 'c', fields: {} }] } },
  );
  expect(later.requests.map(({ query }) => query?.['offset'])).toEqual([undefined, 'o']);
  expect(later.requests[0]?.query?.['filterByFormula']).toBe('NOT(IS_BEFORE({Modified}, "t1"))');
  expect(later.result).toMatchObject([{ changedAt: 't1' }, { id: 'r2', changedAt: 'c' }]);
});

it('plain values of a page of Notion are written as its properties want them, others as they are', () => {
  const types = ['title', 'rich_text', 'number', 'checkbox', 'select', 'multi_select', 'date', 'url', 'relation'];
  const properties = Object.fromEntries([...types, 'formula'].map((type) => [type, { type }]));
  const update = (values: Record<string, unknown>) =>
    runOperation('notion', 'pages.update', { page: 'p1', properties: values }, { body: { properties } });
  const given = { status: { status: { name: 'Done' } }, files: null };
  expect(update(given).requests.map(sentValue)).toEqual([{ properties: given, archived: undefined }]);
  const plain = {
    title: 'Ü'.repeat(2001),
    rich_text: '',
    number: '12.5',
    checkbox: true,
    select: 'New',
    multi_select: ['a', 'b'],
    date: '2026-03-01',
    url: 'https://example.com',
    relation: 'p2',
  };
  const [asked, changed] = update({ ...given, ...plain }).requests;
  expect(asked?.path).toBe('/pages/p1');
  expect(sentValue(changed as ApiRequest)).toMatchObject({
    properties: {
      ...given,
      title: { title: [{ text: { content: 'Ü'.repeat(2000) } }, { text: { content: 'Ü' } }] },
      rich_text: { rich_text: [] },
      number: { number: 12.5 },
      checkbox: { checkbox: true },
      select: { select: { name: 'New' } },
      multi_select: { multi_select: [{ name: 'a' }, { name: 'b' }] },
      date: { date: { start: '2026-03-01' } },
      url: { url: 'https://example.com' },
      relation: { relation: [{ id: 'p2' }] },
    },
  });
  expect(() => update({ number: 'many' })).toThrow('parameters.properties.number: a property of the type number');
  expect(() => update({ formula: 1 })).toThrow('a property of the type formula does not take it');
  expect(() => update({ toString: 'x' })).toThrow('parameters.properties.toString: there is no such property');
});

it('a page of Notion below another page has a title without asking for its properties', () => {
  const [page] = bodies('notion', 'pages.create', {
    parent: 'p1',
    isInDatabase: false,
    properties: { title: 'Call Ada' },
  });
  expect(page).toMatchObject({
    parent: { page_id: 'p1' },
    properties: { title: { title: [{ text: { content: 'Call Ada' } }] } },
  });
});

it('pages of Notion are found by a value as the type of the property wants it', () => {
  const properties = {
    Done: { type: 'checkbox' },
    Size: { type: 'number' },
    Tags: { type: 'multi_select' },
    Sum: { type: 'rollup' },
  };
  const find = (property: string, value: string) =>
    sentValue(
      runOperation('notion', 'databases.find', { database: 'd1', property, value }, { body: { properties } })
        .requests[1] as ApiRequest,
    );
  const filter = (condition: object) => ({ filter: condition, page_size: 100 });
  expect(find('Done', 'true')).toEqual(filter({ property: 'Done', checkbox: { equals: true } }));
  expect(find('Size', '7')).toEqual(filter({ property: 'Size', number: { equals: 7 } }));
  expect(find('Tags', 'New')).toEqual(filter({ property: 'Tags', multi_select: { contains: 'New' } }));
  expect(() => find('Done', 'maybe')).toThrow('parameters.value: a property of the type checkbox');
  expect(() => find('Sum', '1')).toThrow('parameters.property: a property of the type rollup cannot be searched');
  expect(() => find('toString', '1')).toThrow('parameters.property: the database has no property "toString"');
});

it('a comment of Notion needs a page and a text, in one of two forms', () => {
  const comment = (values: Record<string, unknown>) => bodies('notion', 'comments.create', values)[0];
  const richText = [{ text: { content: 'Done' } }];
  expect(comment({ parent: { page_id: 'p1' }, richText })).toEqual({ parent: { page_id: 'p1' }, rich_text: richText });
  expect(comment({ page: 'p1', text: 'Done' })).toMatchObject({ parent: { page_id: 'p1' }, rich_text: richText });
  expect(() => comment({ text: 'Done' })).toThrow('parameters.page');
  expect(() => comment({ page: 'p1' })).toThrow('parameters.text');
});

it('Supabase tells the columns of a table from the description of its API', () => {
  const definitions = {
    customers: {
      required: ['id', 'name'],
      properties: {
        id: { type: 'integer', format: 'bigint', default: 'nextval()' },
        name: { type: 'string', format: 'text' },
        kind: { type: 'string', format: 'public.kind', enum: ['new', 'old'] },
        born: { type: 'string', format: 'date' },
        details: { format: 'jsonb' },
      },
    },
  };
  const columns = (table: string) =>
    runOperation('supabase', 'columns.list', { table }, { body: { definitions } }).result as Record<string, unknown>[];
  expect(columns('customers').map(({ name, type, isRequired }) => [name, type, isRequired])).toEqual([
    ['id', 'integer', false],
    ['name', 'string', true],
    ['kind', 'enum', false],
    ['born', 'date', false],
    ['details', 'json', false],
  ]);
  expect(columns('toString')).toEqual([]);
});
