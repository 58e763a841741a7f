import type { DatabaseConfig } from '@/contract/credentials/database';
import type { PooledSession } from '@/server/network/pools/pool';
import type { SqlResultRows } from './result-rows';
import type { ParsedStatement } from './statement';

/** A server, and on whose behalf it is called. */
export interface DatabaseServer extends DatabaseConfig {
  workspaceId: string;
}

/** A session of a database server. Its methods are called one after the other, and throw errors of the driver. */
export interface SqlSession extends PooledSession {
  /** The failure of this process's own checks that ended the connection; errors of the driver follow from it. */
  readonly failure: Error | undefined;
  /**
   * Settings before a use: time zone, formats, and the time limit of a statement on the server. May begin a
   * transaction.
   */
  prepare(timeoutMs: number, isTransaction: boolean): Promise<void>;
  commit(): Promise<void>;
  /** Runs a statement and passes its rows on as they arrive. */
  run(statement: ParsedStatement, values: unknown[], rows: SqlResultRows): Promise<void>;
  /** Undoes what a use has left: an open transaction, settings, locks, temporary tables. */
  reset(): Promise<void>;
  /** Stops the current statement on the server, by another connection. Never rejects. */
  cancel(): Promise<void>;
  close(): void;
}
