import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { beginMaintenance, endMaintenance, openWritableClient } from '@/server/operate/backup/maintenance';
import { checkSessions } from '@/server/operate/commands/checkup-sessions';
import { getRuntime, setRuntime } from '@/server/platform/runtime';
import { cloneDatabase } from '@/server/testing/cluster';
import { TEST_KEYS, useOwnDatabase } from '@/server/testing/database';
import { buildUser, buildWorkflow } from '@/server/testing/factories';
import { flow } from '@/server/testing/flow';
import { startPooler, type Pooler } from '@/server/testing/servers/pgbouncer';
import { startTarget, type Target } from '@/server/testing/servers/target';
import { startWebProcess, startWorkerProcess, type ServiceProcess } from '@/server/testing/processes/service';
import { until } from '@/server/testing/runs';
import { openDatabaseConnections, databasePool, secondaryPool, prismaClient, type DatabaseConnections } from './client';
import { listenToNotifications } from './listen';
import { BEGIN_BRIEF_TRANSACTION, listSessionLimits } from './session';
import { findMissingSettings, storeRoleSettings } from './pooler';
import { withPoolTransaction } from './within';

useOwnDatabase();

const LIMIT_MS = 120_000;
/** Less than one process would take. */
const POOL_SIZE = 5;

let pooler: Pooler;
let direct: string;
let through: DatabaseConnections;
let target: Target;
/** Of the test itself, not through the pooler. */
let own: pg.Pool;
const processes: ServiceProcess[] = [];

beforeAll(async () => {
  target = await startTarget();
  direct = getRuntime().env.databaseUrl ?? '';
  own = getRuntime().pool;
  pooler = await startPooler(direct, POOL_SIZE);
  const url = pooler.addressFor(direct);
  through = openDatabaseConnections(url, { directUrl: direct });
  await storeRoleSettings(through.pool);
  setRuntime({
    ...getRuntime(),
    env: { ...getRuntime().env, databaseUrl: url, databaseDirectUrl: direct },
    ...through,
  });
});
afterEach(async () => {
  await Promise.all(processes.splice(0).map((one) => one.end('SIGKILL')));
});
afterAll(async () => {
  await through.prisma.$disconnect();
  await through.pool.end();
  await Promise.all([pooler.remove(), target.close()]);
});

async function keep<Each extends ServiceProcess>(starting: Promise<Each>): Promise<Each> {
  const one = await starting;
  processes.push(one);
  return one;
}
const poolerEnv = () => ({ ...TEST_KEYS, DATABASE_DIRECT_URL: direct });
const startWeb = () =>
  keep(startWebProcess(pooler.addressFor(direct), { ...poolerEnv(), RATE_LIMIT_TIER: 'unlimited' }));
const startWorker = () => keep(startWorkerProcess(pooler.addressFor(direct), poolerEnv()));

/** Statements that overlap, so that each session of the pooler gets some. */
const atOnce = <Value>(work: (n: number) => Promise<Value>) =>
  Promise.all(Array.from({ length: 15 }, (_, n) => work(n)));

describe('through a pooler in transaction mode', () => {
  it('a statement with a name is executed in another session than before', async () => {
    const client = await databasePool().connect();
    const prepared = { name: 'once', text: 'SELECT pg_backend_pid() AS pid, $1::int', values: [1] };
    const sessionOf = async (one: pg.ClientBase, statement: pg.QueryConfig) =>
      (await one.query<{ pid: number }>(statement)).rows[0]?.pid;
    const first = await sessionOf(client, prepared);
    // All sessions are taken by transactions; then all but the first one are free.
    const others = await Promise.all(
      Array.from({ length: POOL_SIZE }, async () => {
        const other = new pg.Client({ connectionString: pooler.addressFor(direct) });
        await other.connect();
        await other.query('BEGIN');
        return { other, pid: await sessionOf(other, { text: 'SELECT pg_backend_pid() AS pid' }) };
      }),
    );
    const holder = others.find(({ pid }) => pid === first);
    for (const one of others) if (one !== holder) await one.other.end();
    expect(await sessionOf(client, prepared)).not.toBe(first);
    await holder?.other.end();
    client.release();
  });

  it('statements of the service, prepared ones too, and transactions of Prisma go on', async () => {
    const named = (n: number) =>
      databasePool().query<{ n: number }>({
        name: 'one.name',
        text: 'SELECT $1::int AS n, pg_sleep(0.02)::text',
        values: [n],
      });
    for (let round = 0; round < 3; round += 1) {
      expect((await atOnce(named)).map(({ rows }) => rows[0]?.n)).toEqual([...Array(15).keys()]);
      const many = await atOnce((n) =>
        prismaClient().$transaction(async (db) => {
          await db.$executeRaw`SELECT set_config('weft.probe', ${String(n)}, true)`;
          const [row] = await db.$queryRaw<{ n: string }[]>`SELECT current_setting('weft.probe') AS n`;
          return row?.n;
        }),
      );
      expect(many).toEqual([...Array(15).keys()].map(String));
    }
  });

  it('every session has the limits of the service, also one that the pooler opens later', async () => {
    expect(await findMissingSettings(own)).toEqual([]);
    await own.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    );
    // Without what a connection of the service's pool does when it opens.
    const bare = new pg.Pool({ connectionString: pooler.addressFor(direct), max: 15 });
    bare.on('error', () => undefined);
    const names = Object.keys(listSessionLimits('service'));
    const found = await atOnce(() =>
      bare.query<{ name: string; setting: string }>(
        'SELECT name, setting, pg_sleep(0.05)::text FROM pg_settings WHERE name = ANY($1)',
        [names],
      ),
    );
    for (const { rows } of found)
      expect(Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))).toEqual(
        listSessionLimits('service'),
      );
    await bare.end();
  });

  it('the limits of one transaction stay in it', async () => {
    const shorter = await atOnce(() =>
      withPoolTransaction(BEGIN_BRIEF_TRANSACTION, async (client) => {
        const { rows } = await client.query<{ limit: string }>('SHOW idle_in_transaction_session_timeout');
        return Object.values(rows[0] ?? {})[0];
      }),
    );
    expect(new Set(shorter)).toEqual(new Set(['4s']));
    const after = await atOnce(() => databasePool().query('SHOW idle_in_transaction_session_timeout'));
    expect(new Set(after.map(({ rows }) => Object.values(rows[0] as object)[0]))).toEqual(new Set(['15s']));
  });

  it('listening, leases and statements beside transactions have sessions of their own', async () => {
    const heard: string[] = [];
    const listener = await listenToNotifications(
      ['pooled'],
      (_, payload) => heard.push(payload),
      () => undefined,
    );
    await databasePool().query(`SELECT pg_notify('pooled', 'hello')`);
    await until(async () => heard.length === 1, 'the notification');
    await listener.close();
    // All sessions of the pooler are taken by transactions that wait for a statement beside them.
    const beside = await atOnce(() => prismaClient().$transaction(() => secondaryPool().query('SELECT 1 AS one')));
    expect(beside.map(({ rows }) => rows[0])).toEqual(Array.from({ length: 15 }, () => ({ one: 1 })));
  });

  it('the doctor sees whether notifications arrive, and whether the pooler has limits', async () => {
    const { env } = getRuntime();
    expect(await checkSessions(env, databasePool())).toMatchObject({ verdict: 'good' });
    const without = { ...env, databaseDirectUrl: undefined };
    expect(await checkSessions(without, databasePool())).toEqual({
      verdict: 'bad',
      text: expect.stringContaining('set DATABASE_DIRECT_URL'),
    });
    expect(await checkSessions({ ...env, databaseDirectUrl: env.databaseUrl }, databasePool())).toEqual({
      verdict: 'bad',
      text: expect.stringContaining('DATABASE_DIRECT_URL leads through a pooler, too'),
    });
    await own.query(
      `DO $$ BEGIN EXECUTE format('ALTER ROLE CURRENT_USER IN DATABASE %I RESET lock_timeout', current_database()); END $$`,
    );
    expect(await checkSessions(env, databasePool())).toEqual({
      verdict: 'warning',
      text: expect.stringContaining('lock_timeout'),
    });
    await storeRoleSettings(databasePool());
    expect(await checkSessions(env, databasePool())).toMatchObject({ verdict: 'good' });
  });

  it('maintenance begins and ends', async () => {
    const client = await openWritableClient(direct);
    await beginMaintenance(client, 'Until 18:00.', { noticeMs: 1, workersMs: 60_000 });
    // The pooler notices only with the next statement that the beginning has ended its sessions.
    const createTable = () =>
      databasePool()
        .query('CREATE TABLE written (n int); DROP TABLE written')
        .then(
          () => 'written',
          ({ code }: pg.DatabaseError) => code,
        );
    await expect.poll(createTable).toBe('25006');
    await endMaintenance(client);
    await client.end();
    // Another of the sessions that the beginning has ended may be met first.
    await expect.poll(createTable).toBe('written');
  });
});

describe('processes behind a pooler', () => {
  const create = async (url: string, token: string, name: string) =>
    (
      await fetch(`${url}/api/workflows`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ name }),
      })
    ).status;

  it('run workflows and schedules, and take over the runs of one that dies', { tags: 'long' }, async () => {
    const { token, workspaceId } = await buildUser();
    target.hold('/held');
    const [web, lost] = await Promise.all([startWeb(), startWorker()]);
    // More calls with transactions than the pooler has sessions, for all of them.
    const statuses = await Promise.all(Array.from({ length: 60 }, (_, n) => create(web.url, token, `w${n}`)));
    expect(new Set(statuses)).toEqual(new Set([201]));

    const sum = flow({ s: { type: 'start' }, t: { type: 'transform', config: { expression: 'input.n * 2' } } }, [
      's>t',
    ]);
    const call = { url: `${target.url}/held`, method: 'POST', body: {} };
    const slow = flow({ s: { type: 'start' }, c: { type: 'http_request', config: call } }, ['s>c']);
    const [sumId, slowId] = await Promise.all([
      buildWorkflow({ workspaceId, definition: sum, status: 'active' }),
      buildWorkflow({ workspaceId, definition: slow }),
    ]);
    const execute = async (workflowId: string, n: number) => {
      const answer = await fetch(`${web.url}/api/workflows/${workflowId}/execute`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ input: { n } }),
      });
      expect(answer.status).toBe(202);
      return ((await answer.json()) as { executionId: string }).executionId;
    };
    await prismaClient().schedule.create({
      data: {
        id: 'sch_pooled',
        workflowId: sumId,
        cron: '0 * * * *',
        timezone: 'UTC',
        input: { n: 1 },
        enabled: true,
        overlap: 'skip',
        nextRunAt: new Date(Date.now() + 1000),
      },
    });
    const ids = await Promise.all([
      ...Array.from({ length: 40 }, (_, n) => execute(sumId, n)),
      ...Array.from({ length: 3 }, (_, n) => execute(slowId, n)),
    ]);
    await until(async () => target.calls.length === 3, 'the calls to be under way');
    await Promise.all([lost.end('SIGKILL'), startWorker()]);
    processes.splice(processes.indexOf(lost), 1);
    target.letGo('/held');
    const done = async () => prismaClient().execution.count({ where: { id: { in: ids }, status: 'completed' } });
    await until(async () => (await done()) === ids.length, 'all runs to complete', LIMIT_MS);
    await until(
      async () => (await prismaClient().execution.count({ where: { trigger: 'schedule', status: 'completed' } })) > 0,
      'the schedule to run',
      LIMIT_MS,
    );
    const { rows } = await own.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND query NOT LIKE 'LISTEN%'`,
    );
    // The sessions of the pooler, two beside transactions of each of three processes and of this one.
    expect(rows[0]?.count).toBeLessThanOrEqual(POOL_SIZE + 4 * 2);
  });

  it(
    'begin with an empty database: migrations take the direct address',
    async () => {
      const empty = await cloneDatabase(direct, 'template0');
      try {
        const worker = await startWorkerProcess(pooler.addressFor(empty.url), {
          ...TEST_KEYS,
          DATABASE_DIRECT_URL: empty.url,
        });
        await worker.end('SIGTERM');
        const client = new pg.Client({ connectionString: empty.url });
        await client.connect();
        expect((await client.query('SELECT FROM _prisma_migrations')).rowCount).toBeGreaterThan(0);
        expect(await findMissingSettings(client)).toEqual([]);
        await client.end();
      } finally {
        await empty.drop();
      }
    },
    LIMIT_MS,
  );
});
