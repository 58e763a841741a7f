import { createHash } from 'node:crypto';
import type { Client } from 'ssh2';
import type { SshConfig } from '@/contract/credentials/remote';
import { NodeFailure } from '@/server/errors/node-failure';
import { awaitStart } from '@/server/starts';
import { PacedParser } from '@/server/outbound/paced-parser';
import { OutboundSocket } from '@/server/outbound/socket';
import { CONNECT_MS, turns, wrongKind, type RemoteCredential, type Use } from './credential';
import { connectionFailure } from './failures';
import { readPrivateKey } from './private-key';
import { stopped } from './turns';

/** A connection to a server. */
export interface SshSession {
  client: Client;
  /** Of the host key, as `ssh-keygen -l` shows it. */
  fingerprint: string;
  /** Called before the connection ends because the node was stopped. */
  beforeStop?: () => void;
}

/** Milliseconds between messages that show that a silent server is still there, and how many of them may stay unanswered. */
const KEEP_ALIVE = { keepaliveInterval: 15_000, keepaliveCountMax: 3 };
/** Milliseconds that a server has to take the last bytes. */
const CLOSE_MS = 2000;

/**
 * Without methods in which the server chooses the prime of the key exchange: to check and to use one takes long. Without compression, as a
 * small packet may contain much.
 */
const ALGORITHMS = {
  kex: [
    'curve25519-sha256',
    'curve25519-sha256@libssh.org',
    'ecdh-sha2-nistp256',
    'ecdh-sha2-nistp384',
    'ecdh-sha2-nistp521',
    'diffie-hellman-group14-sha256',
    'diffie-hellman-group16-sha512',
  ],
  compress: ['none'],
} as const;

/** Connects, signs in, lets `work` act, and closes the connection. Throws NodeFailure. */
export async function withSsh<Result>(
  credential: RemoteCredential,
  { signal, redact }: Use,
  work: (session: SshSession) => Promise<Result>,
): Promise<Result> {
  const { workspaceId, type, config } = credential;
  if (type !== 'ssh') throw wrongKind(credential, 'an SSH server');
  const server = { ...(config as SshConfig), workspaceId };
  const key =
    server.privateKey === undefined
      ? undefined
      : await readPrivateKey(server.privateKey, server.passphrase, { workspaceId, signal });
  // Loaded on demand: few workspaces use it.
  const ssh2 = (await import('ssh2')).default;
  const endTurn = await turns.take(workspaceId, signal);
  const socket = new OutboundSocket(server);
  socket.once('close', endTurn);
  // Messages are small, and each is answered.
  socket.setNoDelay(true);
  pace(socket);
  const session: SshSession = { client: new ssh2.Client(), fingerprint: '' };
  const { client } = session;
  let isConnected = false;
  const ended = new Promise<never>((_, reject) => {
    // Errors also follow the first one, which tells the reason.
    client.on('error', reject);
    client.once('close', () => reject(new Error('the server closed it')));
    signal.addEventListener('abort', () => reject(stopped()), { once: true });
  });
  ended.catch(() => undefined);
  const stop = () => {
    session.beforeStop?.();
    closeSoon(client, socket);
  };
  signal.addEventListener('abort', stop, { once: true });
  try {
    await Promise.race([connected(session, socket, server, key), ended]);
    await awaitStart(signal);
    isConnected = true;
    return await Promise.race([work(session), ended]);
  } catch (error) {
    if (signal.aborted) throw stopped();
    throw connectionFailure(error, { host: server.host, isConnected, redact });
  } finally {
    signal.removeEventListener('abort', stop);
    closeSoon(client, socket);
  }
}

function connected(
  session: SshSession,
  socket: OutboundSocket,
  { host, username, password, hostKey }: SshConfig,
  privateKey: string | undefined,
): Promise<void> {
  const { client } = session;
  return new Promise((resolve, reject) => {
    client.once('ready', resolve);
    // Many servers ask for the password in this way only.
    client.on('keyboard-interactive', (_name, _instructions, _language, prompts, finish) => {
      const isPassword = prompts.length === 1 && prompts[0]?.echo !== true;
      finish(isPassword && password !== undefined ? [password] : []);
    });
    client.connect({
      ...KEEP_ALIVE,
      sock: socket,
      username,
      password,
      privateKey,
      tryKeyboard: password !== undefined,
      // The key first, so that a server does not count a password that it does not take.
      authHandler: [
        ...(privateKey === undefined ? [] : (['publickey'] as const)),
        ...(password === undefined ? [] : (['password', 'keyboard-interactive'] as const)),
      ],
      readyTimeout: CONNECT_MS,
      algorithms: { kex: [...ALGORITHMS.kex], compress: [...ALGORITHMS.compress] },
      hostVerifier: (key: Buffer) => {
        session.fingerprint = fingerprintOf(key);
        if (hostKey === undefined || hostKey.replace(/=$/, '') === session.fingerprint) return true;
        reject(
          new NodeFailure(
            'HOST_KEY',
            `${host} is another server than the credential expects: its fingerprint is ${session.fingerprint}.`,
            false,
          ),
        );
        return false;
      },
    });
    socket.connect();
  });
}

/** The library decrypts and handles all packets that have arrived; a server may send any number of small ones. */
function pace(socket: OutboundSocket): void {
  const listen = socket.on.bind(socket);
  socket.on = ((event: string, listener: (chunk: Buffer) => void) => {
    if (event !== 'data') return listen(event, listener);
    const parser = new PacedParser((piece) => void (socket.destroyed || listener(piece)), socket);
    return listen('data', (chunk: Buffer) => parser.receive(chunk));
  }) as typeof socket.on;
}

const fingerprintOf = (key: Buffer): string =>
  `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`;

/** Whether the server has refused a channel or a request for it. Other errors are those of the connection. */
export const isRefusal = (error: Error): boolean => 'reason' in error || error.message.startsWith('Unable to ');

/** Sends what is left, and closes the connection, also if the server does not take it. */
function closeSoon(client: Client, socket: OutboundSocket): void {
  client.end();
  socket.destroySoon();
  const timer = setTimeout(() => socket.destroy(), CLOSE_MS);
  socket.once('close', () => clearTimeout(timer));
  if (socket.destroyed) clearTimeout(timer);
}

/** Signs in without doing anything, and tells the fingerprint if the credential has none. Throws NodeFailure. */
export async function checkSsh(credential: RemoteCredential, use: Use): Promise<string> {
  const fingerprint = await withSsh(credential, use, async (session) => session.fingerprint);
  return credential.config['hostKey'] === undefined
    ? `The server accepted the login. Its fingerprint is ${fingerprint}: enter it, so that no other server is accepted.`
    : 'The server accepted the login, and its fingerprint is the expected one.';
}
