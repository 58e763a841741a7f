import type { Db } from '@/server/db/client';
import type { Caller } from '@/server/access/caller';
import { visibleTo } from '@/server/access/filter';
import { isTemplate } from '@/server/expressions/template';

/** The kinds of objects that definitions refer to. */
export type ReferenceKind = 'credential' | 'workflow' | 'table';

export interface Named {
  id: string;
  name: string;
}

/** What the caller may read of a workspace, by kind. */
export type Catalogue = Record<ReferenceKind, Named[]>;

export async function readCatalogue(db: Db, caller: Caller): Promise<Catalogue> {
  const { workspaceId } = caller;
  const options = { select: { id: true, name: true }, orderBy: { id: 'asc' as const } };
  const [credential, workflow, table] = await Promise.all([
    db.credential.findMany({ where: { AND: [{ workspaceId }, visibleTo(caller, 'credential')] }, ...options }),
    db.workflow.findMany({ where: { AND: [{ workspaceId }, visibleTo(caller, 'workflow')] }, ...options }),
    db.dataTable.findMany({ where: { AND: [{ workspaceId }, visibleTo(caller, 'table')] }, ...options }),
  ]);
  return { credential, workflow, table };
}

/**
 * The keys of objects by their ids: the name, or the name with the id where the name alone would not do because two objects have it or it
 * looks like an expression.
 */
export function keysOf(objects: readonly Named[]): Map<string, string> {
  const counts = new Map<string, number>();
  for (const { name } of objects) counts.set(name, (counts.get(name) ?? 0) + 1);
  return new Map(
    objects.map(({ id, name }) => [id, counts.get(name) === 1 && !isTemplate(name) ? name : `${named(name)} (${id})`]),
  );
}

/** A name without what begins an expression. */
const named = (name: string) => name.replaceAll('{{', '').trim();
