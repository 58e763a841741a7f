import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { openDatabaseSession } from '@/server/platform/db/session';
import type { FileStorage } from '@/server/data/files/file-storage';
import { listColumnNames, listAppliedMigrations, quoteSqlName } from '../catalogue';
import { BackupFault } from '../fault';
import { FrameWriter, sealBackupDigest } from '../frames';
import type { BackupTotals } from '../records';
import { encodeBackupFiles } from '../write-files';
import { isReadOnlyFailure } from '@/server/platform/db/failures/sql-state';
import { recordWorkspaceTransfer } from './audit';
import { EXPORTED_TABLES } from './content';
import {
  WORKSPACE_EXPORT_MAGIC,
  createExportKeys,
  type ScryptCost,
  type WorkspaceExportHeader,
  type ExportFileKeys,
} from './format';
import { resealRows, listSealedColumns } from './reseal';

export interface ExportSource {
  /** Address of the database. */
  url: string;
  version: string;
  files: FileStorage;
  /** The keys that open the secrets of the database. */
  keys: readonly string[];
}

export interface ExportRequest {
  /** Id or slug of the workspace. */
  workspace: string;
  passphrase: string;
  hasRuns: boolean;
  /** The cost of deriving the keys. Default: the usual cost */
  cost?: ScryptCost;
}

interface WorkspaceContent {
  header: WorkspaceExportHeader;
  keys: ExportFileKeys;
  /** Counted while the content is written. */
  totals: BackupTotals;
}

/**
 * Writes one workspace of one moment to `file` while the service runs, and an entry into its audit log. The file
 * appears under its name when it is complete. Throws a BackupFault if it exists already, or the workspace does not.
 */
export async function exportWorkspace(
  file: string,
  request: ExportRequest,
  source: ExportSource,
): Promise<BackupTotals & { header: WorkspaceExportHeader }> {
  if (existsSync(file)) throw new BackupFault(`${file} exists already.`);
  const { keys, passphrase } = await createExportKeys(request.passphrase, request.cost);
  const part = `${file}.${randomBytes(4).toString('hex')}.part`;
  const client = await openDatabaseSession(source.url, 'command');
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    await client.query(
      `SELECT set_config('datestyle', 'ISO', true), set_config('intervalstyle', 'postgres', true), set_config('extra_float_digits', '3', true)`,
    );
    const header: WorkspaceExportHeader = {
      kind: 'header',
      format: 1,
      version: source.version,
      createdAt: new Date().toISOString(),
      migrations: await listAppliedMigrations(client),
      workspace: await findExportedWorkspace(client, request.workspace),
      hasRuns: request.hasRuns,
      passphrase,
    };
    const totals: BackupTotals = { tables: 0, rows: 0, files: 0, lostFiles: [] };
    const handle = await open(part, 'wx', 0o600);
    await pipeline(
      () => encodeWorkspace(client, source, { header, keys, totals }),
      createGzip(),
      handle.createWriteStream({ flush: true }),
    );
    await client.query('COMMIT');
    // The export fails if its audit entry cannot be stored.
    await recordWorkspaceTransfer(client, 'workspace.export', header, totals);
    await rename(part, file);
    return { ...totals, header };
  } catch (error) {
    await rm(part, { force: true });
    throw isReadOnlyFailure(error)
      ? new BackupFault('The service is in maintenance: its audit log takes no entry.')
      : error;
  } finally {
    await client.end();
  }
}

async function findExportedWorkspace(client: pg.Client, name: string): Promise<WorkspaceExportHeader['workspace']> {
  const { rows } = await client.query<WorkspaceExportHeader['workspace']>(
    'SELECT id, slug, name, tier FROM workspace WHERE (id = $1 OR slug = $1) AND deleted_at IS NULL ORDER BY id = $1 DESC LIMIT 1',
    [name],
  );
  if (!rows[0]) throw new BackupFault(`There is no workspace with the id or slug ${name}.`);
  return rows[0];
}

/** Rows of the file table that are exported without runs: those that rows of tables name. */
const USED_BY_ROWS_SQL = 'EXISTS (SELECT FROM row_file_use u WHERE u.file_id = t.id)';

async function* encodeWorkspace(
  client: pg.Client,
  source: ExportSource,
  { header, keys, totals }: WorkspaceContent,
): AsyncGenerator<Buffer> {
  const frames = new FrameWriter();
  const ws = pg.escapeLiteral(header.workspace.id);
  const conditionOf = (table: string, rows: string) =>
    `(${rows.replaceAll('$ws', () => ws)})${table === 'file' && !header.hasRuns ? ` AND ${USED_BY_ROWS_SQL}` : ''}`;
  yield frames.begin(WORKSPACE_EXPORT_MAGIC);
  yield frames.record(header);
  const tables = await lockRowTables(client, header.workspace.id);
  for (const [table, { rows, isOfRuns, without = [] }] of Object.entries(EXPORTED_TABLES)) {
    if (isOfRuns && !header.hasRuns) continue;
    const columns = (await listColumnNames(client, table)).filter((column) => !without.includes(column));
    yield* encodeTableRows(
      client,
      { table, columns, condition: conditionOf(table, rows) },
      { frames, totals, keys, source },
    );
  }
  yield* encodeBackupFiles(
    client,
    source.files,
    frames,
    totals,
    conditionOf('file', EXPORTED_TABLES.file?.rows ?? 'false'),
  );
  for (const table of tables)
    yield* encodeTableRows(
      client,
      { table, columns: await listColumnNames(client, table), condition: 'true' },
      { frames, totals, keys, source },
    );
  const digest = frames.digest();
  yield frames.record({ kind: 'end', ...totals, digest, seal: sealBackupDigest(digest, keys.whole) });
}

/** The tables with the rows of the workspace's tables, locked against changes of their columns. */
async function lockRowTables(client: pg.Client, workspaceId: string): Promise<string[]> {
  const { rows } = await client.query<{ id: string; columns: { id: string }[] }>(
    'SELECT id, columns FROM data_table WHERE workspace_id = $1 ORDER BY id COLLATE "C"',
    [workspaceId],
  );
  for (const { id, columns } of rows) {
    await client.query(`LOCK TABLE ${quoteSqlName(id)} IN ACCESS SHARE MODE`);
    const present = await listColumnNames(client, id);
    // The columns were changed between the snapshot and the lock.
    if (
      columns.length + SYSTEM_COLUMN_COUNT !== present.length ||
      columns.some((column) => !present.includes(column.id))
    )
      throw new BackupFault(`The columns of the table ${id} were changed at this moment. Export again.`);
  }
  return rows.map(({ id }) => id);
}

/** `n`, `id`, `created_at` and `updated_at`. */
const SYSTEM_COLUMN_COUNT = 4;

async function* encodeTableRows(
  client: pg.Client,
  { table, columns, condition }: { table: string; columns: string[]; condition: string },
  {
    frames,
    totals,
    keys,
    source,
  }: { frames: FrameWriter; totals: BackupTotals; keys: ExportFileKeys; source: ExportSource },
): AsyncGenerator<Buffer> {
  const [sealed] = listSealedColumns(table);
  const list = [...columns.map((column) => `t.${quoteSqlName(column)}`), ...(sealed ? [sealed.boundTo] : [])].join(
    ', ',
  );
  yield frames.record({ kind: 'table', name: table, columns });
  const rows = client.query(copyTo(`COPY (SELECT ${list} FROM ${quoteSqlName(table)} t WHERE ${condition}) TO STDOUT`));
  const reseal = {
    from: source.keys,
    to: keys.secrets,
    fault: (place: string) => `The secret of ${place} is sealed under a key that ENCRYPTION_KEY does not have.`,
  };
  for await (const chunk of sealed ? resealRows(rows, { table, columns }, reseal) : rows)
    yield* frames.data(chunk as Buffer);
  yield frames.record({ kind: 'tableEnd', rows: rows.rowCount });
  totals.tables += 1;
  totals.rows += rows.rowCount;
}
