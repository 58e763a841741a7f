import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { commandSearchPath } from '@/server/platform/env/search-path';
import { buildCertificate } from '../certificates';
import { freePort } from '../listen';
import { until } from '../runs';
import { endServer, greets } from './server-process';

/**
 * A separate FTP server with one user. With TLS it takes data connections only if they resume the session, as most
 * servers do.
 */
export interface FtpServer {
  /** The folder of the user. */
  folder: string;
  /** The config of a credential for the user; `tls` decides the port. */
  config(tls: 'none' | 'explicit' | 'implicit', changes?: object): Record<string, unknown>;
  remove(): Promise<void>;
}

const PASSWORD = 'canary-ftp-password';
const isRoot = process.getuid?.() === 0;
/** A test that runs as root needs no FTP server that does: then it runs as this user, who has no rights. */
const username = isRoot ? 'nobody' : userInfo().username;

const env: NodeJS.ProcessEnv = { NODE_ENV: 'test', PATH: `${commandSearchPath()}:/usr/sbin` };

/** A fact about the user of the server, as the program id tells it. */
const idOf = (option: string): string => execFileSync('id', [option, username], { env, encoding: 'utf8' }).trim();

const settings = (folder: string, ports: { usual: number; implicit: number }) => `
User ${username}
Group ${idOf('-gn')}
ModulePath /usr/lib/proftpd
LoadModule mod_tls.c
<IfModule mod_ctrls.c>
  ControlsEngine off
</IfModule>
ServerType standalone
UseIPv6 off
DefaultAddress 127.0.0.1
SocketBindTight on
Port ${ports.usual}
PidFile ${folder}/pid
ScoreboardFile /dev/null
DelayEngine off
WtmpLog off
<Global>
  AuthOrder mod_auth_file.c
  AuthUserFile ${folder}/passwd
  RequireValidShell off
  AllowOverwrite on
  TransferLog none
  SystemLog ${folder}/log
  TLSEngine on
  TLSProtocol TLSv1.2 TLSv1.3
  TLSECCertificateFile ${folder}/cert.pem
  TLSECCertificateKeyFile ${folder}/key.pem
  TLSVerifyClient off
  TLSRenegotiate none
</Global>
<VirtualHost 127.0.0.1>
  Port ${ports.implicit}
  TLSOptions UseImplicitSSL
</VirtualHost>
`;

export async function startProftpd(): Promise<FtpServer> {
  const { ca, cert, key } = await buildCertificate();
  const [uid, gid] = [Number(idOf('-u')), Number(idOf('-g'))];
  const folder = mkdtempSync(path.join(tmpdir(), 'weft-proftpd-'));
  const file = (name: string) => path.join(folder, name);
  const own = (name: string) => isRoot && chownSync(name, uid, gid);
  chmodSync(folder, 0o755);
  own(folder);
  mkdirSync(file('files'));
  own(file('files'));
  const ports = { usual: await freePort(), implicit: await freePort() };
  const hash = execFileSync('openssl', ['passwd', '-1', PASSWORD], { env, encoding: 'utf8' }).trim();
  const contents = {
    'proftpd.conf': settings(folder, ports),
    passwd: `ada:${hash}:${uid}:${gid}::${file('files')}:/bin/sh\n`,
    'cert.pem': cert,
    'key.pem': key,
  };
  for (const [name, content] of Object.entries(contents)) {
    writeFileSync(file(name), content, { mode: 0o600 });
    own(file(name));
  }
  const server = spawn('proftpd', ['--nodaemon', '--config', file('proftpd.conf')], {
    env,
    stdio: 'ignore',
    ...(isRoot ? { uid, gid } : {}),
  });
  server.once('error', () => undefined);
  await until(() => greets(ports.usual), 'proftpd (apt install proftpd-mod-crypto)', 60_000);
  return {
    folder: file('files'),
    config: (tls, changes) => ({
      host: '127.0.0.1',
      port: tls === 'implicit' ? ports.implicit : ports.usual,
      username: 'ada',
      password: PASSWORD,
      tls,
      ...(tls === 'none' ? {} : { ca }),
      ...changes,
    }),
    async remove() {
      await endServer(server, 'SIGTERM');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
