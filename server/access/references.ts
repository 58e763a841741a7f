import { forbidden } from '@/server/errors/problem';
import type { Db } from '@/server/db/client';
import type { Caller } from './caller';
import { can, type Subject } from './conditions';
import { isAllowed } from './permissions';

/** An object that a definition or setting refers to. */
export interface Named {
  resource: 'credential' | 'workflow';
  id: string;
}

/** The permission needed to refer to an object. */
export const ACTION_ON = { credential: 'use', workflow: 'execute' } as const;

/** `credential:use`, `workflow:execute` */
export const permissionFor = (resource: Named['resource']): string => `${resource}:${ACTION_ON[resource]}`;

/** The person whose permissions are checked. */
export type Holder = Pick<Caller, 'workspaceId' | 'userId' | 'email' | 'permissions'>;

/** Attributes of the workspace's objects with these ids, for conditions. */
async function subjectsOf(
  db: Db,
  workspaceId: string,
  resource: Named['resource'],
  ids: string[],
): Promise<Map<string, Subject>> {
  const where = { workspaceId, id: { in: [...new Set(ids)] } };
  const common = { id: true, name: true, status: true, createdBy: true };
  const rows: (Subject & { id: string })[] =
    resource === 'credential'
      ? await db.credential.findMany({ where, select: { ...common, type: true, connectorId: true } })
      : await db.workflow.findMany({ where, select: common });
  return new Map(rows.map((row) => [row.id, row]));
}

/**
 * Returns the referenced objects that `holder` may not use. An unknown id passes if the holder may read or use every
 * object of its kind. Otherwise it is refused like an existing one, so that the answer does not reveal which ids exist.
 */
export async function refusedAmong<Ref extends Named>(
  db: Db,
  holder: Holder,
  references: readonly Ref[],
): Promise<Ref[]> {
  const { workspaceId, permissions } = holder;
  const unproven = references.filter(({ resource }) => !isAllowed(permissions, resource, ACTION_ON[resource]));
  if (unproven.length === 0) return [];
  const idsOf = (kind: Named['resource']) => unproven.flatMap(({ resource, id }) => (resource === kind ? id : []));
  const found = {
    credential: await subjectsOf(db, workspaceId, 'credential', idsOf('credential')),
    workflow: await subjectsOf(db, workspaceId, 'workflow', idsOf('workflow')),
  };
  return unproven.filter(({ resource, id }) => {
    const subject = found[resource].get(id);
    if (!subject && isAllowed(permissions, resource, 'read')) return false;
    return !can(holder, ACTION_ON[resource], resource, subject ?? { id });
  });
}

/** Throws 403 unless `holder` may use the object. */
export async function requireUse(db: Db, holder: Holder, reference: Named): Promise<void> {
  const refusedReferences = await refusedAmong(db, holder, [reference]);
  if (refusedReferences.length > 0) throw forbidden(`This needs the permission ${permissionFor(reference.resource)}.`);
}
