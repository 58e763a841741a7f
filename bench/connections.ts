// `npm run bench:connections`: the connections to PostgreSQL of 1 and 10 worker processes and of a web process, at rest
// and under load; `-- 5 20` for other numbers of workers (more than five for each core only overload the machine),
// `-- --pooler` through PgBouncer. Real processes of the production build: build it first (`npm run check` does not).
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { startCluster } from '../server/testing/cluster';
import { freePort } from '../server/testing/listen';
import { startPooler } from '../server/testing/servers/pgbouncer';
import { chainOf, Ground } from './ground';
import { startProgram, type Program } from './program';

const words = process.argv.slice(2);
const isPooled = words.includes('--pooler');
const counts = words.filter((word) => /^\d+$/.test(word)).map(Number);
const POOL_SIZE = 20;
/** A pool closes connections that were idle for 30 s. */
const REST_MS = 40_000;
const LOOK_MS = 50;
/** All workers together. */
const RUNS = 10_000;
const CALLERS = 200;
const CALLS = 20_000;

const cluster = await startCluster({ max_connections: '3000' });
const pooler = isPooled ? await startPooler(cluster.url, POOL_SIZE) : undefined;
const reader = new pg.Client({ connectionString: cluster.url });

/** Sessions of the service: those of this program do not count. */
async function sessions(database: string, own: number): Promise<number> {
  const { rows } = await reader.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = $1 AND backend_type = 'client backend'`,
    [database],
  );
  return (rows[0]?.count ?? 0) - own;
}

/** The most sessions while `work` goes on. */
async function mostDuring(database: string, own: () => number, work: Promise<unknown>): Promise<number> {
  let most = 0;
  let isOver = false;
  const watched = (async () => {
    for (; !isOver; await pause(LOOK_MS)) most = Math.max(most, await sessions(database, own()));
  })();
  await work;
  isOver = true;
  await watched;
  return most;
}

function print(what: string, processes: number, rest: number, load: number, programs: Program[]): void {
  const memory = programs.reduce((sum, program) => sum + program.memory(), 0) / programs.length;
  const each = (count: number) => `${count} (${(count / processes).toFixed(1)} each)`;
  process.stdout.write(
    `${what.padEnd(12)} ${each(rest).padEnd(20)} ${each(load).padEnd(20)} ${Math.round(memory)} MiB each\n`,
  );
}

async function measure(role: 'web' | 'worker', processes: number): Promise<void> {
  const ground = await Ground.lay(cluster, chainOf(3), await freePort());
  const url = ground.environment['DATABASE_URL'] ?? '';
  const database = new URL(url).pathname.slice(1);
  const address: Record<string, string> = pooler
    ? { DATABASE_URL: pooler.addressFor(url), DATABASE_DIRECT_URL: url }
    : {};
  const keys = { JWT_SECRET: randomBytes(32).toString('hex'), MFA_SECRET_KEY: randomBytes(32).toString('hex') };
  const env = { ...ground.environment, ...keys, ...address, ROLE: role };
  const start = () => startProgram(['--max-semi-space-size=32', 'dist/server.mjs'], env);
  const started: Program[] = [];
  try {
    while (started.length < processes) {
      const some = Math.min(4, processes - started.length);
      started.push(...(await Promise.all(Array.from({ length: some }, start))));
    }
    await pause(REST_MS);
    const own = () => ground.ownSessions;
    const rest = await sessions(database, own());
    const load = role === 'worker' ? ground.pile(RUNS).then(() => ground.drained()) : ground.load(CALLERS, CALLS);
    const most = await mostDuring(database, own, load);
    print(`${processes} ${role}`, processes, rest, most, started);
  } finally {
    await Promise.all(started.map((program) => program.stop()));
    await ground.clear();
  }
}

try {
  await reader.connect();
  process.stdout.write(
    `${'Processes'.padEnd(12)} ${'at rest'.padEnd(20)} ${'under load, at most'.padEnd(20)} memory\n`,
  );
  await measure('web', 1);
  for (const count of counts.length > 0 ? counts : [1, 10]) await measure('worker', count);
} finally {
  await reader.end();
  await pooler?.remove();
  await cluster.remove();
}
