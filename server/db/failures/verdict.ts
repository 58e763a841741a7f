import pg from 'pg';
import { DatabaseFailure } from '@/server/errors/database-failure';
import { NodeFailure } from '@/server/errors/node-failure';
import { Problem } from '@/server/errors/problem';
import { isPrismaRequestError, sqlStateOf } from './sql-state';

/**
 * What a failure says about the same work later:
 *
 * - `away`: there is no connection, or the server cannot work now. Nothing is wrong with the statement; it may succeed once the server is back.
 * - `denied`: the server does not let this service in. A service that works waits for it as for a server that is away, because nobody
 *   withdraws a password in order to fail runs; one that is starting reports its configuration.
 * - `collision`: the transaction met another one (deadlock, write conflict, a lock that was not free in time). It may succeed at once.
 * - `slow`: the statement took longer than it may. It may succeed when the server has less to do.
 * - `lasting`: a fault of the statement, its values or the program. It fails again.
 */
export type FailureVerdict = 'away' | 'denied' | 'collision' | 'slow' | 'lasting';

/** By SQLSTATE; the first pattern that matches counts. */
const STATES: [RegExp, FailureVerdict][] = [
  // A message that is not valid, such as one with too many parameters. A pooler that ends the session reports this state, too, as FATAL.
  [/^08P01/, 'lasting'],
  [/^57014/, 'slow'],
  [/^(?:57P04|28|3D)/, 'denied'],
  // No connection; no memory, disk or connections; operator intervention; failing disks; a standby; a transaction that was idle for too long.
  [/^(?:08|53|57|58000|58030|25006|25P03|25P04)/, 'away'],
  [/^(?:40|55P03)/, 'collision'],
];

const PRISMA: Record<string, FailureVerdict> = {
  P1000: 'denied',
  P1001: 'away',
  P1002: 'away',
  P1003: 'denied',
  P1008: 'away',
  P1010: 'denied',
  P1011: 'denied',
  P1017: 'away',
  P1018: 'away',
  P2024: 'away',
  // A transaction that could not begin in time, or was open for too long.
  P2028: 'away',
  P2034: 'collision',
  P2037: 'away',
};

/** Prisma's kinds of errors of node-postgres. Raw queries report these in place of a code. */
const KINDS: Record<string, FailureVerdict> = {
  AuthenticationFailed: 'denied',
  DatabaseAccessDenied: 'denied',
  DatabaseDoesNotExist: 'denied',
  TlsConnectionError: 'denied',
  ConnectionClosed: 'away',
  DatabaseNotReachable: 'away',
  SocketTimeout: 'away',
  TooManyConnections: 'away',
  TransactionAlreadyClosed: 'away',
  TransactionWriteConflict: 'collision',
};

/** Codes of sockets and of the resolver for a server that is not there. */
const SOCKET =
  /^(?:ECONN(?:REFUSED|RESET|ABORTED)|ETIMEDOUT|EPIPE|E(?:HOST|NET)(?:UNREACH|DOWN)|ENETRESET|ENOTCONN|ENOTFOUND|EAI_\w+|EADDRNOTAVAIL|ERR_STREAM_(?:DESTROYED|WRITE_AFTER_END|PREMATURE_CLOSE)|ERR_SOCKET_CLOSED(?:_BEFORE_CONNECTION)?)$/;
/** The same where they tell nothing without `connect`: a missing socket file, a process without free file descriptors. */
const CONNECT = /^(?:ENOENT|EMFILE|ENFILE|EAGAIN|EINPROGRESS|ENOBUFS|ENOMEM)$/;
/** Certificates that are not accepted. */
const TLS = /^(?:CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|ERR_TLS_|ERR_SSL_|HOSTNAME_MISMATCH$|EPROTO$)/;

/** Errors of node-postgres and its pool that have no code. */
const WORDS: [RegExp, FailureVerdict][] = [
  [
    /^(?:Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client has encountered a connection error|Client was closed|Cannot use a pool after calling end|Received unexpected \w+ message from backend|received invalid response|Unexpected \w+ message|There was an error establishing an SSL connection)/,
    'away',
  ],
  [/^(?:The server does not support SSL connections|SASL:|Unknown authenticationOk message type)/, 'denied'],
];

const firstOf = (patterns: readonly [RegExp, FailureVerdict][], text: string): FailureVerdict | undefined =>
  patterns.find(([pattern]) => pattern.test(text))?.[1];

function verdictOfPrisma(error: Error & { code: string; meta?: Record<string, unknown> }): FailureVerdict {
  const known = PRISMA[error.code];
  if (known) return known;
  const state = firstOf(STATES, sqlStateOf(error));
  if (state) return state;
  const kind = /"kind":"(\w+)"/.exec(JSON.stringify(error.meta ?? {}))?.[1];
  return (kind === undefined ? undefined : KINDS[kind]) ?? 'lasting';
}

/** An error of a socket or of node-postgres itself. */
function verdictOfConnection(error: NodeJS.ErrnoException & { errors?: unknown }): FailureVerdict {
  const { code = '', syscall, message } = error;
  if (SOCKET.test(code) || (syscall === 'connect' && CONNECT.test(code))) return 'away';
  if (TLS.test(code) || (syscall === 'connect' && code === 'EACCES')) return 'denied';
  const [first] = Array.isArray(error.errors) ? error.errors : [];
  return first instanceof Error ? classifyFailure(first) : (firstOf(WORDS, message) ?? 'lasting');
}

/** The one place that judges failures of the service's own database, from every client. */
export function classifyFailure(error: unknown): FailureVerdict {
  if (error instanceof DatabaseFailure) return classifyFailure(error.failure);
  if (error instanceof pg.DatabaseError) {
    const { code, severity } = error;
    if (code === undefined) return firstOf(WORDS, error.message) ?? 'lasting';
    return code === '08P01' && severity === 'FATAL' ? 'away' : (firstOf(STATES, code) ?? 'lasting');
  }
  if (isPrismaRequestError(error)) return verdictOfPrisma(error);
  if (!(error instanceof Error) || error instanceof TypeError || error instanceof RangeError) return 'lasting';
  // What a node or a caller is told, whatever its words: it may be about a server of a user.
  if (error instanceof NodeFailure || error instanceof Problem) return 'lasting';
  if (error.name === 'PrismaClientInitializationError')
    return PRISMA[String((error as Error & { errorCode?: string }).errorCode)] ?? 'lasting';
  return verdictOfConnection(error);
}

const ofDatabase = new WeakSet<Error>();

/** Notes that an error came from a connection to the database: its code alone could be that of a connection to another server. */
export function noteDatabaseError(error: Error): void {
  ofDatabase.add(error);
}

/** Whether the service's own database failed, for a reason that passes. For errors that may be those of other servers. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error) || !isPassingFailure(error)) return false;
  if (error instanceof DatabaseFailure) return true;
  const isKnown = error instanceof pg.DatabaseError || error.name.startsWith('PrismaClient') || ofDatabase.has(error);
  return isKnown || firstOf(WORDS, error.message) !== undefined;
}

/** Whether the same work may succeed later. */
export const isPassingFailure = (error: unknown): boolean => classifyFailure(error) !== 'lasting';
