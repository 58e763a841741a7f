import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Decimal128, Long, ObjectId } from 'bson';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { WorkflowNode } from '@/contract/workflows/workflow';
import { startWorker, type EngineWorker } from '@/server/engine/worker';
import { closeMongoPools } from '@/server/network/mongodb/mongodb';
import { useDatabase } from '@/server/testing/database';
import { buildCredential, buildUser, call, type TestUser } from '@/server/testing/factories';
import { runNode, saveNode } from '@/server/testing/one-node';
import { startMongo, type MongoParty } from '@/server/testing/servers/mongodb/mongodb';
import { nodeTypeDefinitions } from '@/server/workflow/nodes';

useDatabase();

const PASSWORD = 'canary-password-4711';
const docs = readFileSync(path.resolve(import.meta.dirname, '../../../../docs/data/mongodb.md'), 'utf8');

let worker: EngineWorker;
let server: MongoParty;
let user: TestUser;
let credentialId: string;

const fields = () => ({
  host: '127.0.0.1',
  port: server.port,
  username: 'ada',
  password: PASSWORD,
  database: 'shop',
  tls: 'off',
});
const credentialOf = (owner: TestUser, changes: object = {}) =>
  buildCredential(owner, 'mongodb', { ...fields(), ...changes });

beforeAll(async () => {
  server = await startMongo({ user: { username: 'ada', password: PASSWORD } });
  const kinds = new Map(nodeTypeDefinitions.map((kind) => [kind.type, kind]));
  worker = await startWorker({ concurrency: 20, kinds, graceMs: 200 });
});
beforeEach(async () => {
  user = await buildUser();
  credentialId = await credentialOf(user);
  server.databases.clear();
});
afterAll(async () => {
  await worker.stop();
  closeMongoPools();
  await server.close();
});

const stored = (name: string) => server.databases.collection('shop', name);
const run = (config: object, input: object = {}, more: Partial<WorkflowNode> = {}, owner = user) =>
  runNode(owner, { credentialId, ...more, config: { collection: 'orders', ...config }, type: 'mongodb' }, input);
const outputOf = async (config: object, input: object = {}) => (await run(config, input)).output;
const save = (config: object, status = 'draft') =>
  saveNode(user, { credentialId, config: config as WorkflowNode['config'], type: 'mongodb' }, status);

it('does what docs/data/mongodb.md shows', async () => {
  const [, block = ''] = /```json\n([^]*?)\n```/.exec(docs) ?? [];
  const nodes = JSON.parse(block) as Pick<WorkflowNode, 'config'>[];
  const round = async (input: object) => {
    const outputs: unknown[] = [];
    for (const { config } of nodes) outputs.push(await outputOf(config, input));
    return outputs;
  };
  const order = { number: 7, customer: 'Ada', total: 19.5 };
  const [made, ...first] = await round(order);
  expect(made).toEqual({ matchedCount: 0, modifiedCount: 0, upsertedId: expect.stringMatching(/^[0-9a-f]{24}$/) });
  expect(first).toEqual([{ visits: 1 }, [{ number: 7, total: 19.5 }]]);
  const [repeated, ...second] = await round({ ...order, total: 12 });
  expect(repeated).toEqual({ matchedCount: 1, modifiedCount: 1, upsertedId: null });
  expect(second).toEqual([{ visits: 2 }, [{ number: 7, total: 12 }]]);
});

it('writes, finds and deletes documents by each operation', async () => {
  const documents = [
    { n: 1, tag: 'a' },
    { n: 2, tag: 'a' },
    { n: 3, tag: 'b' },
  ];
  const inserted = (await outputOf({ operation: 'insert', documents: '{{ input.documents }}' }, { documents })) as {
    insertedIds: string[];
  };
  expect(inserted).toMatchObject({ insertedCount: 3 });
  const [firstId, secondId] = inserted.insertedIds;
  expect(stored('orders')[0]?.['_id']).toEqual(new ObjectId(firstId));
  expect(await outputOf({ operation: 'count', query: { tag: 'a' } })).toBe(2);
  expect(await outputOf({ operation: 'count', query: { tag: 'z' } })).toBe(0);
  const page = { operation: 'find', sort: { n: -1 }, skip: 1, limit: 1, projection: { n: 1, _id: 0 } };
  expect(await outputOf(page)).toEqual([{ n: 2 }]);
  expect(await outputOf({ operation: 'find_one', query: { _id: '{{ input.id }}' } }, { id: secondId })).toEqual({
    _id: secondId,
    n: 2,
    tag: 'a',
  });
  const ids = { operation: 'find', query: { _id: { $in: '{{ input.ids }}' } }, projection: { n: 1, _id: 0 } };
  expect(await outputOf(ids, { ids: [firstId, secondId] })).toEqual([{ n: 1 }, { n: 2 }]);
  expect(await outputOf({ operation: 'find', query: { _id: firstId }, hasTextIds: true })).toEqual([]);
  const groups = [{ $group: { _id: '$tag', sum: { $sum: '$n' } } }, { $sort: { _id: 1 } }];
  expect(await outputOf({ operation: 'aggregate', pipeline: groups })).toEqual([
    { _id: 'a', sum: 3 },
    { _id: 'b', sum: 3 },
  ]);
  const change = { operation: 'update', query: { tag: 'a' }, change: { $inc: { n: 10 } } };
  expect(await outputOf({ ...change, which: 'first' })).toEqual({
    matchedCount: 1,
    modifiedCount: 1,
    upsertedId: null,
  });
  expect(await outputOf(change)).toMatchObject({ matchedCount: 2, modifiedCount: 2 });
  expect(stored('orders').map(({ n }) => n)).toEqual([21, 12, 3]);
  const before = { operation: 'find_and_update', query: { n: 3 }, change: { done: true }, returns: 'before' };
  expect(await outputOf(before)).toMatchObject({ n: 3, tag: 'b' });
  const replaced = { operation: 'find_and_replace', query: { n: 3 }, document: { n: 4 } };
  expect(await outputOf(replaced)).toEqual({ _id: inserted.insertedIds[2], n: 4 });
  expect(await outputOf({ operation: 'replace', query: { n: 4 }, document: { n: 5 } })).toMatchObject({
    matchedCount: 1,
  });
  expect(await outputOf({ operation: 'find_and_delete', query: { n: 5 } })).toMatchObject({ n: 5 });
  expect(await outputOf({ operation: 'find_and_delete', query: { n: 5 } })).toBe(null);
  expect(await outputOf({ operation: 'delete', query: { tag: 'a' }, which: 'first' })).toEqual({ deletedCount: 1 });
  expect(await outputOf({ operation: 'delete', query: {} })).toEqual({ deletedCount: 1 });
  expect(stored('orders')).toEqual([]);
});

it('gives each type of MongoDB a form in JSON, and reads those forms', async () => {
  const id = new ObjectId();
  const values = {
    date: { $date: '2026-01-31T08:15:30Z' },
    ms: { $date: 5 },
    long: { $numberLong: '9007199254740993' },
    small: { $numberLong: '7' },
    price: { $numberDecimal: '19.90' },
    exact: { $numberDecimal: '1234567890.12345678901' },
    id: { $oid: id.toHexString() },
    bytes: { $binary: { base64: 'aGk=', subType: '00' } },
    uuid: { $uuid: 'b4e709a3-36f6-438d-88d8-3398bce0ecd0' },
    time: { $timestamp: { t: 1, i: 2 } },
    nan: { $numberDouble: 'NaN' },
    text: id.toHexString(),
    inner: { list: [{ $oid: id.toHexString() }, null, true] },
  };
  await run({ operation: 'insert', documents: values });
  const [document = {}] = stored('orders');
  expect(document).toMatchObject({ date: new Date('2026-01-31T08:15:30Z'), ms: new Date(5), text: id.toHexString() });
  expect([document['price'], document['long']]).toEqual([
    Decimal128.fromString('19.90'),
    Long.fromString('9007199254740993'),
  ]);
  expect(await outputOf({ operation: 'find_one', projection: { _id: 0 } })).toEqual({
    date: '2026-01-31T08:15:30.000Z',
    ms: '1970-01-01T00:00:00.005Z',
    long: '9007199254740993',
    small: 7,
    price: 19.9,
    exact: '1234567890.12345678901',
    id: id.toHexString(),
    bytes: 'aGk=',
    uuid: 'b4e709a3-36f6-438d-88d8-3398bce0ecd0',
    time: { $timestamp: { t: 1, i: 2 } },
    nan: 'NaN',
    text: id.toHexString(),
    inner: { list: [id.toHexString(), null, true] },
  });
});

it('gives a regular expression, and a large document, that it has deleted', async () => {
  const pattern = { $regularExpression: { pattern: '^a', options: 'i' } };
  const text = 'x'.repeat(200_000);
  await run({ operation: 'insert', documents: { _id: 1, pattern, text } });
  expect(await outputOf({ operation: 'find_and_delete', query: {} })).toEqual({ _id: 1, pattern, text });
});

it('changes by stages that one large expression gives', async () => {
  stored('orders').push({ _id: 1 });
  const stages = [{ $set: { note: 'x'.repeat(70_000) } }];
  const change = { operation: 'update', query: {}, change: '{{ input.stages }}' };
  expect(await outputOf(change, { stages })).toMatchObject({ modifiedCount: 1 });
  expect(stored('orders')[0]?.['note']).toHaveLength(70_000);
});

it('stores and reads large values', async () => {
  const rows = Array.from({ length: 5000 }, (_, index) => ({ index, note: 'x'.repeat(20) }));
  expect(await outputOf({ operation: 'insert', documents: '{{ input.rows }}' }, { rows })).toMatchObject({
    insertedCount: 5000,
  });
  await run({ operation: 'insert', documents: { rows: '{{ input.rows }}' }, collection: 'whole' }, { rows });
  expect(stored('whole')[0]?.['rows']).toHaveLength(5000);
  expect(await outputOf({ operation: 'find', projection: { _id: 0 } })).toEqual(rows);
  expect(server.databases.openCursors).toBe(0);
});

describe('a query', () => {
  beforeEach(() => void stored('orders').push({ _id: 1, email: 'ada@example.com' }));

  it.each([
    [
      'a value with an operator',
      { query: { email: '{{ input.email }}' } },
      'config.query.email: is a value, and has the operator $ne',
    ],
    ['an operator deeper in a value', { query: { $or: [{ email: '{{ input.deep }}' }] } }, 'has the operator $ne'],
    ['code', { query: { $where: 'true' } }, 'config.query: has $where, which runs code in the database'],
    ['code in an expression', { query: '{{ input.code }}' }, 'has $function'],
    ['a text', { query: 'status=open' }, 'config.query: must be an object'],
    ['a bad id', { query: { _id: { $oid: 'x' } } }, 'config.query._id: has a $oid that cannot be read'],
    ['a bad date', { query: { at: { $date: 'soon' } } }, 'config.query.at: has a $date that cannot be read'],
    ['a regular expression as a value', { query: { email: '{{ input.pattern }}' } }, 'the operator $regularExpression'],
    ['a form that is none as a value', { query: { email: '{{ input.form }}' } }, 'has the operator $oid'],
    [
      'a form with many options',
      { query: { email: { $regularExpression: { pattern: '', options: 'i'.repeat(20) } } } },
      'config.query.email: has a $regularExpression that cannot be read',
    ],
    [
      'a form inside of a form',
      { query: { at: { $date: { a: { $numberLong: '1' } } } } },
      'has a $date that cannot be read',
    ],
    ['a name of the library', { query: { a: { _bsontype: 'x' } } }, 'has a name that MongoDB cannot store'],
    [
      'the name of a field as a value that is computed with',
      { query: { $expr: { $eq: ['$email', '{{ input.path }}'] } } },
      'config.query.$expr.$eq[1]: is a value, and begins with a dollar sign ($email): write $literal around it',
    ],
    [
      'the name of a field as a value of a field',
      { query: {}, projection: { a: '{{ input.path }}' } },
      'config.projection.a: is a value, and begins with a dollar sign',
    ],
    ['half a pair', { query: { a: '\uD800' } }, 'half of a surrogate pair'],
  ])('with %s is refused', async (_, config, message) => {
    const input = {
      email: { $ne: null },
      deep: { a: { $ne: 1 } },
      code: { a: { $function: {} } },
      pattern: { $regularExpression: { pattern: '', options: '' } },
      form: { $oid: { $ne: null } },
      path: '$email',
    };
    const before = server.commands.length;
    const failed = await run({ operation: 'find', ...config }, input);
    expect(failed).toMatchObject({ code: 'CONFIG', message: expect.stringContaining(message) });
    expect(server.commands.length).toBe(before);
  });

  it('takes a text with a dollar sign as the text that it is', async () => {
    stored('orders').push({ _id: 2, email: '$email' });
    const input = { path: '$email', field: 'email' };
    const find = (query: object) => outputOf({ operation: 'find', query }, input);
    const expected = [{ _id: 2, email: '$email' }];
    expect(await find({ email: '{{ input.path }}' })).toEqual(expected);
    expect(await find({ $expr: { $eq: ['${{ input.field }}', { $literal: '{{ input.path }}' }] } })).toEqual(expected);
    const pipeline = [{ $match: { email: '{{ input.path }}' } }];
    expect(await outputOf({ operation: 'aggregate', pipeline }, input)).toEqual(expected);
    const foreign = [{ $set: { note: '{{ input.path }}' } }];
    for (const config of [
      { operation: 'aggregate', pipeline: foreign },
      { operation: 'update', query: {}, change: foreign },
    ])
      expect(await run(config, input)).toMatchObject({ code: 'CONFIG', message: expect.stringContaining('$literal') });
    await run({ operation: 'update', query: {}, change: { note: '{{ input.path }}' } }, input);
    expect(stored('orders')[0]).toMatchObject({ note: '$email' });
  });

  it('may be one expression with operators', async () => {
    const output = await outputOf(
      { operation: 'find', query: '{{ input.query }}' },
      { query: { email: { $ne: null } } },
    );
    expect(output).toEqual([{ _id: 1, email: 'ada@example.com' }]);
  });
});

it.each([
  [{ operation: 'update', query: {}, change: { a: 1, $inc: { b: 1 } } }, 'CONFIG', 'fields or operators, not both'],
  [{ operation: 'update', query: {}, change: {} }, 'CONFIG', 'config.change: has no fields'],
  [
    { operation: 'update', query: {}, change: { $unknown: { a: 1 } } },
    'MONGODB_ERROR',
    'Unknown modifier: $unknown (9)',
  ],
  [{ operation: 'replace', query: {}, document: { $set: {} } }, 'CONFIG', 'operators belong to an update'],
  [{ operation: 'aggregate', pipeline: { $match: {} } }, undefined, ''],
  [{ operation: 'aggregate', pipeline: ['x'] }, 'CONFIG', 'config.pipeline: must be a list of stages'],
  [{ operation: 'insert', documents: [{ $oid: 'a'.repeat(24) }] }, 'CONFIG', 'a document, or a list of them'],
  [{ operation: 'insert', documents: [] }, 'CONFIG', 'config.documents: has no documents'],
  [{ operation: 'delete', query: '{{ input.misspelt }}' }, 'CONFIG', 'config.query: is required'],
  [{ operation: 'find', collection: '{{ input.misspelt }}' }, 'CONFIG', 'config.collection'],
])('%j gives %s', async (config, code, message) => {
  const done = await run(config);
  expect(done.code).toBe(code);
  if (code !== undefined) expect(done.message).toContain(message);
});

it('a list with an id twice is stored up to there', async () => {
  const failed = await run({ operation: 'insert', documents: [{ _id: 1 }, { _id: 2 }, { _id: 1 }, { _id: 3 }] });
  expect(failed).toMatchObject({ code: 'MONGODB_ERROR', message: expect.stringContaining('E11000') });
  expect(failed.message).toContain('(2 documents before it are stored)');
  expect(stored('orders')).toEqual([{ _id: 1 }, { _id: 2 }]);
});

it('more documents than a result may have fail the node, and their cursor is closed', async () => {
  stored('orders').push(...Array.from({ length: 10_001 }, (_, _id) => ({ _id })));
  expect(await run({ operation: 'find' })).toMatchObject({ code: 'TOO_MANY_ROWS' });
  expect(await run({ operation: 'aggregate', pipeline: [] })).toMatchObject({ code: 'TOO_MANY_ROWS' });
  expect(server.databases.openCursors).toBe(0);
  stored('large').push(...Array.from({ length: 30 }, (_, _id) => ({ _id, text: 'x'.repeat(400_000) })));
  expect(await run({ operation: 'find', collection: 'large' })).toMatchObject({ code: 'TOO_LARGE' });
});

it.each([
  [{ collection: 'a' }, ['operation']],
  [{ operation: 'find' }, ['collection']],
  [{ operation: 'find', collection: 'a' }, []],
  [{ operation: 'delete', collection: 'a' }, ['query']],
  [{ operation: 'update', collection: 'a', query: {} }, ['change']],
  [{ operation: 'find_and_replace', collection: 'a', query: {} }, ['document']],
  [{ operation: 'aggregate', collection: 'a' }, ['pipeline']],
  [{ operation: 'insert', collection: 'a' }, ['documents']],
])('%j must be complete when the workflow is activated', async (config, missing) => {
  const { status, body } = await save(config, 'active');
  expect(status).toBe(missing.length > 0 ? 400 : 201);
  expect(missing.length > 0 ? body.error.details.map(({ field }) => field) : []).toEqual(
    missing.map((field) => `nodes[1].config.${field}`),
  );
});

describe('a credential', () => {
  it('keeps its secrets to itself', async () => {
    const connectionString = `mongodb://ada:${PASSWORD}@127.0.0.1:${server.port}/shop?authSource=admin`;
    const id = await buildCredential(user, 'mongodb', { connectionString });
    const { body } = await call<object>('GET', `/api/credentials/${id}`, { token: user.token });
    expect(body).toMatchObject({ type: 'mongodb', secretFields: ['connectionString'] });
    expect(JSON.stringify(body)).not.toContain(PASSWORD);
    stored('orders').push({ _id: 1, echo: connectionString });
    const { output } = await run({ operation: 'find' }, {}, { credentialId: id });
    expect(output).toEqual([{ _id: 1, echo: '••••••' }]);
  });

  it('of another workspace is not found', async () => {
    const foreign = await credentialOf(await buildUser());
    expect(await run({ operation: 'find' }, {}, { credentialId: foreign })).toMatchObject({
      code: 'CREDENTIAL_MISSING',
    });
  });

  it('without a database needs one in the node', async () => {
    const id = await credentialOf(user, { database: undefined });
    const failed = await run({ operation: 'count' }, {}, { credentialId: id });
    expect(failed).toMatchObject({ code: 'CONFIG', message: expect.stringContaining('config.database: is required') });
    expect((await run({ operation: 'count', database: 'shop' }, {}, { credentialId: id })).output).toBe(0);
  });

  it('is tested by a sign-in', async () => {
    const test = async (id: string) =>
      (await call('POST', `/api/credentials/${id}/test`, { token: user.token, body: {} })).body;
    expect(await test(credentialId)).toEqual({ ok: true, message: 'The MongoDB server accepted the credentials.' });
    const wrong = await credentialOf(user, { password: 'wrong-password' });
    expect(await test(wrong)).toEqual({ ok: false, message: '127.0.0.1: Authentication failed.' });
  });

  it.each([
    [{}, 'host'],
    [{ host: 'db.example.com', username: 'ada' }, 'password'],
    [{ connectionString: 'postgres://db.example.com' }, 'connectionString'],
    [{ connectionString: 'mongodb://db.example.com', host: 'db.example.com' }, 'host'],
    [{ host: 'db.example.com', database: 'a.b' }, 'database'],
  ])('%j is refused at its field', async (config, field) => {
    const body = { name: 'x', type: 'mongodb', connectorId: null, config };
    const refused = await call<{ error: { details: { field: string }[] } }>('POST', '/api/credentials', {
      token: user.token,
      body,
    });
    expect([refused.status, refused.body.error.details.map((one) => one.field)]).toEqual([400, [`config.${field}`]]);
  });
});
