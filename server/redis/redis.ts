import type { RedisConfig } from '@/contract/credentials/redis';
import { NodeFailure } from '@/server/errors/node-failure';
import { SessionPools, stopped, type LentSession, type ServerCredential } from '@/server/pools/pool';
import { commandFailure, connectionFailure } from './failures';
import type { Reserve } from './reply-guard';
import type { RedisSession, Reply } from './session';

/** What a use of a server needs of its run. */
export interface RedisUse {
  signal: AbortSignal;
  redact(text: string): string;
  /** Waits until there is memory for a large reply. */
  reserve?: Reserve;
}

/** Sends a command, whose name is in upper case. Throws what `commandFailure` reads. */
export type Ask = (name: string, ...values: string[]) => Promise<Reply>;

async function open({ workspaceId, config }: ServerCredential): Promise<RedisSession> {
  // Loaded on demand: few workspaces use Redis.
  const { openRedis } = await import('./session');
  return openRedis({ ...(config as RedisConfig), workspaceId });
}

const pools = new SessionPools(open);

/** Closes pooled connections, for tests. */
export const closeRedis = (): void => pools.close();

/** Closes pools of credentials that were changed or deleted. */
export const sweepRedis = (): Promise<void> => pools.sweep();

/** The connections of this process. */
export const redisConnections = (): { open: number; idle: number } => pools.size;

/** Lets `work` send commands one after the other by one connection. Throws NodeFailure. */
export async function withRedis<Result>(
  credential: ServerCredential,
  { signal, redact, reserve }: RedisUse,
  work: (ask: Ask) => Promise<Result>,
): Promise<Result> {
  const { session, release } = await borrow(credential, signal, redact);
  const stop = () => session.close();
  signal.addEventListener('abort', stop, { once: true });
  try {
    if (signal.aborted) throw stopped();
    return await work((name, ...values) => session.ask(name, values, reserve));
  } catch (error) {
    if (signal.aborted) throw stopped();
    throw commandFailure(session.failure ?? error, redact);
  } finally {
    signal.removeEventListener('abort', stop);
    release();
  }
}

async function borrow(
  credential: ServerCredential,
  signal: AbortSignal,
  redact: (text: string) => string,
): Promise<LentSession<RedisSession>> {
  const { type, name, config } = credential;
  if (type !== 'redis')
    throw new NodeFailure('CREDENTIAL_KIND', `The credential "${name}" is not one of a Redis server.`, false);
  try {
    return await pools.acquire(credential, signal);
  } catch (error) {
    throw connectionFailure(error, String(config['host']), redact);
  }
}

/** Connects, signs in and asks for nothing. Throws NodeFailure. */
export async function checkRedis(credential: ServerCredential, signal: AbortSignal): Promise<string> {
  await withRedis(credential, { signal, redact: (text) => text }, (ask) => ask('PING'));
  return 'The Redis server accepted the credentials.';
}
