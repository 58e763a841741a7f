import { rmSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import { getRuntime } from '@/server/platform/runtime';
import { buildCertificate, type TestCertificate } from '@/server/testing/certificates';
import { addressOf, administer, startCluster, type Cluster } from '@/server/testing/cluster';
import { useDatabase } from '@/server/testing/database';
import { ask, databaseCredential, stored, storeCertificate } from '@/server/testing/servers/sql';
import { until } from '@/server/testing/runs';
import { checkSqlCredential, closeSqlPools, countSqlConnections } from './sql';

useDatabase();

let cluster: Cluster;
let tls: TestCertificate;
let folder: string;
let admin: pg.Client;
let own: Record<string, unknown>;

beforeAll(async () => {
  tls = await buildCertificate();
  folder = storeCertificate(tls, path.join(inject('dataTemplate'), 'postgres'));
  const ssl = { ssl: 'on', ssl_cert_file: `${folder}/cert.pem`, ssl_key_file: `${folder}/key.pem` };
  cluster = await startCluster(ssl, inject('dataTemplate'));
  await administer(cluster.url, `CREATE ROLE app LOGIN PASSWORD 'canary-password'`);
  await administer(cluster.url, 'CREATE DATABASE shop OWNER app');
  const { hostname, port } = new URL(cluster.url);
  own = {
    host: hostname,
    port: Number(port),
    database: 'shop',
    username: 'app',
    password: 'canary-password',
    tls: 'verify',
    ca: tls.ca,
  };
  admin = new pg.Client({ connectionString: addressOf(cluster.url, 'shop') });
  await admin.connect();
});
afterEach(() => {
  closeSqlPools();
  getRuntime().env.egressAllowPrivate = true;
});
afterAll(async () => {
  await admin.end();
  await cluster.remove();
  rmSync(folder, { recursive: true, force: true });
});

const credential = (changes: Record<string, unknown> = {}) => databaseCredential('postgres', { ...own, ...changes });

/** Resolves when the only session is reset. */
const rested = () =>
  until(async () => countSqlConnections().open === 1 && countSqlConnections().idle === 1, 'the session to be idle');

describe('values', () => {
  it('of each kind are read', async () => {
    const [row] = (await ask(
      credential(),
      `SELECT 1::int2 AS small, 7::bigint AS big, 9007199254740993 AS huge, 1.10::numeric AS price, 0.5::float4 AS half,
        'NaN'::float8 AS nan, true AS yes, NULL AS nothing, 'x'::text AS text, DATE '2026-01-02' AS day,
        TIMESTAMP '2026-01-02 03:04:05.6' AS local, TIMESTAMPTZ '2026-01-02 03:04:05+02' AS instant,
        INTERVAL '1 day 2 hours' AS span, '\\x00ff'::bytea AS bytes, '{"a":[1]}'::jsonb AS doc,
        ARRAY[1,NULL]::bigint[] AS list, '7e8f3a52-0000-4000-8000-000000000000'::uuid AS id, 1 AS __proto__`,
    )) as object[];
    expect(JSON.stringify(row)).toBe(
      JSON.stringify({
        small: 1,
        big: 7,
        huge: '9007199254740993',
        price: 1.1,
        half: 0.5,
        nan: 'NaN',
        yes: true,
        nothing: null,
        text: 'x',
        day: '2026-01-02',
        local: '2026-01-02T03:04:05.6',
        instant: '2026-01-02T01:04:05Z',
        span: 'P1DT2H',
        bytes: 'AP8=',
        doc: { a: [1] },
        list: [1, null],
        id: '7e8f3a52-0000-4000-8000-000000000000',
        ['__proto__']: 1,
      }),
    );
  });

  it('are bound and never become part of the statement', async () => {
    const text = `'; DROP TABLE x; --\u2028"`;
    const parameters = { text, list: [1, 2], items: [{ a: 1 }, { a: 2 }], none: null, yes: true };
    const statement = `SELECT :text AS text, 2 = ANY(:list::int[]) AS found, :none::int AS none, :yes::boolean AS yes,
      (SELECT sum(a) FROM jsonb_to_recordset(:items) AS t(a int)) AS sum`;
    expect(await ask(credential(), statement, parameters)).toEqual([
      { text, found: true, none: null, yes: true, sum: 3 },
    ]);
    await expect(ask(credential(), 'SELECT 1; SELECT 2')).rejects.toMatchObject({ code: 'SQL_ERROR' });
    await expect(ask(credential(), 'SELECT :a', {})).rejects.toMatchObject({ code: 'CONFIG' });
  });

  it('lists are arrays, or JSON where the parameter is', async () => {
    const mine = credential();
    const execute = { mode: 'execute' as const };
    await ask(mine, 'CREATE TABLE IF NOT EXISTS listed (a text[], b jsonb, c json, d int[])', {}, execute);
    const insert = 'INSERT INTO listed VALUES (:a, :b, :c, :d)';
    const parameters = { a: ['x', '{y}'], b: [1, 'a', null, [2]], c: [], d: [] };
    await ask(mine, insert, parameters, execute);
    expect(await ask(mine, 'SELECT * FROM listed')).toEqual([parameters]);
    await ask(mine, 'DELETE FROM listed WHERE b = :b', parameters, execute);
    expect(await ask(mine, 'SELECT count(*)::int AS n FROM listed')).toEqual([{ n: 0 }]);
    await expect(ask(mine, 'SELECT :list; SELECT 2', { list: [1] })).rejects.toMatchObject({ code: 'SQL_ERROR' });
    await expect(ask(mine, 'SELECT nothing(:list)', { list: [1] })).rejects.toMatchObject({ code: 'SQL_ERROR' });
    await ask(mine, 'DROP TABLE listed', {}, execute);
  });

  it.each([
    ['a\0', 'NUL'],
    [['a', ['\ud800']], 'half of a surrogate pair'],
  ])('%j is refused with the parameter and the reason', (value, reason) =>
    expect(ask(credential(), 'SELECT :v::text', { v: value })).rejects.toMatchObject({
      code: 'CONFIG',
      message: expect.stringMatching(`^config.parameters.v: has .*${reason}`) as string,
    }),
  );

  it('come as rows, as one row, or as a count', async () => {
    const one = { mode: 'one' as const };
    const execute = { mode: 'execute' as const };
    const mine = credential();
    expect(await ask(mine, 'SELECT 1 AS a WHERE false')).toEqual([]);
    expect(await ask(mine, 'SELECT generate_series(1, 3) AS a', {}, one)).toEqual({ a: 1 });
    expect(await ask(mine, 'SELECT 1 WHERE false', {}, one)).toBeNull();
    expect(await ask(mine, 'DROP TABLE IF EXISTS counted', {}, execute)).toEqual({ rowCount: 0 });
    expect(await ask(mine, 'CREATE TABLE counted (a int)', {}, execute)).toEqual({ rowCount: 0 });
    expect(await ask(mine, 'INSERT INTO counted SELECT generate_series(1, 250)', {}, execute)).toEqual({
      rowCount: 250,
    });
    expect(await ask(mine, 'DELETE FROM counted WHERE a > 100 RETURNING a', {}, execute)).toEqual({ rowCount: 150 });
    expect(await ask(mine, 'SELECT generate_series(1, 20000)', {}, execute)).toEqual({ rowCount: 20_000 });
  });
});

describe('limits', () => {
  it('end a result of ten million rows after the first 10,000', async () => {
    const mine = credential();
    await expect(ask(mine, 'SELECT generate_series(1, 10000000)')).rejects.toMatchObject({
      code: 'TOO_MANY_ROWS',
      retriable: false,
    });
    expect(await ask(mine, 'SELECT generate_series(1, 10000)')).toHaveLength(10_000);
  });

  it('end large rows, and a row that is too large by itself', async () => {
    const mine = credential();
    const large = `SELECT repeat('x', 100000) AS t FROM generate_series(1, 10000)`;
    await expect(ask(mine, large)).rejects.toMatchObject({ code: 'TOO_LARGE' });
    await expect(ask(mine, `SELECT repeat('x', 40000000) AS t`)).rejects.toMatchObject({ code: 'TOO_LARGE' });
    const bytes = `SELECT convert_to(repeat('x', 7000000), 'UTF8') AS t`;
    expect(await ask(mine, bytes)).toHaveLength(1);
  });

  it('leave nothing of a statement whose result is refused', async () => {
    const mine = credential();
    await ask(mine, 'CREATE TABLE IF NOT EXISTS refused (a int)', {}, { mode: 'execute' });
    const statement = 'INSERT INTO refused SELECT generate_series(1, 10001) RETURNING a';
    await expect(ask(mine, statement)).rejects.toMatchObject({ code: 'TOO_MANY_ROWS' });
    expect(await ask(mine, 'SELECT * FROM refused')).toEqual([]);
  });
});

describe('failures', () => {
  it.each([
    ['SELECT * FROM missing', 'SQL_ERROR', 'relation "missing" does not exist (SQLSTATE 42P01)', false],
    ['SELECT 1/0', 'SQL_ERROR', 'division by zero (SQLSTATE 22012)', false],
    [
      `DO $$ BEGIN RAISE EXCEPTION 'again' USING ERRCODE = '40001'; END $$`,
      'SQL_ERROR',
      'again (SQLSTATE 40001)',
      true,
    ],
    ['COPY (SELECT 1) TO STDOUT', undefined, '', false],
    ['COPY pg_class FROM STDIN', 'SQL_ERROR', '', false],
  ])('%s', async (statement, code, message, retriable) => {
    const mine = credential();
    const result = ask(mine, statement);
    if (code)
      await expect(result).rejects.toMatchObject({ code, message: expect.stringContaining(message), retriable });
    else expect(await result).toEqual([]);
    // The session is used again.
    expect(await ask(mine, 'SELECT 1 AS a')).toEqual([{ a: 1 }]);
  });

  it('of a server’s time limit is a timeout', async () => {
    await expect(ask(credential(), 'SELECT pg_sleep(60)', {}, { timeoutMs: 50 })).rejects.toMatchObject({
      code: 'TIMEOUT',
      retriable: true,
    });
  });

  it.each([
    ['a wrong password', { password: 'wrong' }, 'CONNECTION_FAILED', false],
    ['an unknown database', { database: 'nothing' }, 'CONNECTION_FAILED', false],
    ['a port where nothing listens', { port: 1 }, 'CONNECTION_FAILED', true],
    ['an unknown host', { host: 'db.invalid' }, 'DNS', true],
    ['a CA that did not sign', { ca: undefined }, 'TLS', false],
  ])('of a connection: %s', async (_, changes, code, retriable) => {
    await expect(ask(credential(changes), 'SELECT 1')).rejects.toMatchObject({ code, retriable });
    await until(async () => countSqlConnections().open === 0, 'no connection to be left');
  });

  it('of a server that is gone end the connection only', async () => {
    const mine = credential();
    const kill = ask(mine, 'SELECT pg_terminate_backend(pg_backend_pid())');
    await expect(kill).rejects.toMatchObject({ retriable: true });
    expect(await ask(mine, 'SELECT 1 AS a')).toEqual([{ a: 1 }]);
  });
});

describe('connections', () => {
  it('are encrypted, and verify the certificate unless told otherwise', async () => {
    const statement = 'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()';
    expect(await ask(credential({ host: 'localhost' }), statement)).toEqual([{ ssl: true }]);
    expect(await ask(credential({ tls: 'require', ca: undefined }), statement)).toEqual([{ ssl: true }]);
    expect(await ask(credential({ tls: 'off', ca: undefined }), statement)).toEqual([{ ssl: false }]);
    // A name of this machine for which the certificate is not valid.
    await expect(ask(credential({ host: 'other.localhost' }), statement)).rejects.toMatchObject({ code: 'TLS' });
    const other = await buildCertificate();
    await expect(ask(credential({ ca: other.ca }), statement)).rejects.toMatchObject({ code: 'TLS' });
    await expect(checkSqlCredential(credential(), AbortSignal.timeout(20_000))).resolves.toContain('accepted');
  });

  it('do not reach private addresses unless the operator permits it', async () => {
    getRuntime().env.egressAllowPrivate = false;
    for (const host of ['127.0.0.1', 'localhost', '169.254.169.254', '::1', '::ffff:127.0.0.1']) {
      await expect(ask(credential({ host }), 'SELECT 1')).rejects.toMatchObject({
        code: 'EGRESS_DENIED',
        retriable: false,
      });
    }
  });

  it('are reset before they are used again', async () => {
    const mine = await stored(credential());
    const pid = 'SELECT pg_backend_pid() AS pid';
    const before = await ask(mine, pid);
    await rested();
    const execute = { mode: 'execute' as const };
    await ask(mine, 'CREATE TEMPORARY TABLE left_over (a int)', {}, execute);
    await rested();
    await ask(mine, `SELECT set_config('search_path', 'nowhere', false), pg_advisory_lock(7)`, {}, execute);
    await rested();
    await ask(mine, 'BEGIN', {}, execute);
    await rested();
    expect(
      await ask(
        mine,
        `SELECT current_setting('search_path') AS path, to_regclass('left_over') AS left_over,
      (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory') AS locks`,
      ),
    ).toEqual([{ path: '"$user", public', left_over: null, locks: 0 }]);
    await rested();
    expect(await ask(mine, pid)).toEqual(before);
  });

  it('stop the statement of a node that is stopped', async () => {
    const mine = credential();
    const stop = new AbortController();
    const slept = ask(mine, `SELECT pg_sleep(600) /* stopped */`, {}, { signal: stop.signal }).catch(
      (error: unknown) => error,
    );
    const running = async () => {
      const { rows } = await admin.query(`SELECT pid FROM pg_stat_activity WHERE query LIKE '%pg_sleep(600) /* stopped%'
        AND state = 'active' AND pid <> pg_backend_pid()`);
      return rows.length;
    };
    await until(async () => (await running()) === 1, 'the statement to run');
    stop.abort();
    expect(await slept).toBeInstanceOf(NodeFailure);
    await until(async () => (await running()) === 0, 'the statement to end');
    await until(async () => countSqlConnections().open === 0, 'the connection to be closed');
  });
});

describe('several statements', () => {
  const both = (second: string) => [
    { statement: 'INSERT INTO account (id, amount) VALUES (:id, :amount)', parameters: { id: 1, amount: 5 } },
    { statement: second, parameters: { id: 1 } },
  ];

  it('take effect together, or not at all', async () => {
    const mine = credential();
    await ask(mine, 'CREATE TABLE IF NOT EXISTS account (id int PRIMARY KEY, amount numeric)', {}, { mode: 'execute' });
    const execute = { mode: 'execute' as const };
    const clash = both('INSERT INTO account (id) VALUES (:id)');
    await expect(ask(mine, clash, {}, execute)).rejects.toMatchObject({
      code: 'SQL_ERROR',
      message: expect.stringContaining('Key (id)=(1) already exists.'),
    });
    expect(await ask(mine, 'SELECT * FROM account')).toEqual([]);
    const [first, second] = (await ask(mine, both('SELECT amount FROM account WHERE id = :id'))) as unknown[];
    expect([first, second]).toEqual([[], [{ amount: 5 }]]);
    await expect(ask(mine, clash, {}, { ...execute, isTransaction: false })).rejects.toMatchObject({
      code: 'SQL_ERROR',
    });
  });
});
