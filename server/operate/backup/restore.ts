import { mkdtemp, open, rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { z } from 'zod';
import { TableColumn } from '@/contract/tables/table';
import { listKnownMigrations, migrateDatabase } from '@/server/platform/db/migrate';
import { openDatabaseSession } from '@/server/platform/db/session';
import type { FileStorage } from '@/server/data/files/file-storage';
import { createRowStorage } from '@/server/data/tables/schema';
import { createPgSql } from '@/server/data/tables/sql';
import {
  listColumnNames,
  foreignKeyStatements,
  listAppliedMigrations,
  quoteSqlName,
  listTableNames,
} from './catalogue';
import { BackupFault } from './fault';
import {
  backupFormat,
  type BackupHeader,
  type SequenceValue,
  type FileRecord,
  type TableRecord,
  type BackupTotals,
} from './records';
import { verifyBackupFile, walkBackupFile } from './walk';

export interface RestoreTarget {
  /** Address of the database. */
  url: string;
  /** The folder of the migrations of this version. */
  migrations: string;
  files: FileStorage;
  /** A folder on the disk of the files, for one file at a time. */
  temporary: string;
  /** One of them must have sealed the backup. */
  keys: readonly string[];
  /** A service that was in maintenance when the backup was made stays in it. Default: it is over */
  keepsMaintenance?: boolean;
}

/** What was restored. `maintenance`: the reason of the maintenance in which the backup was made. */
export type RestoreResult = BackupTotals & { header: BackupHeader; maintenance: string | undefined };

/**
 * Restores a backup into an empty database. The whole file is checked first; all rows are one transaction, which ends
 * only if every number is right. Throws a BackupFault if the file is damaged, sealed by another key or of a newer
 * version, or the database has rows.
 */
export async function restoreBackup(file: string, target: RestoreTarget): Promise<RestoreResult> {
  const checked = await verifyBackupFile(file, backupFormat(target.keys));
  requireKnownMigrations(checked.header, target.migrations);
  const client = await openDatabaseSession(target.url, 'command');
  try {
    await requireEmptyDatabase(client, checked.header);
    const names = new Set(checked.header.migrations.map(({ name }) => name));
    await migrateDatabase(target.url, target.migrations, (name) => names.has(name));
    await client.query('BEGIN');
    await loadBackup(client, file, checked.header, target);
    await client.query('COMMIT');
    await migrateDatabase(target.url, target.migrations);
    await client.query('ANALYZE');
    return { ...checked, maintenance: await endRestoredMaintenance(client, target) };
  } finally {
    await client.end();
  }
}

/** A restored database accepts writes, so the service would refuse changes for no reason that anybody sees. */
async function endRestoredMaintenance(
  client: pg.Client,
  { keepsMaintenance = false }: RestoreTarget,
): Promise<string | undefined> {
  const { rows } = await client.query<{ reason: string }>('SELECT reason FROM maintenance');
  if (rows[0] && !keepsMaintenance) await client.query('DELETE FROM maintenance');
  return rows[0]?.reason;
}

/** A backup of a newer version has migrations that this version does not know, or knows with another content. */
function requireKnownMigrations({ migrations, version }: BackupHeader, folder: string): void {
  const known = new Map(listKnownMigrations(folder).map(({ name, checksum }) => [name, checksum]));
  const unknown = migrations.find(({ name, checksum }) => known.get(name) !== checksum);
  if (!unknown) return;
  throw new BackupFault(
    `The backup is from version ${version}, whose migration ${unknown.name} this version does not have. Restore it with that version or a newer one.`,
  );
}

/** A restore that was interrupted leaves empty tables: it can be repeated. */
async function requireEmptyDatabase(client: pg.Client, { migrations }: BackupHeader): Promise<void> {
  const names = new Set(migrations.map(({ name }) => name));
  const applied = await listAppliedMigrations(client);
  const newer = applied.find(({ name }) => !names.has(name));
  if (newer) {
    throw new BackupFault(
      `The database has the schema of a newer version than the backup (${newer.name}). Restore into an empty database.`,
    );
  }
  const tables = await listTableNames(client);
  if (applied.length === 0 && tables[0]) throw databaseNotEmptyFault(tables[0]);
  await requireEmptyTables(client, tables);
}

const databaseNotEmptyFault = (table: string) =>
  new BackupFault(`The database is not empty (table ${table}). Restore into an empty database.`);

/** Throws a BackupFault if one of these tables has rows. */
export async function requireEmptyTables(client: pg.Client, tables: readonly string[]): Promise<void> {
  for (const table of tables) {
    const { rows } = await client.query<{ hasRows: boolean }>(
      `SELECT EXISTS (SELECT FROM ${quoteSqlName(table)}) AS "hasRows"`,
    );
    if (rows[0]?.hasRows) throw databaseNotEmptyFault(table);
  }
}

/** Everything between BEGIN and COMMIT. */
async function loadBackup(client: pg.Client, file: string, header: BackupHeader, target: RestoreTarget): Promise<void> {
  await client.query(`SELECT set_config('lock_timeout', '60000', true), set_config('datestyle', 'ISO', true)`);
  const tables = await listTableNames(client);
  for (const table of tables) await client.query(`LOCK TABLE ${quoteSqlName(table)} IN ACCESS EXCLUSIVE MODE`);
  await requireEmptyDatabase(client, header);
  const keys = await foreignKeyStatements(client);
  for (const statement of keys.remove) await client.query(statement);
  // Triggers have had their effects, which are rows of the backup.
  const muted = [...tables];
  for (const table of muted) await client.query(`ALTER TABLE ${quoteSqlName(table)} DISABLE TRIGGER USER`);
  const temporary = await mkdtemp(path.join(target.temporary, 'restore-'));
  try {
    await walkBackupFile(file, backupFormat(target.keys), {
      async table(table, rows) {
        const isNew = !tables.includes(table.name);
        if (isNew) {
          await createRestoredTable(client, table.name);
          await client.query(`ALTER TABLE ${quoteSqlName(table.name)} DISABLE TRIGGER USER`);
          muted.push(table.name);
        }
        return copyTableRows(client, table, rows);
      },
      file: (stored, bytes) => stageFileBytes(target.files, path.join(temporary, stored.id), stored, bytes),
      sequences: (sequences) => restoreSequences(client, sequences),
    });
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
  for (const statement of keys.add) await client.query(statement);
  for (const table of muted) await client.query(`ALTER TABLE ${quoteSqlName(table)} ENABLE TRIGGER USER`);
  // The keeper builds the indexes that lists have asked for.
  await client.query('UPDATE data_table SET is_indexed = false, analyzed_rows = 0');
}

/** The PostgreSQL table of a table whose row in `data_table` has been restored. Nothing in the backup becomes SQL. */
async function createRestoredTable(client: pg.Client, id: string): Promise<void> {
  const { rows } = await client.query<{ columns: unknown }>('SELECT columns FROM data_table WHERE id = $1', [id]);
  const columns = z.array(TableColumn).safeParse(rows[0]?.columns);
  if (!columns.success) throw new BackupFault(`The backup has a table ${id} that its schema does not have.`);
  const sql = createPgSql(client);
  await createRowStorage(sql, { id, columns: columns.data, indexes: [] });
  const watch = await client.query<{ exists: boolean }>(
    `SELECT to_regprocedure('watch_row_files(text)') IS NOT NULL AS exists`,
  );
  // Backups of earlier versions: the migration that adds the function calls it for the tables that exist.
  if (watch.rows[0]?.exists) await sql.query('SELECT watch_row_files($1)::text', [id]);
}

export async function copyTableRows(
  client: pg.Client,
  { name, columns }: TableRecord,
  rows: AsyncIterable<Buffer>,
): Promise<number> {
  const present = new Set(await listColumnNames(client, name));
  const strange = columns.find((column) => !present.has(column));
  if (strange) throw new BackupFault(`The backup has a column ${name}.${strange} that its schema does not have.`);
  const stream = client.query(
    copyFrom(`COPY ${quoteSqlName(name)} (${columns.map(quoteSqlName).join(', ')}) FROM STDIN`),
  );
  await pipeline(rows, stream);
  return stream.rowCount;
}

/** Files are kept before the commit: if that fails, the keeper removes what no row names. */
export async function stageFileBytes(
  storage: FileStorage,
  place: string,
  file: FileRecord,
  bytes: AsyncIterable<Buffer>,
) {
  const handle = await open(place, 'wx', 0o600);
  await pipeline(bytes, handle.createWriteStream());
  return async () => {
    await storage.put(file.id, { path: place, size: file.size, sha256: file.sha256 });
    await rm(place, { force: true });
  };
}

async function restoreSequences(client: pg.Client, sequences: SequenceValue[]): Promise<void> {
  for (const { name, table, column, value } of sequences) {
    const owner = table === null ? null : quoteSqlName(table);
    // The names of sequences are PostgreSQL's own choice: the column that owns one finds it.
    const { rowCount } = await client.query(
      `SELECT setval(found.sequence, $4::bigint) FROM (
         SELECT CASE WHEN $1::text IS NULL THEN to_regclass($3) ELSE pg_get_serial_sequence($1, $2)::regclass END AS sequence
       ) found WHERE found.sequence IS NOT NULL`,
      [owner, column, quoteSqlName(name), value],
    );
    if (rowCount !== 1) throw new BackupFault(`The backup has a sequence ${name} that its schema does not have.`);
  }
}
