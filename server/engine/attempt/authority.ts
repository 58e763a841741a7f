import { heldRoles, rightsOf, type HeldRole } from '@/server/access/permissions';
import { permissionFor, refusedAmong, type Holder, type Named } from '@/server/access/references';
import { pool, prisma } from '@/server/db/client';
import { groupCommit } from '@/server/db/group-commit';
import { NodeFailure } from '@/server/errors/node-failure';

/** A version whose runs may use credentials and workflows. */
export interface AuthorizedVersion {
  workflowId: string;
  workflowVersion: number;
}

/** A poll: its node uses the permissions of the user who saved it. */
export interface AuthorizedPoll {
  pollId: string;
}

/** SQL: the user whose permissions the runs of version `v` of workflow `w` use. Null: no user was recorded. */
const AUTHORITY = `coalesce(v.authorized_by, v.created_by, w.created_by)`;

const HOLDERS = `
SELECT a.place::int, ${AUTHORITY} AS authority, w.workspace_id, u.id AS user_id, u.email, r.held
FROM unnest($1::text[], $2::int[]) WITH ORDINALITY AS a(workflow_id, version, place)
JOIN workflow_version v ON v.workflow_id = a.workflow_id AND v.version = a.version
JOIN workflow w ON w.id = v.workflow_id
LEFT JOIN member m ON m.workspace_id = w.workspace_id AND m.user_id = ${AUTHORITY}
LEFT JOIN app_user u ON u.id = m.user_id
LEFT JOIN LATERAL (${heldRoles('m.workspace_id', 'm.user_id')}) r ON true`;

interface Row {
  place: number;
  authority: string | null;
  workspace_id: string;
  user_id: string | null;
  email: string | null;
  held: HeldRole[] | null;
}

/** Fail closed: no permissions. */
const NO_PERMISSIONS: Holder = { workspaceId: '', userId: '', email: '', permissions: [] };

const POLL_HOLDER = `
SELECT 1 AS place, coalesce(p.authorized_by, '') AS authority, w.workspace_id, u.id AS user_id, u.email, r.held
FROM poll p JOIN workflow w ON w.id = p.workflow_id
LEFT JOIN member m ON m.workspace_id = w.workspace_id AND m.user_id = p.authorized_by
LEFT JOIN app_user u ON u.id = m.user_id
LEFT JOIN LATERAL (${heldRoles('m.workspace_id', 'm.user_id')}) r ON true
WHERE p.id = $1`;

function holderOf(row: Row | undefined): Holder | null {
  if (!row) return NO_PERMISSIONS;
  // The version is older than the record of users: its runs are not restricted.
  if (row.authority === null) return null;
  // The user has left the workspace.
  if (row.user_id === null || row.email === null) return NO_PERMISSIONS;
  const { permissions } = rightsOf(row.held ?? []);
  return { workspaceId: row.workspace_id, userId: row.user_id, email: row.email, permissions };
}

/**
 * The user whose permissions a version's runs use, with the current permissions; null: everything is allowed. Requests
 * are batched instead of cached: concurrent requests share one statement, which starts after the last of them. So a lost
 * role takes effect at once, as it does for callers of operations.
 */
const currentHolder = groupCommit<AuthorizedVersion, Holder | null>(async (versions) => {
  const ids = versions.map(({ workflowId }) => workflowId);
  const numbers = versions.map(({ workflowVersion }) => workflowVersion);
  const { rows } = await pool().query<Row>({ name: 'engine.holders', text: HOLDERS, values: [ids, numbers] });
  const found = new Map(rows.map((row) => [row.place, row]));
  return versions.map((_, index) => holderOf(found.get(index + 1)));
});

/** The named objects that runs of a version currently may not use. */
export async function refusedToRuns<Ref extends Named>(
  version: AuthorizedVersion,
  named: readonly Ref[],
): Promise<Ref[]> {
  if (named.length === 0) return [];
  const holder = await currentHolder(version);
  return holder ? refusedAmong(prisma(), holder, named) : [];
}

async function refusedToPoll({ pollId }: AuthorizedPoll, named: readonly Named[]): Promise<Named[]> {
  if (named.length === 0) return [];
  const { rows } = await pool().query<Row>({ name: 'engine.poll-holder', text: POLL_HOLDER, values: [pollId] });
  const holder = holderOf(rows[0]);
  return holder ? refusedAmong(prisma(), holder, named) : [];
}

/** Throws NodeFailure FORBIDDEN when a run of a version, or a poll, may not use one of the objects. */
export async function requireUsable(user: AuthorizedVersion | AuthorizedPoll, named: readonly Named[]): Promise<void> {
  const [refused] = await ('pollId' in user ? refusedToPoll(user, named) : refusedToRuns(user, named));
  if (!refused) return;
  const { resource, id } = refused;
  const message =
    `${'pollId' in user ? 'The poll' : `Version ${user.workflowVersion}`} may not use the ${resource} ${id.slice(0, 100)}: ` +
    `the user who saved or published it lacks the permission ${permissionFor(refused)}.`;
  throw new NodeFailure('FORBIDDEN', message, false);
}
