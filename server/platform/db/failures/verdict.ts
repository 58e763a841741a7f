import pg from 'pg';
import { DatabaseFailure } from '@/server/platform/errors/database-failure';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import { ApiProblem } from '@/server/platform/errors/problem';
import { isPrismaRequestError, findSqlState } from './sql-state';

/**
 * What a failure says about the same work later:
 *
 * - `away`: there is no connection, or the server cannot work now. Nothing is wrong with the statement; it may succeed
 *   once the server is back.
 * - `denied`: the server does not let this service in. A service that works waits for it as for a server that is away,
 *   because nobody
 *   withdraws a password in order to fail runs; one that is starting reports its configuration.
 * - `collision`: the transaction met another one (deadlock, write conflict, a lock that was not free in time). It may
 *   succeed at once.
 * - `slow`: the statement took longer than it may. It may succeed when the server has less to do.
 * - `lasting`: a fault of the statement, its values or the program. It fails again.
 */
export type FailureVerdict = 'away' | 'denied' | 'collision' | 'slow' | 'lasting';

/** By SQLSTATE; the first pattern that matches counts. */
const SQLSTATE_VERDICTS: [RegExp, FailureVerdict][] = [
  // A message that is not valid, such as one with too many parameters. A pooler that ends the session reports this
  // state, too, as FATAL.
  [/^08P01/, 'lasting'],
  [/^57014/, 'slow'],
  [/^(?:57P04|28|3D)/, 'denied'],
  // No connection; no memory, disk or connections; operator intervention; failing disks; a standby; a transaction that
  // was idle for too long.
  [/^(?:08|53|57|58000|58030|25006|25P03|25P04)/, 'away'],
  [/^(?:40|55P03)/, 'collision'],
];

const PRISMA_CODE_VERDICTS: Record<string, FailureVerdict> = {
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
const PRISMA_KIND_VERDICTS: Record<string, FailureVerdict> = {
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
const SOCKET_FAILURE_CODES =
  /^(?:ECONN(?:REFUSED|RESET|ABORTED)|ETIMEDOUT|EPIPE|E(?:HOST|NET)(?:UNREACH|DOWN)|ENETRESET|ENOTCONN|ENOTFOUND|EAI_\w+|EADDRNOTAVAIL|ERR_STREAM_(?:DESTROYED|WRITE_AFTER_END|PREMATURE_CLOSE)|ERR_SOCKET_CLOSED(?:_BEFORE_CONNECTION)?)$/;
/**
 * Codes that mean the same only if the failed system call is `connect`: a missing socket file, a process without free
 * file descriptors.
 */
const CONNECT_FAILURE_CODES = /^(?:ENOENT|EMFILE|ENFILE|EAGAIN|EINPROGRESS|ENOBUFS|ENOMEM)$/;
/** Certificates that are not accepted. */
const TLS_FAILURE_CODES = /^(?:CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|ERR_TLS_|ERR_SSL_|HOSTNAME_MISMATCH$|EPROTO$)/;

/** Errors of node-postgres and its pool that have no code. */
const MESSAGE_VERDICTS: [RegExp, FailureVerdict][] = [
  [
    /^(?:Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client has encountered a connection error|Client was closed|Cannot use a pool after calling end|Received unexpected \w+ message from backend|received invalid response|Unexpected \w+ message|There was an error establishing an SSL connection)/,
    'away',
  ],
  [/^(?:The server does not support SSL connections|SASL:|Unknown authenticationOk message type)/, 'denied'],
];

const firstMatchingVerdict = (
  patterns: readonly [RegExp, FailureVerdict][],
  text: string,
): FailureVerdict | undefined => patterns.find(([pattern]) => pattern.test(text))?.[1];

function classifyPrismaError(error: Error & { code: string; meta?: Record<string, unknown> }): FailureVerdict {
  const known = PRISMA_CODE_VERDICTS[error.code];
  if (known) return known;
  const state = firstMatchingVerdict(SQLSTATE_VERDICTS, findSqlState(error));
  if (state) return state;
  const kind = /"kind":"(\w+)"/.exec(JSON.stringify(error.meta ?? {}))?.[1];
  return (kind === undefined ? undefined : PRISMA_KIND_VERDICTS[kind]) ?? 'lasting';
}

/** An error of a socket or of node-postgres itself. */
function classifyConnectionError(error: NodeJS.ErrnoException & { errors?: unknown }): FailureVerdict {
  const { code = '', syscall, message } = error;
  if (SOCKET_FAILURE_CODES.test(code) || (syscall === 'connect' && CONNECT_FAILURE_CODES.test(code))) return 'away';
  if (TLS_FAILURE_CODES.test(code) || (syscall === 'connect' && code === 'EACCES')) return 'denied';
  const [first] = Array.isArray(error.errors) ? error.errors : [];
  return first instanceof Error
    ? classifyDatabaseFailure(first)
    : (firstMatchingVerdict(MESSAGE_VERDICTS, message) ?? 'lasting');
}

/** The one place that judges failures of the service's own database, from every client. */
export function classifyDatabaseFailure(error: unknown): FailureVerdict {
  if (error instanceof DatabaseFailure) return classifyDatabaseFailure(error.failure);
  if (error instanceof pg.DatabaseError) {
    const { code, severity } = error;
    if (code === undefined) return firstMatchingVerdict(MESSAGE_VERDICTS, error.message) ?? 'lasting';
    return code === '08P01' && severity === 'FATAL'
      ? 'away'
      : (firstMatchingVerdict(SQLSTATE_VERDICTS, code) ?? 'lasting');
  }
  if (isPrismaRequestError(error)) return classifyPrismaError(error);
  if (!(error instanceof Error) || error instanceof TypeError || error instanceof RangeError) return 'lasting';
  // Failures of nodes and problems of callers are not classified by their text: they may be about a user's own server.
  if (error instanceof NodeFailure || error instanceof ApiProblem) return 'lasting';
  if (error.name === 'PrismaClientInitializationError')
    return PRISMA_CODE_VERDICTS[String((error as Error & { errorCode?: string }).errorCode)] ?? 'lasting';
  return classifyConnectionError(error);
}

const databaseErrors = new WeakSet<Error>();

/**
 * Notes that an error came from a connection to the database: its code alone could be that of a connection to another
 * server.
 */
export function noteDatabaseError(error: Error): void {
  databaseErrors.add(error);
}

/**
 * Whether the service's own database failed, for a reason that passes. For errors that may be those of other servers.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error) || !isTransientFailure(error)) return false;
  if (error instanceof DatabaseFailure) return true;
  const isKnown =
    error instanceof pg.DatabaseError || error.name.startsWith('PrismaClient') || databaseErrors.has(error);
  return isKnown || firstMatchingVerdict(MESSAGE_VERDICTS, error.message) !== undefined;
}

/** Whether the same work may succeed later. */
export const isTransientFailure = (error: unknown): boolean => classifyDatabaseFailure(error) !== 'lasting';
