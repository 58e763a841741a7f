import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type pg from 'pg';
import { lockTablesBriefly } from './lock-briefly';
import { openDatabaseSession } from './session';

/** The key of the advisory lock that Prisma's own command takes, too. */
const MIGRATION_LOCK_KEY = 72_707_369;
const MIN_SERVER_VERSION = 130_000;

const CREATE_HISTORY_SQL = `CREATE TABLE IF NOT EXISTS _prisma_migrations (
  id VARCHAR(36) PRIMARY KEY NOT NULL,
  checksum VARCHAR(64) NOT NULL,
  finished_at TIMESTAMPTZ,
  migration_name VARCHAR(255) NOT NULL,
  logs TEXT,
  rolled_back_at TIMESTAMPTZ,
  started_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  applied_steps_count INTEGER NOT NULL DEFAULT 0
)`;

/**
 * Migrates the database to the schema of this version and returns the migrations that it applied. It does what
 * `prisma migrate deploy` does, with the same history, without Prisma's command line. Processes that start together
 * wait for each other. Throws if a migration fails or failed before, or the server is too old. `isWanted`: applies
 * these only.
 */
export async function migrateDatabase(
  url: string,
  folder: string,
  isWanted: (name: string) => boolean = () => true,
): Promise<string[]> {
  const client = await openDatabaseSession(url, 'command');
  try {
    await requireSupportedServer(client);
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK_KEY]);
    await client.query(CREATE_HISTORY_SQL);
    const recorded = await readMigrationHistory(client);
    const applied: string[] = [];
    const run = async ({ name, sql, checksum }: SchemaMigration) => {
      if (recorded.has(name) || !isWanted(name)) return;
      await applyMigration(client, name, sql, checksum);
      applied.push(name);
    };
    const levels = readMigrationLevels(folder);
    // A level's first migration creates the schema that the levels before lead to. A database that ran some of these
    // runs the rest.
    const runLevel = async (level: number): Promise<void> => {
      const [initial, ...later] = levels[level] ?? [];
      if (!initial) return;
      const hasRunEarlier = levels.slice(0, level).some((earlier) => earlier.some(({ name }) => recorded.has(name)));
      if (!recorded.has(initial.name) && (hasRunEarlier || !isWanted(initial.name))) {
        await runLevel(level - 1);
        if (isWanted(initial.name)) await recordMigration(client, initial);
      } else {
        await run(initial);
      }
      for (const migration of later) await run(migration);
    };
    await runLevel(levels.length - 1);
    return applied;
  } finally {
    // Also releases the lock.
    await client.end();
  }
}

interface SchemaMigration {
  name: string;
  sql: string;
  checksum: string;
}

/** All migrations that this version has, those that were squashed included. */
export const listKnownMigrations = (folder: string): Pick<SchemaMigration, 'name' | 'checksum'>[] =>
  readMigrationLevels(folder).flat();

/** Names of the migrations that the first one replaces: a database that never ran them has the same schema. */
export const listSquashedNames = (folder: string): Set<string> =>
  new Set(
    readMigrationLevels(folder)
      .slice(0, -1)
      .flat()
      .map(({ name }) => name),
  );

/**
 * The migrations in `folder`, after the levels of those that were squashed: the first one of a level replaces the
 * levels before.
 */
function readMigrationLevels(folder: string): SchemaMigration[][] {
  const squashed = path.join(folder, '../squashed');
  const earlier = existsSync(squashed) ? readdirSync(squashed).sort((a, b) => Number(a) - Number(b)) : [];
  return [...earlier.map((level) => path.join(squashed, level)), folder].map(readMigrationFolder);
}

function readMigrationFolder(folder: string): SchemaMigration[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort()
    .map((name) => {
      const bytes = readFileSync(path.join(folder, name, 'migration.sql'));
      return { name, sql: bytes.toString('utf8'), checksum: createHash('sha256').update(bytes).digest('hex') };
    });
}

async function requireSupportedServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ server_version_num: string }>('SHOW server_version_num');
  if (Number(rows[0]?.server_version_num) < MIN_SERVER_VERSION) throw new Error('PostgreSQL 13 or later is needed.');
}

async function readMigrationHistory(client: pg.Client): Promise<Set<string>> {
  const { rows } = await client.query<{ migration_name: string; finished_at: Date | null }>(
    'SELECT migration_name, finished_at FROM _prisma_migrations WHERE rolled_back_at IS NULL',
  );
  const failed = rows.find(({ finished_at }) => finished_at === null);
  if (failed) {
    throw new Error(
      `The migration ${failed.migration_name} failed half-way. Repair the database, then run npx prisma migrate resolve.`,
    );
  }
  return new Set(rows.map(({ migration_name }) => migration_name));
}

/** How often a migration tries to lock its tables: for three minutes. A backup may hold them for as long as that. */
const MAX_MIGRATION_ATTEMPTS = 20;

/**
 * The migration and its history entry are one transaction: a process that is killed here leaves neither. Processes of
 * the release before may work on the tables meanwhile.
 */
async function applyMigration(client: pg.Client, name: string, sql: string, checksum: string): Promise<void> {
  const write = async () => {
    await recordMigration(client, { name, checksum });
    await client.query(sql);
  };
  try {
    await lockTablesBriefly(client, write, MAX_MIGRATION_ATTEMPTS);
  } catch (cause) {
    throw new Error(`The migration ${name} failed, and was rolled back: ${String(cause)}`, { cause });
  }
}

/** Writes a migration into the history. */
async function recordMigration(
  client: pg.Client,
  { name, checksum }: Pick<SchemaMigration, 'name' | 'checksum'>,
): Promise<void> {
  await client.query(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
     VALUES ($1, $2, $3, clock_timestamp(), 1)`,
    [randomUUID(), checksum, name],
  );
}
