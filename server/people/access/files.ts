import type { DatabaseClient } from '@/server/platform/db/client';
import type { WorkspaceCaller } from './caller';
import { permissionCovers } from './conditions';
import { visibleRowsFilter } from './filter';
import { requirePermission } from './require';

/**
 * Which of these files a caller may read: those that an execution or a row names that they may read, and, like those
 * who may run workflows, those that nothing names yet. Files of other workspaces and ids of none are left out.
 */
export async function findReadableFiles(
  db: DatabaseClient,
  caller: WorkspaceCaller,
  ids: readonly string[],
): Promise<Set<string>> {
  const { workspaceId, permissions } = caller;
  const execution = { AND: [{ workspaceId }, visibleRowsFilter(caller, 'execution')] };
  const table = { AND: [{ workspaceId }, visibleRowsFilter(caller, 'table')] };
  const mayRun = permissions.some((permission) => permissionCovers(permission, 'workflow', 'execute'));
  const found = await db.file.findMany({
    where: {
      id: { in: [...ids] },
      workspaceId,
      storedAt: { not: null },
      removedAt: null,
      OR: [
        { uses: { some: { execution } } },
        { rowUses: { some: { table } } },
        ...(mayRun ? [{ uses: { none: {} }, rowUses: { none: {} } }] : []),
      ],
    },
    select: { id: true },
  });
  return new Set(found.map(({ id }) => id));
}

interface FileUseRow {
  kind: 'workflow' | 'table';
  id: string;
  name: string;
  status: string | null;
  createdBy: string | null;
}

/**
 * Throws 403 unless a caller may take away a file from everything that uses it: from runs that are not their own by
 * `workflow:update` on the workflow, from rows by `table:write`. A file that nothing uses yet is for the person who
 * uploaded it.
 */
export async function requireFileRemoval(db: DatabaseClient, caller: WorkspaceCaller, id: string): Promise<void> {
  const uses = await db.$queryRaw<FileUseRow[]>`
    SELECT DISTINCT 'workflow' AS kind, w.id, w.name, w.status, w.created_by AS "createdBy"
    FROM file_use u JOIN execution e ON e.id = u.execution_id JOIN workflow w ON w.id = e.workflow_id
    WHERE u.file_id = ${id} AND e.created_by IS DISTINCT FROM ${caller.userId}
    UNION ALL
    SELECT DISTINCT 'table', t.id, t.name, NULL, t.created_by
    FROM row_file_use u JOIN data_table t ON t.id = u.table_id WHERE u.file_id = ${id}`;
  for (const { kind, status, ...subject } of uses) {
    if (kind === 'table') requirePermission(caller, 'table', 'write', subject);
    else requirePermission(caller, 'workflow', 'update', { ...subject, ...(status === null ? {} : { status }) });
  }
  if (uses.length === 0 && !(await isFileOwn(db, caller, id))) requirePermission(caller, 'workflow', 'update');
}

/** Whether the person uploaded a file, or a run of theirs made it. */
async function isFileOwn(db: DatabaseClient, { userId }: WorkspaceCaller, id: string): Promise<boolean> {
  const { createdBy, _count } = await db.file.findUniqueOrThrow({
    where: { id },
    select: { createdBy: true, _count: { select: { uses: { where: { execution: { createdBy: userId } } } } } },
  });
  return createdBy === null ? _count.uses > 0 : createdBy === userId;
}
