import { once } from 'node:events';
import type { Socket } from 'node:net';
import { AbstractConnector, Redis } from 'ioredis';
import type { RedisServerConfig } from '@/contract/credentials/redis';
import { OutboundSocket, startVerifiedTls } from '@/server/network/outbound/socket';
import { withinTimeout } from '@/server/network/pools/in-time';
import { SESSION_CONNECT_TIMEOUT_MS, type PooledSession } from '@/server/network/pools/pool';
import { RedisReplyGuard } from './reply-guard';
import type { ReserveMemory } from '@/server/network/pools/memory';

/** A server, and on whose behalf it is called. */
export interface RedisServer extends RedisServerConfig {
  workspaceId: string;
}

/** Text in bytes, a number in digits, null, a list, or an error inside of a list. */
export type RedisReply = Buffer | string | null | Error | RedisReply[];

/** The driver listens by `prependListener`: its parser gets what the guard lets through. */
function guardRedisStream(stream: Socket, guard: RedisReplyGuard): Socket {
  const listen = stream.prependListener.bind(stream);
  const prependListener = (event: string, listener: (chunk: Buffer) => void) =>
    listen(event, event === 'data' ? (chunk: Buffer) => guard.receive(chunk, listener) : listener);
  return Object.assign(stream, { prependListener });
}

/** Connects to the server of the credential only, by `server/network/outbound`. */
function createRedisConnector(server: RedisServer, guard: RedisReplyGuard, use: (...streams: Socket[]) => void) {
  return class extends AbstractConnector {
    constructor() {
      super(0);
    }

    async connect(): Promise<Socket> {
      const socket = new OutboundSocket(server);
      const isEncrypted = server.tls !== 'off';
      const stream = isEncrypted
        ? startVerifiedTls(socket, { ...server, isVerified: server.tls === 'verify' })
        : socket;
      // The driver listens for the first error only.
      stream.on('error', () => undefined);
      use(stream, socket);
      const connected = once(stream, isEncrypted ? 'secureConnect' : 'connect');
      socket.connect();
      await connected;
      return guardRedisStream(stream, guard);
    }

    override disconnect(): void {
      // The session destroys its streams.
    }
  };
}

/** A connection to a Redis server. One command at a time. */
export class RedisSession implements PooledSession {
  private readonly guard: RedisReplyGuard;
  private readonly client: Redis;
  /** The one that is read first; with TLS also the one below it. */
  private streams: Socket[] = [];
  private lost: Error | undefined;
  private isClosed = false;

  constructor(server: RedisServer) {
    this.guard = new RedisReplyGuard({
      pause: () => this.streams[0]?.pause(),
      resume: () => this.streams[0]?.resume(),
      close: () => this.close(),
    });
    this.client = new Redis({
      Connector: createRedisConnector(server, this.guard, (...streams) => (this.streams = streams)),
      lazyConnect: true,
      // `withinTimeout` limits it.
      connectTimeout: 0,
      retryStrategy: () => null,
      maxRetriesPerRequest: null,
      enableOfflineQueue: false,
      // Before the login the server knows no other command, and some users may not call INFO.
      enableReadyCheck: false,
      disableClientInfo: true,
      autoResubscribe: false,
      autoResendUnfulfilledCommands: false,
      stringNumbers: true,
    });
    // Errors are reported by the commands.
    this.client.on('error', (error: Error) => (this.lost ??= error));
  }

  get isUsable(): boolean {
    return !this.isClosed && this.client.status === 'ready' && !this.failure;
  }

  /** Why the connection has ended, if it has. */
  get failure(): Error | undefined {
    return this.guard.failure ?? this.lost;
  }

  /** Connects and signs in. Throws errors of the driver. */
  async open({ username, password, database }: RedisServer): Promise<void> {
    await this.client.connect();
    // The driver would write a line to stderr if the server needs no password.
    if (password) await this.ask('AUTH', username ? [username, password] : [password]);
    if (database > 0) await this.ask('SELECT', [String(database)]);
  }

  /**
   * The reply to a command. `name` is in upper case: the driver changes replies of commands that it knows in lower
   * case.
   */
  async ask(name: string, values: string[], reserve?: ReserveMemory): Promise<RedisReply> {
    this.guard.await(reserve);
    return (await this.client.callBuffer(name, ...values)) as RedisReply;
  }

  /** Commands that nodes may send leave nothing behind: see `commands.ts`. */
  async reset(): Promise<void> {}

  close(): void {
    this.isClosed = true;
    this.client.disconnect();
    for (const stream of this.streams) stream.destroy();
  }
}

/** Connects and signs in. Throws NodeFailure and errors of the driver. */
export async function connectRedisSession(server: RedisServer): Promise<RedisSession> {
  const session = new RedisSession(server);
  try {
    await withinTimeout(session.open(server), SESSION_CONNECT_TIMEOUT_MS);
  } catch (error) {
    const { failure } = session;
    session.close();
    throw failure ?? error;
  }
  return session;
}
