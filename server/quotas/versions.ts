import { Problem } from '@/server/errors/problem';
import type { Db } from '@/server/db/client';

/** Versions of one workflow, and the disk space of their definitions (PostgreSQL compresses them), in bytes. */
export const MAX_VERSIONS = 10_000;
export const MAX_VERSION_BYTES = 256 * 1024 * 1024;

/**
 * Throws FORBIDDEN if a workflow has the maximum number of versions. The editor saves often, so there are many. The workflow must be
 * locked.
 */
export async function requireRoomForVersion(db: Db, workflowId: string): Promise<void> {
  const [row] = await db.$queryRaw<{ count: number; bytes: number }[]>`
    SELECT count(*)::int AS count, coalesce(sum(pg_column_size(definition)), 0)::float8 AS bytes
    FROM workflow_version WHERE workflow_id = ${workflowId}`;
  if (!row || (row.count < MAX_VERSIONS && row.bytes < MAX_VERSION_BYTES)) return;
  const most = `${MAX_VERSIONS.toLocaleString('en')} versions or ${MAX_VERSION_BYTES / 1024 / 1024} MiB of them`;
  throw new Problem(
    'FORBIDDEN',
    `The workflow has ${row.count.toLocaleString('en')} versions; the limit is ${most}. Remove old versions that were never published.`,
    [{ field: 'limit', message: `versions of a workflow: ${most}` }],
  );
}
