import type { Db } from '@/server/db/client';
import type { Caller } from './caller';
import { can, type Subject } from './conditions';
import { isAllowed } from './permissions';
import { permissionRefusal, type PermissionWord } from './require';

/** An object that a definition or setting refers to. */
export type Named =
  | { resource: 'credential' | 'workflow'; id: string }
  | { resource: 'connector'; id: string }
  /** `write`: its rows are changed. */
  | { resource: 'table'; id: string; action: 'read' | 'write' };

/** The action that has to be permitted on an object to refer to it. */
const ACTION_ON = { credential: 'use', workflow: 'execute', connector: 'use' } as const;

const actionOn = (named: Named) => (named.resource === 'table' ? named.action : ACTION_ON[named.resource]);

/** `credential:use`, `workflow:execute`, `connector:use`, `table:read`, `table:write` */
export const permissionFor = (named: Named): PermissionWord => `${named.resource}:${actionOn(named)}`;

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
  const find: Record<Named['resource'], () => Promise<(Subject & { id: string })[]>> = {
    credential: () => db.credential.findMany({ where, select: { ...common, type: true, connectorId: true } }),
    workflow: () => db.workflow.findMany({ where, select: common }),
    table: () => db.dataTable.findMany({ where, select: { id: true, name: true, createdBy: true } }),
    connector: () => db.connector.findMany({ where, select: { id: true, name: true, createdBy: true } }),
  };
  const rows = ids.length === 0 ? [] : await find[resource]();
  const subjects = new Map<string, Subject>(rows.map((row) => [row.id, row]));
  if (resource !== 'connector') return subjects;
  // Those of the service have no rows: all of them exist.
  return new Map(ids.map((id) => [id, { ...subjects.get(id), id, connectorId: id }]));
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
  const unproven = references.filter((one) => !isAllowed(permissions, one.resource, actionOn(one)));
  if (unproven.length === 0) return [];
  const idsOf = (kind: Named['resource']) => unproven.flatMap(({ resource, id }) => (resource === kind ? id : []));
  const found = {
    credential: await subjectsOf(db, workspaceId, 'credential', idsOf('credential')),
    workflow: await subjectsOf(db, workspaceId, 'workflow', idsOf('workflow')),
    table: await subjectsOf(db, workspaceId, 'table', idsOf('table')),
    connector: await subjectsOf(db, workspaceId, 'connector', idsOf('connector')),
  };
  return unproven.filter((one) => {
    const { resource, id } = one;
    const subject = found[resource].get(id);
    if (!subject && isAllowed(permissions, resource, 'read')) return false;
    return !can(holder, actionOn(one), resource, subject ?? { id });
  });
}

/** Throws 403 unless `holder` may use the object, or all of several. */
export async function requireUse(db: Db, holder: Holder, references: Named | readonly Named[]): Promise<void> {
  const [refused] = await refusedAmong(db, holder, [references].flat());
  if (refused) throw permissionRefusal(permissionFor(refused));
}
