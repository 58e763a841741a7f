import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { squashedMigrations } from '@/server/db/migrate';
import { openSession } from '@/server/db/session';
import type { FileStorage } from '@/server/files/file-storage';
import { migrationsOf } from '../catalogue';
import { BackupFault } from '../fault';
import type { Totals } from '../records';
import { verify, walk } from '../walk';
import { isReadOnlyFailure } from '@/server/db/failures/sql-state';
import { recordTransfer } from './audit';
import { checkIds, requireFree } from './check-ids';
import { checkValues } from './check-values';
import { EXPORTED } from './content';
import { ImportedFiles } from './files';
import { exportFormat, type ExportFormat, type ExportHeader, type FileKeys } from './format';
import { settleOwner, settlePeople, type People } from './people';
import { resealTable } from './reseal';
import { refused, Stage, staged } from './stage';
import { storeRows, storeTable } from './store';

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
  /** Of new workspaces: the file does not decide on quotas. */
  tier: string;
  /** Whether accounts count as those of their addresses without a confirmation, because sign-up is closed. */
  areAddressesTrusted: boolean;
}

export interface ImportRequest {
  passphrase: string;
  /** In place of the slug in the file. */
  slug?: string | undefined;
  /** Address of an account that becomes an owner. */
  owner?: string | undefined;
  /** Whether triggers and runs go on. */
  isActive: boolean;
  /** Whether accounts that exist are members at once. Default: when they accept. */
  areMembersAccepted?: boolean;
}

export type Imported = Totals & { header: ExportHeader; slug: string; people: People };

/** One import at a time: two of the same file would store the same bytes. */
const LOCK = 7_130_409;
const SLUG = /^[a-z0-9]+(?:-+[a-z0-9]+)*$/;
const MAX_SLUG = 64;

/**
 * Imports one workspace into a database that others use. The whole file is checked first; all rows are one transaction. Throws a BackupFault,
 * and leaves nothing, if the passphrase is wrong, the file is damaged or of another version, has rows that do not belong to its workspace,
 * or if one of its ids exists.
 */
export async function importWorkspace(file: string, request: ImportRequest, target: ImportTarget): Promise<Imported> {
  const format = exportFormat(request.passphrase);
  const { header } = await verify(file, format);
  const client = await openSession(target.url, 'command');
  const temporary = await mkdtemp(path.join(target.temporary, 'import-'));
  const files = new ImportedFiles(target.files, temporary);
  let isCommitting = false;
  try {
    await requireSameVersion(client, header, target);
    await client.query('BEGIN');
    const imported = await load(client, { file, format, header, files }, request, target);
    isCommitting = true;
    await client.query('COMMIT');
    return imported;
  } catch (error) {
    // After a lost connection it is unknown whether the rows are there; the keeper removes bytes without rows.
    if (!isCommitting) await files.remove();
    throw faultOf(error);
  } finally {
    await client.end();
    await rm(temporary, { recursive: true, force: true });
  }
}

/** A value that the database refuses is the fault of the file. */
function faultOf(error: unknown): unknown {
  if (isReadOnlyFailure(error)) return new BackupFault('This installation is in maintenance. Nothing was imported.');
  const isValue = error instanceof pg.DatabaseError && /^2[23]/.test(error.code ?? '');
  return isValue ? refused(`${error.table ? `${error.table}: ` : ''}${error.message}`) : error;
}

/** The migrations of both sides are the same, but for how databases came to the first one. */
async function requireSameVersion(client: pg.Client, header: ExportHeader, target: ImportTarget): Promise<void> {
  const squashed = squashedMigrations(target.migrations);
  const here = (await migrationsOf(client)).filter(({ name }) => !squashed.has(name));
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

interface Source {
  file: string;
  format: ExportFormat;
  header: ExportHeader;
  files: ImportedFiles;
}

/** Everything between BEGIN and COMMIT. */
async function load(
  client: pg.Client,
  { file, format, header, files }: Source,
  request: ImportRequest,
  target: ImportTarget,
): Promise<Imported> {
  await client.query(
    `SELECT set_config('lock_timeout', '60000', true), set_config('datestyle', 'ISO', true),
       set_config('intervalstyle', 'postgres', true), pg_advisory_xact_lock($1)::text`,
    [LOCK],
  );
  const { id } = header.workspace;
  const stage = await Stage.open(client);
  const keys = await format.fileKeys(header);
  const slug = request.slug ?? header.workspace.slug;
  const tables = new Set<string>();
  let people: People | undefined;
  let isStored = false;
  const check = async () => {
    people ??= await prepare(stage, { id, slug, keys, request }, target);
    return people;
  };
  const store = async () => {
    await check();
    if (isStored) return;
    isStored = true;
    await client.query(`DELETE FROM ${staged('file')} WHERE id <> ALL($1)`, [files.ids]);
    await storeRows(stage, id, request.isActive);
  };
  const end = await walk(file, format, {
    async table(table, rows) {
      if (table.name in EXPORTED) {
        if (people) throw refused(`the table ${table.name} is in the wrong place`);
        return stage.receive(table, rows);
      }
      await store();
      if (tables.has(table.name)) throw refused(`it has the table ${table.name} twice`);
      tables.add(table.name);
      return storeTable(stage, id, table, rows);
    },
    async file(stored, bytes) {
      await check();
      if (isStored) throw refused(`the file ${stored.id} is in the wrong place`);
      return files.receive(stage, stored, bytes);
    },
    sequences: async () => {
      throw refused('it has numbers of sequences');
    },
  });
  await store();
  await requireTables(stage, tables);
  await settleOwner(stage, id, { ...target, email: request.owner });
  await recordTransfer(client, 'workspace.import', header, end);
  return { ...end, header, slug, people: await check() };
}

/** Checks the staged rows and turns them into rows of this installation. */
async function prepare(
  stage: Stage,
  { id, slug, keys, request }: { id: string; slug: string; keys: FileKeys; request: ImportRequest },
  target: ImportTarget,
): Promise<People> {
  await checkIds(stage, id);
  await checkValues(stage);
  await requireFree(stage);
  await requireSlug(stage, slug);
  await stage.client.query(`UPDATE ${staged('workspace')} SET slug = $1, tier = $2`, [slug, target.tier]);
  const reseal = {
    from: [keys.secrets],
    to: target.keys[0] ?? '',
    fault: (place: string) => refused(`the secret of ${place} is not sealed by its passphrase`).message,
  };
  for (const table of Object.keys(EXPORTED)) await resealTable(stage.client, `import_${table}`, table, reseal);
  return settlePeople(stage, { ...target, areAccepted: request.areMembersAccepted ?? false });
}

async function requireSlug({ client }: Stage, slug: string): Promise<void> {
  if (!SLUG.test(slug) || slug.length > MAX_SLUG)
    throw new BackupFault('A slug has lower-case letters, digits and hyphens. Nothing was imported.');
  const { rowCount } = await client.query('SELECT FROM workspace WHERE slug = $1', [slug]);
  if (rowCount !== 0)
    throw new BackupFault(
      `The slug ${slug} is taken in this installation: choose another one with --slug. Nothing was imported.`,
    );
}

async function requireTables({ client }: Stage, tables: ReadonlySet<string>): Promise<void> {
  const { rows } = await client.query<{ id: string }>(`SELECT id FROM ${staged('data_table')}`);
  const missing = rows.find(({ id }) => !tables.has(id));
  if (missing) throw refused(`it lacks the rows of the table ${missing.id}`);
}
