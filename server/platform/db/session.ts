import pg from 'pg';

interface SessionTimeouts {
  /** How long a transaction may wait for its client. */
  idleInTransactionMs: number;
  lockMs: number;
  statementMs: number;
  /** How long the server waits until the machine of its client confirms what was sent. */
  sendMs: number;
}

/**
 * SQL that begins a transaction which holds rows of a worker or of its runs: it ends a second after the lease of a
 * worker that says nothing, so that others can take over. No session waits so long for its own process, unless that is
 * frozen, and then it has lost its lease.
 */
export const BEGIN_BRIEF_TRANSACTION = 'BEGIN; SET LOCAL idle_in_transaction_session_timeout = 4000';

/**
 * What the server itself enforces for each session of the service. A process can vanish without closing its
 * connections: its machine loses power, its virtual machine is frozen, the network is split. Its transactions would
 * keep their locks until the operating system gives the connection up, after hours, and nobody could take over its
 * runs.
 *
 * - `service`: sessions that work on runs and calls. A transaction that is left open ends while its caller still waits.
 *   A statement ends
 *   before the client gives it up (`QUERY_TIMEOUT_MS`), and so never works for nobody.
 * - `command`: sessions that work for minutes or hours: backup, restore, migrations, the building of indexes, the
 *   clean-up.
 */
const SESSION_TIMEOUTS = {
  service: { idleInTransactionMs: 15_000, lockMs: 30_000, statementMs: 55_000, sendMs: 8000 },
  command: { idleInTransactionMs: 3_600_000, lockMs: 600_000, statementMs: 6 * 3_600_000, sendMs: 60_000 },
} satisfies Record<string, SessionTimeouts>;

export type DatabaseSessionType = keyof typeof SESSION_TIMEOUTS;

/** After this time the client gives up a statement of a `service` session. */
export const QUERY_TIMEOUT_MS = 60_000;
const DATABASE_CONNECT_TIMEOUT_MS = 10_000;

/**
 * TCP keepalive in seconds: how long a connection is silent before the first probe, the time between probes, and how
 * many may be lost.
 */
const KEEPALIVE_SECONDS = { idle: 4, interval: 1, count: 4 };

/** Settings of the server for TCP keepalive. */
export const KEEPALIVE_SETTINGS = {
  tcp_keepalives_idle: String(KEEPALIVE_SECONDS.idle),
  tcp_keepalives_interval: String(KEEPALIVE_SECONDS.interval),
  tcp_keepalives_count: String(KEEPALIVE_SECONDS.count),
};

/** The limits of a session as settings of the server. */
export function listSessionLimits(kind: DatabaseSessionType): Record<string, string> {
  const { idleInTransactionMs, lockMs, statementMs, sendMs } = SESSION_TIMEOUTS[kind];
  return {
    idle_in_transaction_session_timeout: String(idleInTransactionMs),
    lock_timeout: String(lockMs),
    statement_timeout: String(statementMs),
    tcp_user_timeout: String(sendMs),
    ...KEEPALIVE_SETTINGS,
  };
}

/** SQL that sets the limits of a session. */
export const sessionLimitsSql = (kind: DatabaseSessionType): string =>
  `SELECT ${Object.entries(listSessionLimits(kind))
    .map(([name, value]) => `set_config('${name}', '${value}', false)`)
    .join(', ')}`;

/**
 * The settings of every client of the service. Without the timeout a promise would stay pending if the server dies at
 * the wrong moment.
 */
export const databaseClientConfig = (url: string | undefined): pg.ClientConfig => ({
  connectionString: url,
  connectionTimeoutMillis: DATABASE_CONNECT_TIMEOUT_MS,
  keepAlive: true,
  keepAliveInitialDelayMillis: KEEPALIVE_SECONDS.idle * 1000,
});

/** Opens a session beside the pools, which no pooler shares. The caller ends it. */
export async function openDatabaseSession(url: string | undefined, kind: DatabaseSessionType): Promise<pg.Client> {
  const client = new pg.Client({
    ...databaseClientConfig(url),
    query_timeout: kind === 'service' ? QUERY_TIMEOUT_MS : undefined,
  });
  // The current query reports a broken connection; without a listener it would also end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query(sessionLimitsSql(kind));
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
}
