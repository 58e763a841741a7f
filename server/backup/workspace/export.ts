import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { openSession } from '@/server/db/session';
import type { FileStorage } from '@/server/files/file-storage';
import { columnsOf, migrationsOf, quoted } from '../catalogue';
import { BackupFault } from '../fault';
import { FrameWriter, sealOf } from '../frames';
import type { Totals } from '../records';
import { writeFiles } from '../write-files';
import { isReadOnlyFailure } from '@/server/db/failures/sql-state';
import { recordTransfer } from './audit';
import { EXPORTED } from './content';
import { MAGIC, newKeys, type Cost, type ExportHeader, type FileKeys } from './format';
import { resealRows, sealedColumnsOf } from './reseal';

export interface ExportSource {
  /** Address of the database. */
  url: string;
  version: string;
  files: FileStorage;
  /** Open the secrets of the database. */
  keys: readonly string[];
}

export interface ExportRequest {
  /** Id or slug. */
  workspace: string;
  passphrase: string;
  hasRuns: boolean;
  /** Of the derivation of the keys. Default: the usual cost. */
  cost?: Cost;
}

interface Content {
  header: ExportHeader;
  keys: FileKeys;
  /** Counted while the content is written. */
  totals: Totals;
}

/**
 * Writes one workspace of one moment to `file` while the service runs, and an entry into its audit log. The file appears under its name when
 * it is complete. Throws a BackupFault if it exists already, or the workspace does not.
 */
export async function exportWorkspace(
  file: string,
  request: ExportRequest,
  source: ExportSource,
): Promise<Totals & { header: ExportHeader }> {
  if (existsSync(file)) throw new BackupFault(`${file} exists already.`);
  const { keys, passphrase } = await newKeys(request.passphrase, request.cost);
  const part = `${file}.${randomBytes(4).toString('hex')}.part`;
  const client = await openSession(source.url, 'command');
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    await client.query(
      `SELECT set_config('datestyle', 'ISO', true), set_config('intervalstyle', 'postgres', true), set_config('extra_float_digits', '3', true)`,
    );
    const header: ExportHeader = {
      kind: 'header',
      format: 1,
      version: source.version,
      createdAt: new Date().toISOString(),
      migrations: await migrationsOf(client),
      workspace: await findWorkspace(client, request.workspace),
      hasRuns: request.hasRuns,
      passphrase,
    };
    const totals: Totals = { tables: 0, rows: 0, files: 0, lostFiles: [] };
    const handle = await open(part, 'wx', 0o600);
    await pipeline(
      () => contentOf(client, source, { header, keys, totals }),
      createGzip(),
      handle.createWriteStream({ flush: true }),
    );
    await client.query('COMMIT');
    // Without its entry in the log there is no export.
    await recordTransfer(client, 'workspace.export', header, totals);
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

async function findWorkspace(client: pg.Client, name: string): Promise<ExportHeader['workspace']> {
  const { rows } = await client.query<ExportHeader['workspace']>(
    'SELECT id, slug, name, tier FROM workspace WHERE (id = $1 OR slug = $1) AND deleted_at IS NULL ORDER BY id = $1 DESC LIMIT 1',
    [name],
  );
  if (!rows[0]) throw new BackupFault(`There is no workspace with the id or slug ${name}.`);
  return rows[0];
}

/** Rows of the file table that are exported without runs: those that rows of tables name. */
const USED_BY_ROWS = 'EXISTS (SELECT FROM row_file_use u WHERE u.file_id = t.id)';

async function* contentOf(
  client: pg.Client,
  source: ExportSource,
  { header, keys, totals }: Content,
): AsyncGenerator<Buffer> {
  const frames = new FrameWriter();
  const ws = pg.escapeLiteral(header.workspace.id);
  const conditionOf = (table: string, rows: string) =>
    `(${rows.replaceAll('$ws', () => ws)})${table === 'file' && !header.hasRuns ? ` AND ${USED_BY_ROWS}` : ''}`;
  yield frames.begin(MAGIC);
  yield frames.record(header);
  const tables = await tablesWithRows(client, header.workspace.id);
  for (const [table, { rows, isOfRuns, without = [] }] of Object.entries(EXPORTED)) {
    if (isOfRuns && !header.hasRuns) continue;
    const columns = (await columnsOf(client, table)).filter((column) => !without.includes(column));
    yield* rowsOf(client, { table, columns, condition: conditionOf(table, rows) }, { frames, totals, keys, source });
  }
  yield* writeFiles(client, source.files, frames, totals, conditionOf('file', EXPORTED.file?.rows ?? 'false'));
  for (const table of tables)
    yield* rowsOf(
      client,
      { table, columns: await columnsOf(client, table), condition: 'true' },
      { frames, totals, keys, source },
    );
  const digest = frames.digest();
  yield frames.record({ kind: 'end', ...totals, digest, seal: sealOf(digest, keys.whole) });
}

/** The tables with the rows of the workspace's tables, locked against changes of their columns. */
async function tablesWithRows(client: pg.Client, workspaceId: string): Promise<string[]> {
  const { rows } = await client.query<{ id: string; columns: { id: string }[] }>(
    'SELECT id, columns FROM data_table WHERE workspace_id = $1 ORDER BY id COLLATE "C"',
    [workspaceId],
  );
  for (const { id, columns } of rows) {
    await client.query(`LOCK TABLE ${quoted(id)} IN ACCESS SHARE MODE`);
    const present = await columnsOf(client, id);
    // Between the snapshot and the lock.
    if (columns.length + OWN_COLUMNS !== present.length || columns.some((column) => !present.includes(column.id)))
      throw new BackupFault(`The columns of the table ${id} were changed at this moment. Export again.`);
  }
  return rows.map(({ id }) => id);
}

/** `n`, `id`, `created_at` and `updated_at`. */
const OWN_COLUMNS = 4;

async function* rowsOf(
  client: pg.Client,
  { table, columns, condition }: { table: string; columns: string[]; condition: string },
  { frames, totals, keys, source }: { frames: FrameWriter; totals: Totals; keys: FileKeys; source: ExportSource },
): AsyncGenerator<Buffer> {
  const [sealed] = sealedColumnsOf(table);
  const list = [...columns.map((column) => `t.${quoted(column)}`), ...(sealed ? [sealed.boundTo] : [])].join(', ');
  yield frames.record({ kind: 'table', name: table, columns });
  const rows = client.query(copyTo(`COPY (SELECT ${list} FROM ${quoted(table)} t WHERE ${condition}) TO STDOUT`));
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
