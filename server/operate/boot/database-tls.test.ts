import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDatabaseConnections } from '@/server/platform/db/client';
import { listenToNotifications } from '@/server/platform/db/listen';
import { findPostgresBinaries } from '@/server/platform/db/postgres/postgres-binaries';
import { openDatabaseSession } from '@/server/platform/db/session';
import { repositoryRoot } from '@/server/platform/root';
import { setRuntime } from '@/server/platform/runtime';
import { buildAuthority, type TestAuthority } from '@/server/testing/certificates';
import { administer, startCluster, type Cluster } from '@/server/testing/cluster';
import { testEnv } from '@/server/testing/database';
import { until } from '@/server/testing/runs';
import { openMigratedDatabase } from './database';

const folder = mkdtempSync(path.join(tmpdir(), 'weft-tls-'));
const PAGE = readFileSync('docs/operate/database-tls.md', 'utf8');
const quiet = pino({ level: 'silent' });

let cluster: Cluster;
let authority: TestAuthority;

/** A file that the server may read; keys must be its own. */
function write(name: string, text: string): void {
  const file = path.join(folder, name);
  writeFileSync(file, text, { mode: 0o600 });
  chmodSync(file, 0o600);
  const { owner } = findPostgresBinaries(folder);
  if (owner && name.startsWith('server')) chownSync(file, owner.uid, owner.gid);
}

async function writeServer(name: string): Promise<void> {
  const { cert, key } = await authority.signServer(name);
  write('server.pem', cert);
  write('server.key', key);
}

/** Gives the running server another certificate. */
async function renew(name: string): Promise<void> {
  await writeServer(name);
  await administer(cluster.url, 'SELECT pg_reload_conf()');
  const outcome = async () => JSON.stringify(await tryAddress(addressWith(`sslmode=verify-full&${CA}`)));
  const expected = JSON.stringify(name === 'localhost' ? ENCRYPTED : 'ERR_TLS_CERT_ALTNAME_INVALID');
  await until(async () => (await outcome()) === expected, 'the new certificate');
}

beforeAll(async () => {
  chmodSync(folder, 0o755);
  authority = await buildAuthority();
  await writeServer('localhost');
  write('server-ca.pem', authority.ca);
  write('ca.pem', authority.ca);
  write('wrong-ca.pem', (await buildAuthority()).ca);
  const client = await authority.signClient('certified');
  write('client.pem', client.cert);
  write('client.key', client.key);
  // The role `weft` is that of the test's server itself, which does not use TLS.
  write(
    'server-hba.conf',
    [
      'host all weft 127.0.0.0/8 scram-sha-256',
      'hostssl all remote 127.0.0.0/8 scram-sha-256',
      'hostssl all certified 127.0.0.0/8 cert',
    ].join('\n'),
  );
  cluster = await startCluster({
    ssl: 'on',
    ssl_cert_file: path.join(folder, 'server.pem'),
    ssl_key_file: path.join(folder, 'server.key'),
    ssl_ca_file: path.join(folder, 'server-ca.pem'),
    hba_file: path.join(folder, 'server-hba.conf'),
  });
  await administer(
    cluster.url,
    `CREATE ROLE remote LOGIN SUPERUSER PASSWORD 'secret'; CREATE ROLE certified LOGIN SUPERUSER`,
  );
});
afterAll(async () => {
  await cluster.remove();
  rmSync(folder, { recursive: true, force: true });
});

/** The address of the test's server with these parameters. */
function addressWith(parameters: string, { role = 'remote:secret', host = 'localhost' } = {}): string {
  const { port, pathname } = new URL(cluster.url);
  return `postgresql://${role}@${host}:${port}${pathname}${parameters && `?${parameters}`}`;
}

const CA = `sslrootcert=${path.join(folder, 'ca.pem')}`;
const WRONG_CA = `sslrootcert=${path.join(folder, 'wrong-ca.pem')}`;

/** Whether a connection is encrypted, and as whom the server knows its client. Or why there is none. */
async function tryAddress(url: string): Promise<unknown> {
  try {
    const session = await openDatabaseSession(url, 'service');
    const { rows } = await session.query('SELECT ssl, client_dn FROM pg_stat_ssl WHERE pid = pg_backend_pid()');
    await session.end();
    return rows[0];
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code ?? message;
  }
}

const ENCRYPTED = { ssl: true, client_dn: null };
const UNKNOWN_CA = expect.stringMatching(/^(?:SELF_SIGNED_CERT_IN_CHAIN|CERT_SIGNATURE_FAILURE|UNABLE_TO_\w+)$/);

it('the addresses of the page open encrypted connections', async () => {
  const shown = [...PAGE.matchAll(/^DATABASE_URL='postgresql:\/\/weft@postgres\.example\.com:5432\/weft\?(.*)'$/gm)];
  const parameters = shown.map(([, text = '']) => text.replaceAll('/etc/weft', folder));
  expect(parameters).toHaveLength(2);
  const [own = '', withClient = ''] = parameters;
  expect(await tryAddress(addressWith(own))).toEqual(ENCRYPTED);
  expect(await tryAddress(addressWith(own, { host: '127.0.0.1' }))).toEqual(ENCRYPTED);
  expect(await tryAddress(addressWith(withClient, { role: 'certified' }))).toEqual({
    ssl: true,
    client_dn: expect.stringContaining('CN=certified'),
  });
  // Another person's name, or none.
  expect(await tryAddress(addressWith(own, { role: 'certified' }))).toBe('28000');
});

it('a server that wants TLS refuses connections without it', async () => {
  expect(await tryAddress(addressWith(''))).toBe('28000');
  expect(await tryAddress(addressWith('sslmode=disable'))).toBe('28000');
});

it.each(['verify-full', 'require', 'verify-ca', 'prefer'])('sslmode=%s refuses a wrong authority', async (mode) => {
  expect(await tryAddress(addressWith(`sslmode=${mode}&${CA}`))).toEqual(ENCRYPTED);
  expect(await tryAddress(addressWith(`sslmode=${mode}&${WRONG_CA}`))).toEqual(UNKNOWN_CA);
  expect(await tryAddress(addressWith(`sslmode=${mode}`))).toEqual(UNKNOWN_CA);
});

it.each(['sslmode=no-verify', 'sslmode=require&uselibpqcompat=true'])('%s checks nothing', async (parameters) => {
  expect(await tryAddress(addressWith(parameters))).toEqual(ENCRYPTED);
});

it('a start ends with the reason if the authority is wrong', async () => {
  const env = testEnv({ databaseUrl: addressWith(`sslmode=verify-full&${WRONG_CA}`) });
  await expect(openMigratedDatabase(env, repositoryRoot, quiet)).rejects.toThrow(
    /^DATABASE_URL at localhost:\d+ can't be used: .*certificate/,
  );
});

it('migrations, the pool, what is beside it and LISTEN are encrypted; a new certificate takes no connection away', async () => {
  const env = testEnv({ databaseUrl: addressWith(`sslmode=verify-full&${CA}`) });
  const database = await openMigratedDatabase(env, repositoryRoot, quiet);
  const connections = openDatabaseConnections(database.url);
  setRuntime({ env, ...connections });
  const { pool, aside, prisma } = connections;
  const heard: string[] = [];
  const listener = await listenToNotifications(
    ['encrypted'],
    (_, payload) => heard.push(payload),
    () => undefined,
  );
  await Promise.all([pool.query('SELECT 1'), aside.query('SELECT 1'), prisma.workspace.count()]);
  const { rows } = await pool.query(
    `SELECT DISTINCT s.ssl FROM pg_stat_ssl s JOIN pg_stat_activity USING (pid) WHERE usename = 'remote'`,
  );
  expect(rows).toEqual([{ ssl: true }]);

  await renew('postgres.example.com');
  expect(await tryAddress(addressWith(`sslmode=verify-ca&uselibpqcompat=true&${CA}`))).toEqual(ENCRYPTED);
  expect(await tryAddress(addressWith(`sslmode=verify-ca&uselibpqcompat=true&${WRONG_CA}`))).toEqual(UNKNOWN_CA);
  await pool.query(`SELECT pg_notify('encrypted', 'hello')`);
  await until(async () => heard.length === 1, 'the notification');

  await renew('localhost');
  await listener.close();
  await prisma.$disconnect();
  await pool.end();
  setRuntime(undefined);
});
