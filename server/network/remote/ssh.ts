import { createHash } from 'node:crypto';
import type { Client } from 'ssh2';
import type { SshServerConfig } from '@/contract/credentials/ssh-ftp';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import { awaitPermittedStart } from '@/server/platform/timers/starts';
import { PacedParser } from '@/server/network/outbound/paced-parser';
import { OutboundSocket } from '@/server/network/outbound/socket';
import {
  REMOTE_CONNECT_TIMEOUT_MS,
  remoteSemaphores,
  wrongCredentialFailure,
  type RemoteCredential,
  type RemoteUseOptions,
} from './credential';
import { remoteConnectionFailure } from './failures';
import { readPrivateKey } from './private-key';
import { remoteStoppedFailure } from './workspace-semaphores';

/** A connection to a server. */
export interface SshSession {
  client: Client;
  /** The fingerprint of the host key, as `ssh-keygen -l` shows it. */
  fingerprint: string;
  /** Called before the connection ends because the node was stopped. */
  beforeStop?: () => void;
}

/**
 * Milliseconds between messages that show that a silent server is still there, and how many of them may stay
 * unanswered.
 */
const SSH_KEEP_ALIVE = { keepaliveInterval: 15_000, keepaliveCountMax: 3 };
/** The time in milliseconds that a server has to take the last bytes. */
const SSH_CLOSE_TIMEOUT_MS = 2000;

/**
 * Without methods in which the server chooses the prime of the key exchange: to check and to use one takes long.
 * Without compression, as a small packet may contain much.
 */
const SSH_ALGORITHMS = {
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
export async function withSshSession<Result>(
  credential: RemoteCredential,
  { signal, redact }: RemoteUseOptions,
  work: (session: SshSession) => Promise<Result>,
): Promise<Result> {
  const { workspaceId, type, config } = credential;
  if (type !== 'ssh') throw wrongCredentialFailure(credential, 'an SSH server');
  const server = { ...(config as SshServerConfig), workspaceId };
  const key =
    server.privateKey === undefined
      ? undefined
      : await readPrivateKey(server.privateKey, server.passphrase, { workspaceId, signal });
  // Loaded on demand: few workspaces use it.
  const ssh2 = (await import('ssh2')).default;
  const endTurn = await remoteSemaphores.take(workspaceId, signal);
  const socket = new OutboundSocket(server);
  socket.once('close', endTurn);
  // Messages are small, and each is answered.
  socket.setNoDelay(true);
  paceSshPackets(socket);
  const session: SshSession = { client: new ssh2.Client(), fingerprint: '' };
  const { client } = session;
  let isConnected = false;
  const ended = new Promise<never>((_, reject) => {
    // Errors also follow the first one, which tells the reason.
    client.on('error', reject);
    client.once('close', () => reject(new Error('the server closed it')));
    signal.addEventListener('abort', () => reject(remoteStoppedFailure()), { once: true });
  });
  ended.catch(() => undefined);
  const stop = () => {
    session.beforeStop?.();
    closeSshSoon(client, socket);
  };
  signal.addEventListener('abort', stop, { once: true });
  try {
    await Promise.race([connectSsh(session, socket, server, key), ended]);
    await awaitPermittedStart(signal);
    isConnected = true;
    return await Promise.race([work(session), ended]);
  } catch (error) {
    if (signal.aborted) throw remoteStoppedFailure();
    throw remoteConnectionFailure(error, { host: server.host, isConnected, redact });
  } finally {
    signal.removeEventListener('abort', stop);
    closeSshSoon(client, socket);
  }
}

function connectSsh(
  session: SshSession,
  socket: OutboundSocket,
  { host, username, password, hostKey }: SshServerConfig,
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
      ...SSH_KEEP_ALIVE,
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
      readyTimeout: REMOTE_CONNECT_TIMEOUT_MS,
      algorithms: { kex: [...SSH_ALGORITHMS.kex], compress: [...SSH_ALGORITHMS.compress] },
      hostVerifier: (key: Buffer) => {
        session.fingerprint = hostKeyFingerprint(key);
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
function paceSshPackets(socket: OutboundSocket): void {
  const listen = socket.on.bind(socket);
  socket.on = ((event: string, listener: (chunk: Buffer) => void) => {
    if (event !== 'data') return listen(event, listener);
    const parser = new PacedParser((piece) => void (socket.destroyed || listener(piece)), socket);
    return listen('data', (chunk: Buffer) => parser.receive(chunk));
  }) as typeof socket.on;
}

const hostKeyFingerprint = (key: Buffer): string =>
  `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`;

/** Whether the server has refused a channel or a request for it. Other errors are those of the connection. */
export const isChannelRefusal = (error: Error): boolean => 'reason' in error || error.message.startsWith('Unable to ');

/** Sends what is left, and closes the connection, also if the server does not take it. */
function closeSshSoon(client: Client, socket: OutboundSocket): void {
  client.end();
  socket.destroySoon();
  const timer = setTimeout(() => socket.destroy(), SSH_CLOSE_TIMEOUT_MS);
  socket.once('close', () => clearTimeout(timer));
  if (socket.destroyed) clearTimeout(timer);
}

/** Signs in without doing anything, and tells the fingerprint if the credential has none. Throws NodeFailure. */
export async function checkSshLogin(credential: RemoteCredential, use: RemoteUseOptions): Promise<string> {
  const fingerprint = await withSshSession(credential, use, async (session) => session.fingerprint);
  return credential.config['hostKey'] === undefined
    ? `The server accepted the login. Its fingerprint is ${fingerprint}: enter it, so that no other server is accepted.`
    : 'The server accepted the login, and its fingerprint is the expected one.';
}
