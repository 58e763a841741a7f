import { NodeFailure } from '@/server/platform/errors/node-failure';
import { awaitPermittedStart } from '@/server/platform/timers/starts';
import { findCredentialVersions } from './credential-versions';
import { withinTimeout } from './in-time';

/** Milliseconds for a connection with TLS and authentication, and for a reset. */
export const SESSION_CONNECT_TIMEOUT_MS = 10_000;
/** Connections of this process: of one credential, and of all credentials of a workspace. */
export const MAX_CREDENTIAL_CONNECTIONS = 5;
export const MAX_WORKSPACE_CONNECTIONS = 10;
/** Milliseconds after which an unused connection is closed. */
const SESSION_IDLE_MS = 30_000;
/** How often credentials are compared with their rows, and idle connections closed. */
const SESSION_SWEEP_INTERVAL_MS = 5000;

/** An open credential of a server that a workspace has named. */
export interface ServerCredential {
  id: string;
  workspaceId: string;
  name: string;
  type: string;
  version: number;
  config: Record<string, unknown>;
}

/** A connection to such a server. */
export interface PooledSession {
  /** False: the connection is broken or closed. */
  readonly isUsable: boolean;
  /** Undoes what a use has left. */
  reset(): Promise<void>;
  close(): void;
}

/** The sessions of one version of a credential. */
interface CredentialPool<Session> {
  credentialId: string;
  version: number;
  idle: { session: Session; since: number }[];
  /** Connections that are open, or are being opened or closed. */
  count: number;
  /** The credential was changed or deleted: sessions are closed after their use. */
  isRetired: boolean;
}

/** The connections of a workspace. */
interface WorkspacePoolShare<Session> {
  pools: Map<string, CredentialPool<Session>>;
  count: number;
  /** Wakes each that waits for a connection, in order. */
  waiting: (() => boolean)[];
}

export interface AcquiredSession<Session> {
  session: Session;
  /** The session is reset, and used again, or closed. */
  release(): void;
}

/** The node was stopped while it waited. */
export const nodeStoppedFailure = () => new NodeFailure('ABORTED', 'The node was stopped.', false);

/** Sessions of servers of one kind, pooled by credential. No workspace waits for the connections of another. */
export class SessionPools<Session extends PooledSession> {
  private readonly shares = new Map<string, WorkspacePoolShare<Session>>();
  private timer: NodeJS.Timeout | undefined;

  /** `open`: connects and signs in. */
  constructor(private readonly open: (credential: ServerCredential) => Promise<Session>) {}

  /** A session that no other node uses. Waits while the workspace has too many. Throws what opening throws; ABORTED. */
  async acquire(credential: ServerCredential, signal: AbortSignal): Promise<AcquiredSession<Session>> {
    if (signal.aborted) throw nodeStoppedFailure();
    const share = this.shareOf(credential.workspaceId);
    const pool = ensureCredentialPool(share, credential);
    const idle = await this.turn(share, pool, signal);
    const release = (session: Session | undefined) => void this.giveBack(share, pool, session);
    try {
      const session = idle ?? (await this.open(credential));
      await awaitPermittedStart(signal);
      return { session, release: () => release(session) };
    } catch (error) {
      release(undefined);
      throw error;
    }
  }

  /** Closes pools of credentials that were changed or deleted, and what has been idle for long. */
  async sweep(now = performance.now()): Promise<void> {
    const pools = [...this.shares.values()].flatMap((share) =>
      [...share.pools.values()].map((pool) => ({ share, pool })),
    );
    const versions = await findCredentialVersions(pools.map(({ pool }) => pool.credentialId));
    for (const { share, pool } of pools) {
      if (versions.get(pool.credentialId) !== pool.version) retirePool(share, pool);
      for (const unused of pool.idle.filter(({ since }) => now - since > SESSION_IDLE_MS))
        dropSession(share, pool, unused);
      this.serveWaiting(share);
    }
  }

  /** Closes idle sessions, and others after their use. */
  close(): void {
    for (const share of this.shares.values()) {
      for (const pool of share.pools.values()) retirePool(share, pool);
      this.serveWaiting(share);
    }
  }

  /** The number of connections of this process, and how many of them are not in use. */
  get size(): { open: number; idle: number } {
    const pools = [...this.shares.values()].flatMap((share) => [...share.pools.values()]);
    return {
      open: pools.reduce((sum, { count }) => sum + count, 0),
      idle: pools.reduce((sum, { idle }) => sum + idle.length, 0),
    };
  }

  private shareOf(workspaceId: string): WorkspacePoolShare<Session> {
    this.timer ??= setInterval(() => void this.sweep().catch(() => undefined), SESSION_SWEEP_INTERVAL_MS).unref();
    const share = this.shares.get(workspaceId) ?? { pools: new Map(), count: 0, waiting: [] };
    this.shares.set(workspaceId, share);
    return share;
  }

  /** Resolves with an idle session, or undefined when a new one may be opened. */
  private turn(
    share: WorkspacePoolShare<Session>,
    pool: CredentialPool<Session>,
    signal: AbortSignal,
  ): Promise<Session | undefined> {
    return new Promise((resolve, reject) => {
      const attempt = (): boolean => {
        const taken = takeSessionOrSlot(share, pool);
        if (!taken) return false;
        signal.removeEventListener('abort', leave);
        resolve(taken.session);
        return true;
      };
      const leave = () => {
        share.waiting = share.waiting.filter((one) => one !== attempt);
        reject(nodeStoppedFailure());
      };
      signal.addEventListener('abort', leave, { once: true });
      if (!attempt()) share.waiting.push(attempt);
    });
  }

  private async giveBack(
    share: WorkspacePoolShare<Session>,
    pool: CredentialPool<Session>,
    session: Session | undefined,
  ): Promise<void> {
    if (session?.isUsable && !pool.isRetired) {
      await withinTimeout(session.reset(), SESSION_CONNECT_TIMEOUT_MS).catch(() => session.close());
    }
    if (session?.isUsable && !pool.isRetired) pool.idle.push({ session, since: performance.now() });
    else {
      session?.close();
      uncountSession(share, pool);
    }
    this.serveWaiting(share);
  }

  /** Serves those that wait, and removes what is empty. */
  private serveWaiting(share: WorkspacePoolShare<Session>): void {
    share.waiting = share.waiting.filter((attempt) => !attempt());
    for (const [key, pool] of share.pools) if (pool.count === 0 && share.waiting.length === 0) share.pools.delete(key);
    if (share.pools.size > 0) return;
    for (const [workspaceId, one] of this.shares) if (one === share) this.shares.delete(workspaceId);
    if (this.shares.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }
}

function ensureCredentialPool<Session extends PooledSession>(
  share: WorkspacePoolShare<Session>,
  { id, version }: ServerCredential,
): CredentialPool<Session> {
  const key = `${id} ${version}`;
  const others = [...share.pools.values()].filter(({ credentialId }) => credentialId === id);
  for (const other of others) if (other.version < version) retirePool(share, other);
  // A node may have opened the credential just before it was changed.
  const isRetired = others.some((other) => other.version > version);
  const pool: CredentialPool<Session> = share.pools.get(key) ?? {
    credentialId: id,
    version,
    idle: [],
    count: 0,
    isRetired,
  };
  share.pools.set(key, pool);
  return pool;
}

function retirePool<Session extends PooledSession>(
  share: WorkspacePoolShare<Session>,
  pool: CredentialPool<Session>,
): void {
  pool.isRetired = true;
  for (const unused of pool.idle) dropSession(share, pool, unused);
}

/** An idle session, or the right to open one. Undefined: the limits are reached. */
function takeSessionOrSlot<Session extends PooledSession>(
  share: WorkspacePoolShare<Session>,
  pool: CredentialPool<Session>,
): { session: Session | undefined } | undefined {
  for (let one = pool.idle.pop(); one; one = pool.idle.pop()) {
    if (one.session.isUsable) return { session: one.session };
    uncountSession(share, pool);
  }
  if (pool.count >= MAX_CREDENTIAL_CONNECTIONS) return undefined;
  if (share.count >= MAX_WORKSPACE_CONNECTIONS && !dropOldestIdle(share)) return undefined;
  pool.count += 1;
  share.count += 1;
  return { session: undefined };
}

/** Closes one idle session of a workspace, in favour of another credential. */
function dropOldestIdle<Session extends PooledSession>(share: WorkspacePoolShare<Session>): boolean {
  const pool = [...share.pools.values()].find(({ idle }) => idle.length > 0);
  const [oldest] = pool?.idle ?? [];
  if (pool && oldest) dropSession(share, pool, oldest);
  return oldest !== undefined;
}

function dropSession<Session extends PooledSession>(
  share: WorkspacePoolShare<Session>,
  pool: CredentialPool<Session>,
  unused: CredentialPool<Session>['idle'][number],
): void {
  pool.idle = pool.idle.filter((one) => one !== unused);
  unused.session.close();
  uncountSession(share, pool);
}

function uncountSession(share: WorkspacePoolShare<unknown>, pool: CredentialPool<unknown>): void {
  pool.count -= 1;
  share.count -= 1;
}
