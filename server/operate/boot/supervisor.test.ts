import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { commandSearchPath } from '@/server/platform/env/search-path';
import { copyDataDir } from '@/server/testing/cluster';
import { bundle } from '@/server/testing/processes/bundle';
import { until } from '@/server/testing/runs';

const LIMIT_MS = 90_000;

let folder: string;
const started: ChildProcess[] = [];

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'weft-supervised-'));
});
afterEach(() => {
  for (const { pid } of started.splice(0)) if (pid) killGroup(pid);
  rmSync(folder, { recursive: true, force: true });
});

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The process has ended already.
  }
}

interface Supervised {
  child: ChildProcess;
  pid: number;
  printed(): string;
  /** Its exit code. */
  ended: Promise<number | null>;
}

async function supervise(service: string, env: Record<string, string> = {}): Promise<Supervised> {
  const { supervisor } = await bundle();
  const child = spawn(process.execPath, [supervisor, service], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      NODE_ENV: 'test',
      PATH: commandSearchPath(),
      LOG_LEVEL: 'error',
      DATA_DIR: path.join(folder, 'data'),
      ...env,
    },
  });
  started.push(child);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (said += text));
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  return { child, pid: child.pid ?? 0, printed: () => said, ended };
}

const isRunning = (pid: number) =>
  existsSync(`/proc/${pid}`) && !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));

describe('the service', () => {
  beforeEach(() => {
    mkdirSync(path.join(folder, 'data'));
    copyDataDir(inject('dataTemplate'), path.join(folder, 'data'));
  });
  const start = async (env: Record<string, string> = {}) =>
    supervise((await bundle()).service, { ROLE: 'worker', ...env });

  /** The processes of the latest announcement, after at least `times` announcements. */
  const processes = async (
    { printed, ended }: Supervised,
    times = 1,
  ): Promise<{ worker: number; postgres: number }> => {
    const last = () => [...printed().matchAll(/Processes: worker (\d+), PostgreSQL (\d+)/g)][times - 1];
    const found = await Promise.race([until(async () => last(), 'the service to be ready', LIMIT_MS), ended]);
    if (found === null || typeof found === 'number') throw new Error(`It ended: ${printed()}`);
    return { worker: Number(found[1]), postgres: Number(found[2]) };
  };

  test(
    'is restarted on the same database after a kill; a signal to the supervisor ends all in order',
    async () => {
      const supervised = await start();
      const before = await processes(supervised);
      process.kill(before.worker, 'SIGKILL');
      const after = await processes(supervised, 2);
      expect(after.worker).not.toBe(before.worker);
      expect(after.postgres).toBe(before.postgres);
      expect(supervised.printed()).toContain(`The service (process ${before.worker}) died: SIGKILL.`);
      supervised.child.kill('SIGTERM');
      expect(await supervised.ended).toBe(0);
      expect(supervised.printed()).toMatch(/Stopping …\nStopped\.\n$/);
      expect([before.worker, after.worker, after.postgres].filter(isRunning)).toEqual([]);
    },
    LIMIT_MS,
  );

  test(
    'ends when its supervisor is killed, as does the database; the next start is not blocked',
    async () => {
      const supervised = await start();
      const { worker, postgres } = await processes(supervised);
      supervised.child.kill('SIGKILL');
      await until(async () => ![worker, postgres].some(isRunning), 'both to end', LIMIT_MS);
      const next = await start();
      await processes(next);
      next.child.kill('SIGTERM');
      expect(await next.ended).toBe(0);
    },
    LIMIT_MS,
  );

  test(
    'stops supervisor and database when another process stops it',
    async () => {
      const supervised = await start();
      const { worker, postgres } = await processes(supervised);
      process.kill(worker, 'SIGTERM');
      expect(await supervised.ended).toBe(0);
      expect([worker, postgres].filter(isRunning)).toEqual([]);
      expect(supervised.printed()).not.toContain('died');
    },
    LIMIT_MS,
  );

  test('ends with exit code 1 and the reason where DATA_DIR cannot be written', { tags: 'long' }, async () => {
    // Below a file: nobody can write there, not even root.
    writeFileSync(path.join(folder, 'file'), '');
    const dataDir = path.join(folder, 'file', 'data');
    for (const more of [{}, { DATABASE_URL: 'postgres://127.0.0.1:9/none' }] as Record<string, string>[]) {
      const { ended, printed } = await start({ DATA_DIR: dataDir, ...more });
      expect(await ended).toBe(1);
      expect(printed()).toContain(`DATA_DIR`);
      expect(printed()).toContain(dataDir);
    }
  });

  test('two services on one folder share a database, and both are restarted', { tags: 'long' }, async () => {
    const [one, other] = [await start(), await start()];
    const pids = [await processes(one), await processes(other)];
    expect(new Set(pids.map(({ postgres }) => postgres)).size).toBe(1);
    process.kill(pids[0]?.worker ?? 0, 'SIGKILL');
    process.kill(pids[1]?.worker ?? 0, 'SIGKILL');
    const again = [await processes(one, 2), await processes(other, 2)];
    expect(new Set([...pids, ...again].map(({ postgres }) => postgres)).size).toBe(1);
    for (const { child } of [other, one]) child.kill('SIGTERM');
    expect(await Promise.all([one.ended, other.ended])).toEqual([0, 0]);
  });

  test(
    'is not restarted after an invalid configuration',
    async () => {
      const { ended, printed } = await start({ WORKER_CONCURRENCY: 'many' });
      expect(await ended).toBe(1);
      expect(printed()).toMatch(/^WORKER_CONCURRENCY must be/m);
      expect(printed()).not.toContain('died');
    },
    LIMIT_MS,
  );

  test(
    'is not restarted when the embedded database cannot start, and prints the reason',
    { tags: 'long' },
    async () => {
      writeFileSync(path.join(folder, 'data/postgres/PG_VERSION'), '9\n');
      const { ended, printed } = await start();
      expect(await ended).toBe(1);
      expect(printed()).toContain('PostgreSQL did not start');
    },
  );
});

describe('a supervised program', () => {
  /** `n`: the number of previous starts. */
  const program = (body: string) => {
    const [file, count] = [path.join(folder, 'program.mjs'), path.join(folder, 'count')];
    const head = `import { appendFileSync, readFileSync } from 'node:fs';
      appendFileSync(${JSON.stringify(count)}, 'x');
      const n = readFileSync(${JSON.stringify(count)}, 'utf8').length - 1;
      const ready = () => new Promise((resolve) => process.send({ kind: 'ready' }, resolve));
      process.on('disconnect', () => process.exit(0));`;
    writeFileSync(file, `${head}\n${body}`);
    return file;
  };
  const waits = (printed: string) => [...printed.matchAll(/restarts in (\d+) ms/g)].map(([, ms]) => Number(ms));
  const STAY = `setInterval(() => {}, 1000);`;

  test.each([
    ['an uncaught exception', `throw new Error('no');`, 'exit code 1'],
    ['an abort', `process.abort();`, 'SIGABRT'],
    ['no memory', `const all = []; for (;;) all.push(new Array(100_000).fill(n));`, 'SIGABRT'],
  ])('is restarted when it dies of %s', async (_, death, said) => {
    const { child, ended, printed } = await supervise(
      program(`await ready(); if (n === 0) { ${death} } console.log('Again.'); ${STAY}`),
      { NODE_OPTIONS: '--max-old-space-size=32' },
    );
    await until(async () => /^Again\.$/m.test(printed()), 'the second start', LIMIT_MS);
    expect(printed()).toContain(`died: ${said}.`);
    child.kill('SIGKILL');
    await ended;
  });

  test('is restarted with a growing delay, and a signal ends the wait', async () => {
    const { child, ended, printed } = await supervise(program('await ready(); process.kill(process.pid, "SIGSEGV");'));
    await until(async () => waits(printed()).length === 6, 'six deaths', LIMIT_MS);
    expect(waits(printed())).toEqual([0, 100, 200, 400, 800, 1600]);
    child.kill('SIGINT');
    expect(await ended).toBe(0);
  });

  test('is restarted if killed before it was ready, but not if it exits by itself', async () => {
    const { ended, printed } = await supervise(
      program('if (n === 0) process.kill(process.pid, "SIGKILL"); else process.exit(3);'),
    );
    expect(await ended).toBe(3);
    expect(waits(printed())).toEqual([0]);
  });

  test('is not restarted after it ends in order by itself', async () => {
    const { ended, printed } = await supervise(program('await ready(); process.exit(0);'));
    expect(await ended).toBe(0);
    expect(waits(printed())).toEqual([]);
  });

  test('that hangs while stopping is killed by a second signal', async () => {
    const { child, ended, printed } = await supervise(
      program(`process.on('SIGTERM', () => console.log('Not now.')); await ready(); console.log(process.pid); ${STAY}`),
    );
    const pid = await until(async () => Number(/^(\d+)$/m.exec(printed())?.[1]), 'the program');
    child.kill('SIGTERM');
    await until(async () => printed().includes('Not now.'), 'the first signal');
    // The two signals must not count as one.
    await until(async () => !child.kill('SIGTERM'), 'the end');
    expect(await ended).toBe(1);
    await until(async () => !isRunning(pid), 'the program to end');
  });
});
