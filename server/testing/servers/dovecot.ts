import { spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { commandSearchPath } from '@/server/platform/env/search-path';
import { buildCertificate } from '../certificates';
import { freePort } from '../listen';
import { until } from '../runs';
import { endServer, greets } from './server-process';

/** A separate mail server. Each user name has a mailbox of its own, and all have one password. */
export interface MailServer {
  /** IMAP with TLS from the first byte. */
  tlsPort: number;
  /** IMAP without, which offers STARTTLS. */
  port: number;
  /** The config of a credential for the mailbox of a user. */
  config(username: string, changes?: object): Record<string, unknown>;
  /** Puts a message into the inbox, as a delivery does. `at`: when it arrives. */
  deliver(username: string, message: string | Buffer, at?: Date): void;
  /** The flags of the messages of a mailbox, as letters of Maildir; `folder` absent: the inbox. */
  flags(username: string, folder?: string): string[];
  addFolder(username: string, folder: string): void;
  /** Numbers all messages anew: UIDVALIDITY changes. */
  renumber(username: string): void;
  remove(): Promise<void>;
}

const PASSWORD = 'canary-mail-password';

/** Dovecot refuses to read mail as root: then it runs as this user, who has no rights. */
const UNPRIVILEGED = { name: 'nobody', id: 65_534 };
const isRoot = process.getuid?.() === 0;
const user = isRoot ? UNPRIVILEGED.name : userInfo().username;

const env: NodeJS.ProcessEnv = { NODE_ENV: 'test', PATH: `${commandSearchPath()}:/usr/sbin` };

const settings = (folder: string, ports: { plain: number; tls: number }) => `
base_dir = ${folder}/run
state_dir = ${folder}/state
log_path = ${folder}/log
protocols = imap
listen = 127.0.0.1
default_internal_user = ${user}
default_internal_group = ${isRoot ? 'nogroup' : ''}
default_login_user = ${user}
ssl = yes
ssl_cert = <${folder}/cert.pem
ssl_key = <${folder}/key.pem
auth_failure_delay = 0
disable_plaintext_auth = no
first_valid_uid = 1
mail_location = maildir:${folder}/mail/%u
passdb {
  driver = static
  args = password=${PASSWORD}
}
userdb {
  driver = static
  args = uid=${isRoot ? UNPRIVILEGED.id : process.getuid?.()} gid=${isRoot ? UNPRIVILEGED.id : process.getgid?.()} home=${folder}/mail/%u
}
namespace inbox {
  inbox = yes
  separator = /
}
service anvil {
  chroot =
}
service stats {
  chroot =
}
service imap-login {
  chroot =
  inet_listener imap {
    port = ${ports.plain}
  }
  inet_listener imaps {
    port = ${ports.tls}
    ssl = yes
  }
}
`;

export async function startDovecot(): Promise<MailServer> {
  const { ca, cert, key } = await buildCertificate();
  const folder = mkdtempSync(path.join(tmpdir(), 'weft-dovecot-'));
  const own = (name: string) => isRoot && chownSync(name, UNPRIVILEGED.id, UNPRIVILEGED.id);
  const makeFolder = (name: string) => {
    mkdirSync(name, { recursive: true });
    own(name);
  };
  const file = (name: string, content: string | Buffer) => {
    writeFileSync(name, content, { mode: 0o600 });
    own(name);
  };
  chmodSync(folder, 0o755);
  own(folder);
  for (const name of ['run', 'state', 'mail']) makeFolder(path.join(folder, name));
  const ports = { plain: await freePort(), tls: await freePort() };
  const certificate = { 'cert.pem': cert, 'key.pem': key, 'dovecot.conf': settings(folder, ports) };
  for (const [name, content] of Object.entries(certificate)) file(path.join(folder, name), content);
  const server = spawn('dovecot', ['-F', '-c', path.join(folder, 'dovecot.conf')], {
    env,
    stdio: 'ignore',
    ...(isRoot ? { uid: UNPRIVILEGED.id, gid: UNPRIVILEGED.id } : {}),
  });
  server.once('error', () => undefined);
  await until(() => greets(ports.plain), 'dovecot (apt install dovecot-imapd)', 60_000);

  const mailbox = (username: string, name?: string) =>
    path.join(folder, 'mail', username, name === undefined ? '' : `.${name}`);
  const makeMailbox = (username: string, name?: string) => {
    makeFolder(mailbox(username));
    makeFolder(mailbox(username, name));
    for (const part of ['cur', 'new', 'tmp']) makeFolder(path.join(mailbox(username, name), part));
  };
  let count = 0;
  return {
    tlsPort: ports.tls,
    port: ports.plain,
    config: (username, changes) => ({
      host: '127.0.0.1',
      port: ports.tls,
      security: 'tls',
      username,
      password: PASSWORD,
      ca,
      ...changes,
    }),
    deliver(username, message, at) {
      makeMailbox(username);
      count += 1;
      // Names sort as messages arrive; the time of the file is that of the arrival.
      const name = `${1_700_000_000 + count}.M${count}.test`;
      const temporary = path.join(mailbox(username), 'tmp', name);
      file(temporary, typeof message === 'string' ? message.replaceAll(/\r?\n/g, '\r\n') : message);
      if (at) utimesSync(temporary, at, at);
      renameSync(temporary, path.join(mailbox(username), 'new', name));
    },
    flags: (username, name) =>
      ['cur', 'new'].flatMap((part) =>
        readdirSync(path.join(mailbox(username, name), part)).map((one) => /:2,(.*)$/.exec(one)?.[1] ?? ''),
      ),
    addFolder: makeMailbox,
    renumber(username) {
      // Other files remember the last UIDVALIDITY, so that the next one differs.
      const names = readdirSync(mailbox(username)).filter((name) => /^dovecot(?:-uidlist|\.index)/.test(name));
      for (const name of names) rmSync(path.join(mailbox(username), name));
    },
    async remove() {
      await endServer(server, 'SIGTERM');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
