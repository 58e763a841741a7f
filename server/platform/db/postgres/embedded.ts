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
import { findPostgresBinaries, type PostgresBinaries } from './postgres-binaries';
import { isTransientFailure } from '../failures/verdict';
import { KEEPALIVE_SETTINGS, openDatabaseSession } from '../session';
import { keepPostgresRunning, stopLeftoverServer, type DatabaseLogger } from './postgres-process';

/** A database that this process can use. */
export interface EmbeddedDatabase {
  url: string;
  /** The server's process. */
  readonly pid: number;
  /** False: another process on this machine runs it, and `stop` does not stop it. */
  isOwner: boolean;
  stop(): Promise<void>;
}

interface EmbeddedOptions {
  dataDir: string;
  /** Additional server parameters. */
  settings?: Record<string, string>;
  log?: DatabaseLogger;
}

const OPERATOR_LINE_PATTERN = / (FATAL|PANIC): |unexpectedly|could not/;
/** Message for every connection that is still open when the server stops. */
const SHUTDOWN_MESSAGE = 'due to administrator command';

/** Whether an operator should see this line of the database's log. */
export const isOperatorLogLine = (line: string): boolean =>
  OPERATOR_LINE_PATTERN.test(line) && !line.includes(SHUTDOWN_MESSAGE);

const EMBEDDED_USER = 'weft';
const EMBEDDED_DATABASE = 'weft';
const ATTACH_TIMEOUT_MS = 60_000;
const EMBEDDED_SETTINGS = {
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
 * Starts the embedded PostgreSQL of `dataDir`, created at first use, or attaches to the one that another process runs.
 * Its address, password included, is in `dataDir/database.url`.
 */
export async function startEmbeddedDatabase({
  dataDir,
  settings = {},
  log = () => undefined,
}: EmbeddedOptions): Promise<EmbeddedDatabase> {
  // Not 0700: the database may have to run as another user below it. Secret files in here are 0600.
  mkdirSync(dataDir, { recursive: true, mode: 0o711 });
  const folder = realpathSync(dataDir);
  for (const deadline = Date.now() + ATTACH_TIMEOUT_MS; ; await pause(100)) {
    const release = await lockDirectory(folder);
    if (release) {
      try {
        return await startOwnedServer(folder, { ...EMBEDDED_SETTINGS, ...settings }, log, release);
      } catch (error) {
        await release();
        throw error;
      }
    }
    const attached = await attachToServer(folder);
    if (attached) return attached;
    if (Date.now() > deadline) throw new Error(`Another process holds ${folder}, but its database does not answer.`);
  }
}

async function startOwnedServer(
  folder: string,
  settings: Record<string, string>,
  log: DatabaseLogger,
  release: () => Promise<void>,
) {
  const cluster = path.join(folder, 'postgres');
  const binaries = findPostgresBinaries(cluster);
  await stopLeftoverServer(cluster, log);
  const url = await chooseServerUrl(folder);
  if (!existsSync(cluster)) initialiseCluster(folder, cluster, url.password, binaries, settings.fsync !== 'off');
  const parameters = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = await keepPostgresRunning(
    binaries.launch('postgres', ['-D', cluster, '-p', url.port, ...parameters]),
    log,
  );
  await ensureDatabaseExists(url);
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

async function attachToServer(folder: string): Promise<EmbeddedDatabase | null> {
  try {
    const url = readFileSync(databaseUrlFile(folder), 'utf8').trim();
    await queryOnce(url, 'SELECT 1');
    const pid = Number(readFileSync(path.join(folder, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]);
    return { url, pid, isOwner: false, stop: async () => undefined };
  } catch (error) {
    // The file does not exist yet, or the server is not ready.
    if ((error as NodeJS.ErrnoException).code === 'EACCES') throw error;
    return null;
  }
}

/** The port in the URL of a server that has not started yet. */
const PLACEHOLDER_PORT = 1;

const databaseUrlFile = (folder: string) => path.join(folder, 'database.url');

/** Prefers the last port, so that attached processes can reconnect. */
async function chooseServerUrl(folder: string): Promise<URL> {
  const file = databaseUrlFile(folder);
  const fresh = `postgresql://${EMBEDDED_USER}:${randomBytes(24).toString('base64url')}@127.0.0.1:${PLACEHOLDER_PORT}/${EMBEDDED_DATABASE}`;
  const url = new URL(existsSync(file) ? readFileSync(file, 'utf8').trim() : fresh);
  const previous = Number(url.port);
  const port = (previous === PLACEHOLDER_PORT ? null : await portIfFree(previous)) ?? (await chooseFreePort());
  if (url.port !== String(port)) {
    url.port = String(port);
    writeFileSync(`${file}.new`, `${url.href}\n`, { mode: 0o600 });
    renameSync(`${file}.new`, file);
  }
  return url;
}

/** A free port below those that systems give to outgoing connections, which could take it while the server restarts. */
async function chooseFreePort(): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const port = await portIfFree(randomInt(20_000, 32_000));
    if (port !== null) return port;
  }
  throw new Error('The embedded database found no free port between 20000 and 32000.');
}

const portIfFree = (port: number) =>
  new Promise<number | null>((resolve) => {
    const probe = createServer().once('error', () => resolve(null));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(port)));
  });

/** Created in a temporary folder and moved as a whole: a start that is killed half-way leaves nothing incomplete. */
function initialiseCluster(
  folder: string,
  cluster: string,
  password: string,
  { owner, launch }: PostgresBinaries,
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
    `--username=${EMBEDDED_USER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-instructions',
    // Iterations slow down guesses. This password is 24 random bytes, and a connection takes half of the time without
    // them.
    '--set=scram_iterations=1',
    ...(isDurable ? [] : ['--no-sync']),
  ]);
  const { status, stderr, error } = spawnSync(command, args, { ...options, encoding: 'utf8' });
  rmSync(passwordFile, { force: true });
  if (status !== 0) throw new Error(`The database could not be created in ${folder}: ${stderr || String(error)}`);
  renameSync(fresh, cluster);
}

async function ensureDatabaseExists(url: URL): Promise<void> {
  const maintenance = new URL(url);
  maintenance.pathname = '/postgres';
  const existing = await retryFirstConnection(() =>
    queryOnce(maintenance.href, `SELECT 1 FROM pg_database WHERE datname = '${EMBEDDED_DATABASE}'`),
  );
  if (existing.rowCount === 0) await queryOnce(maintenance.href, `CREATE DATABASE ${EMBEDDED_DATABASE}`);
}

/** Time for the first connection to a server that has just started, and pause between two attempts. */
const FIRST_CONNECTION_TIMEOUT_MS = 60_000;
const CONNECTION_RETRY_MS = 100;

/**
 * Waiting processes may overload a server that has just started: it refuses connections at once while it recovers or
 * has too many, or answers late. So the first connection is retried for a minute.
 */
async function retryFirstConnection<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (const end = performance.now() + FIRST_CONNECTION_TIMEOUT_MS; ; await pause(CONNECTION_RETRY_MS)) {
    try {
      return await ask();
    } catch (error) {
      if (performance.now() > end || !isTransientFailure(error)) throw error;
    }
  }
}

async function queryOnce(url: string, sql: string): Promise<pg.QueryResult> {
  const client = await openDatabaseSession(url, 'service');
  try {
    return await client.query(sql);
  } finally {
    await client.end();
  }
}
