import { ApiProblem } from '@/server/platform/errors/problem';
import type { DatabaseClient } from '@/server/platform/db/client';

/** Versions of one workflow, and the disk space of their definitions (PostgreSQL compresses them), in bytes. */
export const MAX_WORKFLOW_VERSIONS = 10_000;
export const MAX_WORKFLOW_VERSION_BYTES = 256 * 1024 * 1024;

/**
 * Throws FORBIDDEN if a workflow has the maximum number of versions. The editor saves often, so there are many. The
 * workflow must be locked.
 */
export async function requireVersionQuota(db: DatabaseClient, workflowId: string): Promise<void> {
  const [row] = await db.$queryRaw<{ count: number; bytes: number }[]>`
    SELECT count(*)::int AS count, coalesce(sum(pg_column_size(definition)), 0)::float8 AS bytes
    FROM workflow_version WHERE workflow_id = ${workflowId}`;
  if (!row || (row.count < MAX_WORKFLOW_VERSIONS && row.bytes < MAX_WORKFLOW_VERSION_BYTES)) return;
  const most = `${MAX_WORKFLOW_VERSIONS.toLocaleString('en')} versions or ${MAX_WORKFLOW_VERSION_BYTES / 1024 / 1024} MiB of them`;
  throw new ApiProblem(
    'FORBIDDEN',
    `The workflow has ${row.count.toLocaleString('en')} versions; the limit is ${most}. Remove old versions that were never published.`,
    [{ field: 'limit', message: `versions of a workflow: ${most}` }],
  );
}
