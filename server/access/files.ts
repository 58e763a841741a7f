import type { Db } from '@/server/db/client';
import type { Caller } from './caller';
import { covers } from './conditions';
import { visibleTo } from './filter';

/**
 * Which of these files a caller may read: those that an execution or a row names that they may read, and, like those who may run workflows,
 * those that nothing names yet. Files of other workspaces and ids of none are left out.
 */
export async function readableFiles(db: Db, caller: Caller, ids: readonly string[]): Promise<Set<string>> {
  const { workspaceId, permissions } = caller;
  const execution = { AND: [{ workspaceId }, visibleTo(caller, 'execution')] };
  const table = { AND: [{ workspaceId }, visibleTo(caller, 'table')] };
  const mayRun = permissions.some((permission) => covers(permission, 'workflow', 'execute'));
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
