import { isDatabaseCredential } from '@/contract/credentials/credential';
import { createConfigFailure, NodeFailure } from '@/server/platform/errors/node-failure';
import {
  SESSION_CONNECT_TIMEOUT_MS,
  SessionPools,
  nodeStoppedFailure,
  type AcquiredSession,
  type ServerCredential,
} from '@/server/network/pools/pool';
import { sqlConnectionFailure, sqlStatementFailure } from './failures';
import { openPostgresSession } from './postgres';
import { SqlResultBudget, SqlResultRows, type SqlResultMode, type SqlResultContext } from './result-rows';
import type { DatabaseServer, SqlSession } from './session';
import { parseSqlStatement, type SqlDialect, type ParsedStatement } from './statement';
import { containsMatchingText } from './values';

/** A statement with `:name` parameters, and their values. */
export interface SqlQuery {
  statement: string;
  parameters: Record<string, unknown>;
}

export interface SqlRunOptions {
  queries: SqlQuery[];
  mode: SqlResultMode;
  /** All queries take effect, or none. Without a transaction a result that is refused may have changed something. */
  isTransaction: boolean;
  timeoutMs: number;
  signal: AbortSignal;
  redact(text: string): string;
  context: SqlResultContext;
}

async function openSqlSession({ workspaceId, type, config }: ServerCredential): Promise<SqlSession> {
  const server = { ...config, workspaceId } as DatabaseServer;
  if (type !== 'mysql') return openPostgresSession(server);
  // Loaded on demand: the driver is a tenth of the code that a worker loads.
  const { openMysqlSession: openMysql } = await import('./mysql');
  return openMysql(server);
}

const sqlSessionPools = new SessionPools(openSqlSession);

/** Closes pooled connections, for tests and at shutdown. */
export const closeSqlPools = (): void => sqlSessionPools.close();

/** Closes pools of credentials that were changed or deleted. */
export const sweepSqlPools = (): Promise<void> => sqlSessionPools.sweep();

/** The connections of this process. */
export const countSqlConnections = (): SessionPools<SqlSession>['size'] => sqlSessionPools.size;

/** Runs statements one after the other in one session; returns the output of each. Throws NodeFailure. */
export async function runSqlQueries(credential: ServerCredential, run: SqlRunOptions): Promise<unknown[]> {
  const { signal, redact } = run;
  const bound = run.queries.map((query) => bindSqlQuery(query, requireSqlDialect(credential)));
  const lent = await acquireSqlSession(credential, signal, redact);
  const { session } = lent;
  // The server goes on with a statement whose client is gone.
  let cancelled: Promise<void> | undefined;
  const stop = () => (cancelled = session.cancel().finally(() => session.close()));
  signal.addEventListener('abort', stop, { once: true });
  try {
    if (signal.aborted) throw nodeStoppedFailure();
    return await performQueries(session, bound, run);
  } catch (error) {
    const failure = signal.aborted ? nodeStoppedFailure() : sqlStatementFailure(session.failure ?? error, redact);
    // A result is refused while its rows arrive. Without a connection its statement is rolled back.
    if (error instanceof NodeFailure) session.close();
    throw failure;
  } finally {
    signal.removeEventListener('abort', stop);
    void Promise.resolve(cancelled).then(() => lent.release());
  }
}

function requireSqlDialect({ type, name }: ServerCredential): SqlDialect {
  if (isDatabaseCredential(type)) return type;
  throw new NodeFailure('CREDENTIAL_KIND', `The credential "${name}" is not one of a database.`, false);
}

async function acquireSqlSession(
  credential: ServerCredential,
  signal: AbortSignal,
  redact: (text: string) => string,
): Promise<AcquiredSession<SqlSession>> {
  try {
    return await sqlSessionPools.acquire(credential, signal);
  } catch (error) {
    throw sqlConnectionFailure(error, String(credential.config['host']), redact);
  }
}

async function performQueries(session: SqlSession, bound: BoundSqlQuery[], run: SqlRunOptions): Promise<unknown[]> {
  const { mode, isTransaction, timeoutMs, context } = run;
  await session.prepare(timeoutMs, isTransaction);
  const outputs: unknown[] = [];
  const budget = new SqlResultBudget(context.reserve);
  for (const { statement, values } of bound) {
    const rows = new SqlResultRows(mode, budget, context.parseLarge);
    await session.run(statement, values, rows);
    outputs.push(rows.output);
  }
  if (isTransaction) await session.commit();
  return outputs;
}

interface BoundSqlQuery {
  statement: ParsedStatement;
  /** The values are in the order of the placeholders. */
  values: unknown[];
}

/** A statement for the server, and the values of its parameters. Throws NodeFailure CONFIG. */
function bindSqlQuery({ statement, parameters }: SqlQuery, dialect: SqlDialect): BoundSqlQuery {
  const parsed = parseSqlStatement(statement, dialect);
  const missing = parsed.names.find((name) => !Object.hasOwn(parameters, name));
  if (missing !== undefined) throw createConfigFailure(`parameters.${missing}`, 'is required');
  for (const name of parsed.names) requireStorableText(parameters[name], name, dialect);
  return { statement: parsed, values: parsed.names.map((name) => parameters[name] ?? null) };
}

/**
 * Drivers would put U+FFFD in place of half a pair, and PostgreSQL names no parameter when it refuses NUL. Throws
 * NodeFailure CONFIG.
 */
function requireStorableText(value: unknown, name: string, dialect: SqlDialect): void {
  const refused = (what: string) => createConfigFailure(`parameters.${name}`, what);
  if (containsMatchingText(value, (text) => !text.isWellFormed()))
    throw refused('has half of a surrogate pair, which a database cannot store as text');
  if (dialect === 'postgres' && containsMatchingText(value, (text) => text.includes('\0')))
    throw refused('has the character NUL, which PostgreSQL cannot store');
}

/** Connects, signs in and runs a statement that reads nothing. Throws NodeFailure. */
export async function checkSqlCredential(credential: ServerCredential, signal: AbortSignal): Promise<string> {
  await runSqlQueries(credential, {
    queries: [{ statement: 'SELECT 1', parameters: {} }],
    mode: 'one',
    isTransaction: false,
    timeoutMs: SESSION_CONNECT_TIMEOUT_MS,
    signal,
    redact: (text) => text,
    context: { reserve: async () => undefined, parseLarge: async () => null },
  });
  return 'The database accepted the credentials.';
}
