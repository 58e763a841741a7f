/*
 * Rules for which memberships count. A user accepts a membership, or their sign-in provider creates it without their
 * consent. A membership without consent counts only in sessions of that workspace's providers: it gives the person's
 * own sessions no access, and no policy of that workspace applies to the account.
 */

/** SQL: whether a membership counts for a session. `x` and `s` are the aliases of the two tables. */
export const membershipCountsSql = (x: string, s: string) =>
  `(${s}.workspace_id IS NULL AND ${x}.accepted_at IS NOT NULL OR ${x}.workspace_id = ${s}.workspace_id)`;

/**
 * The same rule as a Prisma filter of memberships. `onlyWorkspaceId`: the one workspace that the session reaches; null:
 * any.
 */
export const countingMemberships = (onlyWorkspaceId: string | null) =>
  onlyWorkspaceId === null ? { acceptedAt: { not: null } } : { workspaceId: onlyWorkspaceId };

/** A Prisma filter of people: members who accepted, or whose account belongs to this workspace alone. */
export const peopleBelongingTo = (workspaceId: string) => ({
  OR: [{ onlyWorkspaceId: workspaceId }, { memberships: { some: { workspaceId, acceptedAt: { not: null } } } }],
});
