import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { commandSearchPath } from '@/server/platform/env/search-path';
import type { TestCertificate } from '../certificates';
import { freePort } from '../listen';
import { until } from '../runs';
import { endServer, greets } from './server-process';

/** A separate MariaDB with a database `shop` and its user `app`. */
export interface MariaDbServer {
  port: number;
  password: string;
  remove(): Promise<void>;
}

const PASSWORD = 'canary-password';
/** One statement on each line. */
const USERS = `CREATE DATABASE shop;
CREATE USER app@'%' IDENTIFIED BY '${PASSWORD}';
GRANT ALL ON shop.* TO app@'%';
`;

const env: NodeJS.ProcessEnv = { NODE_ENV: 'test', PATH: `${commandSearchPath()}:/usr/sbin` };
/** MariaDB runs as root only if it is told to. */
const asUser = process.getuid?.() === 0 ? ['--user=root'] : [];

export async function startMariaDb({ ca, cert, key }: TestCertificate): Promise<MariaDbServer> {
  const folder = mkdtempSync(path.join(tmpdir(), 'weft-mariadb-'));
  const file = (name: string, content: string) => {
    writeFileSync(path.join(folder, name), content, { mode: 0o600 });
    return path.join(folder, name);
  };
  const data = `--datadir=${folder}/data`;
  const install = ['--no-defaults', data, '--auth-root-authentication-method=normal', '--skip-test-db', ...asUser];
  execFileSync('mariadb-install-db', install, { env, stdio: 'ignore' });
  const port = await freePort();
  const server = spawn(
    'mariadbd',
    [
      '--no-defaults',
      data,
      ...asUser,
      `--port=${port}`,
      '--bind-address=127.0.0.1',
      `--socket=${folder}/socket`,
      `--pid-file=${folder}/pid`,
      `--init-file=${file('users.sql', USERS)}`,
      `--ssl-ca=${file('ca.pem', ca)}`,
      `--ssl-cert=${file('cert.pem', cert)}`,
      `--ssl-key=${file('key.pem', key)}`,
      '--innodb-buffer-pool-size=16M',
      '--innodb-flush-log-at-trx-commit=0',
      '--performance-schema=off',
      '--skip-log-bin',
      // Else the anonymous user of localhost would come before `app`.
      '--skip-name-resolve',
    ],
    { env, stdio: 'ignore' },
  );
  server.once('error', () => undefined);
  // It opens the port after it has run its init file.
  await until(() => greets(port), 'mariadbd (apt install mariadb-server)', 60_000);
  return {
    port,
    password: PASSWORD,
    async remove() {
      await endServer(server, 'SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
