import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ServerCredential } from '@/server/network/pools/pool';
import { generateId } from '@/server/platform/db/ids';
import { getRuntime } from '@/server/platform/runtime';
import { buildCertificate, type TestCertificate } from '@/server/testing/certificates';
import { useDatabase } from '@/server/testing/database';
import { until } from '@/server/testing/runs';
import { startMongo, type MongoParty } from '@/server/testing/servers/mongodb/mongodb';
import { listMongoCollections, listMongoDatabases } from './catalogue';
import type { MemberRecords } from './listed-members';
import {
  closeMongoPools,
  countMongoConnections,
  sweepMongoPools,
  withMongoSession,
  type SendMongoCommand,
} from './mongodb';

useDatabase();

const USER = { username: 'ada', password: 'a pass=word, é' };
let server: MongoParty;
let secure: MongoParty;
let tls: TestCertificate;
const others: MongoParty[] = [];

beforeAll(async () => {
  tls = await buildCertificate();
  [server, secure] = await Promise.all([startMongo({ user: USER }), startMongo({ tls })]);
});
beforeEach(() => server.databases.clear());
afterEach(async () => {
  closeMongoPools();
  getRuntime().memberRecords = undefined as never;
  await Promise.all(others.splice(0).map((one) => one.close()));
});
afterAll(() => Promise.all([server.close(), secure.close()]));

const start = async (options: Parameters<typeof startMongo>[0] = {}) => {
  const party = await startMongo(options);
  others.push(party);
  return party;
};

function credential(config: object = {}, more: Partial<ServerCredential> = {}): ServerCredential {
  return {
    id: generateId('cred'),
    workspaceId: generateId('ws'),
    name: 'Test',
    type: 'mongodb',
    version: 1,
    config: { host: '127.0.0.1', port: server.port, tls: 'off', ...USER, ...config },
    ...more,
  };
}
const byString = (connectionString: string, more: object = {}) =>
  credential({
    host: undefined,
    port: 27_017,
    username: undefined,
    password: undefined,
    tls: 'verify',
    connectionString,
    ...more,
  });

const use = <Result>(
  mine: ServerCredential,
  work: (ask: SendMongoCommand) => Promise<Result>,
  signal = new AbortController().signal,
) => withMongoSession(mine, { signal, redact: (text) => text.replaceAll(USER.password, '••') }, work);
const ping = (mine: ServerCredential) => use(mine, async (ask) => (await ask('admin', { ping: 1 }))['ok']);
const isIdle = () => until(async () => countMongoConnections().idle === 1, 'the connection to be idle');

describe('a connection', () => {
  it.each(['SCRAM-SHA-1', 'SCRAM-SHA-256'])('signs in by %s, from a connection string or fields', async (mechanism) => {
    expect(await ping(credential())).toBe(1);
    const { username, password } = USER;
    const login = `${username}:${encodeURIComponent(password)}`;
    const text = `mongodb://${login}@127.0.0.1:${server.port}/?authMechanism=${mechanism}&retryWrites=true`;
    expect(await ping(byString(text))).toBe(1);
  });

  it.each([
    [{ password: 'wrong' }, 'CONNECTION_FAILED', 'Authentication failed.', false],
    [{ username: 'bob' }, 'CONNECTION_FAILED', 'Authentication failed.', false],
    [{ host: 'no-such-host.invalid' }, 'DNS', 'no-such-host.invalid', true],
    [{ port: 1 }, 'CONNECTION_FAILED', 'ECONNREFUSED', true],
  ])('with %j fails with %s', async (config, code, part, retriable) => {
    const failed = ping(credential(config));
    await expect(failed).rejects.toMatchObject({ code, message: expect.stringContaining(part), retriable });
    expect(countMongoConnections()).toEqual({ open: 0, idle: 0 });
  });

  it('is encrypted, and verifies the certificate unless told otherwise', async () => {
    const plain = { username: undefined, password: undefined, port: secure.port };
    expect(await ping(credential({ ...plain, tls: 'verify', ca: tls.ca }))).toBe(1);
    expect(await ping(credential({ ...plain, tls: 'require' }))).toBe(1);
    await expect(ping(credential({ ...plain, tls: 'verify' }))).rejects.toMatchObject({
      code: 'TLS',
      retriable: false,
    });
    const text = `mongodb://localhost:${secure.port}/?tls=true`;
    expect(await ping(byString(text, { ca: tls.ca }))).toBe(1);
    await expect(ping(byString(text))).rejects.toMatchObject({ code: 'TLS' });
  });

  it('is used again, and replaced when the server has closed it', async () => {
    const mine = credential();
    await ping(mine);
    await isIdle();
    server.dropConnections();
    await until(async () => (await ping(mine).catch(() => 0)) === 1, 'another connection');
  });

  it('of another type of credential is refused', async () => {
    await expect(ping(credential({}, { type: 'redis' }))).rejects.toMatchObject({ code: 'CREDENTIAL_KIND' });
  });

  it('ends when the node is stopped', async () => {
    const stopped = new AbortController();
    const failed = use(
      credential(),
      async (ask) => {
        stopped.abort();
        return ask('admin', { ping: 1 });
      },
      stopped.signal,
    );
    await expect(failed).rejects.toMatchObject({ code: 'ABORTED' });
    await until(async () => countMongoConnections().open === 0, 'the connection to be closed');
  });
});

describe('a replica set', () => {
  it('is written to at its primary, whatever member is named first', async () => {
    const primary = await start({ user: USER });
    const role = () => ({ ismaster: false, secondary: true, primary: `127.0.0.1:${primary.port}` });
    const second = await start({ user: USER, role });
    await use(credential({ port: second.port }), (ask) => ask('shop', { insert: 'a', documents: [{ _id: 1 }] }));
    expect(primary.databases.collection('shop', 'a')).toEqual([{ _id: 1 }]);
    expect(second.commands).toEqual([]);
    const text = `mongodb://ada:${encodeURIComponent(USER.password)}@127.0.0.1:1,127.0.0.1:${second.port}/?replicaSet=rs`;
    expect(await ping(byString(text))).toBe(1);
    const direct = byString(
      `mongodb://ada:${encodeURIComponent(USER.password)}@127.0.0.1:${second.port}/?directConnection=true`,
    );
    await ping(direct);
    expect(second.commands).toHaveLength(1);
  });

  it('without a primary fails, and may be tried again', async () => {
    const second = await start({ role: () => ({ ismaster: false, secondary: true }) });
    const itself = await start({ role: () => ({ ismaster: false, primary: `127.0.0.1:${second.port}` }) });
    const plain = { username: undefined, password: undefined };
    for (const { port } of [second, itself])
      await expect(ping(credential({ ...plain, port }))).rejects.toMatchObject({
        code: 'CONNECTION_FAILED',
        message: expect.stringContaining('No member of the replica set takes writes'),
        retriable: true,
      });
  });

  it('is asked anew for its primary after one has stepped down', async () => {
    let isDown = false;
    const refusal = { ok: 0, code: 10_107, errmsg: 'not primary' };
    const party = await start({ answer: ({ insert }) => (insert && isDown ? refusal : undefined) });
    const mine = credential({ port: party.port, username: undefined, password: undefined });
    isDown = true;
    const insert = () => use(mine, (ask) => ask('shop', { insert: 'a', documents: [{ _id: 1 }] }));
    await expect(insert()).rejects.toMatchObject({ code: 'MONGODB_ERROR', retriable: true });
    await until(async () => countMongoConnections().open === 0, 'the connection to be closed');
  });
});

describe('members that DNS lists', () => {
  const listed = (name: string, port: number, texts: string[][] = []): MemberRecords => ({
    resolveSrv: vi.fn(async () => [{ name, port }]),
    resolveTxt: async () => texts,
  });
  const missing = () => Promise.reject(Object.assign(new Error('none'), { code: 'ENOTFOUND' }));
  const login = `ada:${encodeURIComponent(USER.password)}`;
  const address = `mongodb+srv://${login}@cluster.shop.localhost/?tls=false`;

  it('are connected to', async () => {
    const records = listed('one.shop.localhost', server.port, [['authSource=', 'users']]);
    getRuntime().memberRecords = records;
    expect(await ping(byString(address))).toBe(1);
    expect(records.resolveSrv).toHaveBeenCalledWith('_mongodb._tcp.cluster.shop.localhost');
  });

  it('must belong to the domain of the name', async () => {
    getRuntime().memberRecords = listed('one.attacker.localhost', server.port);
    await expect(ping(byString(address))).rejects.toMatchObject({
      code: 'DNS',
      message: expect.stringContaining('does not belong to shop.localhost'),
      retriable: false,
    });
  });

  it('may be missing', async () => {
    getRuntime().memberRecords = { resolveSrv: missing, resolveTxt: missing };
    await expect(ping(byString(address))).rejects.toMatchObject({ code: 'DNS', retriable: false });
  });

  it('may be out of reach, like each address that a server names', async () => {
    getRuntime().memberRecords = listed('one.shop.localhost', server.port);
    const role = () => ({ ismaster: false, primary: `127.0.0.1:${server.port}` });
    const pointing = await start({ role });
    const { env } = getRuntime();
    env.egressAllowPrivate = false;
    try {
      for (const mine of [
        credential(),
        credential({ host: 'localhost' }),
        byString(address),
        byString(`mongodb://127.0.0.1:${server.port}`),
        byString(`mongodb://localhost:${server.port},[::1]:${server.port}`),
      ])
        await expect(ping(mine)).rejects.toMatchObject({ code: 'EGRESS_DENIED' });
      // One member may be called, and names another one that may not.
      env.egressAllow = [{ kind: 'name', name: 'localhost', isSuffix: false }];
      await expect(
        ping(credential({ host: 'localhost', port: pointing.port, username: undefined, password: undefined })),
      ).rejects.toMatchObject({ code: 'EGRESS_DENIED' });
    } finally {
      env.egressAllowPrivate = true;
      env.egressAllow = [];
    }
  });
});

it('lists databases, and the collections of one, page by page', async () => {
  for (let index = 0; index < 150; index += 1)
    server.databases.collection('shop', `c${String(index).padStart(3, '0')}`);
  server.databases.collection('shop', 'system.views');
  server.databases.collection('other', 'a');
  const mine = credential();
  expect(await use(mine, listMongoDatabases)).toEqual(['shop', 'other']);
  const names = await use(mine, (ask) => listMongoCollections(ask, 'shop'));
  expect([names.length, names[0], names.at(-1)]).toEqual([150, 'c000', 'c149']);
});

it('a connection is closed when its credential is gone', async () => {
  await ping(credential());
  await isIdle();
  await sweepMongoPools();
  expect(countMongoConnections()).toEqual({ open: 0, idle: 0 });
});

it('two workspaces have connections of their own', async () => {
  const one = credential();
  const other = credential();
  await Promise.all([ping(one), ping(other)]);
  await until(async () => countMongoConnections().idle === 2, 'both connections to be idle');
});
