import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { commandSearchPath } from '@/server/platform/env/search-path';
import { freePort } from '../listen';
import { until } from '../runs';
import { endServer } from './server-process';

/** A separate PgBouncer in front of a database, set up as docs/operate/pooler.md shows. */
export interface Pooler {
  /** The address of a database of the server, through the pooler. */
  addressFor(url: string): string;
  remove(): Promise<void>;
}

const PAGE = path.resolve('docs/operate/pooler.md');
const isRoot = process.getuid?.() === 0;
/** PgBouncer does not run as root. */
const asNobody = isRoot ? { uid: 65_534, gid: 65_534 } : {};

/** The settings of the page, with the addresses and files of this machine. */
function settingsFor(server: URL, folder: string, port: number, poolSize: number): string {
  const [, shown = ''] = /```ini\n([^]*?)```/.exec(readFileSync(PAGE, 'utf8')) ?? [];
  const changes: [RegExp, string][] = [
    [/^weft = .*$/m, `* = host=${server.hostname} port=${server.port}`],
    [/^listen_addr = .*$/m, 'listen_addr = 127.0.0.1'],
    [/^listen_port = .*$/m, `listen_port = ${port}\nunix_socket_dir =`],
    [/^auth_file = .*$/m, `auth_file = ${folder}/users.txt`],
    [/^default_pool_size = .*$/m, `default_pool_size = ${poolSize}`],
  ];
  return changes.reduce((text, [line, change]) => {
    if (!line.test(text)) throw new Error(`docs/operate/pooler.md has no ${line.source}`);
    return text.replace(line, change);
  }, shown);
}

/** `url`: of any database of the server. */
export async function startPooler(url: string, poolSize: number): Promise<Pooler> {
  const server = new URL(url);
  const folder = mkdtempSync(path.join(tmpdir(), 'weft-pooler-'));
  chmodSync(folder, 0o711);
  const port = await freePort();
  const file = path.join(folder, 'pgbouncer.ini');
  writeFileSync(file, settingsFor(server, folder, port, poolSize));
  writeFileSync(path.join(folder, 'users.txt'), `"${server.username}" "${decodeURIComponent(server.password)}"\n`);
  const pooler = spawn('pgbouncer', ['--quiet', file], {
    ...asNobody,
    stdio: 'ignore',
    env: { NODE_ENV: 'test', PATH: `${commandSearchPath()}:/usr/sbin` },
  });
  // A missing installation is reported below.
  pooler.once('error', () => undefined);
  const addressFor = (address: string) => {
    const through = new URL(address);
    through.host = `127.0.0.1:${port}`;
    return through.href;
  };
  await until(() => isOpen(addressFor(url)), 'pgbouncer (apt install pgbouncer)');
  return {
    addressFor,
    async remove() {
      await endServer(pooler, 'SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function isOpen(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
