import { afterAll, beforeAll, inject } from 'vitest';
import { connect } from '../db/client';
import { readEnv, type Env } from '../env';
import { setRuntime } from '../runtime';
import { cloneDatabase } from './cluster';
import { TEMPLATE } from './postgres.setup';

/** A fresh, migrated, empty database on the shared server, for tests that start real processes on it. */
export const freshDatabase = () => cloneDatabase(inject('postgresUrl'), TEMPLATE);

/** The keys of tests, for processes that shall read what a test wrote. */
export const TEST_KEYS = {
  JWT_SECRET: 'a secret that signs the access tokens of tests',
  ENCRYPTION_KEY: 'a key that encrypts the secrets of all tests',
  MFA_SECRET_KEY: 'a key that encrypts second factors of tests',
};

/** The environment that tests run in: development, with fixed keys and cheap passwords. */
export const testEnv = (changes: Partial<Env> = {}): Env => ({
  ...readEnv({ BCRYPT_COST: '4', LOG_LEVEL: 'error', ...TEST_KEYS }),
  ...changes,
});

/**
 * At the top of a test file: gives it a database of its own and fills `runtime()` before its tests; cleans up after
 * them.
 */
export function useDatabase(changes: Partial<Env> = {}): void {
  let cleanUp: (() => Promise<void>) | undefined;
  beforeAll(async () => {
    const database = await freshDatabase();
    const { pool, prisma } = connect(database.url);
    setRuntime({ env: testEnv({ databaseUrl: database.url, ...changes }), pool, prisma });
    cleanUp = async () => {
      setRuntime(undefined);
      await prisma.$disconnect();
      await pool.end();
      await database.drop();
    };
  });
  afterAll(() => cleanUp?.());
}
