import type { RedisServerConfig } from '@/contract/credentials/redis';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import {
  SessionPools,
  nodeStoppedFailure,
  type AcquiredSession,
  type ServerCredential,
} from '@/server/network/pools/pool';
import { redisCommandFailure, redisConnectionFailure } from './failures';
import type { ReserveMemory } from '@/server/network/pools/memory';
import type { RedisSession, RedisReply } from './session';

/** The parts of a run that a use of a server needs. */
export interface RedisUseOptions {
  signal: AbortSignal;
  redact(text: string): string;
  /** Waits until there is memory for a large reply. */
  reserve?: ReserveMemory;
}

/** Sends a command, whose name is in upper case. Throws what `redisCommandFailure` reads. */
export type SendRedisCommand = (name: string, ...values: string[]) => Promise<RedisReply>;

async function openRedisSession({ workspaceId, config }: ServerCredential): Promise<RedisSession> {
  // Loaded on demand: few workspaces use Redis.
  const { connectRedisSession: openRedis } = await import('./session');
  return openRedis({ ...(config as RedisServerConfig), workspaceId });
}

const redisSessionPools = new SessionPools(openRedisSession);

/** Closes pooled connections, for tests. */
export const closeRedisPools = (): void => redisSessionPools.close();

/** Closes pools of credentials that were changed or deleted. */
export const sweepRedisPools = (): Promise<void> => redisSessionPools.sweep();

/** The connections of this process. */
export const countRedisConnections = (): { open: number; idle: number } => redisSessionPools.size;

/** Lets `work` send commands one after the other by one connection. Throws NodeFailure. */
export async function withRedisSession<Result>(
  credential: ServerCredential,
  { signal, redact, reserve }: RedisUseOptions,
  work: (ask: SendRedisCommand) => Promise<Result>,
): Promise<Result> {
  const { session, release } = await acquireRedisSession(credential, signal, redact);
  const stop = () => session.close();
  signal.addEventListener('abort', stop, { once: true });
  try {
    if (signal.aborted) throw nodeStoppedFailure();
    return await work((name, ...values) => session.ask(name, values, reserve));
  } catch (error) {
    if (signal.aborted) throw nodeStoppedFailure();
    throw redisCommandFailure(session.failure ?? error, redact);
  } finally {
    signal.removeEventListener('abort', stop);
    release();
  }
}

async function acquireRedisSession(
  credential: ServerCredential,
  signal: AbortSignal,
  redact: (text: string) => string,
): Promise<AcquiredSession<RedisSession>> {
  const { type, name, config } = credential;
  if (type !== 'redis')
    throw new NodeFailure('CREDENTIAL_KIND', `The credential "${name}" is not one of a Redis server.`, false);
  try {
    return await redisSessionPools.acquire(credential, signal);
  } catch (error) {
    throw redisConnectionFailure(error, String(config['host']), redact);
  }
}

/** Connects, signs in and asks for nothing. Throws NodeFailure. */
export async function checkRedisCredential(credential: ServerCredential, signal: AbortSignal): Promise<string> {
  await withRedisSession(credential, { signal, redact: (text) => text }, (ask) => ask('PING'));
  return 'The Redis server accepted the credentials.';
}
