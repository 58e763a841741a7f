import type { DatabaseClient } from '@/server/platform/db/client';
import type { WorkspaceCaller } from './caller';
import { isActionAllowed, type AccessSubject } from './conditions';
import { isAllowedOnEveryObject } from './permissions';
import { permissionRefusal, type PermissionWord } from './require';

/** An object that a definition or setting refers to. */
export type ObjectReference =
  | { resource: 'credential' | 'workflow'; id: string }
  | { resource: 'connector'; id: string }
  /** `write`: its rows are changed. */
  | { resource: 'table'; id: string; action: 'read' | 'write' };

/** The action that has to be permitted on an object to refer to it. */
const REFERENCE_ACTIONS = { credential: 'use', workflow: 'execute', connector: 'use' } as const;

const referenceAction = (named: ObjectReference) =>
  named.resource === 'table' ? named.action : REFERENCE_ACTIONS[named.resource];

/** `credential:use`, `workflow:execute`, `connector:use`, `table:read`, `table:write` */
export const referencePermission = (named: ObjectReference): PermissionWord =>
  `${named.resource}:${referenceAction(named)}`;

/** The person whose permissions are checked. */
export type PermissionHolder = Pick<WorkspaceCaller, 'workspaceId' | 'userId' | 'email' | 'permissions'>;

/** Attributes of the workspace's objects with these ids, for conditions. */
async function findReferenceSubjects(
  db: DatabaseClient,
  workspaceId: string,
  resource: ObjectReference['resource'],
  ids: string[],
): Promise<Map<string, AccessSubject>> {
  const where = { workspaceId, id: { in: [...new Set(ids)] } };
  const common = { id: true, name: true, status: true, createdBy: true };
  const find: Record<ObjectReference['resource'], () => Promise<(AccessSubject & { id: string })[]>> = {
    credential: () => db.credential.findMany({ where, select: { ...common, type: true, connectorId: true } }),
    workflow: () => db.workflow.findMany({ where, select: common }),
    table: () => db.dataTable.findMany({ where, select: { id: true, name: true, createdBy: true } }),
    connector: () => db.connector.findMany({ where, select: { id: true, name: true, createdBy: true } }),
  };
  const rows = ids.length === 0 ? [] : await find[resource]();
  const subjects = new Map<string, AccessSubject>(rows.map((row) => [row.id, row]));
  if (resource !== 'connector') return subjects;
  // Connectors of the service have no rows, because all of them exist.
  return new Map(ids.map((id) => [id, { ...subjects.get(id), id, connectorId: id }]));
}

/**
 * Returns the referenced objects that `holder` may not use. An unknown id passes if the holder may read or use every
 * object of its kind. Otherwise it is refused like an existing one, so that the answer does not reveal which ids exist.
 */
export async function findRefusedReferences<Ref extends ObjectReference>(
  db: DatabaseClient,
  holder: PermissionHolder,
  references: readonly Ref[],
): Promise<Ref[]> {
  const { workspaceId, permissions } = holder;
  const unproven = references.filter((one) => !isAllowedOnEveryObject(permissions, one.resource, referenceAction(one)));
  if (unproven.length === 0) return [];
  const idsOf = (kind: ObjectReference['resource']) =>
    unproven.flatMap(({ resource, id }) => (resource === kind ? id : []));
  const found = {
    credential: await findReferenceSubjects(db, workspaceId, 'credential', idsOf('credential')),
    workflow: await findReferenceSubjects(db, workspaceId, 'workflow', idsOf('workflow')),
    table: await findReferenceSubjects(db, workspaceId, 'table', idsOf('table')),
    connector: await findReferenceSubjects(db, workspaceId, 'connector', idsOf('connector')),
  };
  return unproven.filter((one) => {
    const { resource, id } = one;
    const subject = found[resource].get(id);
    if (!subject && isAllowedOnEveryObject(permissions, resource, 'read')) return false;
    return !isActionAllowed(holder, referenceAction(one), resource, subject ?? { id });
  });
}

/** Throws 403 unless `holder` may use the object, or all of several. */
export async function requireReferenceUse(
  db: DatabaseClient,
  holder: PermissionHolder,
  references: ObjectReference | readonly ObjectReference[],
): Promise<void> {
  const [refused] = await findRefusedReferences(db, holder, [references].flat());
  if (refused) throw permissionRefusal(referencePermission(refused));
}
