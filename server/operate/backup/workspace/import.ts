import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { listSquashedNames } from '@/server/platform/db/migrate';
import { openDatabaseSession } from '@/server/platform/db/session';
import type { FileStorage } from '@/server/data/files/file-storage';
import { listAppliedMigrations } from '../catalogue';
import { BackupFault } from '../fault';
import type { BackupTotals } from '../records';
import { verifyBackupFile, walkBackupFile } from '../walk';
import { isReadOnlyFailure } from '@/server/platform/db/failures/sql-state';
import { recordWorkspaceTransfer } from './audit';
import { checkStagedIds, requireUnusedIds } from './check-ids';
import { checkStagedValues } from './check-values';
import { EXPORTED_TABLES } from './content';
import { ImportedFileStore } from './files';
import { workspaceExportFormat, type ExportFormat, type WorkspaceExportHeader, type ExportFileKeys } from './format';
import { assignImportOwner, matchImportedPeople, type ImportedPeople } from './people';
import { resealTable } from './reseal';
import { refusedExportFault, ImportStage, stagedTableName } from './stage';
import { storeStagedRows, storeWorkspaceTable } from './store';

export interface ImportTarget {
  /** Address of the database. */
  url: string;
  version: string;
  /** The folder of the migrations of this version. */
  migrations: string;
  files: FileStorage;
  /** A folder on the disk of the files, for one file at a time. */
  temporary: string;
  /** The first one seals the secrets. */
  keys: readonly string[];
  /** The tier of the imported workspace: the file does not decide on quotas. */
  tier: string;
  /** Whether accounts count as those of their addresses without a confirmation, because sign-up is closed. */
  areAddressesTrusted: boolean;
}

export interface ImportRequest {
  passphrase: string;
  /** Replaces the slug in the file. */
  slug?: string | undefined;
  /** Email address of the account that becomes an owner. */
  owner?: string | undefined;
  /** Whether triggers and runs go on. */
  isActive: boolean;
  /** Whether accounts that exist are members at once. Default: when they accept. */
  areMembersAccepted?: boolean;
}

export type WorkspaceImportResult = BackupTotals & {
  header: WorkspaceExportHeader;
  slug: string;
  people: ImportedPeople;
};

/** One import at a time: two of the same file would store the same bytes. */
const IMPORT_LOCK_ID = 7_130_409;
const IMPORT_SLUG_PATTERN = /^[a-z0-9]+(?:-+[a-z0-9]+)*$/;
const MAX_SLUG_LENGTH = 64;

/**
 * Imports one workspace into a database that others use. The whole file is checked first; all rows are one transaction.
 * Throws a BackupFault, and leaves nothing, if the passphrase is wrong, the file is damaged or of another version, has
 * rows that do not belong to its workspace, or if one of its ids exists.
 */
export async function importWorkspace(
  file: string,
  request: ImportRequest,
  target: ImportTarget,
): Promise<WorkspaceImportResult> {
  const format = workspaceExportFormat(request.passphrase);
  const { header } = await verifyBackupFile(file, format);
  const client = await openDatabaseSession(target.url, 'command');
  const temporary = await mkdtemp(path.join(target.temporary, 'import-'));
  const files = new ImportedFileStore(target.files, temporary);
  let isCommitting = false;
  try {
    await requireSameMigrations(client, header, target);
    await client.query('BEGIN');
    const imported = await loadWorkspace(client, { file, format, header, files }, request, target);
    isCommitting = true;
    await client.query('COMMIT');
    return imported;
  } catch (error) {
    // After a lost connection it is unknown whether the rows are there; the keeper removes bytes without rows.
    if (!isCommitting) await files.remove();
    throw toImportFault(error);
  } finally {
    await client.end();
    await rm(temporary, { recursive: true, force: true });
  }
}

/** A value that the database refuses is the fault of the file. */
function toImportFault(error: unknown): unknown {
  if (isReadOnlyFailure(error)) return new BackupFault('This installation is in maintenance. Nothing was imported.');
  const isValue = error instanceof pg.DatabaseError && /^2[23]/.test(error.code ?? '');
  return isValue ? refusedExportFault(`${error.table ? `${error.table}: ` : ''}${error.message}`) : error;
}

/** The migrations of both sides are the same, but for how databases came to the first one. */
async function requireSameMigrations(
  client: pg.Client,
  header: WorkspaceExportHeader,
  target: ImportTarget,
): Promise<void> {
  const squashed = listSquashedNames(target.migrations);
  const here = (await listAppliedMigrations(client)).filter(({ name }) => !squashed.has(name));
  const there = header.migrations.filter(({ name }) => !squashed.has(name));
  const lacks = (some: typeof here, one: (typeof here)[number]) =>
    !some.some(({ name, checksum }) => name === one.name && checksum === one.checksum);
  const newer = there.find((one) => lacks(here, one));
  if (newer)
    throw new BackupFault(
      `The export is from version ${header.version}, whose migration ${newer.name} this installation (${target.version}) does not have. Upgrade it first. Nothing was imported.`,
    );
  const older = here.find((one) => lacks(there, one));
  if (older)
    throw new BackupFault(
      `The export is from version ${header.version}, which lacks the migration ${older.name} of this installation (${target.version}). Upgrade the source and export again. Nothing was imported.`,
    );
}

interface ImportSource {
  file: string;
  format: ExportFormat;
  header: WorkspaceExportHeader;
  files: ImportedFileStore;
}

/** Everything between BEGIN and COMMIT. */
async function loadWorkspace(
  client: pg.Client,
  { file, format, header, files }: ImportSource,
  request: ImportRequest,
  target: ImportTarget,
): Promise<WorkspaceImportResult> {
  await client.query(
    `SELECT set_config('lock_timeout', '60000', true), set_config('datestyle', 'ISO', true),
       set_config('intervalstyle', 'postgres', true), pg_advisory_xact_lock($1)::text`,
    [IMPORT_LOCK_ID],
  );
  const { id } = header.workspace;
  const stage = await ImportStage.open(client);
  const keys = await format.fileKeys(header);
  const slug = request.slug ?? header.workspace.slug;
  const tables = new Set<string>();
  let people: ImportedPeople | undefined;
  let isStored = false;
  const check = async () => {
    people ??= await prepareStagedRows(stage, { id, slug, keys, request }, target);
    return people;
  };
  const store = async () => {
    await check();
    if (isStored) return;
    isStored = true;
    await client.query(`DELETE FROM ${stagedTableName('file')} WHERE id <> ALL($1)`, [files.ids]);
    await storeStagedRows(stage, id, request.isActive);
  };
  const end = await walkBackupFile(file, format, {
    async table(table, rows) {
      if (table.name in EXPORTED_TABLES) {
        if (people) throw refusedExportFault(`the table ${table.name} is in the wrong place`);
        return stage.receive(table, rows);
      }
      await store();
      if (tables.has(table.name)) throw refusedExportFault(`it has the table ${table.name} twice`);
      tables.add(table.name);
      return storeWorkspaceTable(stage, id, table, rows);
    },
    async file(stored, bytes) {
      await check();
      if (isStored) throw refusedExportFault(`the file ${stored.id} is in the wrong place`);
      return files.receive(stage, stored, bytes);
    },
    sequences: async () => {
      throw refusedExportFault('it has numbers of sequences');
    },
  });
  await store();
  await requireRowsOfTables(stage, tables);
  await assignImportOwner(stage, id, { ...target, email: request.owner });
  await recordWorkspaceTransfer(client, 'workspace.import', header, end);
  return { ...end, header, slug, people: await check() };
}

/** Checks the staged rows and turns them into rows of this installation. */
async function prepareStagedRows(
  stage: ImportStage,
  { id, slug, keys, request }: { id: string; slug: string; keys: ExportFileKeys; request: ImportRequest },
  target: ImportTarget,
): Promise<ImportedPeople> {
  await checkStagedIds(stage, id);
  await checkStagedValues(stage);
  await requireUnusedIds(stage);
  await requireFreeSlug(stage, slug);
  await stage.client.query(`UPDATE ${stagedTableName('workspace')} SET slug = $1, tier = $2`, [slug, target.tier]);
  const reseal = {
    from: [keys.secrets],
    to: target.keys[0] ?? '',
    fault: (place: string) => refusedExportFault(`the secret of ${place} is not sealed by its passphrase`).message,
  };
  for (const table of Object.keys(EXPORTED_TABLES)) await resealTable(stage.client, `import_${table}`, table, reseal);
  return matchImportedPeople(stage, { ...target, areAccepted: request.areMembersAccepted ?? false });
}

async function requireFreeSlug({ client }: ImportStage, slug: string): Promise<void> {
  if (!IMPORT_SLUG_PATTERN.test(slug) || slug.length > MAX_SLUG_LENGTH)
    throw new BackupFault('A slug has lower-case letters, digits and hyphens. Nothing was imported.');
  const { rowCount } = await client.query('SELECT FROM workspace WHERE slug = $1', [slug]);
  if (rowCount !== 0)
    throw new BackupFault(
      `The slug ${slug} is taken in this installation: choose another one with --slug. Nothing was imported.`,
    );
}

async function requireRowsOfTables({ client }: ImportStage, tables: ReadonlySet<string>): Promise<void> {
  const { rows } = await client.query<{ id: string }>(`SELECT id FROM ${stagedTableName('data_table')}`);
  const missing = rows.find(({ id }) => !tables.has(id));
  if (missing) throw refusedExportFault(`it lacks the rows of the table ${missing.id}`);
}
