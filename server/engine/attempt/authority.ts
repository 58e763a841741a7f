import { heldRolesSql, combineRoleRights, type HeldRole } from '@/server/people/access/permissions';
import {
  referencePermission,
  findRefusedReferences,
  type PermissionHolder,
  type ObjectReference,
} from '@/server/people/access/references';
import { databasePool, prismaClient } from '@/server/platform/db/client';
import { groupCommit } from '@/server/platform/db/group-commit';
import { NodeFailure } from '@/server/platform/errors/node-failure';

/** A version whose runs may use credentials and workflows. */
export interface AuthorizedVersion {
  workflowId: string;
  workflowVersion: number;
}

/** A poll: its node uses the permissions of the user who saved it. */
export interface AuthorizedPoll {
  pollId: string;
}

/** A person who tries a node out: it uses the permissions of that person. */
export interface AuthorizedPerson {
  person: PermissionHolder;
}

/** Those who decide what a node may use. */
export type NodeAuthority = AuthorizedVersion | AuthorizedPoll | AuthorizedPerson;

/** SQL: the user whose permissions the runs of version `v` of workflow `w` use. Null: no user was recorded. */
const VERSION_AUTHORITY_SQL = `coalesce(v.authorized_by, v.created_by, w.created_by)`;

const VERSION_HOLDERS_SQL = `
SELECT a.place::int, ${VERSION_AUTHORITY_SQL} AS authority, w.workspace_id, u.id AS user_id, u.email, r.held
FROM unnest($1::text[], $2::int[]) WITH ORDINALITY AS a(workflow_id, version, place)
JOIN workflow_version v ON v.workflow_id = a.workflow_id AND v.version = a.version
JOIN workflow w ON w.id = v.workflow_id
LEFT JOIN member m ON m.workspace_id = w.workspace_id AND m.user_id = ${VERSION_AUTHORITY_SQL}
LEFT JOIN app_user u ON u.id = m.user_id
LEFT JOIN LATERAL (${heldRolesSql('m.workspace_id', 'm.user_id')}) r ON true`;

interface PermissionHolderRow {
  place: number;
  authority: string | null;
  workspace_id: string;
  user_id: string | null;
  email: string | null;
  held: HeldRole[] | null;
}

/** Fail closed: no permissions. */
const HOLDER_WITHOUT_PERMISSIONS: PermissionHolder = { workspaceId: '', userId: '', email: '', permissions: [] };

const POLL_HOLDER_SQL = `
SELECT 1 AS place, coalesce(p.authorized_by, '') AS authority, w.workspace_id, u.id AS user_id, u.email, r.held
FROM poll p JOIN workflow w ON w.id = p.workflow_id
LEFT JOIN member m ON m.workspace_id = w.workspace_id AND m.user_id = p.authorized_by
LEFT JOIN app_user u ON u.id = m.user_id
LEFT JOIN LATERAL (${heldRolesSql('m.workspace_id', 'm.user_id')}) r ON true
WHERE p.id = $1`;

function toPermissionHolder(row: PermissionHolderRow | undefined): PermissionHolder | null {
  if (!row) return HOLDER_WITHOUT_PERMISSIONS;
  // The version is older than the record of users: its runs are not restricted.
  if (row.authority === null) return null;
  // The user has left the workspace.
  if (row.user_id === null || row.email === null) return HOLDER_WITHOUT_PERMISSIONS;
  const { permissions } = combineRoleRights(row.held ?? []);
  return { workspaceId: row.workspace_id, userId: row.user_id, email: row.email, permissions };
}

/**
 * The user whose permissions a version's runs use, with the current permissions; null: everything is allowed. Requests
 * are batched instead of cached: concurrent requests share one statement, which starts after the last of them. So a
 * lost role takes effect at once, as it does for callers of operations.
 */
const readVersionHolder = groupCommit<AuthorizedVersion, PermissionHolder | null>(async (versions) => {
  const ids = versions.map(({ workflowId }) => workflowId);
  const numbers = versions.map(({ workflowVersion }) => workflowVersion);
  const { rows } = await databasePool().query<PermissionHolderRow>({
    name: 'engine.holders',
    text: VERSION_HOLDERS_SQL,
    values: [ids, numbers],
  });
  const found = new Map(rows.map((row) => [row.place, row]));
  return versions.map((_, index) => toPermissionHolder(found.get(index + 1)));
});

/** The named objects that runs of a version currently may not use. */
export async function findObjectsRefusedToRuns<Ref extends ObjectReference>(
  version: AuthorizedVersion,
  named: readonly Ref[],
): Promise<Ref[]> {
  if (named.length === 0) return [];
  const holder = await readVersionHolder(version);
  return holder ? findRefusedReferences(prismaClient(), holder, named) : [];
}

async function findObjectsRefusedToPoll(
  { pollId }: AuthorizedPoll,
  named: readonly ObjectReference[],
): Promise<ObjectReference[]> {
  if (named.length === 0) return [];
  const { rows } = await databasePool().query<PermissionHolderRow>({
    name: 'engine.poll-holder',
    text: POLL_HOLDER_SQL,
    values: [pollId],
  });
  const holder = toPermissionHolder(rows[0]);
  return holder ? findRefusedReferences(prismaClient(), holder, named) : [];
}

/** Throws NodeFailure FORBIDDEN when a run of a version, or a poll, may not use one of the objects. */
export async function requireUsableObjects(user: NodeAuthority, named: readonly ObjectReference[]): Promise<void> {
  if ('person' in user) return requireUseByPerson(user.person, named);
  const [refused] = await ('pollId' in user
    ? findObjectsRefusedToPoll(user, named)
    : findObjectsRefusedToRuns(user, named));
  if (!refused) return;
  const { resource, id } = refused;
  const message =
    `${'pollId' in user ? 'The poll' : `Version ${user.workflowVersion}`} may not use the ${resource} ${id.slice(0, 100)}: ` +
    `the user who saved or published it lacks the permission ${referencePermission(refused)}.`;
  throw new NodeFailure('FORBIDDEN', message, false);
}

async function requireUseByPerson(person: PermissionHolder, named: readonly ObjectReference[]): Promise<void> {
  const [refused] = await findRefusedReferences(prismaClient(), person, named);
  if (!refused) return;
  const message = `This needs the permission ${referencePermission(refused)} on the ${refused.resource} ${refused.id.slice(0, 100)}.`;
  throw new NodeFailure('FORBIDDEN', message, false);
}
