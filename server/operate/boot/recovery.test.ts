import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDatabaseConnections, databasePool, type DatabaseConnections } from '@/server/platform/db/client';
import { migrateDatabase } from '@/server/platform/db/migrate';
import { findPostgresBinaries } from '@/server/platform/db/postgres/postgres-binaries';
import { startEmbeddedDatabase } from '@/server/platform/db/postgres/embedded';
import { setRuntime } from '@/server/platform/runtime';
import { copyServer, setRecovery } from '@/server/testing/copies';
import { startCluster, type Cluster } from '@/server/testing/cluster';
import { TEST_KEYS, testEnv } from '@/server/testing/database';
import { flow } from '@/server/testing/flow';
import { startTarget, type Target } from '@/server/testing/servers/target';
import { startWorkerProcess } from '@/server/testing/processes/service';
import { startRun, storeWorkflow, until } from '@/server/testing/runs';

const LIMIT_MS = 180_000;
const PAGE = readFileSync('docs/operate/recovery.md', 'utf8');
const [archiving = '', recovering = ''] = [...PAGE.matchAll(/```ini\n([^]*?)```/g)].map(([, block]) => block);

const archive = mkdtempSync(path.join(tmpdir(), 'weft-archive-'));
let first: Cluster;
let target: Target;
const opened: DatabaseConnections[] = [];

/** The settings of a block of the page, by name. */
const settingsOf = (block: string): Record<string, string> =>
  Object.fromEntries(
    [...block.replaceAll('/archive', archive).matchAll(/^(\w+) = '?(.*?)'?$/gm)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  );

function use(url: string): void {
  const connections = openDatabaseConnections(url);
  opened.push(connections);
  setRuntime({ env: testEnv({ databaseUrl: url }), ...connections });
}

beforeAll(async () => {
  const { owner } = findPostgresBinaries(archive);
  chmodSync(archive, 0o700);
  if (owner) chownSync(archive, owner.uid, owner.gid);
  target = await startTarget();
  first = await startCluster(settingsOf(archiving));
  await migrateDatabase(first.url, path.resolve('prisma/migrations'));
  use(first.url);
}, LIMIT_MS);
afterAll(async () => {
  for (const { pool: one, prisma } of opened) {
    await prisma.$disconnect();
    await one.end();
  }
  await Promise.all([first.remove(), target.close()]);
  rmSync(archive, { recursive: true, force: true });
  setRuntime(undefined);
});

const call = (delayMs: number) =>
  flow(
    {
      s: { type: 'start' },
      d: { type: 'delay', config: { durationMs: delayMs } },
      c: { type: 'http_request', config: { url: `${target.url}/call`, method: 'POST', body: { n: '{{ input.n }}' } } },
    },
    ['s>d', 'd>c'],
  );

it(
  'a database that is recovered to a moment has the runs of that moment: ended ones as they were, others go on, later ones are unknown',
  async () => {
    const quick = await storeWorkflow(call(1));
    const slow = await storeWorkflow(call(4000), quick.workspaceId);
    const copy = await copyServer(first);
    const worker = await startWorkerProcess(first.url, TEST_KEYS);
    const ended = await startRun(quick, { n: 1 });
    await ended.finish();
    const underWay = await startRun(slow, { n: 2 });
    await until(async () => {
      const waiting = 'SELECT FROM execution WHERE id = $1 AND worker_id IS NULL AND available_at > now()';
      return (await databasePool().query(waiting, [underWay.executionId])).rowCount === 1;
    }, 'the run to wait');
    const { rows } = await databasePool().query<{ moment: string }>('SELECT clock_timestamp()::text AS moment');

    const later = await startRun(quick, { n: 3 });
    await Promise.all([later.finish(), underWay.finish()]);
    // The accident.
    await databasePool().query('DELETE FROM execution');
    const { rows: switched } = await databasePool().query<{ file: string }>(
      'SELECT pg_walfile_name(pg_switch_wal()) AS file',
    );
    await until(async () => {
      const { rows: archived } = await databasePool().query<{ file: string | null }>(
        'SELECT last_archived_wal AS file FROM pg_stat_archiver',
      );
      return (archived[0]?.file ?? '') >= (switched[0]?.file ?? '');
    }, 'the archive');
    await worker.end('SIGTERM');
    await first.stop();

    const lines = Object.entries({ ...settingsOf(recovering), recovery_target_time: rows[0]?.moment ?? '' });
    setRecovery(copy, lines.map(([name, value]) => `${name} = '${value}'`).join('\n'));
    // A port of its own, as `copyDataDir` does.
    const address = path.join(copy, 'database.url');
    const url = new URL(readFileSync(address, 'utf8').trim());
    url.port = '1';
    writeFileSync(address, `${url.href}\n`);
    const restored = await startEmbeddedDatabase({ dataDir: copy, settings: { max_connections: '200' } });
    try {
      use(restored.url);
      expect(await ended.read()).toMatchObject({ status: 'completed' });
      await expect(later.read()).rejects.toThrow('is not there');
      expect((await underWay.read()).status).not.toBe('completed');
      target.reset();
      const again = await startWorkerProcess(restored.url, TEST_KEYS);
      expect(await underWay.finish()).toMatchObject({ status: 'completed' });
      // Its call happened before the accident, too: the other side sees the same key.
      expect(target.calls.map(({ key }) => key)).toEqual([`${underWay.executionId}:c`]);
      await again.end('SIGTERM');
    } finally {
      const last = opened.pop();
      await last?.prisma.$disconnect();
      await last?.pool.end();
      await restored.stop();
      rmSync(copy, { recursive: true, force: true });
    }
  },
  LIMIT_MS,
);
