import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { commandSearchPath } from '@/server/platform/env/search-path';
import { freePort } from '../listen';
import { until } from '../runs';
import { endServer, greets } from './server-process';

/** A separate OpenSSH server, whose only account is the user who runs the tests. */
export interface SshServer {
  port: number;
  /** Of its host key, as `ssh-keygen -l` shows it. */
  fingerprint: string;
  /** A folder for the files of tests; the account may write into it. */
  folder: string;
  /** The config of a credential for the account. */
  config(changes?: object): Record<string, unknown>;
  /** A private key that the server accepts. `options`: of ssh-keygen. */
  makeKey(passphrase: string, ...options: string[]): string;
  remove(): Promise<void>;
}

const env: NodeJS.ProcessEnv = { NODE_ENV: 'test', PATH: `${commandSearchPath()}:/usr/sbin` };
const isRoot = process.getuid?.() === 0;
/** The folder of the process without rights in front of a login; sshd asks for it only if it runs as root. */
const EMPTY_FOLDER = '/run/sshd';

/** sshd starts itself again for each connection, by its absolute path. */
const programPath = (name: string): string =>
  (env['PATH'] ?? '')
    .split(':')
    .map((folder) => path.join(folder, name))
    .find((file) => existsSync(file)) ?? name;

const settings = (folder: string, port: number) => `
Port ${port}
ListenAddress 127.0.0.1
HostKey ${folder}/host
PidFile none
UsePAM no
StrictModes no
PasswordAuthentication no
KbdInteractiveAuthentication no
AuthorizedKeysFile ${folder}/authorized
PermitRootLogin prohibit-password
MaxStartups 100
UseDNS no
LogLevel ERROR
Subsystem sftp internal-sftp
`;

export async function startSshd(): Promise<SshServer> {
  const folder = mkdtempSync(path.join(tmpdir(), 'weft-sshd-'));
  const file = (name: string) => path.join(folder, name);
  const generate = (name: string, passphrase: string, options: string[]) => {
    execFileSync('ssh-keygen', ['-q', '-N', passphrase, '-C', '', '-f', file(name), ...options], { env });
    return readFileSync(file(name), 'utf8');
  };
  let count = 0;
  const makeKey = (passphrase: string, ...options: string[]) => {
    const name = `key-${(count += 1)}`;
    const key = generate(name, passphrase, options);
    writeFileSync(file('authorized'), readFileSync(file(`${name}.pub`)), { flag: 'a', mode: 0o600 });
    return key;
  };
  generate('host', '', ['-t', 'ed25519']);
  const privateKey = makeKey('', '-t', 'ed25519');
  const port = await freePort();
  writeFileSync(file('sshd_config'), settings(folder, port));
  mkdirSync(file('files'));
  if (isRoot) mkdirSync(EMPTY_FOLDER, { recursive: true, mode: 0o755 });
  const server = spawn(programPath('sshd'), ['-D', '-e', '-f', file('sshd_config')], { env, stdio: 'ignore' });
  server.once('error', () => undefined);
  await until(() => greets(port), 'sshd (apt install openssh-server)', 60_000);
  const shown = execFileSync('ssh-keygen', ['-l', '-f', file('host.pub')], { env, encoding: 'utf8' });
  const fingerprint = shown.split(' ')[1] ?? '';
  return {
    port,
    fingerprint,
    folder: file('files'),
    config: (changes) => ({
      host: '127.0.0.1',
      port,
      username: userInfo().username,
      privateKey,
      hostKey: fingerprint,
      ...changes,
    }),
    makeKey,
    async remove() {
      await endServer(server, 'SIGTERM');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
