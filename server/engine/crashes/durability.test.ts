import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { openDatabaseConnections, databasePool, prismaClient } from '@/server/platform/db/client';
import { setRuntime } from '@/server/platform/runtime';
import { administer, startCluster, type Cluster } from '@/server/testing/cluster';
import { testEnv } from '@/server/testing/database';
import { flow } from '@/server/testing/flow';
import { startRun, startRunOf, storeWorkflow, until, type StartedRun } from '@/server/testing/runs';
import { startWorkerProcess, type ServiceProcess } from '@/server/testing/processes/service';
import { startTarget, type Target } from '@/server/testing/servers/target';

const LIMIT_MS = 60_000;

let cluster: Cluster;
let target: Target;
let disconnect: () => Promise<void>;
const processes: ServiceProcess[] = [];

beforeAll(async () => {
  // Commits must survive a killed server, as in production.
  cluster = await startCluster({ synchronous_commit: 'on' }, inject('dataTemplate'));
  const own = openDatabaseConnections(cluster.url);
  setRuntime({ env: testEnv({ databaseUrl: cluster.url }), ...own });
  disconnect = async () => {
    setRuntime(undefined);
    await own.prisma.$disconnect();
    await own.pool.end();
  };
  target = await startTarget();
});
afterEach(async () => {
  await Promise.all(processes.splice(0).map((one) => one.end('SIGKILL')));
  target.reset();
});
afterAll(async () => {
  await target.close();
  await disconnect();
  await cluster.remove();
});

async function startProcess(): Promise<ServiceProcess> {
  const started = await startWorkerProcess(cluster.url);
  processes.push(started);
  return started;
}

async function kill(victim: ServiceProcess): Promise<void> {
  processes.splice(processes.indexOf(victim), 1);
  await victim.end('SIGKILL');
}

const calls = (count: number) => {
  const names = Array.from({ length: count }, (_, index) => `h${index}`);
  const nodes = names.map(
    (name) => [name, { type: 'http_request', config: { url: `${target.url}/${name}` } }] as const,
  );
  return { names, nodes: { s: { type: 'start' }, ...Object.fromEntries(nodes) } };
};

/** A chain of sequential calls. */
function chain(count: number) {
  const { names, nodes } = calls(count);
  return flow(
    nodes,
    names.map((name, index) => `${index === 0 ? 's' : `h${index - 1}`}>${name}`),
  );
}

/** Ten parallel calls. */
function fan() {
  const { names, nodes } = calls(10);
  return flow(
    nodes,
    names.map((name) => `s>${name}`),
  );
}

/** Simulates a full disk: every write of a run fails like it. */
const FULL_DISK = `
CREATE SEQUENCE refusals;
CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- A sequence keeps its value although the statement is rolled back.
  PERFORM nextval('refusals');
  RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = 'disk_full';
END $$;
CREATE TRIGGER full_disk BEFORE INSERT ON node_result FOR EACH STATEMENT EXECUTE FUNCTION refuse();
CREATE TRIGGER full_disk BEFORE INSERT ON execution FOR EACH STATEMENT EXECUTE FUNCTION refuse()`;

const refusals = (count: number) =>
  until(async () => {
    const { rows } = await databasePool().query<{ last_value: string }>('SELECT last_value FROM refusals');
    return Number(rows[0]?.last_value) >= count;
  }, 'the disk to be full');

/** The number of calls of each of the first nodes. */
const numbers = (count: number) => calls(count).names.map((name) => target.countOf(`/${name}`));

const completed = async (run: StartedRun) =>
  (await run.read()).nodeResults
    .filter(({ nodeId, status }) => nodeId !== 's' && status === 'completed')
    .map(({ nodeId }) => nodeId);

describe('a run of calls', () => {
  it(
    'survives the death of service and database, and no finished node runs twice',
    async () => {
      target.hold('/h3');
      const first = await startProcess();
      const run = await startRunOf(chain(10));
      await until(async () => target.countOf('/h3') === 1, 'the fourth call');
      const before = await completed(run);
      await Promise.all([kill(first), cluster.restart('kill')]);
      target.letGo('/h3');
      await startProcess();
      const execution = await until(
        async () => {
          const found = await run.read();
          return found.status === 'completed' && found;
        },
        'the run to complete',
        LIMIT_MS,
      );
      expect(before).toEqual(['h0', 'h1', 'h2']);
      expect(execution.output).toMatchObject({ status: 200, body: { path: '/h9' } });
      expect(execution.nodeResults.every(({ status }) => status === 'completed')).toBe(true);
      expect(numbers(10)).toEqual([1, 1, 1, 2, 1, 1, 1, 1, 1, 1]);
    },
    LIMIT_MS,
  );

  it('continues a repeated loop at its round, and repeats no finished call', { tags: 'long' }, async () => {
    const ask = { type: 'http_request', config: { url: `${target.url}/round-{{ input.index }}` } };
    const body = flow({ in: { type: 'start' }, ask }, ['in>ask']);
    const config = { body, until: 'output.body.path = "/round-4"', maxRounds: 10, collect: true };
    target.hold('/round-2');
    const first = await startProcess();
    const run = await startRunOf(flow({ s: { type: 'start' }, r: { type: 'repeat', config } }, ['s>r']));
    await until(async () => target.countOf('/round-2') === 1, 'the third round');
    await kill(first);
    target.letGo('/round-2');
    await startProcess();
    const execution = await until(
      async () => {
        const found = await run.read();
        return found.status === 'completed' && found;
      },
      'the run to complete',
      LIMIT_MS,
    );
    const paths = [0, 1, 2, 3, 4].map((round) => `/round-${round}`);
    expect(paths.map(target.countOf)).toEqual([1, 1, 2, 1, 1]);
    expect(execution.output).toMatchObject({
      rounds: 5,
      isDone: true,
      outputs: paths.map((path) => ({ body: { path } })),
    });
  });

  it(
    'continues in another process while the first one is frozen, and is not disturbed when that one resumes',
    async () => {
      target.hold('/h1', '/h3');
      const frozen = await startProcess();
      const run = await startRunOf(chain(6));
      await until(async () => target.countOf('/h1') === 1, 'the second call');
      frozen.signal('SIGSTOP');
      await startProcess();
      await until(async () => target.countOf('/h1') === 2, 'the other process to continue', LIMIT_MS);
      target.letGo('/h1');
      await until(async () => target.countOf('/h3') === 1, 'the fourth call');
      const leases = (await prismaClient().worker.findMany()).map(({ id }) => id);
      frozen.signal('SIGCONT');
      await until(
        async () => (await prismaClient().worker.count({ where: { id: { notIn: leases } } })) > 0,
        'the first one to have another lease',
        LIMIT_MS,
      );
      target.letGo('/h3');
      const execution = await until(
        async () => {
          const found = await run.read();
          return found.status === 'completed' && found;
        },
        'the run to complete',
        LIMIT_MS,
      );
      expect(numbers(6)).toEqual([1, 2, 1, 1, 1, 1]);
      expect(execution.output).toMatchObject({ status: 200, body: { path: '/h5' } });
    },
    LIMIT_MS,
  );

  it.each([
    ['the database was killed', () => cluster.restart('kill')],
    ['the database was restarted', () => cluster.restart()],
    [
      'all connections were cut',
      () =>
        administer(cluster.url, 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()'),
    ],
  ])(
    'completes with no repeated call although %s',
    async (_, disturb) => {
      target.hold(...calls(10).names.map((name) => `/${name}`));
      await startProcess();
      const workflow = await storeWorkflow(fan());
      const runs = await Promise.all(Array.from({ length: 5 }, () => startRun(workflow)));
      await until(async () => target.calls.length === 50, 'all calls');
      await disturb();
      target.letGo(...calls(10).names.map((name) => `/${name}`));
      for (const run of runs) {
        await until(
          async () => (await run.read().catch(() => null))?.status === 'completed',
          'the run to complete',
          LIMIT_MS,
        );
      }
      expect(numbers(10)).toEqual(Array.from({ length: 10 }, () => 5));
    },
    LIMIT_MS,
  );

  it(
    'waits while the disk of the database is full, and continues when there is space',
    async () => {
      target.hold('/h0');
      await startProcess();
      const run = await startRunOf(chain(3));
      await until(async () => target.countOf('/h0') === 1, 'the first call');
      await databasePool().query(FULL_DISK);
      target.letGo('/h0');
      await refusals(2);
      await expect(startRunOf(chain(1))).rejects.toThrow('No space left on device');
      await refusals(4);
      expect(numbers(3)).toEqual([1, 0, 0]);
      await databasePool().query('DROP TRIGGER full_disk ON node_result; DROP TRIGGER full_disk ON execution');
      await until(async () => (await run.read()).status === 'completed', 'the run to complete', LIMIT_MS);
      expect(numbers(3)).toEqual([1, 1, 1]);
    },
    LIMIT_MS,
  );
});
