import { spawnSync } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import {
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { lockDirectory } from './directory-lock.mjs';
import { findBinaries, type Binaries } from './postgres-binaries';
import { isPassingFailure } from '../failures/verdict';
import { KEEPALIVE_SETTINGS, openSession } from '../session';
import { keepRunning, stopLeftover, type Log } from './postgres-process';

/** A database that this process can use. */
export interface EmbeddedDatabase {
  url: string;
  /** The server's process. */
  readonly pid: number;
  /** False: another process on this machine runs it, and `stop` does not stop it. */
  isOwner: boolean;
  stop(): Promise<void>;
}

interface Options {
  dataDir: string;
  /** Additional server parameters. */
  settings?: Record<string, string>;
  log?: Log;
}

const OPERATOR_LINE = / (FATAL|PANIC): |unexpectedly|could not/;
/** Message for every connection that is still open when the server stops. */
const AT_ITS_END = 'due to administrator command';

/** Whether an operator should see this line of the database's log. */
export const isOperatorLine = (line: string): boolean => OPERATOR_LINE.test(line) && !line.includes(AT_ITS_END);

const USER = 'weft';
const DATABASE = 'weft';
const ATTACH_MS = 60_000;
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '100',
  shared_buffers: '128MB',
  jit: 'off',
  // Sessions of the service have closer limits (`session.ts`). These are for other programs that an operator connects.
  idle_in_transaction_session_timeout: '10min',
  ...KEEPALIVE_SETTINGS,
  // Failed statements may contain user data; their errors are reported to the caller.
  log_min_messages: 'log',
  log_checkpoints: 'off',
};

/**
 * Starts the embedded PostgreSQL of `dataDir`, created at first use, or attaches to the one that another process runs. Its address,
 * password included, is in `dataDir/database.url`.
 */
export async function startEmbedded({
  dataDir,
  settings = {},
  log = () => undefined,
}: Options): Promise<EmbeddedDatabase> {
  // Not 0700: the database may have to run as another user below it. Secret files in here are 0600.
  mkdirSync(dataDir, { recursive: true, mode: 0o711 });
  const folder = realpathSync(dataDir);
  for (const deadline = Date.now() + ATTACH_MS; ; await pause(100)) {
    const release = await lockDirectory(folder);
    if (release) {
      try {
        return await own(folder, { ...SETTINGS, ...settings }, log, release);
      } catch (error) {
        await release();
        throw error;
      }
    }
    const attached = await attach(folder);
    if (attached) return attached;
    if (Date.now() > deadline) throw new Error(`Another process holds ${folder}, but its database does not answer.`);
  }
}

async function own(folder: string, settings: Record<string, string>, log: Log, release: () => Promise<void>) {
  const cluster = path.join(folder, 'postgres');
  const binaries = findBinaries(cluster);
  await stopLeftover(cluster, log);
  const url = await chooseAddress(folder);
  if (!existsSync(cluster)) initialise(folder, cluster, url.password, binaries, settings.fsync !== 'off');
  const parameters = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = await keepRunning(binaries.launch('postgres', ['-D', cluster, '-p', url.port, ...parameters]), log);
  await createDatabase(url);
  return {
    url: url.href,
    get pid() {
      return server.pid;
    },
    isOwner: true,
    async stop() {
      await server.stop();
      await release();
    },
  };
}

async function attach(folder: string): Promise<EmbeddedDatabase | null> {
  try {
    const url = readFileSync(addressFile(folder), 'utf8').trim();
    await query(url, 'SELECT 1');
    const pid = Number(readFileSync(path.join(folder, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]);
    return { url, pid, isOwner: false, stop: async () => undefined };
  } catch (error) {
    // The file does not exist yet, or the server is not ready.
    if ((error as NodeJS.ErrnoException).code === 'EACCES') throw error;
    return null;
  }
}

/** In the URL of a server that has not started yet. */
const NO_PORT = 1;

const addressFile = (folder: string) => path.join(folder, 'database.url');

/** Prefers the last port, so that attached processes can reconnect. */
async function chooseAddress(folder: string): Promise<URL> {
  const file = addressFile(folder);
  const fresh = `postgresql://${USER}:${randomBytes(24).toString('base64url')}@127.0.0.1:${NO_PORT}/${DATABASE}`;
  const url = new URL(existsSync(file) ? readFileSync(file, 'utf8').trim() : fresh);
  const previous = Number(url.port);
  const port = (previous === NO_PORT ? null : await ifFree(previous)) ?? (await choosePort());
  if (url.port !== String(port)) {
    url.port = String(port);
    writeFileSync(`${file}.new`, `${url.href}\n`, { mode: 0o600 });
    renameSync(`${file}.new`, file);
  }
  return url;
}

/** A free port below those that systems give to outgoing connections, which could take it while the server restarts. */
async function choosePort(): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const port = await ifFree(randomInt(20_000, 32_000));
    if (port !== null) return port;
  }
  throw new Error('The embedded database found no free port between 20000 and 32000.');
}

const ifFree = (port: number) =>
  new Promise<number | null>((resolve) => {
    const probe = createServer().once('error', () => resolve(null));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(port)));
  });

/** Created in a temporary folder and moved as a whole: a start that is killed half-way leaves nothing incomplete. */
function initialise(
  folder: string,
  cluster: string,
  password: string,
  { owner, launch }: Binaries,
  isDurable: boolean,
) {
  const fresh = `${cluster}.new`;
  const passwordFile = path.join(folder, 'initial.password');
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh, { mode: 0o700 });
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  if (owner) for (const item of [fresh, passwordFile]) chownSync(item, owner.uid, owner.gid);
  const { command, args, options } = launch('initdb', [
    `--pgdata=${fresh}`,
    `--username=${USER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-instructions',
    // Iterations slow down guesses. This password is 24 random bytes, and a connection takes half of the time without them.
    '--set=scram_iterations=1',
    ...(isDurable ? [] : ['--no-sync']),
  ]);
  const { status, stderr, error } = spawnSync(command, args, { ...options, encoding: 'utf8' });
  rmSync(passwordFile, { force: true });
  if (status !== 0) throw new Error(`The database could not be created in ${folder}: ${stderr || String(error)}`);
  renameSync(fresh, cluster);
}

async function createDatabase(url: URL): Promise<void> {
  const maintenance = new URL(url);
  maintenance.pathname = '/postgres';
  const existing = await retryConnection(() =>
    query(maintenance.href, `SELECT 1 FROM pg_database WHERE datname = '${DATABASE}'`),
  );
  if (existing.rowCount === 0) await query(maintenance.href, `CREATE DATABASE ${DATABASE}`);
}

/** Time for the first connection to a server that has just started, and pause between two attempts. */
const FIRST_CONNECTION_MS = 60_000;
const PAUSE_MS = 100;

/**
 * Waiting processes may overload a server that has just started: it refuses connections at once while it recovers or has too many, or
 * answers late. So the first connection is retried for a minute.
 */
async function retryConnection<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (const end = performance.now() + FIRST_CONNECTION_MS; ; await pause(PAUSE_MS)) {
    try {
      return await ask();
    } catch (error) {
      if (performance.now() > end || !isPassingFailure(error)) throw error;
    }
  }
}

async function query(url: string, sql: string): Promise<pg.QueryResult> {
  const client = await openSession(url, 'service');
  try {
    return await client.query(sql);
  } finally {
    await client.end();
  }
}
