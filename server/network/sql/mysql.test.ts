import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import { getRuntime } from '@/server/platform/runtime';
import { buildCertificate, type TestCertificate } from '@/server/testing/certificates';
import { useDatabase } from '@/server/testing/database';
import { startMariaDb, type MariaDbServer } from '@/server/testing/servers/mariadb';
import { ask, databaseCredential, stored } from '@/server/testing/servers/sql';
import { until } from '@/server/testing/runs';
import { checkSqlCredential, closeSqlPools, countSqlConnections } from './sql';

useDatabase();

let server: MariaDbServer;
let tls: TestCertificate;
const execute = { mode: 'execute' as const };

beforeAll(async () => {
  tls = await buildCertificate();
  server = await startMariaDb(tls);
});
afterEach(() => {
  closeSqlPools();
  getRuntime().env.egressAllowPrivate = true;
});
afterAll(() => server.remove());

const credential = (changes: Record<string, unknown> = {}) =>
  databaseCredential('mysql', {
    host: '127.0.0.1',
    port: server.port,
    database: 'shop',
    username: 'app',
    password: server.password,
    tls: 'verify',
    ca: tls.ca,
    ...changes,
  });

/** Resolves when the only session is reset. */
const rested = () =>
  until(async () => countSqlConnections().open === 1 && countSqlConnections().idle === 1, 'the session to be idle');

describe('values', () => {
  it('of each kind are read', async () => {
    const mine = credential();
    await ask(
      mine,
      `CREATE OR REPLACE TABLE kinds (tiny TINYINT, big BIGINT, huge BIGINT UNSIGNED, price DECIMAL(20,2), single FLOAT,
        text VARCHAR(20), day DATE, local DATETIME(3), instant TIMESTAMP NULL, span TIME, bytes BLOB, bits BIT(9), doc JSON, nothing INT)`,
      {},
      execute,
    );
    await ask(
      mine,
      `INSERT INTO kinds VALUES (1, 7, 18446744073709551615, 1.10, 0.1, 'ä\\0', '2026-01-02', '2026-01-02 03:04:05.6',
        '2026-01-02 03:04:05', '-26:00:01', x'00ff', b'100000001', '{"a": [1]}', NULL)`,
      {},
      execute,
    );
    expect(await ask(mine, 'SELECT * FROM kinds')).toEqual([
      {
        tiny: 1,
        big: 7,
        huge: '18446744073709551615',
        price: 1.1,
        single: 0.1,
        text: 'ä\0',
        day: '2026-01-02',
        local: '2026-01-02T03:04:05.600',
        instant: '2026-01-02T03:04:05Z',
        span: '-26:00:01',
        bytes: 'AP8=',
        bits: 257,
        doc: { a: [1] },
        nothing: null,
      },
    ]);
  });

  it('times with a zone are written to columns of times in UTC, and to texts as they are', async () => {
    const mine = credential();
    const columns = 'local DATETIME(6), instant TIMESTAMP(3) NULL, day DATE, text VARCHAR(40)';
    await ask(mine, `CREATE OR REPLACE TABLE times (${columns})`, {}, execute);
    const at = {
      a: '2026-01-02T03:04:05.123456+02:00',
      b: '2026-01-02T03:04:05.678Z',
      c: '2026-07-01 23:00:00-0230',
      d: '2026-01-02T03:04Z',
    };
    const insert = 'INSERT INTO times VALUES (:a, :b, :c, :d)';
    await ask(mine, insert, at, execute);
    // Also in a transaction, and as it was read.
    const [read] = (await ask(mine, 'SELECT * FROM times')) as Record<string, unknown>[];
    expect(read).toEqual({
      local: '2026-01-02T01:04:05.123456',
      instant: '2026-01-02T03:04:05.678Z',
      day: '2026-07-02',
      text: '2026-01-02T03:04Z',
    });
    const again = { a: read!['local'], b: read!['instant'], c: read!['day'], d: read!['text'] };
    await ask(mine, [
      { statement: insert, parameters: again },
      { statement: 'SELECT 1', parameters: {} },
    ]);
    expect(await ask(mine, 'SELECT COUNT(DISTINCT local, instant, day, text) AS n FROM times')).toEqual([{ n: 1 }]);
    await expect(ask(mine, insert, { ...at, a: 'yesterday' }, execute)).rejects.toMatchObject({ code: 'SQL_ERROR' });
  });

  it('are bound and never become part of the statement', async () => {
    const text = `'; DROP TABLE x; -- "\\`;
    const statement = 'SELECT :text AS text, :n + 1 AS n, :list AS list, :none AS none, :yes AS yes LIMIT :n';
    expect(await ask(credential(), statement, { text, n: 1, list: [1, { a: 2 }], none: null, yes: true })).toEqual([
      { text, n: 2, list: '[1,{"a":2}]', none: null, yes: 1 },
    ]);
    await expect(ask(credential(), 'SELECT 1; SELECT 2')).rejects.toMatchObject({ code: 'SQL_ERROR' });
  });

  it('come as rows, as one row, or as a count', async () => {
    const mine = credential();
    expect(await ask(mine, 'SELECT 1 AS a FROM DUAL WHERE false')).toEqual([]);
    expect(await ask(mine, 'SELECT seq AS a FROM seq_1_to_3', {}, { mode: 'one' })).toEqual({ a: 1 });
    expect(await ask(mine, 'SELECT 1 FROM DUAL WHERE false', {}, { mode: 'one' })).toBeNull();
    await ask(mine, 'CREATE OR REPLACE TABLE counted (a INT)', {}, execute);
    expect(await ask(mine, 'INSERT INTO counted SELECT seq FROM seq_1_to_250', {}, execute)).toEqual({ rowCount: 250 });
    expect(await ask(mine, 'DELETE FROM counted WHERE a > 100', {}, execute)).toEqual({ rowCount: 150 });
    expect(await ask(mine, 'SELECT seq FROM seq_1_to_20000', {}, execute)).toEqual({ rowCount: 20_000 });
  });
});

describe('limits', () => {
  it('end a result of ten million rows after the first 10,000, and large rows', async () => {
    const mine = credential();
    await expect(ask(mine, 'SELECT seq FROM seq_1_to_10000000')).rejects.toMatchObject({ code: 'TOO_MANY_ROWS' });
    expect(await ask(mine, 'SELECT seq FROM seq_1_to_10000')).toHaveLength(10_000);
    const large = `SELECT REPEAT('x', 100000) AS t FROM seq_1_to_10000`;
    await expect(ask(mine, large)).rejects.toMatchObject({ code: 'TOO_LARGE' });
  });

  it('leave nothing of a statement whose result is refused', async () => {
    const mine = credential();
    await ask(mine, 'CREATE OR REPLACE TABLE refused (a INT)', {}, execute);
    const statement = 'INSERT INTO refused SELECT seq FROM seq_1_to_10001 RETURNING a';
    await expect(ask(mine, statement)).rejects.toMatchObject({ code: 'TOO_MANY_ROWS' });
    expect(await ask(mine, 'SELECT * FROM refused')).toEqual([]);
  });
});

describe('failures', () => {
  it('have the words and the code of the server', async () => {
    const mine = credential();
    await expect(ask(mine, 'SELECT * FROM missing')).rejects.toMatchObject({
      code: 'SQL_ERROR',
      message: "Table 'shop.missing' doesn't exist (ER_NO_SUCH_TABLE, 1146)",
      retriable: false,
    });
    expect(await ask(mine, 'SELECT 1 AS a')).toEqual([{ a: 1 }]);
    await expect(ask(mine, `LOAD DATA LOCAL INFILE '/etc/passwd' INTO TABLE x`)).rejects.toMatchObject({
      code: 'SQL_ERROR',
    });
    await expect(ask(mine, 'SELECT SLEEP(60)', {}, { timeoutMs: 50 })).rejects.toMatchObject({
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
});

describe('connections', () => {
  it('are encrypted, and verify the certificate unless told otherwise', async () => {
    const statement = `SELECT VARIABLE_VALUE <> '' AS tls FROM information_schema.SESSION_STATUS WHERE VARIABLE_NAME = 'Ssl_cipher'`;
    expect(await ask(credential({ host: 'localhost' }), statement)).toEqual([{ tls: 1 }]);
    expect(await ask(credential(), statement)).toEqual([{ tls: 1 }]);
    expect(await ask(credential({ tls: 'require', ca: undefined }), statement)).toEqual([{ tls: 1 }]);
    expect(await ask(credential({ tls: 'off', ca: undefined }), statement)).toEqual([{ tls: 0 }]);
    // A name of this machine for which the certificate is not valid.
    await expect(ask(credential({ host: 'other.localhost' }), statement)).rejects.toMatchObject({ code: 'TLS' });
    await expect(checkSqlCredential(credential(), AbortSignal.timeout(20_000))).resolves.toContain('accepted');
  });

  it('do not reach private addresses unless the operator permits it', async () => {
    getRuntime().env.egressAllowPrivate = false;
    for (const host of ['127.0.0.1', 'localhost', '169.254.169.254', '::1']) {
      await expect(ask(credential({ host }), 'SELECT 1')).rejects.toMatchObject({ code: 'EGRESS_DENIED' });
    }
  });

  it('are reset before they are used again', async () => {
    const mine = await stored(credential());
    const id = 'SELECT CONNECTION_ID() AS id';
    const before = await ask(mine, id);
    await rested();
    await ask(mine, 'CREATE TEMPORARY TABLE left_over (a INT)', {}, execute);
    await rested();
    await ask(mine, `SET @secret = 1, sql_mode = 'ANSI'`, {}, execute);
    await rested();
    expect(await ask(mine, `SELECT @secret AS secret, @@sql_mode LIKE '%ANSI_QUOTES%' AS is_ansi`)).toEqual([
      { secret: null, is_ansi: 0 },
    ]);
    await rested();
    await expect(ask(mine, 'SELECT * FROM left_over')).rejects.toMatchObject({ code: 'SQL_ERROR' });
    await rested();
    expect(await ask(mine, id)).toEqual(before);
  });

  it('stop the statement of a node that is stopped', async () => {
    const mine = credential();
    const other = credential();
    const stop = new AbortController();
    const slept = ask(mine, 'SELECT SLEEP(600) /* stopped */', {}, { signal: stop.signal }).catch(
      (error: unknown) => error,
    );
    const running = async () => {
      const statement = `SELECT ID FROM information_schema.PROCESSLIST WHERE INFO LIKE '%SLEEP(600) /* stopped%'
        AND ID <> CONNECTION_ID()`;
      return ((await ask(other, statement)) as unknown[]).length;
    };
    await until(async () => (await running()) === 1, 'the statement to run');
    stop.abort();
    expect(await slept).toBeInstanceOf(NodeFailure);
    await until(async () => (await running()) === 0, 'the statement to end');
  });
});

it('several statements take effect together, or not at all', async () => {
  const mine = credential();
  await ask(mine, 'CREATE OR REPLACE TABLE account (id INT PRIMARY KEY, amount DECIMAL(10,2))', {}, execute);
  const insert = { statement: 'INSERT INTO account VALUES (:id, :amount)', parameters: { id: 1, amount: 5 } };
  await expect(ask(mine, [insert, insert], {}, execute)).rejects.toMatchObject({ code: 'SQL_ERROR' });
  expect(await ask(mine, 'SELECT * FROM account')).toEqual([]);
  const read = { statement: 'SELECT amount FROM account WHERE id = :id', parameters: { id: 1 } };
  expect(await ask(mine, [insert, read])).toEqual([[], [{ amount: 5 }]]);
});
