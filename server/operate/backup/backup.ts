import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { openDatabaseSession } from '@/server/platform/db/session';
import type { FileStorage } from '@/server/data/files/file-storage';
import { listColumnNames, listAppliedMigrations, quoteSqlName, listTableNames } from './catalogue';
import { BackupFault } from './fault';
import { FrameWriter, sealBackupDigest } from './frames';
import { BACKUP_MAGIC, type BackupHeader, type SequenceValue, type BackupTotals } from './records';
import { encodeBackupFiles } from './write-files';

export interface BackupSource {
  /** Address of the database. */
  url: string;
  version: string;
  /** Where the bytes of files are read; null if they are stored at `filesAt`, and only named. */
  files: FileStorage | null;
  filesAt: string | null;
  /** Seals the backup. */
  key: string;
}

/** Secrets of the environment that a restored installation needs. */
const REQUIRED_KEY_NAMES = ['JWT_SECRET', 'ENCRYPTION_KEY', 'MFA_SECRET_KEY'];
const UNDEFINED_TABLE_SQLSTATE = '42P01';
const MAX_FREEZE_ATTEMPTS = 5;

/**
 * Writes a backup of one moment to `file` while the service runs. The file appears under its name when it is complete.
 * Throws a BackupFault if it exists already or the database has no schema.
 */
export async function createBackup(
  file: string,
  source: BackupSource,
): Promise<BackupTotals & { header: BackupHeader }> {
  if (existsSync(file)) throw new BackupFault(`${file} exists already.`);
  const part = `${file}.${randomBytes(4).toString('hex')}.part`;
  const client = await openDatabaseSession(source.url, 'command');
  try {
    const result = await writeBackupFile(part, client, source);
    await rename(part, file);
    return result;
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  } finally {
    await client.end();
  }
}

async function writeBackupFile(
  part: string,
  client: pg.Client,
  source: BackupSource,
): Promise<BackupTotals & { header: BackupHeader }> {
  const tables = await freezeTables(client);
  const migrations = await listAppliedMigrations(client);
  if (migrations.length === 0) throw new BackupFault('The database is empty: there is nothing to back up.');
  const header: BackupHeader = {
    kind: 'header',
    format: 1,
    version: source.version,
    createdAt: new Date().toISOString(),
    migrations,
    keys: REQUIRED_KEY_NAMES,
    filesAt: source.filesAt,
  };
  const totals: BackupTotals = { tables: 0, rows: 0, files: 0, lostFiles: [] };
  const handle = await open(part, 'wx', 0o600);
  await pipeline(
    () => encodeBackup(client, source, { header, tables, totals }),
    createGzip(),
    handle.createWriteStream({ flush: true }),
  );
  return { ...totals, header };
}

/**
 * Begins the transaction whose snapshot the backup is, and locks its tables against changes of their columns. Tables
 * that are removed between the two are a reason to begin again.
 */
async function freezeTables(client: pg.Client): Promise<string[]> {
  for (let attempt = 1; ; attempt += 1) {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    await client.query(
      `SELECT set_config('datestyle', 'ISO', true), set_config('intervalstyle', 'postgres', true), set_config('extra_float_digits', '3', true)`,
    );
    const tables = await listTableNames(client);
    try {
      for (const table of tables) await client.query(`LOCK TABLE ${quoteSqlName(table)} IN ACCESS SHARE MODE`);
      return tables;
    } catch (error) {
      await client.query('ROLLBACK');
      if (
        attempt === MAX_FREEZE_ATTEMPTS ||
        !(error instanceof pg.DatabaseError) ||
        error.code !== UNDEFINED_TABLE_SQLSTATE
      )
        throw error;
    }
  }
}

interface BackupContent {
  header: BackupHeader;
  tables: string[];
  /** Counted while the content is written. */
  totals: BackupTotals;
}

async function* encodeBackup(
  client: pg.Client,
  source: BackupSource,
  { header, tables, totals }: BackupContent,
): AsyncGenerator<Buffer> {
  const frames = new FrameWriter();
  yield frames.begin(BACKUP_MAGIC);
  yield frames.record(header);
  for (const name of tables) {
    const columns = await listColumnNames(client, name);
    yield frames.record({ kind: 'table', name, columns });
    // A partitioned table can be copied by a query only.
    const rows = client.query(
      copyTo(`COPY (SELECT ${columns.map(quoteSqlName).join(', ')} FROM ${quoteSqlName(name)}) TO STDOUT`),
    );
    for await (const chunk of rows) yield* frames.data(chunk as Buffer);
    yield frames.record({ kind: 'tableEnd', rows: rows.rowCount });
    totals.tables += 1;
    totals.rows += rows.rowCount;
  }
  if (source.files) yield* encodeBackupFiles(client, source.files, frames, totals);
  // Sequences do not belong to the snapshot: read last, they are beyond every number in it.
  yield frames.record({ kind: 'sequences', sequences: await readSequences(client) });
  const digest = frames.digest();
  yield frames.record({ kind: 'end', ...totals, digest, seal: sealBackupDigest(digest, source.key) });
}

async function readSequences(client: pg.Client): Promise<SequenceValue[]> {
  const { rows } = await client.query<SequenceValue>(
    `SELECT s.sequencename AS name, t.relname AS table, a.attname AS column, s.last_value::text AS value
     FROM pg_sequences s
     JOIN pg_class c ON c.relname = s.sequencename AND c.relnamespace = s.schemaname::regnamespace AND c.relkind = 'S'
     LEFT JOIN pg_depend d ON d.objid = c.oid AND d.classid = 'pg_class'::regclass AND d.deptype IN ('a', 'i') AND d.refobjsubid > 0
     LEFT JOIN pg_class t ON t.oid = d.refobjid
     LEFT JOIN pg_attribute a ON a.attrelid = d.refobjid AND a.attnum = d.refobjsubid
     WHERE s.schemaname = current_schema() AND s.last_value IS NOT NULL ORDER BY 1`,
  );
  return rows;
}
