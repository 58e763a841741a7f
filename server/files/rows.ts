import type { FileValue } from '@/contract/file-value';
import { QUOTAS } from '@/contract/quota';
import type { Tier } from '@/contract/tier';
import { pool } from '@/server/db/client';
import { quotaExceeded } from '@/server/quotas/quota';

/** A file as it is stored. */
export interface StoredFile {
  id: string;
  workspaceId: string;
  name: string;
  contentType: string;
  size: number;
  sha256: string;
  createdAt: Date;
}

/** A file that no execution or row names is removed after so long. */
const UNUSED = `interval '24 hours'`;

const ID = /^file_[\w-]{1,64}$/;

/** The bytes that a workspace's files take. */
export async function fileBytesOf(workspaceId: string): Promise<number> {
  const { rows } = await pool().query<{ bytes: number }>({
    name: 'files.bytes',
    text: 'SELECT bytes::float8 AS bytes FROM file_tally WHERE workspace_id = $1',
    values: [workspaceId],
  });
  return rows[0]?.bytes ?? 0;
}

const BEGIN = `
WITH counted AS (
  INSERT INTO file_tally AS t (workspace_id, bytes)
  SELECT $2, $5::bigint WHERE $8::bigint IS NULL OR $5::bigint <= $8::bigint
  ON CONFLICT (workspace_id) DO UPDATE SET bytes = t.bytes + excluded.bytes
  WHERE $8::bigint IS NULL OR t.bytes + excluded.bytes <= $8::bigint
  RETURNING workspace_id
),
checked AS (INSERT INTO file_check (file_id, due_at) SELECT $1, now() + ${UNUSED} FROM counted)
INSERT INTO file (id, workspace_id, name, content_type, size, sha256, created_by)
SELECT $1, workspace_id, $3, $4, $5::bigint, $6, $7 FROM counted
RETURNING created_at AS "createdAt"`;

async function limitOf(workspaceId: string): Promise<number | null> {
  const { rows } = await pool().query<{ tier: Tier }>({
    name: 'files.tier',
    text: 'SELECT tier FROM workspace WHERE id = $1',
    values: [workspaceId],
  });
  return QUOTAS[rows[0]?.tier ?? 'free'].fileBytes;
}

/** Throws FORBIDDEN if the workspace has no room for so many bytes. */
export async function requireRoom(workspaceId: string, size: number): Promise<void> {
  const limit = await limitOf(workspaceId);
  if (limit === null) return;
  const used = await fileBytesOf(workspaceId);
  if (used + size > limit) throw quotaExceeded('fileBytes', used, limit);
}

/**
 * The row of a file before its bytes are stored: invisible until `finishFile`. Whatever happens to this process, the row leads to the bytes.
 * Throws FORBIDDEN if the workspace's quota is used up.
 */
export async function beginFile(file: Omit<StoredFile, 'createdAt'>, createdBy: string | null): Promise<Date> {
  const limit = await limitOf(file.workspaceId);
  const { rows } = await pool().query<{ createdAt: Date }>({
    name: 'files.begin',
    text: BEGIN,
    values: [file.id, file.workspaceId, file.name, file.contentType, file.size, file.sha256, createdBy, limit],
  });
  if (rows[0]) return rows[0].createdAt;
  throw quotaExceeded('fileBytes', await fileBytesOf(file.workspaceId), limit ?? 0);
}

/** Makes a file visible. */
export async function finishFile(id: string): Promise<void> {
  await pool().query({
    name: 'files.finish',
    text: 'UPDATE file SET stored_at = now() WHERE id = $1',
    values: [id],
  });
}

/** Makes files of a workspace invisible; the keeper removes their bytes. Returns how many. */
export async function discardFiles(workspaceId: string, ids: readonly string[]): Promise<number> {
  const { rowCount } = await pool().query({
    name: 'files.discard',
    text: 'UPDATE file SET removed_at = now() WHERE workspace_id = $1 AND id = ANY($2) AND removed_at IS NULL',
    values: [workspaceId, ids],
  });
  return rowCount ?? 0;
}

/** A file of a workspace; null for ids that do not exist, belong to another workspace, or are no ids. */
export async function findFile(workspaceId: string, id: unknown): Promise<StoredFile | null> {
  if (typeof id !== 'string' || !ID.test(id)) return null;
  const { rows } = await pool().query<StoredFile>({
    name: 'files.find',
    text: `SELECT id, workspace_id AS "workspaceId", name, content_type AS "contentType", size::float8 AS size, sha256,
        created_at AS "createdAt"
      FROM file WHERE id = $2 AND workspace_id = $1 AND stored_at IS NOT NULL AND removed_at IS NULL`,
    values: [workspaceId, id],
  });
  return rows[0] ?? null;
}

export const valueOf = ({ id, name, contentType, size, sha256 }: StoredFile): FileValue => ({
  $file: id,
  name,
  contentType,
  size,
  sha256,
});
