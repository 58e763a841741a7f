import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, inject } from 'vitest';
import { openDatabaseConnections, prismaClient, type DatabaseConnections } from '@/server/platform/db/client';
import { retryCollision } from '@/server/platform/db/failures/retry-collision';
import { readServiceEnv, type ServiceEnv } from '@/server/platform/env/env';
import { createEvaluationPool } from '@/server/evaluation/evaluator/evaluation';
import type { EvaluationPool } from '@/server/evaluation/evaluator/pool';
import { getRuntime, setRuntime, type Runtime } from '@/server/platform/runtime';
import { cloneDatabase } from './cluster';
import { PLAIN, TEMPLATE } from './postgres.setup';
import { requireDescribedAnswers } from './undescribed';

/** A fresh, migrated, empty database on the shared server, for tests that start real processes on it. */
export const freshDatabase = () => cloneDatabase(inject('postgresUrl'), TEMPLATE);

/** The keys of tests, for processes that shall read what a test wrote. */
export const TEST_KEYS = {
  JWT_SECRET: 'a secret that signs the access tokens of tests',
  ENCRYPTION_KEY: 'a key that encrypts the secrets of all tests',
  MFA_SECRET_KEY: 'a key that encrypts second factors of tests',
};

/** The folder of files of this process. */
const folder = path.join(tmpdir(), `weft-test-data-${process.pid}`);
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

/** The environment that tests run in: development, with fixed keys and cheap passwords. */
export const testEnv = (changes: Partial<ServiceEnv> = {}): ServiceEnv => ({
  ...readServiceEnv({ BCRYPT_COST: '4', LOG_LEVEL: 'error', DATA_DIR: folder, ...TEST_KEYS }),
  ...changes,
});

interface TestDatabase extends DatabaseConnections {
  url: string;
  /** Removes it, with its connections. */
  drop(): Promise<void>;
}

async function openDatabase(template = TEMPLATE): Promise<TestDatabase> {
  const { url, drop } = await cloneDatabase(inject('postgresUrl'), template);
  const connections = openDatabaseConnections(url);
  const close = async () => {
    await connections.prisma.$disconnect();
    await connections.pool.end();
    await drop();
  };
  return { ...connections, url, drop: close };
}

/** Loaded with the first answer: it brings the whole service. */
const inspectReply: Runtime['inspectReply'] = async (arrival, reply) =>
  (await import('./described-answers')).compareReply(arrival, reply);

function fill({ url, pool, aside, prisma }: TestDatabase, changes: Partial<ServiceEnv>): void {
  const env = testEnv({ databaseUrl: url, ...changes });
  setRuntime({ env, pool, aside, prisma, evaluation: evaluators(), inspectReply });
}

/** The pool of evaluator processes of this worker: to start a process takes more CPU time than most of its jobs. */
let shared: EvaluationPool | undefined;
export const evaluators = (): EvaluationPool => (shared ??= createEvaluationPool(testEnv()));

/** The database of this worker: modules live as long as the worker does. Its server is removed with all databases. */
let ofWorker: Promise<TestDatabase> | undefined;

/**
 * At the top of a test file: gives it an empty database and fills `runtime()` before its tests. The files of a worker
 * have it one after another: emptying it takes a tenth of the time that a copy takes.
 */
export function useDatabase(changes: Partial<ServiceEnv> = {}): void {
  afterEach(requireDescribedAnswers);
  beforeAll(async () => {
    const isUsed = ofWorker !== undefined;
    const database = await (ofWorker ??= openDatabase());
    if (isUsed) await empty(database);
    fill(database, changes);
  });
  afterAll(async () => {
    await getRuntime().waitingCallers?.close();
    await getRuntime().replyTextRelay?.close();
    setRuntime(undefined);
  });
}

/** The same with a database of its own, for a file that changes tables, or ends connections, or starts processes. */
export function useOwnDatabase(changes: Partial<ServiceEnv> = {}, template = TEMPLATE): void {
  afterEach(requireDescribedAnswers);
  let database: TestDatabase | undefined;
  beforeAll(async () => {
    database = await openDatabase(template);
    fill(database, changes);
  });
  afterAll(async () => {
    await getRuntime().waitingCallers?.close();
    await getRuntime().replyTextRelay?.close();
    setRuntime(undefined);
    await database?.drop();
  });
}

/** The same with tables that are not partitioned, in every run. */
export const usePlainDatabase = () => useOwnDatabase({}, PLAIN);

/** Removes all workspaces with their runs, also while a statement of a killed worker still ends on the server. */
export const removeWorkspaces = () => retryCollision(() => prismaClient().workspace.deleteMany());

/**
 * Removes all rows; no migration leaves any but in its own record. Most tables have a few rows: to delete these takes
 * less than to truncate, which replaces the files of a table and of its indexes, and makes every connection plan its
 * statements again.
 */
async function empty({ pool }: TestDatabase): Promise<void> {
  await pool.query(`
    DO $$
    DECLARE
      name text;
      bytes bigint;
      large text[] := '{}';
    BEGIN
      SET LOCAL lock_timeout = '20s';
      -- Without the triggers that keep audit entries from being removed, and in any order.
      SET LOCAL session_replication_role = replica;
      -- Rows of workspaces' tables, which are tables themselves.
      FOR name IN SELECT quote_ident(tablename) FROM pg_tables WHERE schemaname = 'public' AND tablename LIKE 'tbl\\_%'
      LOOP
        EXECUTE format('DROP TABLE %s', name);
      END LOOP;
      FOR name, bytes IN
        SELECT quote_ident(relname), pg_relation_size(oid) FROM pg_class
        WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname <> '_prisma_migrations'
      LOOP
        IF bytes > 500000 THEN large := large || name;
        ELSIF bytes > 0 THEN EXECUTE format('DELETE FROM %s', name);
        END IF;
      END LOOP;
      IF cardinality(large) > 0 THEN
        EXECUTE format('TRUNCATE %s CASCADE', array_to_string(large, ', '));
      END IF;
      PERFORM setval(quote_ident(sequencename)::regclass, start_value, false) FROM pg_sequences
      WHERE schemaname = 'public' AND last_value IS NOT NULL;
    END $$`);
}
