// `npm run bench:schedules`: how late 1,000 and 5,000 schedules of one minute start, all of them in the same second.
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openDatabaseConnections, prismaClient } from '../server/platform/db/client';
import { generateId } from '../server/platform/db/ids';
import { migrateDatabase } from '../server/platform/db/migrate';
import { setRuntime } from '../server/platform/runtime';
import { startCluster } from '../server/testing/cluster';
import { testEnv } from '../server/testing/database';
import { buildWorkflow, buildWorkspace } from '../server/testing/factories';
import { freePort, startProgram } from './program';

const WORKSPACES = 10;
const MINUTE_MS = 60_000;
/** The schedules are made so long before their minute at least. */
const AHEAD_MS = 5000;
const COUNTS = [1000, 5000];
/** Minutes that are measured of each number: in the first one, the code is not compiled yet. */
const MINUTES = 2;

const cluster = await startCluster({ synchronous_commit: 'on' });
await migrateDatabase(cluster.url, path.resolve('prisma/migrations'));
const { pool, aside, prisma: client } = openDatabaseConnections(cluster.url);
setRuntime({ env: testEnv({ databaseUrl: cluster.url }), pool, aside, prisma: client });
const program = await startProgram(['--max-semi-space-size=32', 'dist/server.mjs'], {
  DATABASE_URL: cluster.url,
  DATA_DIR: cluster.dataDir,
  PORT: String(await freePort()),
  HOST: '127.0.0.1',
});
try {
  const workflows: string[] = [];
  for (let count = 0; count < WORKSPACES; count += 1)
    workflows.push(await buildWorkflow({ workspaceId: await buildWorkspace(), status: 'active' }));
  for (const count of COUNTS) {
    const first = nextMinute();
    await addSchedules(workflows, count, first);
    for (let minute = 0; minute < MINUTES; minute += 1)
      await measureMinute(count, new Date(first.getTime() + minute * MINUTE_MS));
    await prismaClient().schedule.deleteMany();
  }
} finally {
  await program.stop();
  await client.$disconnect();
  await pool.end();
  await cluster.remove();
}

function nextMinute(): Date {
  return new Date(Math.ceil((Date.now() + AHEAD_MS) / MINUTE_MS) * MINUTE_MS);
}

async function addSchedules(workflows: string[], count: number, nextRunAt: Date): Promise<void> {
  await prismaClient().schedule.createMany({
    data: Array.from({ length: count }, (_, at) => ({
      id: generateId('sch'),
      workflowId: workflows[at % WORKSPACES] ?? '',
      cron: '* * * * *',
      timezone: 'UTC',
      input: {},
      enabled: true,
      overlap: 'allow',
      nextRunAt,
    })),
  });
}

/** Prints how long after the beginning of a minute the runs of these schedules were stored. */
async function measureMinute(count: number, minute: Date): Promise<void> {
  await pause(minute.getTime() - Date.now());
  const before = program.cpuSeconds();
  const where = { createdAt: { gte: minute } };
  const deadline = Date.now() + MINUTE_MS / 2;
  while ((await prismaClient().execution.count({ where })) < count && Date.now() < deadline) await pause(500);
  const runs = await prismaClient().execution.findMany({
    where,
    select: { createdAt: true },
    orderBy: { createdAt: 'asc' },
  });
  const missed = await prismaClient().schedule.count({ where: { lastMissedAt: { not: null } } });
  const lateness = (share: number) => {
    const run = runs[Math.min(runs.length - 1, Math.floor(runs.length * share))];
    return ((run?.createdAt.getTime() ?? NaN) - minute.getTime()) / 1000;
  };
  process.stdout.write(
    `${count} schedules: ${runs.length} runs, ${missed} missed; first after ${lateness(0)} s, half after ${lateness(0.5)} s, ` +
      `all after ${lateness(1)} s; ${(program.cpuSeconds() - before).toFixed(1)} s of processor time\n`,
  );
}
