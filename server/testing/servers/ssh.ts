import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import ssh2, { type AuthContext, type Connection, type ServerChannel, type SFTPWrapper } from 'ssh2';

/** A server by the library itself, for what OpenSSH does not do. All users have the password `PARTY_PASSWORD`. */
export interface SshParty {
  port: number;
  fingerprint: string;
  /** Connections that are open. */
  readonly open: number;
  config(changes?: object): Record<string, unknown>;
  close(): Promise<void>;
}

export const PARTY_PASSWORD = 'canary-ssh-password';

export interface Acts {
  authenticate?(context: AuthContext): void;
  run?(command: string, channel: ServerChannel, connection: Connection): void;
  sftp?(sftp: SFTPWrapper): void;
  /** The library tells of signals in its log only. */
  log?(line: string): void;
}

/** A pair of Ed25519 keys. The library writes one of 200 so that no program can read it. */
export function ed25519Pair(
  encryption: { rounds?: number; cipher?: string; passphrase?: string } = {},
): Record<'public' | 'private', string> {
  for (;;) {
    const pair = ssh2.utils.generateKeyPairSync('ed25519', encryption as object);
    if (!(ssh2.utils.parseKey(pair.private, encryption.passphrase) instanceof Error)) return pair;
  }
}

const byPassword = (context: AuthContext) =>
  context.method === 'password' && context.password === PARTY_PASSWORD
    ? context.accept()
    : context.reject(['password']);

export async function startSshParty({ authenticate = byPassword, run, sftp, log }: Acts): Promise<SshParty> {
  const host = ssh2.utils.generateKeyPairSync('ecdsa', { bits: 256 });
  const sockets = new Set<Socket>();
  const server = new ssh2.Server({ hostKeys: [host.private], ...(log ? { debug: log } : {}) }, (connection) => {
    connection.on('error', () => undefined);
    connection.on('authentication', authenticate);
    connection.on('session', (accept) => {
      const session = accept();
      if (run) session.on('exec', (begin, _refuse, { command }) => run(command, begin(), connection));
      if (sftp) session.on('sftp', (begin) => sftp(begin()));
    });
  });
  const raw = (server as unknown as { _srv: NodeJS.EventEmitter })._srv;
  raw.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const key = Buffer.from(host.public.split(' ')[1] ?? '', 'base64');
  return {
    port,
    fingerprint: `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`,
    get open() {
      return sockets.size;
    },
    config: (changes) => ({ host: '127.0.0.1', port, username: 'ada', password: PARTY_PASSWORD, ...changes }),
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
