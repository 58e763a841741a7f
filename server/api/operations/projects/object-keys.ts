import type { DatabaseClient } from '@/server/platform/db/client';
import type { WorkspaceCaller } from '@/server/people/access/caller';
import { visibleRowsFilter } from '@/server/people/access/filter';
import { hasExpression } from '@/server/evaluation/expressions/template';

/** The kinds of objects that definitions refer to. */
export type ReferenceKind = 'credential' | 'workflow' | 'table';

export interface ReadableObject {
  id: string;
  name: string;
}

/** What the caller may read of a workspace, by kind. */
export type ReadableObjects = Record<ReferenceKind, ReadableObject[]>;

export async function listReadableObjects(db: DatabaseClient, caller: WorkspaceCaller): Promise<ReadableObjects> {
  const { workspaceId } = caller;
  const options = { select: { id: true, name: true }, orderBy: { id: 'asc' as const } };
  const [credential, workflow, table] = await Promise.all([
    db.credential.findMany({ where: { AND: [{ workspaceId }, visibleRowsFilter(caller, 'credential')] }, ...options }),
    db.workflow.findMany({ where: { AND: [{ workspaceId }, visibleRowsFilter(caller, 'workflow')] }, ...options }),
    db.dataTable.findMany({ where: { AND: [{ workspaceId }, visibleRowsFilter(caller, 'table')] }, ...options }),
  ]);
  return { credential, workflow, table };
}

/**
 * Assigns each object, by its id, a key for the files: its name, or name and id if two objects have the name or if it
 * looks like an expression.
 */
export function assignProjectKeys(objects: readonly ReadableObject[]): Map<string, string> {
  const counts = new Map<string, number>();
  for (const { name } of objects) counts.set(name, (counts.get(name) ?? 0) + 1);
  return new Map(
    objects.map(({ id, name }) => [
      id,
      counts.get(name) === 1 && !hasExpression(name) ? name : `${stripExpressionOpening(name)} (${id})`,
    ]),
  );
}

/** Removes what begins an expression from a name. */
const stripExpressionOpening = (name: string) => name.replaceAll('{{', '').trim();
