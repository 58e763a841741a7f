import type { Db } from '@/server/db/client';
import type { Caller } from './caller';
import { can, covers } from './conditions';
import { visibleTo } from './filter';
import { isAllowed } from './permissions';

/** The tables of these uses that the caller may read. */
async function readableTables(db: Db, caller: Caller, fileIds: readonly string[]): Promise<string[] | 'all'> {
  if (isAllowed(caller.permissions, 'table', 'read')) return 'all';
  if (!caller.permissions.some((permission) => covers(permission, 'table', 'read'))) return [];
  const tables = await db.dataTable.findMany({
    where: { workspaceId: caller.workspaceId, fileUses: { some: { fileId: { in: [...fileIds] } } } },
    select: { id: true, name: true, createdBy: true },
  });
  return tables.filter((table) => can(caller, 'read', 'table', table)).map(({ id }) => id);
}

/**
 * Which of these files a caller may read: those that an execution or a row names that they may read, and, like those who may run workflows,
 * those that nothing names yet. Files of other workspaces and ids of none are left out.
 */
export async function readableFiles(db: Db, caller: Caller, ids: readonly string[]): Promise<Set<string>> {
  const { workspaceId, permissions } = caller;
  const tables = await readableTables(db, caller, ids);
  const execution = { AND: [{ workspaceId }, visibleTo(caller, 'execution')] };
  const mayRead = permissions.some((permission) => covers(permission, 'execution', 'read'));
  const mayRun = permissions.some((permission) => covers(permission, 'workflow', 'execute'));
  const found = await db.file.findMany({
    where: {
      id: { in: [...ids] },
      workspaceId,
      storedAt: { not: null },
      removedAt: null,
      OR: [
        ...(mayRead ? [{ uses: { some: { execution } } }] : []),
        { rowUses: { some: { table: { workspaceId }, ...(tables === 'all' ? {} : { tableId: { in: tables } }) } } },
        ...(mayRun ? [{ uses: { none: {} }, rowUses: { none: {} } }] : []),
      ],
    },
    select: { id: true },
  });
  return new Set(found.map(({ id }) => id));
}
