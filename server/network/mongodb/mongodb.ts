import type { MongoServerConfig } from '@/contract/credentials/mongodb';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import {
  SessionPools,
  nodeStoppedFailure,
  type AcquiredSession,
  type ServerCredential,
} from '@/server/network/pools/pool';
import { isOtherPrimaryError, mongoCommandFailure, mongoConnectionFailure } from './failures';
import type { MongoSession } from './session';
import type { MongoDocument } from './wire';
import type { ReserveMemory } from '@/server/network/pools/memory';

/** The parts of a run that a use of a server needs. */
export interface MongoUseOptions {
  signal: AbortSignal;
  redact(text: string): string;
  /** Waits until there is memory for a large reply. Default: there is. */
  reserve?: ReserveMemory;
}

/** Sends a command to a database. Throws what `mongoCommandFailure` reads. */
export type SendMongoCommand = (database: string, command: MongoDocument) => Promise<MongoDocument>;

async function openSession({ workspaceId, config }: ServerCredential): Promise<MongoSession> {
  // Loaded on demand: few workspaces use MongoDB.
  const { openMongoSession: open } = await import('./connect');
  return open({ ...(config as MongoServerConfig), workspaceId });
}

const mongoSessionPools = new SessionPools(openSession);

/** Closes pooled connections, for tests. */
export const closeMongoPools = (): void => mongoSessionPools.close();

/** Closes pools of credentials that were changed or deleted. */
export const sweepMongoPools = (): Promise<void> => mongoSessionPools.sweep();

/** The connections of this process. */
export const countMongoConnections = (): { open: number; idle: number } => mongoSessionPools.size;

/** Lets `work` send commands one after the other by one connection. Throws NodeFailure. */
export async function withMongoSession<Result>(
  credential: ServerCredential,
  { signal, redact, reserve = async () => undefined }: MongoUseOptions,
  work: (ask: SendMongoCommand) => Promise<Result>,
): Promise<Result> {
  const { session, release } = await acquireMongoSession(credential, signal, redact);
  // The server ends the command of a client that is gone.
  const stop = () => session.close();
  signal.addEventListener('abort', stop, { once: true });
  try {
    if (signal.aborted) throw nodeStoppedFailure();
    return await work((database, command) => session.ask({ ...command, $db: database }, reserve));
  } catch (error) {
    if (signal.aborted) throw nodeStoppedFailure();
    const failure = session.failure ?? error;
    if (isOtherPrimaryError(error)) session.close();
    throw mongoCommandFailure(failure, redact);
  } finally {
    signal.removeEventListener('abort', stop);
    release();
  }
}

async function acquireMongoSession(
  credential: ServerCredential,
  signal: AbortSignal,
  redact: (text: string) => string,
): Promise<AcquiredSession<MongoSession>> {
  const { type, name, config } = credential;
  if (type !== 'mongodb')
    throw new NodeFailure('CREDENTIAL_KIND', `The credential "${name}" is not one of a MongoDB server.`, false);
  try {
    return await mongoSessionPools.acquire(credential, signal);
  } catch (error) {
    throw mongoConnectionFailure(error, String(config['host'] ?? 'MongoDB'), redact);
  }
}

/** Connects, signs in and changes nothing. Throws NodeFailure. */
export async function checkMongoCredential(credential: ServerCredential, signal: AbortSignal): Promise<string> {
  await withMongoSession(credential, { signal, redact: (text) => text }, (ask) => ask('admin', { ping: 1 }));
  return 'The MongoDB server accepted the credentials.';
}
