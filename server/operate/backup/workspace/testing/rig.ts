import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll } from 'vitest';
import { quoteSqlName, listTableNames } from '@/server/operate/backup/catalogue';
import { exportWorkspace } from '@/server/operate/backup/workspace/export';
import {
  importWorkspace,
  type WorkspaceImportResult,
  type ImportRequest,
  type ImportTarget,
} from '@/server/operate/backup/workspace/import';
import { openDatabaseConnections } from '@/server/platform/db/client';
import { LocalStorage } from '@/server/data/files/local-storage';
import { openFileStorage } from '@/server/data/files/storage';
import { getRuntime, setRuntime } from '@/server/platform/runtime';
import { freshDatabase } from '@/server/testing/database';

export const PASSPHRASE = 'a passphrase of the two operators';
const KEY = 'the key of the target, which the source has never seen';
const migrations = path.resolve(import.meta.dirname, '../../../../../prisma/migrations');

export interface Target extends ImportTarget {
  files: LocalStorage;
  /** Of its files. */
  folder: string;
}

/** Folders and databases of a test file, removed after it. */
export function transferRig() {
  const folder = mkdtempSync(path.join(tmpdir(), 'weft-transfer-'));
  const drops: (() => Promise<void>)[] = [];
  afterAll(async () => {
    for (const drop of drops) await drop();
    rmSync(folder, { recursive: true, force: true });
  });
  /** A name that no file has. */
  const fresh = (word: string) => path.join(folder, `${word}-${randomBytes(4).toString('hex')}.workspace`);
  return {
    folder,
    fresh,
    async export(workspace: string, changes: { hasRuns?: boolean } = {}): Promise<string> {
      const file = fresh('export');
      await exportWorkspace(
        file,
        { workspace, passphrase: PASSPHRASE, hasRuns: true, cost: 4096, ...changes },
        source(),
      );
      return file;
    },
    /** Another installation without rows. */
    async target(): Promise<Target> {
      const { url, drop } = await freshDatabase();
      drops.push(drop);
      const place = mkdtempSync(path.join(folder, 'files-'));
      const files = new LocalStorage(place);
      return {
        url,
        version: '1.2.3',
        migrations,
        files,
        folder: place,
        temporary: folder,
        keys: [KEY],
        tier: 'starter',
        areAddressesTrusted: true,
      };
    },
  };
}

export const source = () => ({
  url: getRuntime().env.databaseUrl ?? '',
  version: '1.2.3',
  files: openFileStorage(),
  keys: getRuntime().env.encryptionKeys,
});

export const importInto = (
  target: ImportTarget,
  file: string,
  changes: Partial<ImportRequest> = {},
): Promise<WorkspaceImportResult> =>
  importWorkspace(file, { passphrase: PASSPHRASE, isActive: false, ...changes }, target);

export async function on<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Runs `work` as a process of the target would. */
export async function servedBy<Result>({ url, files, keys }: Target, work: () => Promise<Result>): Promise<Result> {
  const before = getRuntime();
  const connections = openDatabaseConnections(url);
  setRuntime({
    env: { ...before.env, databaseUrl: url, encryptionKeys: [...keys] },
    ...connections,
    fileStorage: files,
  });
  try {
    return await work();
  } finally {
    setRuntime(before);
    await connections.prisma.$disconnect();
    await connections.pool.end();
  }
}

/** Numbers of rows by table, of those that have any. */
export const countsOf = (url: string): Promise<Record<string, number>> =>
  on(url, async (client) => {
    const tables = await listTableNames(client);
    const { rows } = await client.query<{ name: string; count: number }>(
      tables
        .map((name) => `SELECT ${pg.escapeLiteral(name)} AS name, count(*)::int AS count FROM ${quoteSqlName(name)}`)
        .join(' UNION ALL '),
    );
    return Object.fromEntries(rows.flatMap(({ name, count }) => (count > 0 ? [[name, count]] : [])));
  });
