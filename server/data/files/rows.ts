import type { FileValue } from '@/contract/file-value';
import { QUOTAS_BY_TIER } from '@/contract/quota';
import type { WorkspaceTier } from '@/contract/tier';
import { databasePool } from '@/server/platform/db/client';
import { quotaExceededProblem } from '@/server/platform/quotas/quota';

/** A file as it is stored. */
export interface StoredFileRow {
  id: string;
  workspaceId: string;
  name: string;
  contentType: string;
  size: number;
  sha256: string;
  createdAt: Date;
}

/** The time after which a file is removed that no execution or row names. */
const UNUSED_FILE_LIFETIME_SQL = `interval '24 hours'`;

const FILE_ID_PATTERN = /^file_[\w-]{1,64}$/;

/** The bytes that a workspace's files take. */
export async function readWorkspaceFileBytes(workspaceId: string): Promise<number> {
  const { rows } = await databasePool().query<{ bytes: number }>({
    name: 'files.bytes',
    text: 'SELECT bytes::float8 AS bytes FROM file_tally WHERE workspace_id = $1',
    values: [workspaceId],
  });
  return rows[0]?.bytes ?? 0;
}

const BEGIN_FILE_STATEMENT = `
WITH counted AS (
  INSERT INTO file_tally AS t (workspace_id, bytes)
  SELECT $2, $5::bigint WHERE $8::bigint IS NULL OR $5::bigint <= $8::bigint
  ON CONFLICT (workspace_id) DO UPDATE SET bytes = t.bytes + excluded.bytes
  WHERE $8::bigint IS NULL OR t.bytes + excluded.bytes <= $8::bigint
  RETURNING workspace_id
),
checked AS (INSERT INTO file_check (file_id, due_at) SELECT $1, now() + ${UNUSED_FILE_LIFETIME_SQL} FROM counted)
INSERT INTO file (id, workspace_id, name, content_type, size, sha256, created_by)
SELECT $1, workspace_id, $3, $4, $5::bigint, $6, $7 FROM counted
RETURNING created_at AS "createdAt"`;

async function findFileBytesLimit(workspaceId: string): Promise<number | null> {
  const { rows } = await databasePool().query<{ tier: WorkspaceTier }>({
    name: 'files.tier',
    text: 'SELECT tier FROM workspace WHERE id = $1',
    values: [workspaceId],
  });
  return QUOTAS_BY_TIER[rows[0]?.tier ?? 'free'].fileBytes;
}

/** Throws FORBIDDEN if the workspace has no room for so many bytes. */
export async function requireFileQuota(workspaceId: string, size: number): Promise<void> {
  const limit = await findFileBytesLimit(workspaceId);
  if (limit === null) return;
  const used = await readWorkspaceFileBytes(workspaceId);
  if (used + size > limit) throw quotaExceededProblem('fileBytes', used, limit);
}

/**
 * The row of a file before its bytes are stored: invisible until `markFileStored`. Whatever happens to this process,
 * the row leads to the bytes. Throws FORBIDDEN if the workspace's quota is used up.
 */
export async function insertPendingFile(
  file: Omit<StoredFileRow, 'createdAt'>,
  createdBy: string | null,
): Promise<Date> {
  const limit = await findFileBytesLimit(file.workspaceId);
  const { rows } = await databasePool().query<{ createdAt: Date }>({
    name: 'files.begin',
    text: BEGIN_FILE_STATEMENT,
    values: [file.id, file.workspaceId, file.name, file.contentType, file.size, file.sha256, createdBy, limit],
  });
  if (rows[0]) return rows[0].createdAt;
  throw quotaExceededProblem('fileBytes', await readWorkspaceFileBytes(file.workspaceId), limit ?? 0);
}

/** Makes a file visible. */
export async function markFileStored(id: string): Promise<void> {
  await databasePool().query({
    name: 'files.finish',
    text: 'UPDATE file SET stored_at = now() WHERE id = $1',
    values: [id],
  });
}

/** Makes files of a workspace invisible; the keeper removes their bytes. Returns how many. */
export async function discardFiles(workspaceId: string, ids: readonly string[]): Promise<number> {
  const { rowCount } = await databasePool().query({
    name: 'files.discard',
    text: 'UPDATE file SET removed_at = now() WHERE workspace_id = $1 AND id = ANY($2) AND removed_at IS NULL',
    values: [workspaceId, ids],
  });
  return rowCount ?? 0;
}

/** A file of a workspace; null for ids that do not exist, belong to another workspace, or are no ids. */
export async function findStoredFile(workspaceId: string, id: unknown): Promise<StoredFileRow | null> {
  if (typeof id !== 'string' || !FILE_ID_PATTERN.test(id)) return null;
  const { rows } = await databasePool().query<StoredFileRow>({
    name: 'files.find',
    text: `SELECT id, workspace_id AS "workspaceId", name, content_type AS "contentType", size::float8 AS size, sha256,
        created_at AS "createdAt"
      FROM file WHERE id = $2 AND workspace_id = $1 AND stored_at IS NOT NULL AND removed_at IS NULL`,
    values: [workspaceId, id],
  });
  return rows[0] ?? null;
}

export const toFileValue = ({ id, name, contentType, size, sha256 }: StoredFileRow): FileValue => ({
  $file: id,
  name,
  contentType,
  size,
  sha256,
});
