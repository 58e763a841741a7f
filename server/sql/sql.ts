import { isDatabase } from '@/contract/credentials/credential';
import { NodeFailure } from '@/server/errors/node-failure';
import { CONNECT_MS, SessionPools, stopped, type LentSession, type ServerCredential } from '@/server/pools/pool';
import { connectionFailure, statementFailure } from './failures';
import { openPostgres } from './postgres';
import { ResultBudget, ResultRows, type Mode, type ResultContext } from './result-rows';
import type { DatabaseServer, Session } from './session';
import { parseStatement, type Dialect, type Statement } from './statement';
import { containsText } from './values';

/** A statement with `:name` parameters, and their values. */
export interface Query {
  statement: string;
  parameters: Record<string, unknown>;
}

export interface SqlRun {
  queries: Query[];
  mode: Mode;
  /** All queries take effect, or none. Without a transaction a result that is refused may have changed something. */
  isTransaction: boolean;
  timeoutMs: number;
  signal: AbortSignal;
  redact(text: string): string;
  context: ResultContext;
}

async function open({ workspaceId, type, config }: ServerCredential): Promise<Session> {
  const server = { ...config, workspaceId } as DatabaseServer;
  if (type !== 'mysql') return openPostgres(server);
  // Loaded on demand: the driver is a tenth of the code that a worker loads.
  const { openMysql } = await import('./mysql');
  return openMysql(server);
}

const pools = new SessionPools(open);

/** Closes pooled connections, for tests and at shutdown. */
export const closeSql = (): void => pools.close();

/** Closes pools of credentials that were changed or deleted. */
export const sweepSql = (): Promise<void> => pools.sweep();

/** The connections of this process. */
export const sqlConnections = (): SessionPools<Session>['size'] => pools.size;

/** Runs statements one after the other in one session; returns the output of each. Throws NodeFailure. */
export async function runSql(credential: ServerCredential, run: SqlRun): Promise<unknown[]> {
  const { signal, redact } = run;
  const bound = run.queries.map((query) => bind(query, dialectOf(credential)));
  const lent = await borrow(credential, signal, redact);
  const { session } = lent;
  // The server goes on with a statement whose client is gone.
  let cancelled: Promise<void> | undefined;
  const stop = () => (cancelled = session.cancel().finally(() => session.close()));
  signal.addEventListener('abort', stop, { once: true });
  try {
    if (signal.aborted) throw stopped();
    return await perform(session, bound, run);
  } catch (error) {
    const failure = signal.aborted ? stopped() : statementFailure(session.failure ?? error, redact);
    // A result is refused while its rows arrive. Without a connection its statement is rolled back.
    if (error instanceof NodeFailure) session.close();
    throw failure;
  } finally {
    signal.removeEventListener('abort', stop);
    void Promise.resolve(cancelled).then(() => lent.release());
  }
}

function dialectOf({ type, name }: ServerCredential): Dialect {
  if (isDatabase(type)) return type;
  throw new NodeFailure('CREDENTIAL_KIND', `The credential "${name}" is not one of a database.`, false);
}

async function borrow(
  credential: ServerCredential,
  signal: AbortSignal,
  redact: (text: string) => string,
): Promise<LentSession<Session>> {
  try {
    return await pools.acquire(credential, signal);
  } catch (error) {
    throw connectionFailure(error, String(credential.config['host']), redact);
  }
}

async function perform(session: Session, bound: BoundQuery[], run: SqlRun): Promise<unknown[]> {
  const { mode, isTransaction, timeoutMs, context } = run;
  await session.prepare(timeoutMs, isTransaction);
  const outputs: unknown[] = [];
  const budget = new ResultBudget(context.reserve);
  for (const { statement, values } of bound) {
    const rows = new ResultRows(mode, budget, context.parseLarge);
    await session.run(statement, values, rows);
    outputs.push(rows.output);
  }
  if (isTransaction) await session.commit();
  return outputs;
}

interface BoundQuery {
  statement: Statement;
  /** In the order of its placeholders. */
  values: unknown[];
}

/** A statement for the server, and the values of its parameters. Throws NodeFailure CONFIG. */
function bind({ statement, parameters }: Query, dialect: Dialect): BoundQuery {
  const parsed = parseStatement(statement, dialect);
  const missing = parsed.names.find((name) => !Object.hasOwn(parameters, name));
  if (missing !== undefined) throw new NodeFailure('CONFIG', `config.parameters.${missing}: is required`, false);
  for (const name of parsed.names) requireStorable(parameters[name], name, dialect);
  return { statement: parsed, values: parsed.names.map((name) => parameters[name] ?? null) };
}

/** Drivers would put U+FFFD in place of half a pair, and PostgreSQL names no parameter when it refuses NUL. Throws NodeFailure CONFIG. */
function requireStorable(value: unknown, name: string, dialect: Dialect): void {
  const refused = (what: string) => new NodeFailure('CONFIG', `config.parameters.${name}: ${what}`, false);
  if (containsText(value, (text) => !text.isWellFormed()))
    throw refused('has half of a surrogate pair, which a database cannot store as text');
  if (dialect === 'postgres' && containsText(value, (text) => text.includes('\0')))
    throw refused('has the character NUL, which PostgreSQL cannot store');
}

/** Connects, signs in and runs a statement that reads nothing. Throws NodeFailure. */
export async function checkDatabase(credential: ServerCredential, signal: AbortSignal): Promise<string> {
  await runSql(credential, {
    queries: [{ statement: 'SELECT 1', parameters: {} }],
    mode: 'one',
    isTransaction: false,
    timeoutMs: CONNECT_MS,
    signal,
    redact: (text) => text,
    context: { reserve: async () => undefined, parseLarge: async () => null },
  });
  return 'The database accepted the credentials.';
}
